// Curves over one axis with a point that is dragged or moved by keys. Every number comes from the
// server: the point goes from place to place, and each place has its own sentence.

const NS = "http://www.w3.org/2000/svg";

export default function ({ data, parentElement }) {
  let root = parentElement.querySelector(".curves");
  if (!root) {
    root = document.createElement("div");
    root.className = "curves";
    parentElement.append(root);
    new ResizeObserver(() => { if (root.clientWidth !== root.drawnAt) draw(root); }).observe(root);
  }
  const told = JSON.stringify(data);
  if (root.told === told) return;
  root.told = told;
  root.data = data;
  root.place = data.start;
  draw(root);
}

function make(name, attributes, words) {
  const part = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) part.setAttribute(key, value);
  if (words !== undefined) part.textContent = words;
  return part;
}

function draw(root) {
  const { data } = root;
  const held = root.contains(root.getRootNode().activeElement)
    && root.getRootNode().activeElement.classList.contains("handle");
  root.drawnAt = root.clientWidth;
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const wide = Math.max(root.clientWidth, 10 * rem), high = 18 * rem;
  const left = 3.4 * rem, right = rem, top = 0.6 * rem, bottom = 2.9 * rem;
  const x = (score) => left + (wide - left - right) * score / data.most;
  const y = (count) => top + (high - top - bottom) * (1 - count / 100);
  const words = document.createElement("p");
  const plot = make("svg", {
    class: "plot", height: high, role: "group", viewBox: `0 0 ${wide} ${high}`,
    "aria-label": "Two falling curves over the robust score, with a point to move",
  });
  for (const count of [0, 25, 50, 75, 100]) {
    plot.append(make("line", { x1: left, x2: wide - right, y1: y(count), y2: y(count),
      stroke: "currentColor", opacity: count ? 0.15 : 0.8 }));
    plot.append(make("text", { x: left - 0.4 * rem, y: y(count) + 0.3 * rem,
      "text-anchor": "end" }, count));
  }
  const step = Math.ceil(data.most / 8);
  for (let score = 0; score <= data.most; score += step) {
    plot.append(make("text", { x: x(score), y: high - bottom + 1.1 * rem,
      "text-anchor": "middle" }, score));
  }
  plot.append(make("text", { x: (left + wide - right) / 2, y: high - 0.3 * rem,
    "text-anchor": "middle" }, "robust score a"));
  plot.append(make("text", { x: 0, y: 0, "text-anchor": "middle",
    transform: `translate(${0.9 * rem} ${(top + high - bottom) / 2}) rotate(-90)` },
  "of 100, at most"));
  for (const curve of data.curves) {
    plot.append(make("path", { fill: "none", stroke: curve.colour, "stroke-width": 2.5,
      "stroke-dasharray": curve.dashed ? "7 4" : "none",
      d: curve.values.map((v, k) => `${k ? "L" : "M"}${x(data.places[k])} ${y(v)}`).join("") }));
  }
  const handle = make("g", { class: "handle", role: "slider", tabindex: 0,
    "aria-label": "Robust score a", "aria-valuemin": 0, "aria-valuemax": data.most });
  const line = make("line", { y1: top, y2: high - bottom, stroke: "currentColor",
    "stroke-dasharray": "2 3" });
  const dots = data.curves.map((curve) =>
    make("circle", { r: 0.5 * rem, fill: curve.colour, stroke: "none" }));
  handle.append(line, ...dots);
  plot.append(handle);

  const go = (place) => {
    root.place = Math.min(Math.max(place, 0), data.places.length - 1);
    const at = x(data.places[root.place]);
    line.setAttribute("x1", at);
    line.setAttribute("x2", at);
    dots.forEach((dot, k) => {
      dot.setAttribute("cx", at);
      dot.setAttribute("cy", y(data.curves[k].values[root.place]));
    });
    words.textContent = data.said[root.place]
      + (root.place === data.start ? " (this plan)" : "");
    handle.setAttribute("aria-valuenow", data.places[root.place].toFixed(3));
    handle.setAttribute("aria-valuetext", words.textContent);
  };
  const follow = (event) => {
    const box = plot.getBoundingClientRect();
    const score = data.most * (event.clientX - box.left - left) / (wide - left - right);
    go(nearest(data.places, score));
  };
  plot.addEventListener("pointerdown", (event) => {
    plot.setPointerCapture(event.pointerId);
    handle.focus({ preventScroll: true });
    follow(event);
  });
  // A press would otherwise take the focus from the point again.
  plot.addEventListener("mousedown", (event) => event.preventDefault());
  plot.addEventListener("pointermove", (event) => {
    if (plot.hasPointerCapture(event.pointerId)) follow(event);
  });
  handle.addEventListener("keydown", (event) => {
    const moves = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1,
      PageUp: 10, PageDown: -10, Home: -data.places.length, End: data.places.length };
    if (!(event.key in moves)) return;
    // In a lecture the arrow keys turn the page, unless the point has them.
    event.preventDefault();
    event.stopPropagation();
    go(root.place + moves[event.key]);
  });

  const legend = document.createElement("div");
  legend.className = "legend";
  for (const curve of data.curves) {
    const entry = document.createElement("span");
    const sample = make("svg", { viewBox: "0 0 35 10", "aria-hidden": "true" });
    sample.append(make("line", { x1: 0, x2: 35, y1: 5, y2: 5, stroke: curve.colour,
      "stroke-width": 3, "stroke-dasharray": curve.dashed ? "7 4" : "none" }));
    entry.append(sample, curve.name);
    legend.append(entry);
  }
  const bar = document.createElement("div");
  bar.className = "bar";
  bar.append(
    button("Back to this plan", "Back to this plan", () => go(data.start)),
    button("PNG", "Download this chart as PNG", () => picture(plot, wide, high, savePng)),
    button("SVG", "Download this chart as SVG", () => picture(plot, wide, high, save)),
  );
  root.replaceChildren(words, legend, plot, bar);
  go(root.place);
  if (held) handle.focus({ preventScroll: true });
}

function nearest(places, score) {
  let best = 0;
  places.forEach((place, k) => {
    if (Math.abs(place - score) < Math.abs(places[best] - score)) best = k;
  });
  return best;
}

function button(words, name, action) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = words;
  made.setAttribute("aria-label", name);
  made.addEventListener("click", action);
  return made;
}

function picture(plot, wide, high, then) {
  const copy = plot.cloneNode(true);
  const look = getComputedStyle(plot);
  const app = document.querySelector("[data-testid=stApp]") || document.body;
  copy.setAttribute("xmlns", NS);
  copy.setAttribute("width", wide);
  copy.setAttribute("style", `color:${look.color};font-family:sans-serif;background:`
    + getComputedStyle(app).backgroundColor);
  for (const text of copy.querySelectorAll("text")) {
    text.setAttribute("fill", look.color);
    text.setAttribute("font-size", "14");
  }
  then(new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" }),
    "links.svg", wide, high);
}

function save(file, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

async function savePng(file, _, wide, high) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(await file.text())}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [2 * wide, 2 * high];
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((png) => save(png, "links.png"));
}
