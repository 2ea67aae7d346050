// The plans to choose from: one pressed button each. Made once, then only brought up to date.

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  let group = parentElement.querySelector(".cards");
  if (!group) {
    group = document.createElement("div");
    group.className = "cards";
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", "Plans to choose from");
    parentElement.append(group);
  }
  while (group.children.length > data.cards.length) group.lastChild.remove();
  while (group.children.length < data.cards.length) group.append(card());
  data.cards.forEach((plan, number) => {
    const button = group.children[number];
    button.setAttribute("aria-pressed", plan.chosen ? "true" : "false");
    button.title = plan.sentence;
    button.onclick = () => { if (!plan.chosen) setTriggerValue("choose", number); };
    for (const part of ["title", "sentence", "promise", "effort"]) {
      const line = button.querySelector(`.${part}`);
      if (line.textContent !== plan[part]) line.textContent = plan[part];
    }
  });
}

function card() {
  const button = document.createElement("button");
  button.type = "button";
  for (const part of ["title", "sentence", "promise", "effort"]) {
    const line = document.createElement("span");
    line.className = part;
    button.append(line);
  }
  return button;
}
