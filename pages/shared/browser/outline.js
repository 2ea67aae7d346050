// The size of a heading says how important it looks; its level says where it stands. A small heading
// right below a large one would tell a screen reader that a level is missing, so the level follows
// the headings before it. Only what is seen counts: closed tabs and dialogs have no headings.

const HEADINGS = "h1, h2, h3, h4, h5, h6";

export default function () {
  if (window.keepsOutline) return;
  window.keepsOutline = true;
  let waiting = false;
  const look = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; level(); });
  };
  const watched = { childList: true, subtree: true, attributes: true, attributeFilter: ["hidden"] };
  new MutationObserver(look).observe(document.body, watched);
  look();
}

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
