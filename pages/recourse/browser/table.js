// The one table of the workbench. Rows are made once and then only brought up to date, so that a
// field keeps its focus and the page its place while the server answers. Nothing is read as HTML.

const PATIENCE = 120; // ms: keys pressed in a row are one edit

const LOCK = "\u{1F512}";

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  let table = parentElement.querySelector(".plan-table");
  if (!table) {
    table = build(parentElement);
  }
  table.send = (edit) => setTriggerValue("edit", edit);
  table.moves = data.moves;
  update(table, data);
}

function build(parent) {
  const root = element("div", { class: "plan-table" });
  const head = element("tr");
  for (const [name, kind] of [
    ["Feature", ""], ["Now", "now"], ["Range, value to try", ""], ["Plan", ""],
    ["May change", ""], ["How hard", ""],
  ]) {
    head.append(element("th", { scope: "col", class: kind }, name));
  }
  const table = element("table", { "aria-label": "The plan, and what may change, by feature" });
  const top = element("thead");
  top.append(head);
  root.body = element("tbody");
  table.append(top, root.body);
  root.append(table);
  root.rows = new Map();
  root.waiting = new Map();
  parent.append(root);
  return root;
}

function element(tag, attributes = {}, words = "") {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== "") made.setAttribute(name, value);
  }
  if (words) made.textContent = words;
  return made;
}

function update(root, data) {
  const wanted = [];
  for (const row of data.rows) {
    const id = `${row.name}/${row.categories ? row.categories.join("|") : "number"}`;
    if (!root.rows.has(id)) root.rows.set(id, makeRow(root, row, data));
    const made = root.rows.get(id);
    made.fill(row, data);
    wanted.push(made.line);
  }
  for (const each of data.derived) {
    const id = `derived/${each.name}`;
    if (!root.rows.has(id)) root.rows.set(id, { line: element("tr", { class: "derived" }) });
    const { line } = root.rows.get(id);
    line.replaceChildren(
      element("td", { class: "name" }, each.name), element("td", { class: "now" }, each.now),
      element("td"), element("td", { class: "value", colspan: "3" }, each.then),
    );
    wanted.push(line);
  }
  const shown = [...root.body.children];
  if (shown.length !== wanted.length || shown.some((line, i) => line !== wanted[i])) {
    root.body.replaceChildren(...wanted);
  }
}

function makeRow(root, first, data) {
  const name = first.name;
  const line = element("tr");
  const title = element("td", { class: "name" });
  const now = element("td", { class: "now" });
  const track = element("td", { class: "track" });
  const value = element("td", { class: "value" });
  const move = element("select", { "aria-label": `${name}: may change` });
  const hard = element("input", {
    type: "number", class: "number hard", min: data.efforts[0], max: data.efforts[1], step: "0.1",
    "aria-label": `${name}: how hard`, title: "2 means: twice as hard for this person as usual.",
  });
  const send = (what, given, later = false) => {
    const timer = `${name}/${what}`;
    clearTimeout(root.waiting.get(timer));
    const go = () => {
      root.waiting.delete(timer);
      root.send({ feature: name, what, value: given });
    };
    if (later) root.waiting.set(timer, setTimeout(go, PATIENCE));
    else go();
  };
  const fillValue = first.categories
    ? makeCategory(first, track, value, send)
    : makeNumber(root, first, track, value, send);
  move.addEventListener("change", () => send("move", move.value));
  hard.addEventListener("change", () => {
    if (hard.value !== "" && hard.validity.valid) send("effort", Number(hard.value));
    else hard.value = hard.last;
  });
  for (const cell of [title, now]) line.append(cell);
  if (first.categories) {
    value.setAttribute("colspan", "2");
    line.append(value);
  } else {
    line.append(track, value);
  }
  const [moveCell, hardCell] = [element("td", { class: "may" }), element("td")];
  moveCell.append(move);
  hardCell.append(hard);
  line.append(moveCell, hardCell);

  const fill = (row, all) => {
    const locked = row.move === "no";
    line.className = [
      row.changed ? "changed" : "", row.tried ? "tried" : "", locked ? "locked" : "",
    ].join(" ").trim();
    title.textContent = row.protected ? `${row.label} ${LOCK}` : row.label;
    title.title = row.help || row.label;
    now.textContent = row.now;
    now.title = row.now;
    if (move.options.length !== row.moves.length) {
      move.replaceChildren(
        ...row.moves.map((each) => element("option", { value: each }, all.moves[each])),
      );
    }
    setValue(move, row.move);
    setValue(hard, String(row.effort));
    hard.last = String(row.effort);
    hard.disabled = locked;
    fillValue(row, all);
  };
  return { line, fill };
}

