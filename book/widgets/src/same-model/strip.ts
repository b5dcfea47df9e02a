import { html, svg } from "../lib/dom";
import { gapItems, GAP_POINTS, isWide, type Reruns } from "./rerun";

const HEIGHT = 150;
const BASE = 122;
const TOP = 14;

/** Sizes to try, until the highest stack fits. */
const RADII = [5.5, 4.5, 3.6, 2.8, 2.1, 1.6, 1.2, 0.9];

/** Beyond this many dots only the latest are drawn; the count beside the strip goes on. */
export const MOST_DOTS = 1000;

interface Geometry {
  readonly width: number;
  readonly limit: number;
  x(points: number): number;
}

/** An axis to four standard deviations of the gap, or as far as a gap went. */
function geometry(reruns: Reruns, width: number): Geometry {
  const { accuracy, items } = reruns.setting;
  const deviation = 100 * Math.sqrt((2 * accuracy * (1 - accuracy)) / items);
  const furthest = reruns.all.reduce((most, rerun) => Math.max(most, Math.abs(gapItems(rerun))), 0);
  const limit = Math.max(GAP_POINTS + 1, Math.ceil(4 * deviation), Math.ceil((100 * furthest) / items) + 0.5);
  return { width, limit, x: (points) => width / 2 + (points / limit) * (width / 2 - 18) };
}

/** A dot for every rerun, stacked over its gap; wide gaps are filled dots, the newest has a ring. */
export class Strip {
  readonly element = html("div", { class: "sm-strip" });
  private reruns: Reruns | null = null;
  private width = 0;

  constructor() {
    new ResizeObserver(([entry]) => {
      const width = Math.round(entry?.contentRect.width ?? 0);
      if (width > 0 && width !== this.width) this.draw(width);
    }).observe(this.element);
  }

  update(reruns: Reruns): void {
    this.reruns = reruns;
    this.draw(this.width || this.element.clientWidth || 600);
  }

  private draw(width: number): void {
    if (!this.reruns) return;
    this.width = width;
    const place = geometry(this.reruns, width);
    const picture = svg("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT, role: "img" });
    const { all, wide } = this.reruns;
    picture.setAttribute("aria-label", `Gaps of ${all.length} reruns, ${wide} of them at least ${GAP_POINTS} points wide.`);
    picture.append(...band(place), ...axis(place), ...dots(this.reruns, place));
    this.element.replaceChildren(picture);
  }
}

function band({ x }: Geometry): SVGElement[] {
  const [left, right] = [x(-GAP_POINTS), x(GAP_POINTS)];
  const edge = (at: number): SVGElement => svg("line", { class: "sm-edge", x1: at, x2: at, y1: 2, y2: BASE });
  return [svg("rect", { class: "sm-band", x: left, y: 2, width: right - left, height: BASE - 2 }), edge(left), edge(right)];
}

function axis({ x, limit, width }: Geometry): SVGElement[] {
  const step = [1, 2, 5, 10, 20].find((s) => limit / s <= (width < 420 ? 3.2 : 5.2)) ?? 20;
  const marks: SVGElement[] = [svg("line", { class: "sm-base", x1: 0, x2: width, y1: BASE, y2: BASE })];
  for (let at = -Math.floor(limit / step) * step; at <= limit; at += step) {
    const sign = at > 0 ? "+" : at < 0 ? "−" : "";
    marks.push(
      svg("line", { class: "sm-base", x1: x(at), x2: x(at), y1: BASE, y2: BASE + 5 }),
      svg("text", { class: "sm-tick", x: x(at), y: BASE + 20, "text-anchor": "middle" }, `${sign}${Math.abs(at)}`),
    );
  }
  return marks;
}

/** Each dot over its own gap, on the lowest level where it touches no other. */
function levels(places: readonly number[], radius: number): number[] {
  const taken: number[][] = [];
  return places.map((x) => {
    let level = 0;
    while (taken[level]?.some((other) => Math.abs(other - x) < 2 * radius)) level += 1;
    (taken[level] ??= []).push(x);
    return level;
  });
}

function dots(reruns: Reruns, { x }: Geometry): SVGElement[] {
  const { items } = reruns.setting;
  const drawn = reruns.all.slice(-MOST_DOTS);
  const places = drawn.map((rerun) => x((100 * gapItems(rerun)) / items));
  let radius = 0;
  let heights: number[] = [];
  for (radius of RADII) {
    heights = levels(places, radius);
    if (BASE - TOP >= (2 * radius + 0.5) * (Math.max(...heights) + 1)) break;
  }
  return drawn.map((rerun, i) => {
    const newest = i === drawn.length - 1 ? " sm-newest" : "";
    const kind = isWide(rerun, items) ? "sm-wide" : "sm-narrow";
    const cy = BASE - radius - 2 - (heights[i] ?? 0) * (2 * radius + 0.5);
    return svg("circle", { class: `sm-dot ${kind}${newest}`, cx: places[i] ?? 0, cy, r: radius - 0.5 });
  });
}
