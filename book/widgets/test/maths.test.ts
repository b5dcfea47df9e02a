import assert from "node:assert/strict";
import { test } from "node:test";
import { fairTail, gapAtLeast } from "../src/maths/binomial";
import { brackets, exactCoverage, KINDS, wald } from "../src/maths/intervals";
import { correctedStatistic, mcnemarCorrected, mcnemarExact, mcnemarMidP, mcnemarStatistic, mcnemarUncorrected } from "../src/maths/mcnemar";
import { chiSquareTail, normalCdf } from "../src/maths/normal";
import { correlation, rightA, rightB, total, type Table } from "../src/maths/table";
import { tangoInterval } from "../src/maths/tango";
import { unpairedPooled, unpairedUnpooled } from "../src/maths/unpaired";
import values from "./values.json";

/** Equal to within a relative 1e-8, or an absolute 1e-12 around zero; null from Python is NaN here. */
function close(actual: number, expected: number | null, what: string): void {
  if (expected === null) assert.ok(Number.isNaN(actual), `${what}: ${actual} where evalstats has no value`);
  else assert.ok(Math.abs(actual - expected) <= 1e-12 + 1e-8 * Math.abs(expected), `${what}: ${actual}, evalstats ${expected}`);
}

const asTable = ([a, b, c, d]: number[]): Table => ({ a: a ?? 0, b: b ?? 0, c: c ?? 0, d: d ?? 0 });

for (const row of values.tables) {
  const table = asTable(row.cells);
  const { b, c } = table;
  test(`table ${row.cells.join("/")}`, () => {
    close((rightA(table) - rightB(table)) / total(table), row.difference, "difference");
    close(correlation(table), row.correlation, "correlation");
    close(mcnemarExact(b, c), row.exact, "exact");
    close(mcnemarMidP(b, c), row.midp, "mid-p");
    close(mcnemarStatistic(b, c), row.uncorrected.statistic, "χ²");
    close(mcnemarUncorrected(b, c), row.uncorrected.p, "uncorrected p");
    close(correctedStatistic(b, c), row.corrected.statistic, "corrected χ²");
    close(mcnemarCorrected(b, c), row.corrected.p, "corrected p");
  });
  test(`intervals and unpaired tests of ${row.cells.join("/")}`, () => {
    const tango = tangoInterval(b, c, total(table));
    close(tango.low, row.tango[0] ?? null, "Tango, lower");
    close(tango.high, row.tango[1] ?? null, "Tango, upper");
    const [pooled, unpooled] = [unpairedPooled(table), unpairedUnpooled(table)];
    close(pooled.z, row.pooled.statistic, "pooled z");
    close(pooled.p, row.pooled.p, "pooled p");
    close(unpooled.z, row.unpooled?.statistic ?? null, "unpooled z");
    close(unpooled.p, row.unpooled?.p ?? null, "unpooled p");
    close(unpooled.low, row.unpooled?.low ?? null, "unpooled, lower");
    close(unpooled.high, row.unpooled?.high ?? null, "unpooled, upper");
  });
}

test("binomial tails", () => {
  for (const [k, n, p] of values.fair_tails) close(fairTail(k ?? 0, n ?? 0) / (p ?? 0), 1, `P(X ≤ ${k}), n = ${n}`);
});

test("normal distribution", () => {
  for (const [z, p] of values.normal_cdf) close(normalCdf(z ?? 0) / (p ?? 0), 1, `Φ(${z})`);
});

test("chi-square with one degree of freedom", () => {
  for (const [x, p] of values.chi_square_tail) close(chiSquareTail(x ?? 0) / (p ?? 0), 1, `P(χ² ≥ ${x})`);
});

test("gaps between two runs of one model", () => {
  for (const [n, p, share] of values.wide_gaps) close(gapAtLeast((n ?? 0) / 50, n ?? 0, p ?? 0), share ?? null, `${n} items, accuracy ${p}`);
});

/** Ends and coverages lie between 0 and 1: equal to within 1e-9. */
function same(actual: number, expected: number | undefined, what: string): void {
  assert.ok(Math.abs(actual - (expected ?? NaN)) <= 1e-9, `${what}: ${actual}, evalstats ${expected}`);
}

test("intervals for one proportion", () => {
  const cut = (x: number): number => Math.min(1, Math.max(0, x));
  for (const [n, k, ...ends] of values.intervals as [number, number, ...number[][]][]) {
    KINDS.forEach((kind, i) => {
      const { low, high } = brackets(kind, n)[k]!;
      same(cut(low), ends[i]?.[0], `${kind}, lower, ${k} of ${n}`);
      same(cut(high), ends[i]?.[1], `${kind}, upper, ${k} of ${n}`);
    });
  }
});

test("Wald alone reaches beyond 1, and only Wald has no width", () => {
  assert.ok(Math.abs(wald(17, 20).high - 1.00649) < 1e-5);
  assert.deepEqual(wald(20, 20), { low: 1, high: 1 });
  for (const kind of ["wilson", "clopper-pearson"] as const) {
    for (const { low, high } of brackets(kind, 20)) assert.ok(0 <= low && low < high && high <= 1);
    assert.equal(brackets(kind, 20)[20]!.high, 1);
    assert.equal(brackets(kind, 20)[0]!.low, 0);
  }
});

test("exact coverage", () => {
  for (const [n, p, ...coverages] of values.coverages) {
    KINDS.forEach((kind, i) => same(exactCoverage(kind, n ?? 0, p ?? 0), coverages[i], `${kind}, n = ${n}, p = ${p}`));
  }
  same(Number(exactCoverage("wald", 20, 0.85).toFixed(4)), 0.8185, "Wald at .85");
  same(Number(exactCoverage("wald", 20, 0.95).toFixed(4)), 0.6389, "Wald at .95");
  same(Number(exactCoverage("wilson", 20, 0.85).toFixed(4)), 0.9781, "Wilson at .85");
});