function setValue(field, value) {
  if (field.value !== value) field.value = value;
}

function makeCategory(first, track, value, send) {
  const choice = element("select", { "aria-label": `${first.name}: value to try` });
  choice.replaceChildren(
    ...first.categories.map((each) => element("option", { value: each }, each)),
  );
  choice.addEventListener("change", () => send("try", choice.value));
  value.append(choice);
  return (row) => setValue(choice, row.value);
}

function makeNumber(root, first, track, value, send) {
  const name = first.name;
  const slider = element("div", { class: "slider" });
  const rail = element("div", { class: "rail" });
  const room = element("div", { class: "room" });
  const span = element("div", { class: "span" });
  const marks = {};
  for (const [kind, sign] of [["at", "▲"], ["plan", "★"]]) {
    marks[kind] = element("div", { class: `mark ${kind}`, "aria-hidden": "true" });
    marks[kind].append(element("span", {}, sign));
  }
  const range = (label, kind) =>
    element("input", { type: "range", class: kind, "aria-label": `${name}: ${label}` });
  const least = range("least allowed", "end");
  const most = range("most allowed", "end");
  const thumb = range("value to try", "try");
  const typed = element("input", {
    type: "number", class: "number", "aria-label": `${name}: value to try, typed`,
  });
  slider.append(rail, span, room, marks.at, marks.plan, least, most, thumb);
  track.append(slider);
  value.append(typed);

  const busy = (field) => root.waiting.has(`${name}/${field}`);
  thumb.addEventListener("input", () => { typed.value = thumb.value; });
  thumb.addEventListener("change", () => send("try", Number(thumb.value), true));
  least.addEventListener("change", () => send("least", Number(least.value), true));
  most.addEventListener("change", () => send("most", Number(most.value), true));
  typed.addEventListener("change", () => {
    if (typed.value !== "" && typed.validity.valid) send("try", Number(typed.value));
    else typed.value = typed.last;
  });

  return (row, all) => {
    const width = row.high - row.low || 1;
    const place = (number) => Math.min(Math.max((number - row.low) / width, 0), 1) * 100;
    for (const field of [least, most, thumb, typed]) {
      [field.min, field.max] = field === typed ? row.farthest : [row.low, row.high];
      field.step = row.step;
    }
    const text = tidy(row.value, row.step);
    typed.last = text;
    if (!busy("try")) {
      setValue(thumb, text);
      setValue(typed, text);
    }
    if (!busy("least")) setValue(least, String(row.least));
    if (!busy("most")) setValue(most, String(row.most));
    const locked = row.move === "no";
    least.disabled = most.disabled = locked;
    span.style.left = `${place(row.least)}%`;
    span.style.width = `${locked ? 0 : place(row.most) - place(row.least)}%`;
    marks.at.style.left = `${place(row.at)}%`;
    marks.plan.style.left = `${place(row.plan)}%`;
    marks.plan.style.display = all.plan ? "" : "none";
    room.style.display = row.room ? "" : "none";
    if (row.room) {
      room.style.left = `${place(row.room.low)}%`;
      room.style.width = `${place(row.room.high) - place(row.room.low)}%`;
    }
    slider.title =
      `▲ now ${row.now} · ★ plan ${tidy(row.plan, row.step)}` +
      (row.room ? ` · the promise lasts from ${row.room.words}` : "");
    thumb.setAttribute("aria-valuetext", `${text} ${row.unit}`.trim());
  };
}

function tidy(number, step) {
  const digits = step < 1 ? Math.max(0, Math.round(-Math.log10(step))) : 0;
  return Number(number).toFixed(Math.abs(number - Math.round(number)) > 1e-9 ? digits || 2 : digits);
}
