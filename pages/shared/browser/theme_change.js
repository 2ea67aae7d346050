// A change of theme, by the system or in the settings, is seen by a transition of its background.

export default function ({ parentElement, setTriggerValue }) {
  if (parentElement.querySelector(".theme-change")) return;
  const seen = document.createElement("div");
  seen.className = "theme-change";
  seen.addEventListener("transitionend", () => setTriggerValue("changed", true));
  parentElement.append(seen);
}
