// A small picture: SVG text made by the server, in which every word from the data is escaped.

export default function (component) {
  const { data, parentElement } = component;
  let frame = parentElement.querySelector(".small-picture");
  if (!frame) {
    frame = document.createElement("div");
    frame.className = "small-picture";
    parentElement.append(frame);
  }
  if (frame.drawn !== data.svg) {
    frame.innerHTML = data.svg;
    frame.drawn = data.svg;
  }
}
