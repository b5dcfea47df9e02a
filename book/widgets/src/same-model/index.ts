import { Announcer } from "../lib/announce";
import { button, html, setAttributes, uniqueId } from "../lib/dom";
import { grouped, percent, plural } from "../lib/format";
import { gapAtLeast } from "../maths/binomial";
import { GAP_POINTS, gapItems, Reruns, type Rerun, type Setting } from "./rerun";
import { MOST_DOTS, Strip } from "./strip";

const ITEMS = [100, 500, 2000] as const;
const FIRST_RERUNS = 20;
const MANY = 100;
/** Of the first reruns with this seed, as large a share is wide as in the long run. */
const SEED = 53;

/** One model, copied, and the two scores it gets: every gap on this element is luck. */
class SameModel extends HTMLElement {
  private setting: Setting = { accuracy: 0.85, items: 500 };
  private reruns = new Reruns(this.setting, 0);
  private readonly announcer = new Announcer(250);
  private readonly strip = new Strip();
  private readonly scores = [new Score("Copy 1"), new Score("Copy 2")] as const;
  private readonly verdict = html("p", { class: "sm-verdict" });
  private readonly tally = html("p", { class: "sm-tally" });
  private readonly caption = html("p", { class: "sm-axis" });
  private readonly output = html("output");

  connectedCallback(): void {
    if (this.hasAttribute("data-ready")) return;
    const actions = html(
      "div",
      { class: "sm-actions" },
      button("Run both evals again", "el-primary", () => this.run(1)),
      button(`Run ${MANY} times`, "", () => this.run(MANY)),
      button("Reset", "el-plain", () => this.restart(true)),
    );
    this.append(
      html(
        "div",
        { class: "el-live sm", role: "group", "aria-label": "One model, evaluated twice" },
        html("p", { class: "el-kicker" }, "One model, evaluated twice"),
        html("div", { class: "sm-scores" }, this.scores[0].element, this.scores[1].element),
        this.verdict,
        actions,
        this.strip.element,
        this.caption,
        this.tally,
        this.controls(),
        this.announcer.element,
      ),
    );
    this.restart(false);
    setAttributes(this, { "data-ready": true });
  }

  private controls(): HTMLElement {
    const slider = html("input", { type: "range", min: 50, max: 99, step: 1, value: 85, id: uniqueId("sm-accuracy") });
    slider.addEventListener("input", () => this.set({ ...this.setting, accuracy: Number(slider.value) / 100 }));
    this.output.htmlFor.add(slider.id);
    const name = uniqueId("sm-items");
    const choices = ITEMS.map((items) => {
      const radio = html("input", { type: "radio", name, value: items, checked: items === this.setting.items });
      radio.addEventListener("change", () => this.set({ ...this.setting, items }));
      return html("label", {}, radio, html("span", {}, grouped(items)));
    });
    return html(
      "div",
      { class: "sm-controls" },
      html("div", { class: "sm-accuracy" }, html("label", { for: slider.id }, "True accuracy of the model"), this.output, slider),
      html("fieldset", { class: "el-pills" }, html("legend", {}, "Items in the eval"), html("div", {}, ...choices)),
    );
  }

  private set(setting: Setting): void {
    this.setting = setting;
    this.restart(true);
  }

  private restart(speak: boolean): void {
    this.reruns = new Reruns(this.setting, Number(this.dataset["seed"] ?? SEED));
    this.reruns.draw(FIRST_RERUNS);
    this.show(speak);
  }

  private run(times: number): void {
    this.reruns.draw(times);
    this.show(true);
  }

  private show(speak: boolean): void {
    const { latest, all, wide, setting } = this.reruns;
    const best = Math.max(latest.first, latest.second);
    this.scores[0].update(latest.first, setting.items, latest.first === best && latest.second !== best);
    this.scores[1].update(latest.second, setting.items, latest.second === best && latest.first !== best);
    const winner = who(latest, setting.items);
    const reason = latest.first === latest.second ? "" : ": the gap is luck";
    this.verdict.replaceChildren(html("strong", {}, winner), ` They are the same model${reason}.`);
    const share = gapAtLeast((GAP_POINTS * setting.items) / 100, setting.items, setting.accuracy);
    this.tally.replaceChildren(
      html("strong", {}, `${grouped(wide)} of ${plural(all.length, "rerun")}`),
      ` gave a gap of ${GAP_POINTS} points or more. In the long run it is ${percent(share)} of them.`,
    );
    this.output.textContent = percent(setting.accuracy).replace(".0", "");
    this.caption.textContent = `gap between the two copies, in points; a dot for each ${all.length > MOST_DOTS ? `of the latest ${grouped(MOST_DOTS)} reruns` : "rerun"}`;
    this.strip.update(this.reruns);
    if (speak) this.announcer.say(`${winner} ${this.tally.textContent ?? ""}`);
  }
}

function who(rerun: Rerun, items: number): string {
  const gap = gapItems(rerun);
  if (gap === 0) return "A tie.";
  const width = percent(Math.abs(gap) / items).replace("%", "");
  return `Copy ${gap > 0 ? 1 : 2} “wins” by ${width} ${width === "1.0" ? "point" : "points"}.`;
}

/** The score of one copy, as a number and a bar. */
class Score {
  readonly element: HTMLElement;
  private readonly number = html("span", { class: "sm-number" });
  private readonly badge = html("span", { class: "sm-badge" }, "ahead");
  private readonly fill = html("span", { class: "sm-fill" });

  constructor(name: string) {
    const head = html("div", { class: "sm-name" }, name, this.badge);
    this.element = html("div", { class: "sm-score" }, head, this.number, html("span", { class: "sm-bar", "aria-hidden": "true" }, this.fill));
  }

  update(right: number, items: number, ahead: boolean): void {
    this.number.replaceChildren(percent(right / items), html("small", {}, `${grouped(right)} of ${grouped(items)} right`));
    this.badge.hidden = !ahead;
    this.fill.style.width = `${(100 * right) / items}%`;
    this.element.classList.toggle("sm-ahead", ahead);
  }
}

customElements.define("same-model", SameModel);
