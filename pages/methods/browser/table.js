// A table of a few rows that can be sorted by any column. It is made of elements, so words wrap and
// a screen reader reads it, and it is brought up to date in place: the order that was chosen stays.

const LONG = 24; // letters: longer texts get room, or a narrow window would make them a column of words

export default function ({ data, parentElement }) {
  const place = parentElement.querySelector(".sortable") || build(parentElement);
  place.firstChild.setAttribute("aria-label", data.alt);
  place.given = data;
  draw(place);
}

function build(parent) {
  const place = document.createElement("div");
  place.className = "sortable";
  place.tabIndex = 0; // wide tables are scrolled by keys, too
  place.append(document.createElement("table"));
  place.by = null;
  parent.append(place);
  return place;
}

function draw(place) {
  const { columns, rows } = place.given;
  if (place.by !== null && place.by.column >= columns.length) place.by = null;
  const head = row(columns.map((column, number) => heading(place, column, number)));
  const body = sorted(rows, place.by).map((cells) =>
    row(cells.map((value, number) => cell(value, columns[number], number === 0))));
  const drawn = place.firstChild;
  const shown = document.createElement("table");
  shown.setAttribute("aria-label", drawn.getAttribute("aria-label"));
  shown.append(part("thead", [head]), part("tbody", body));
  if (shown.outerHTML === drawn.outerHTML) return;
  const focused = drawn.contains(document.activeElement) && document.activeElement.textContent;
  drawn.replaceWith(shown);
  if (focused) [...shown.querySelectorAll("button")].find((b) => b.textContent === focused)?.focus();
}

function heading(place, column, number) {
  const head = document.createElement("th");
  head.scope = "col";
  const numbers = place.given.rows.some((cells) => typeof cells[number] === "number");
  if (numbers) head.className = "number";
  const button = document.createElement("button");
  button.textContent = column.title;
  if (column.help) button.title = column.help;
  const down = place.by?.column === number ? place.by.down : null;
  if (down !== null) head.setAttribute("aria-sort", down ? "descending" : "ascending");
  button.onclick = () => {
    // Up, down, and as it was given.
    place.by = down === null ? { column: number, down: false } : down ? null : { column: number, down: true };
    draw(place);
  };
  head.append(button);
  return head;
}

function cell(value, column, first) {
  const made = document.createElement(first ? "th" : "td");
  if (first) made.scope = "row";
  const number = typeof value === "number";
  if (number) made.className = "number";
  else if (value?.length > LONG) made.className = "long";
  made.textContent = number ? value.toFixed(column.digits) : value ?? "";
  return made;
}

// What is not there comes last in either direction.
function sorted(rows, by) {
  if (by === null) return rows;
  const { column, down } = by;
  const there = rows.filter((cells) => cells[column] !== null && cells[column] !== "");
  const compare = (a, b) => typeof a === "number" && typeof b === "number"
    ? a - b : String(a).localeCompare(String(b), "en", { numeric: true });
  there.sort((a, b) => (down ? -1 : 1) * compare(a[column], b[column]));
  return [...there, ...rows.filter((cells) => !there.includes(cells))];
}

const row = (cells) => part("tr", cells);

function part(tag, children) {
  const made = document.createElement(tag);
  made.append(...children);
  return made;
}
