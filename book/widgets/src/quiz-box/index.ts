import { html, setAttributes } from "../lib/dom";
import { plural } from "../lib/format";
import { Store } from "../lib/store";
import { twoStep } from "../lib/two-step";
import { score, type Attempt, type Attempts } from "./attempt";
import { ChoiceQuestion, NumberQuestion, type Question } from "./question";

/** The quiz of a chapter. Questions, answers and explanations stand in the page; this makes them forms and keeps the score. */
class QuizBox extends HTMLElement {
  private store = new Store<Attempts>("quiz", "");
  private questions: Question[] = [];
  private readonly score = html("p", { class: "quiz-score", tabindex: -1 });
  private readonly closing = html("div", { class: "quiz-closing", role: "status" });

  connectedCallback(): void {
    if (this.hasAttribute("data-ready")) return;
    this.store = new Store<Attempts>("quiz", this.dataset["name"] ?? "");
    const items = [...this.querySelectorAll<HTMLElement>(".quiz-question")];
    this.questions = items.map((item, i) => {
      const Kind = item.dataset["kind"] === "number" ? NumberQuestion : ChoiceQuestion;
      return new Kind(item, i + 1, () => this.record());
    });
    const done = this.store.load({});
    for (const question of this.questions) question.restore(done[question.id]);
    this.prepend(this.score);
    const clear = twoStep({ text: "Clear my answers", question: () => this.atStake(), act: () => this.clear() });
    this.append(html("div", { class: "quiz-foot" }, this.closing, clear));
    this.show();
    setAttributes(this, { "data-ready": true });
    this.classList.add("el-quiz");
  }

  private record(): void {
    const attempts: Record<string, Attempt> = {};
    for (const { id, attempt } of this.questions) if (attempt) attempts[id] = attempt;
    this.store.save(attempts);
    this.show();
  }

  private atStake(): string | null {
    const given = this.questions.filter(({ attempt }) => attempt).length;
    return given === 0 ? null : `Clear ${plural(given, "answer")}?`;
  }

  private clear(): void {
    this.store.clear();
    for (const question of this.questions) question.clear();
    this.show();
    this.score.focus();
  }

  private show(): void {
    const attempts = this.questions.map(({ attempt }) => attempt);
    this.score.textContent = score(attempts);
    if (!attempts.every((attempt) => attempt?.right)) this.closing.replaceChildren();
    else if (this.closing.childElementCount === 0) this.closing.replaceChildren(...this.summary());
  }

  private summary(): HTMLElement[] {
    const again = new Set(this.questions.filter(({ attempt }) => !attempt?.rightAtFirst).map(({ objective }) => objective));
    const head = html("p", { class: "quiz-done" }, `All done: ${score(this.questions.map(({ attempt }) => attempt))}.`);
    const goals = [...again].filter((objective) => objective !== "");
    if (goals.length === 0) return [head];
    const list = html("ul", {}, ...goals.map((objective) => html("li", {}, objective)));
    return [head, html("p", {}, "Worth another look before you say that you can:"), list];
  }
}

customElements.define("quiz-box", QuizBox);
