import { html, setAttributes, uniqueId } from "../lib/dom";
import { meant, readNumber, type Attempt } from "./attempt";

interface Verdict {
  readonly right: boolean;
  readonly text: string;
  /** the explanation that stands in the page for this answer, if one does */
  readonly why: HTMLElement | null;
}

/** One question: makes a form of what stands in the page, and explains each answer. */
export abstract class Question {
  readonly id: string;
  readonly objective: string;
  attempt: Attempt | undefined;
  protected readonly whys: readonly HTMLElement[];
  private readonly fieldset: HTMLFieldSetElement;
  private readonly version: string;
  private readonly answer: HTMLElement;
  private readonly feedback = html("div", { class: "quiz-feedback", role: "status" });

  constructor(private readonly item: HTMLElement, number: number, private readonly onAnswer: () => void) {
    this.id = item.dataset["id"] ?? "";
    this.version = item.dataset["version"] ?? "";
    this.objective = item.dataset["objective"] ?? "";
    this.answer = item.querySelector<HTMLElement>(".quiz-answer") ?? html("div");
    this.whys = [...this.answer.querySelectorAll<HTMLElement>(".quiz-why")];
    const ask = item.querySelector<HTMLElement>(".quiz-ask") ?? html("div");
    ask.id = uniqueId("quiz-ask");
    const legend = html("legend", { id: uniqueId("quiz-legend") }, `Question ${number}`);
    this.fieldset = html("fieldset", { "aria-labelledby": `${legend.id} ${ask.id}` }, legend, ask);
    const form = html("form", { novalidate: true }, this.fieldset);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.check();
    });
    this.fieldset.append(html("button", { type: "submit", class: "el-primary" }, "Check"));
    item.prepend(form, this.feedback);
  }

  /** Puts the part of the form that takes the answer in its place. */
  protected place(field: HTMLElement): void {
    this.fieldset.lastElementChild?.before(field);
  }

  /** The answer as given, or what is missing. */
  protected abstract read(): { given: string } | { missing: string };
  protected abstract write(given: string | null): void;
  protected abstract judge(given: string): Verdict;

  /** Shows an attempt of an earlier visit, if the question has not changed since. */
  restore(attempt: Attempt | undefined): void {
    if (attempt?.version !== this.version) return;
    this.attempt = attempt;
    this.write(attempt.given);
    this.explain(this.judge(attempt.given));
  }

  clear(): void {
    this.attempt = undefined;
    this.write(null);
    this.putBack();
    this.feedback.replaceChildren();
    setAttributes(this.item, { "data-state": false });
    this.answer.removeAttribute("open");
  }

  private check(): void {
    const answer = this.read();
    if ("missing" in answer) {
      this.putBack();
      this.feedback.replaceChildren(html("p", { class: "quiz-result" }, answer.missing));
      return;
    }
    const verdict = this.judge(answer.given);
    this.attempt = {
      version: this.version,
      given: answer.given,
      right: verdict.right,
      rightAtFirst: this.attempt ? this.attempt.rightAtFirst : verdict.right,
    };
    this.explain(verdict);
    this.onAnswer();
  }

  /** Explanations are moved, not copied: a copy made before MathJax has run would keep its raw TeX. */
  private explain({ right, text, why }: Verdict): void {
    this.putBack();
    this.feedback.replaceChildren(html("p", { class: "quiz-result" }, text), ...(why ? [why] : []));
    setAttributes(this.item, { "data-state": right ? "right" : "wrong" });
  }

  private putBack(): void {
    this.answer.append(...this.whys);
  }
}

export class ChoiceQuestion extends Question {
  private readonly radios: readonly HTMLInputElement[];

  constructor(item: HTMLElement, number: number, onAnswer: () => void) {
    super(item, number, onAnswer);
    const options = item.querySelector<HTMLElement>(".quiz-options") ?? html("ol");
    const name = uniqueId("quiz-choice");
    this.radios = [...options.children].map((option, i) => {
      const radio = html("input", { type: "radio", name, value: i });
      const letter = html("span", { class: "quiz-letter" }, String.fromCharCode(65 + i));
      option.append(html("label", {}, radio, letter, ...option.childNodes));
      return radio;
    });
    setAttributes(options, { role: "presentation" });
    for (const option of options.children) setAttributes(option, { role: "presentation" });
    this.place(options);
  }

  protected override read(): { given: string } | { missing: string } {
    const chosen = this.radios.find((radio) => radio.checked);
    return chosen ? { given: chosen.value } : { missing: "Choose an answer first." };
  }

  protected override write(given: string | null): void {
    for (const radio of this.radios) radio.checked = radio.value === given;
  }

  protected override judge(given: string): Verdict {
    const why = this.whys[Number(given)] ?? null;
    return { right: why?.dataset["verdict"] === "right", text: why?.querySelector(".quiz-verdict")?.textContent ?? "", why };
  }
}

export class NumberQuestion extends Question {
  private readonly input = html("input", { type: "text", inputmode: "decimal", autocomplete: "off", id: uniqueId("quiz-number") });

  constructor(item: HTMLElement, number: number, onAnswer: () => void) {
    super(item, number, onAnswer);
    this.place(html("div", { class: "quiz-number" }, html("label", { for: this.input.id }, "Your answer"), this.input));
  }

  protected override read(): { given: string } | { missing: string } {
    const given = this.input.value;
    return readNumber(given) === null ? { missing: "Type a number, such as 12, .034 or 3.4%." } : { given };
  }

  protected override write(given: string | null): void {
    this.input.value = given ?? "";
  }

  protected override judge(given: string): Verdict {
    const number = readNumber(given);
    const values = this.whys.map((why) => ({ why, value: Number(why.dataset["value"]), tolerance: Number(why.dataset["tolerance"]) }));
    const why = (number && meant(number, values)?.why) ?? null;
    const right = why?.dataset["verdict"] === "right";
    return { right, text: right ? "Right." : `${given.trim()} is not the answer.${why ? "" : " Try again."}`, why };
  }
}
