// Where a chart is clicked, in the units of its axes. Plotly itself reports marks only.
// A press that moves is a zoom, not a click.

const STEADY = 4; // pixels

export default function (component) {
  const { data, setTriggerValue } = component;
  const chart = () => document.querySelector(`.st-key-${data.chart} .js-plotly-plot`);
  let pressed = null;

  const press = (event) => {
    pressed = event.button === 0 && inside(chart(), event) ? [event.clientX, event.clientY] : null;
  };
  const release = (event) => {
    const start = pressed;
    pressed = null;
    if (!start) return;
    if (Math.hypot(event.clientX - start[0], event.clientY - start[1]) > STEADY) return;
    const point = place(chart(), ...start);
    if (point) setTriggerValue("place", point);
  };
  document.addEventListener("mousedown", press, true);
  document.addEventListener("mouseup", release, true);
  return () => {
    document.removeEventListener("mousedown", press, true);
    document.removeEventListener("mouseup", release, true);
  };
}

function inside(plot, event) {
  return plot !== null && event.target instanceof Element && plot.contains(event.target)
    && event.target.closest(".nsewdrag, .scatterlayer") !== null;
}

function place(plot, left, top) {
  const area = plot && plot.querySelector(".nsewdrag");
  if (!area || !plot._fullLayout) return null;
  const box = area.getBoundingClientRect();
  const { xaxis, yaxis } = plot._fullLayout;
  const [x, y] = [xaxis.p2d(left - box.left), yaxis.p2d(top - box.top)];
  return Number.isFinite(x) && Number.isFinite(y) ? { x, y } : null;
}
