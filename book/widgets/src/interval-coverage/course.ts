import { html, svg } from "../lib/dom";
import { grouped, percent } from "../lib/format";
import { HUNDRED, type Draws } from "./draws";
import { redrawn, Scale } from "./scale";

const TOP = 22;
const BASE = 128;
const HEIGHT = BASE + 22;
const LEFT = 2;
const RIGHT = 12;
const PROMISE = 0.95;
/** The least that the upright axis spans. */
const SPAN = 0.08;

/** The share of brackets so far that hold the truth, as evals add up, beside the exact coverage and the promise. */
export class Course {
  readonly element = html("div", { class: "ic-course" });
  private draws: Draws | null = null;
  private readonly redraw = redrawn(this.element, (width) => this.draw(width));

  update(draws: Draws): void {
    this.draws = draws;
    this.redraw();
  }

  private draw(width: number): void {
    if (!this.draws) return;
    const { draws } = this;
    const across = new Scale(Math.log10(HUNDRED), Math.max(3, Math.ceil(Math.log10(draws.evals))), LEFT + 6, width - RIGHT - 14);
    const soFar = draws.course.map((misses, i) => 1 - misses / (HUNDRED * (i + 1)));
    const up = upright([...soFar, draws.exact, PROMISE]);
    const says = `Coverage after ${grouped(draws.evals)} evals ${percent(draws.coverage)}; a line at the exact ${percent(draws.exact)}, a dotted one at the promised 95%.`;
    const picture = svg("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT, role: "img", "aria-label": says });
    picture.append(...axis(across, width), ...lines(draws, up, width), ...path(soFar, across, up));
    this.element.replaceChildren(picture);
  }
}

function upright(values: readonly number[]): Scale {
  const [least, most] = [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
  const room = Math.max(0.01, (SPAN - (most - least)) / 2);
  return new Scale(least - room, most + room, BASE - 18, TOP);
}

function axis(across: Scale, width: number): SVGElement[] {
  const marks: SVGElement[] = [svg("line", { class: "ic-base", x1: 0, x2: width, y1: BASE, y2: BASE })];
  for (let power = across.from; power <= across.to; power += 1) {
    const x = across.place(power);
    const anchor = power === across.from ? "start" : power === across.to ? "end" : "middle";
    const at = anchor === "start" ? 0 : anchor === "end" ? width - 1 : x;
    const name = power >= 6 ? `${grouped(10 ** (power - 6))}M` : grouped(10 ** power);
    marks.push(
      svg("line", { class: "ic-base", x1: x, x2: x, y1: BASE, y2: BASE + 4 }),
      svg("text", { class: "ic-tick", x: at, y: BASE + 18, "text-anchor": anchor }, name),
    );
  }
  return marks;
}

/** The exact coverage with its mark, and the promise; the upper one has its name above it, the lower one below. */
function lines(draws: Draws, up: Scale, width: number): SVGElement[] {
  const [exact, promise] = [up.place(draws.exact), up.place(PROMISE)];
  const upper = exact <= promise;
  const name = (y: number, above: boolean, className: string, text: string): SVGElement =>
    svg("text", { class: `ic-name ${className}`, x: width - RIGHT - 4, y: above ? y - 5 : y + 14, "text-anchor": "end" }, text);
  return [
    svg("line", { class: "ic-promise", x1: 0, x2: width, y1: promise, y2: promise }),
    svg("line", { class: "ic-exact", x1: 0, x2: width, y1: exact, y2: exact }),
    svg("path", { class: "ic-mark", d: `M${width - 7} ${exact - 6}l6 6l-6 6l-6 -6z` }),
    name(promise, !upper, "ic-promise-name", "promised 95%"),
    name(exact, upper, "ic-exact-name", `exact ${percent(draws.exact)}`),
  ];
}

/** The line through all hundreds, without the points that would fall on one pixel, and a dot at its end. */
function path(soFar: readonly number[], across: Scale, up: Scale): SVGElement[] {
  const x = (i: number): number => across.place(Math.log10(HUNDRED * (i + 1)));
  const last = soFar.length - 1;
  const kept: string[] = [];
  let before = -1;
  soFar.forEach((value, i) => {
    if (x(i) - before < 0.7 && i < last) return;
    before = x(i);
    kept.push(`${x(i).toFixed(1)} ${up.place(value).toFixed(1)}`);
  });
  return [
    svg("path", { class: "ic-path", d: `M${kept.join("L")}` }),
    svg("circle", { class: "ic-now", cx: x(last), cy: up.place(soFar[last] ?? 0), r: 4 }),
  ];
}
