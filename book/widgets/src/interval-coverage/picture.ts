import { html, svg } from "../lib/dom";
import { withoutZero } from "../lib/format";
import { binomialMass } from "../maths/binomial";
import { brackets, KINDS } from "../maths/intervals";
import { HUNDRED, type Draws, type Setting } from "./draws";
import { redrawn, Scale } from "./scale";
import { share } from "./words";

const TOP = 24;
const ROW = 4.4;
const BASE = TOP + HUNDRED * ROW + 4;
const HEIGHT = BASE + 22;
/** Room at both sides for the crosses. */
const GUTTER = 16;
/** Counts rarer than this, at either end, do not widen the axis. */
const RARE = 0.001;

/** A bracket for each eval of the shown hundred against the truth. A miss is thick, and has a cross on the side where it lies. */
export class Picture {
  readonly element = html("div", { class: "ic-picture" });
  private draws: Draws | null = null;
  private sorted = true;
  private readonly redraw = redrawn(this.element, (width) => this.draw(width));

  update(draws: Draws, sorted: boolean): void {
    this.draws = draws;
    this.sorted = sorted;
    this.redraw();
  }

  private draw(width: number): void {
    if (!this.draws) return;
    const { draws } = this;
    const { p } = draws.setting;
    const { from, to } = reach(draws);
    const scale = new Scale(from, to, GUTTER, width - GUTTER);
    const { above, below } = draws.missed;
    const says = `${HUNDRED} brackets against the truth ${share(p)}: ${above} lie above it, ${below} below, the others hold it.`;
    const picture = svg("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT, role: "img", "aria-label": says });
    const counts = this.sorted ? [...draws.shown].sort((one, other) => other - one) : draws.shown;
    picture.append(...beyond(scale, width), ...axis(scale, width), ...counts.flatMap((k, row) => bar(draws, k, row, scale, width)), ...truth(p, scale, width));
    this.element.replaceChildren(picture);
  }
}

/** What the grey is, where there is any. */
export function greyWords(draws: Draws): string {
  const { from, to } = reach(draws);
  const bounds = [...(from < 0 ? ["below 0"] : []), ...(to > 1 ? ["above 1"] : [])];
  return bounds.length > 0 ? `In the grey, ${bounds.join(" and ")}, there is no truth.` : "";
}

/** As far as the brackets of all but rare counts go, under each of the three intervals, so that they can be compared. */
function reach({ setting, shown }: Draws): { from: number; to: number } {
  const [least, most] = common(setting);
  const [first, last] = [Math.min(least, ...shown), Math.max(most, ...shown)];
  const tables = KINDS.map((kind) => brackets(kind, setting.n));
  const ends = tables.flatMap((table) => table.slice(first, last + 1).flatMap(({ low, high }) => [low, high]));
  const [from, to] = [Math.min(setting.p, ...ends), Math.max(setting.p, ...ends)];
  const room = 0.02 * (to - from);
  return { from: from < 0 || from > room ? from - room : 0, to: to > 1 || to < 1 - room ? to + room : 1 };
}

function common({ n, p }: Setting): [number, number] {
  let [first, last] = [0, n];
  for (let tail = binomialMass(0, n, p); tail < RARE; tail += binomialMass(first, n, p)) first += 1;
  for (let tail = binomialMass(n, n, p); tail < RARE; tail += binomialMass(last, n, p)) last -= 1;
  return [first, last];
}

/** What lies below 0 and above 1, where no truth can be. */
function beyond(scale: Scale, width: number): SVGElement[] {
  const strip = (x: number, end: number): SVGElement => svg("rect", { class: "ic-beyond", x, y: TOP, width: Math.max(0, end - x), height: BASE - TOP });
  return [...(scale.from < 0 ? [strip(0, scale.place(0))] : []), ...(scale.to > 1 ? [strip(scale.place(1), width)] : [])];
}

function axis(scale: Scale, width: number): SVGElement[] {
  const { values, decimals } = scale.ticks(width < 300 ? 5 : 8);
  const inside = values.filter((value) => value > -1e-9 && value < 1 + 1e-9);
  const line = svg("line", { class: "ic-base", x1: 0, x2: width, y1: BASE, y2: BASE });
  return [line, ...inside.flatMap((value) => tick(value, scale.place(value), decimals))];
}

function tick(value: number, x: number, decimals: number): SVGElement[] {
  const whole = Math.abs(value - Math.round(value)) < 1e-9;
  const text = whole ? String(Math.round(value)) : withoutZero(value.toFixed(decimals));
  return [
    svg("line", { class: "ic-base", x1: x, x2: x, y1: BASE, y2: BASE + 4 }),
    svg("text", { class: "ic-tick", x, y: BASE + 18, "text-anchor": "middle" }, text),
  ];
}

function bar(draws: Draws, k: number, row: number, scale: Scale, width: number): SVGElement[] {
  const { low, high } = draws.bracket(k);
  const y = TOP + 3 + row * ROW;
  const caught = draws.holds(k);
  const kind = caught ? "ic-hit" : "ic-miss";
  const parts: SVGElement[] = [
    svg("line", { class: `ic-bar ${kind}`, x1: scale.place(low), x2: scale.place(high), y1: y, y2: y }),
    svg("circle", { class: `ic-score ${kind}`, cx: scale.place(k / draws.setting.n), cy: y, r: caught ? 1.7 : 2.4 }),
  ];
  if (caught) return parts;
  const x = low > draws.setting.p ? width - GUTTER / 2 : GUTTER / 2;
  return [...parts, svg("path", { class: "ic-cross", d: `M${x - 2.2} ${y - 2.2}l4.4 4.4m0 -4.4l-4.4 4.4` })];
}

function truth(p: number, scale: Scale, width: number): SVGElement[] {
  const x = scale.place(p);
  const anchor = x < 50 ? "start" : x > width - 50 ? "end" : "middle";
  return [
    svg("line", { class: "ic-truth", x1: x, x2: x, y1: TOP - 5, y2: BASE }),
    svg("text", { class: "ic-truth-name", x, y: TOP - 10, "text-anchor": anchor }, `truth ${share(p)}`),
  ];
}
