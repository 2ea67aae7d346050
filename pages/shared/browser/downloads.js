// Buttons that appear with the pointer or the keyboard on every chart (PNG, SVG) and table (CSV).

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
const CHARTS = ".chart", TABLES = "[data-testid=stTable]";
// What a spreadsheet would run as a formula; a number may begin with a sign.
const FORMULA = /^[=+\-@\t\r]/, NUMBER = /^[+\-]?\d[\d.,]*(e[+\-]?\d+)?$/i;

export default function () {
  if (window.offersDownloads) return;
  window.offersDownloads = true;
  const style = document.createElement("style");
  style.textContent = STYLE;
  document.head.append(style);
  let waiting = false;
  const look = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; equip(); });
  };
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
  look();
}

function equip() {
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
  bar.style.setProperty("--downloads-ground", ground());
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
