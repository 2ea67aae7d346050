// A chart of plotly, made once and then brought up to date: Streamlit's own would be taken away and
// built from scratch at every change of a slider.

const SETTINGS = { displayModeBar: false, displaylogo: false };
const USUAL_HEIGHT = 450;
const STEADY = 4; // pixels: a press that moves farther is a zoom, not a click

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const chart = parentElement.querySelector(".chart") || build(parentElement);
  chart.setAttribute("aria-label", data.alt);
  chart.clicks = data.clicks;
  chart.send = setTriggerValue;
  if (chart.wanted !== data.figure) {
    chart.wanted = data.figure;
    chart.figure = JSON.parse(data.figure);
  }
  const tall = data.above !== null;
  chart.classList.toggle("tall", tall);
  if (tall) chart.style.setProperty("--above", data.above);
  chart.style.height = tall ? "" : `${chart.figure.layout.height || USUAL_HEIGHT}px`;
  load(data.library).then(() => draw(chart), () => {
    chart.plot.textContent = "The chart could not be loaded. Change a setting to try again.";
  });
}

function build(parent) {
  const chart = document.createElement("div");
  chart.className = "chart";
  chart.setAttribute("role", "figure");
  chart.plot = document.createElement("div");
  chart.append(chart.plot);
  parent.append(chart);
  // Also when it is first seen: a chart in a closed tab has no size yet.
  new ResizeObserver(([{ contentRect }]) => {
    chart.size = [Math.floor(contentRect.width), Math.floor(contentRect.height)];
    if (window.Plotly) draw(chart);
  }).observe(chart);
  listen(chart);
  return chart;
}

function load(address) {
  window.chartLibrary ??= new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = address;
    script.onload = done;
    script.onerror = () => { window.chartLibrary = undefined; failed(); };
    document.head.append(script);
  });
  return window.chartLibrary;
}

async function draw(chart) {
  if (chart.drawing) return;
  chart.drawing = true;
  try {
    while (isStale(chart)) {
      const [width, height] = chart.size;
      const { data, layout, frames } = chart.figure;
      chart.drawn = [chart.wanted, width, height];
      const given = { data, layout: { ...layout, width, height }, config: SETTINGS, frames };
      const isNew = !chart.plot.on;
      if (isNew) chart.plot.textContent = ""; // what was said while there was no library
      await window.Plotly.react(chart.plot, given);
      if (isNew) chart.plot.on("plotly_click", (event) => mark(chart, event.points[0]));
      // From now on it can be saved.
      chart.classList.add("drawn");
    }
  } finally {
    chart.drawing = false;
  }
}

// Sizes are those the browser reported: to ask for them would make it lay out the page at once.
function isStale(chart) {
  if (!chart.size || chart.size[0] === 0) return false;
  const wanted = [chart.wanted, ...chart.size];
  return !chart.drawn || wanted.some((each, place) => each !== chart.drawn[place]);
}

function mark(chart, point) {
  if (!chart.clicks.includes("mark") || !point) return;
  chart.send("mark", { trace: point.curveNumber, point: point.pointIndex ?? point.pointNumber });
}

// Where the plotting area is clicked, in the units of its axes; plotly itself reports marks only.
function listen(chart) {
  chart.addEventListener("mousedown", (press) => {
    const inside = press.target.closest(".nsewdrag, .scatterlayer") !== null;
    if (!inside || press.button !== 0 || !chart.clicks.includes("place")) return;
    const release = (event) => {
      const moved = Math.hypot(event.clientX - press.clientX, event.clientY - press.clientY);
      const point = moved > STEADY ? null : place(chart.plot, press.clientX, press.clientY);
      if (point) chart.send("place", point);
    };
    // Plotly covers the page while the button is down, so the release is not the chart's.
    document.addEventListener("mouseup", release, { capture: true, once: true });
  }, true);
}

function place(plot, left, top) {
  const area = plot.querySelector(".nsewdrag");
  if (!area) return null;
  const box = area.getBoundingClientRect();
  const { xaxis, yaxis } = plot._fullLayout;
  const [x, y] = [xaxis.p2d(left - box.left), yaxis.p2d(top - box.top)];
  return Number.isFinite(x) && Number.isFinite(y) ? { x, y } : null;
}
