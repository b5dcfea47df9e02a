import { Announcer } from "../lib/announce";
import { button, html, setAttributes, uniqueId } from "../lib/dom";
import { grouped, percent, plural, withoutZero } from "../lib/format";
import { KINDS, type Kind } from "../maths/intervals";
import { readNumber } from "../quiz-box/attempt";
import { Counts } from "./counts";
import { Course } from "./course";
import { Dial } from "./dial";
import { Draws, HUNDRED, type Setting } from "./draws";
import { greyWords, Picture } from "./picture";
import { NAMES, share, summary } from "./words";

const MANY = 10_000;
const START: Setting = { p: 0.85, n: 20, kind: "wald" };
/** Of the first hundred with this seed, as many miss as in the long run. */
const SEED = 74;

const [FEWEST_TASKS, MOST_TASKS] = [5, 200];
const LEAST_TRUTH = 0.001;
/** Near 0 and 1 the slider goes in smaller steps, and .9912 is where Wilson covers least with 20 tasks. */
const NEAR_ZERO = [0.001, 0.002, 0.005, 0.0088, 0.009];
const NEAR_ONE = NEAR_ZERO.map((p) => Number((1 - p).toFixed(4))).reverse();
const TRUTHS = [...NEAR_ZERO, ...Array.from({ length: 99 }, (_, i) => (i + 1) / 100), ...NEAR_ONE];
const TASKS = Array.from({ length: MOST_TASKS - FEWEST_TASKS + 1 }, (_, i) => FEWEST_TASKS + i);

function readTruth(text: string): number | null {
  const typed = readNumber(text);
  if (!typed) return null;
  const p = Number(typed.value.toFixed(4));
  return p >= LEAST_TRUTH && p <= 1 - LEAST_TRUTH ? p : null;
}

function readTasks(text: string): number | null {
  const n = readNumber(text)?.value ?? NaN;
  return Number.isInteger(n) && n >= FEWEST_TASKS && n <= MOST_TASKS ? n : null;
}

/** A hundred evals in a world where the truth is known, and how many of their brackets miss it. */
class IntervalCoverage extends HTMLElement {
  private draws!: Draws;
  private readonly announcer = new Announcer(250);
  private readonly picture = new Picture();
  private readonly course = new Course();
  private readonly counts = new Counts();
  private readonly caption = html("p", { class: "ic-caption" });
  private readonly facts = html("dl", { class: "ic-facts" });
  private readonly sorted = html("input", { type: "checkbox", checked: true });
  private readonly truth = new Dial(
    { name: "Truth p", stops: TRUTHS, read: readTruth, show: share, wanted: "The truth is a share from .001 to .999" },
    (p) => this.restart({ ...this.draws.setting, p }),
  );
  private readonly tasks = new Dial(
    { name: "Tasks n", stops: TASKS, read: readTasks, show: String, wanted: "The tasks are a whole number from 5 to 200" },
    (n) => this.restart({ ...this.draws.setting, n }),
  );

  connectedCallback(): void {
    if (this.hasAttribute("data-ready")) return;
    const actions = html(
      "div",
      { class: "ic-actions" },
      button(`Draw ${HUNDRED} evals`, "el-primary", () => {
        this.draws.draw();
        this.changed();
      }),
      button(`Draw ${grouped(MANY)}`, "", () => {
        this.draws.count(MANY);
        this.changed();
      }),
      button("Start again", "el-plain", () => this.restart(this.draws.setting)),
    );
    this.sorted.addEventListener("change", () => this.show());
    const sort = html("label", { class: "ic-sort" }, this.sorted, " sorted by score");
    const axis = html("p", { class: "ic-axis" }, "evals drawn (each step is ten times as many)");
    const live = html(
      "div",
      { class: "el-live ic", role: "group", "aria-label": "A hundred intervals, drawn at will" },
      html("p", { class: "el-kicker" }, "A hundred 95% intervals"),
      html("div", { class: "ic-controls" }, this.truth.element, this.tasks.element, this.kinds()),
      actions,
      html(
        "div",
        { class: "ic-views" },
        this.facts,
        html("div", { class: "ic-shown" }, this.picture.element, this.caption, sort),
        html("div", { class: "ic-running" }, this.course.element, axis),
      ),
      this.counts.element,
      this.announcer.element,
    );
    this.append(live);
    this.draws = Draws.from(START, this.seed);
    this.show();
    setAttributes(this, { "data-ready": true });
  }

  private get seed(): number {
    return Number(this.dataset["seed"] ?? SEED);
  }

  private kinds(): HTMLElement {
    const name = uniqueId("ic-kind");
    const choices = KINDS.map((kind) => {
      const radio = html("input", { type: "radio", name, value: kind, checked: kind === START.kind });
      radio.addEventListener("change", () => this.under(kind));
      return html("label", {}, radio, html("span", {}, NAMES[kind]));
    });
    return html("fieldset", { class: "el-pills ic-kinds" }, html("legend", {}, "Interval"), html("div", {}, ...choices));
  }

  private restart(setting: Setting): void {
    this.draws = Draws.from(setting, this.seed);
    this.changed();
  }

  private under(kind: Kind): void {
    this.draws = this.draws.under(kind);
    this.changed();
  }

  private changed(): void {
    this.show();
    this.announcer.say(summary(this.draws));
  }

  private show(): void {
    const { draws } = this;
    const { p, n, kind } = draws.setting;
    this.truth.update(p);
    this.tasks.update(n);
    this.picture.update(draws, this.sorted.checked);
    this.course.update(draws);
    this.counts.update(draws);
    this.caption.textContent =
      `The ${NAMES[kind]} brackets of ${HUNDRED} evals of ${plural(n, "task")}, each with its score as a dot. ` +
      `A bracket that misses the truth is thick and has a cross. The ${grouped(MANY)} are counted, not shown. ${greyWords(draws)}`;
    const { above, below } = draws.missed;
    this.facts.replaceChildren(
      ...fact("hundred", "This hundred", `${above + below} missed`, `${above} above the truth, ${below} below`),
      ...fact("so-far", "Coverage so far", percent(draws.coverage), `${grouped(draws.misses)} of ${grouped(draws.evals)} missed`),
      ...fact("exact", "Exact coverage", percent(draws.exact), `${withoutZero(draws.exact.toFixed(4))}, by adding up chances`),
    );
  }
}

function fact(key: string, name: string, value: string, more: string): HTMLElement[] {
  return [html("div", { "data-fact": key }, html("dt", {}, name), html("dd", {}, value, html("small", {}, more)))];
}

customElements.define("interval-coverage", IntervalCoverage);
