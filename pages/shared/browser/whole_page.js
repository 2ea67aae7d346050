// What every page has: downloads beside charts and tables, an outline without gaps, and charts in
// the colours of the theme. The page is looked at when it has come to rest, never while it is drawn.

const PATIENCE = 100; // ms without a change
const STYLE = `
.downloads { position: absolute; top: 0; right: 0; z-index: 5; display: flex; gap: 4px;
  opacity: 0; transition: opacity .15s; }
*:hover > .downloads, .downloads:focus-within { opacity: 1; }
.downloads button { font: inherit; font-size: 12px; line-height: 1; padding: 5px 7px;
  border: 1px solid currentColor; border-radius: 4px; cursor: pointer;
  color: inherit; background: var(--downloads-ground); }
@media (hover: none) { .downloads { opacity: .75; } }
@media print { .downloads { display: none; } }
`;
const GROUND = "--downloads-ground";
const CHARTS = ".chart.drawn", TABLES = "[data-testid=stTable], .sortable";
// What a spreadsheet would run as a formula; a number may begin with a sign.
const FORMULA = /^[=+\-@\t\r]/, NUMBER = /^[+\-]?\d[\d.,]*(e[+\-]?\d+)?$/i;
const HEADINGS = "h1, h2, h3, h4, h5, h6";

export default function ({ parentElement, setTriggerValue }) {
  followTheme(parentElement, setTriggerValue);
  if (window.keepsPages) return;
  window.keepsPages = true;
  const sheet = document.createElement("style");
  sheet.textContent = STYLE;
  document.head.append(sheet);
  let waiting = 0;
  const look = () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => { equip(); level(); }, PATIENCE);
  };
  const watched = { childList: true, subtree: true, attributes: true, attributeFilter: ["hidden"] };
  new MutationObserver(look).observe(document.body, watched);
  look();
}

// A change of theme, by the system or in the settings, is seen by a transition of its background.
function followTheme(parent, send) {
  if (parent.querySelector(".theme-change")) return;
  const seen = document.createElement("div");
  seen.className = "theme-change";
  seen.addEventListener("transitionend", () => send("changed", true));
  parent.append(seen);
}

// Buttons that appear with the pointer or the keyboard on every chart (PNG, SVG) and table (CSV).
function equip() {
  const shade = ground();
  const root = document.documentElement.style;
  if (root.getPropertyValue(GROUND) !== shade) root.setProperty(GROUND, shade);
  for (const chart of document.querySelectorAll(CHARTS)) {
    offer(chart, [["PNG", () => save(chart, "png")], ["SVG", () => save(chart, "svg")]], "chart");
  }
  for (const table of document.querySelectorAll(TABLES)) {
    offer(table, [["CSV", () => saveTable(table)]], "table");
  }
}

function offer(element, choices, what) {
  if (element.querySelector(":scope > .downloads")) return;
  element.style.position = "relative";
  const bar = document.createElement("div");
  bar.className = "downloads";
  for (const [label, action] of choices) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = label;
    button.setAttribute("aria-label", `Download this ${what} as ${label}`);
    button.addEventListener("click", action);
    bar.append(button);
  }
  element.append(bar);
}

function ground() {
  const app = document.querySelector("[data-testid=stApp]") || document.body;
  return getComputedStyle(app).backgroundColor;
}

function fileName(element) {
  const keyed = element.closest("[class*='st-key-']");
  const key = keyed && [...keyed.classList].find((name) => name.startsWith("st-key-"));
  return (key ? key.slice(7) : "dirrac").replace(/[^\w-]+/g, "-");
}

function save(chart, format) {
  const { data, layout } = chart.plot;
  const { width, height } = layout;
  // The page's own colour: on a transparent ground the type of a dark page could not be read.
  const figure = { data, layout: { ...layout, paper_bgcolor: ground() } };
  window.Plotly.downloadImage(figure, { format, filename: fileName(chart), scale: 2, width, height });
}

function saveTable(table) {
  const lines = [...table.querySelectorAll("tr")].map((row) =>
    [...row.querySelectorAll("th, td")].map((cell) => quoted(cell.innerText.trim())).join(","));
  const file = new Blob(["\ufeff" + lines.join("\r\n") + "\r\n"], { type: "text/csv" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = `${fileName(table)}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function quoted(text) {
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}

// The size of a heading says how important it looks; its level says where it stands. A small heading
// right below a large one would tell a screen reader that a level is missing, so the level follows
// the headings before it. Only what is seen counts: closed tabs and dialogs have no headings.
function level() {
  let before = 0;
  for (const heading of document.querySelectorAll(HEADINGS)) {
    if (!heading.checkVisibility()) continue;
    const own = Number(heading.tagName[1]);
    const now = before ? Math.min(own, before + 1) : own;
    if (now === own) heading.removeAttribute("aria-level");
    else if (heading.getAttribute("aria-level") !== String(now)) {
      heading.setAttribute("aria-level", String(now));
    }
    before = now;
  }
}
