import { button, html, uniqueId } from "./dom";

interface TwoStep {
  /** what the button says */
  readonly text: string;
  /** what is asked before it is done, or null where nothing would be lost */
  readonly question: () => string | null;
  /** does it, and takes the focus to where it belongs afterwards */
  readonly act: () => void;
}

/** A button for what cannot be undone: it asks first. Escape and turning to something else mean no. */
export function twoStep({ text, question, act }: TwoStep): HTMLElement {
  const asked = html("span", { id: uniqueId("el-asked"), class: "el-asked" });
  const box = html("div", { class: "el-two-step" });
  const begin = button(text, "el-plain", () => {
    const words = question();
    if (words === null) act();
    else ask(words);
  });
  const step = (answer: string, onClick: () => void): HTMLButtonElement => {
    const element = button(answer, "", onClick);
    element.setAttribute("aria-describedby", asked.id);
    return element;
  };
  const yes = step("Yes", () => {
    close();
    act();
  });
  const keep = step("Keep", () => {
    close();
    begin.focus();
  });

  function ask(words: string): void {
    asked.textContent = words;
    keep.style.minWidth = `${begin.offsetWidth}px`; // the second click of a hasty double click finds it
    box.replaceChildren(asked, yes, keep);
    box.setAttribute("role", "group");
    box.setAttribute("aria-labelledby", asked.id);
    keep.focus();
  }

  function close(): void {
    box.replaceChildren(begin);
    box.removeAttribute("role");
    box.removeAttribute("aria-labelledby");
  }

  box.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && keep.isConnected) keep.click();
  });
  box.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && !box.contains(relatedTarget)) close();
  });
  close();
  return box;
}
