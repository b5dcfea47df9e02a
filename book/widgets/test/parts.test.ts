import assert from "node:assert/strict";
import { test } from "node:test";
import { boxCounts, dayNumber, graded, isDue } from "../src/flash-cards/leitner";
import { formatCorrelation, formatP, percent, points, sayP, signedPoints } from "../src/lib/format";
import { Draws, type Setting } from "../src/interval-coverage/draws";
import { Scale } from "../src/interval-coverage/scale";
import { end, share, summary } from "../src/interval-coverage/words";
import { Random } from "../src/lib/random";
import { agreementRange, independentAgreement, rightA, rightB, total, withAgreement, type Table } from "../src/maths/table";
import { mcnemarExact } from "../src/maths/mcnemar";
import { sentence } from "../src/paired-table/sentence";
import { unpairedUnpooled } from "../src/maths/unpaired";
import { meant, meets, readNumber, score, type Attempt } from "../src/quiz-box/attempt";
import { isWide, Reruns } from "../src/same-model/rerun";
import values from "./values.json";

const BOOK: Table = { a: 810, b: 45, c: 25, d: 120 };

test("p-values are printed as in the book", () => {
  assert.equal(formatP(unpairedUnpooled(BOOK).p), ".216");
  assert.equal(formatP(mcnemarExact(45, 25)), ".0225");
  assert.deepEqual([1, 0.99996, 0.5, 0.0995, 0.09949, 0.0001, 0.00002, NaN].map(formatP), ["1", "> .999", ".500", ".100", ".0995", ".0001", "< .0001", "undefined"]);
  assert.deepEqual([0.5, 1e-9, NaN].map(sayP), ["p = .500", "p < .0001", "p undefined"]);
});

test("differences and correlations are printed without a stray zero or sign", () => {
  assert.equal(percent(0.855), "85.5%");
  assert.equal(signedPoints(0.02), "+2.0");
  assert.equal(signedPoints(-0.02), "−2.0");
  assert.equal(signedPoints(-0.0001), "0.0");
  assert.equal(points(-0.0117, 2), "−1.17");
  assert.deepEqual([0.7351, -0.7351, -0.001, 1, NaN].map(formatCorrelation), [".74", "−.74", ".00", "1.00", "undefined"]);
});

test("sliding the agreement keeps both accuracies and all counts in range", () => {
  const { least, most } = agreementRange(BOOK);
  assert.deepEqual([least, independentAgreement(BOOK), most], [690, 714, 835]);
  for (let both = least - 5; both <= most + 5; both += 1) {
    const table = withAgreement(BOOK, both);
    assert.deepEqual([rightA(table), rightB(table), total(table)], [855, 835, 1000]);
    assert.ok(Math.min(table.a, table.b, table.c, table.d) >= 0);
    assert.equal(unpairedUnpooled(table).p, unpairedUnpooled(BOOK).p);
  }
});

test("the sentence says both verdicts", () => {
  assert.match(sentence(BOOK), /paired test sees a difference at the 5% level, the unpaired test does not/);
  assert.match(sentence({ a: 714, b: 141, c: 121, d: 24 }), /both tests say the same: no difference is shown/);
  assert.match(sentence({ a: 500, b: 200, c: 50, d: 250 }), /both tests say the same: there is a difference/);
});

test("the same seed gives the same reruns, and the scores scatter as they should", () => {
  const setting = { accuracy: 0.85, items: 500 };
  const [one, other] = [new Reruns(setting, 53), new Reruns(setting, 53)];
  one.draw(400);
  other.draw(150);
  other.draw(250);
  assert.deepEqual(one.all, other.all);
  assert.ok(Math.abs(one.wide / 400 - 0.39992) < 3 * Math.sqrt((0.4 * 0.6) / 400));
  const random = new Random(1);
  const mean = Array.from({ length: 10_000 }, () => random.next()).reduce((sum, x) => sum + x, 0) / 10_000;
  assert.ok(Math.abs(mean - 0.5) < 4 * Math.sqrt(1 / 12 / 10_000));
});

test("a gap of exactly two points counts as wide", () => {
  assert.ok(isWide({ first: 430, second: 420 }, 500));
  assert.ok(isWide({ first: 420, second: 430 }, 500));
  assert.ok(!isWide({ first: 429, second: 420 }, 500));
});

test("numbers are read as people type them", () => {
  const values = (...typed: string[]): (number | null)[] => typed.map((text) => readNumber(text)?.value ?? null);
  assert.deepEqual(values(".0225", "0,0225", " 12 ", "−2", "1e-3", "5."), [0.0225, 0.0225, 12, -2, 0.001, 5]);
  assert.deepEqual(values("1/8", "−1 / 8", "12.5%", "12,5 %", "p = .125", "p=1/8", "= 49", "SE ≈ 1.65%"), [0.125, -0.125, 0.125, 0.125, 0.125, 0.125, 49, 0.0165]);
  assert.deepEqual(values("", "p", "1 2", ".", "1,2,3", "1/0", "1/2/3", "%", "p =", "x 3"), Array(10).fill(null));
});

test("a rounded number is taken for the only value it can come from, if it has two digits", () => {
  const at = (value: number) => ({ value, tolerance: 0.0005 });
  const [answer, oneSided, chiSquare] = [at(0.125), at(0.0625), at(0.0588)];
  const read = (text: string, ...values: { value: number; tolerance: number }[]) => meant(readNumber(text)!, values);
  for (const text of ["0.13", "0.12", ".125", "13%", "1/8"]) assert.equal(read(text, answer, oneSided), answer, text);
  for (const text of ["0.1", "0.14", "0.11", "0.130", "1/7", "10%"]) assert.equal(read(text, answer, oneSided), null, text);
  assert.equal(read(".063", answer, oneSided, chiSquare), oneSided);
  assert.equal(read("0.12", at(0.125), at(0.118)), null, "two values round to it");
  assert.equal(read("50", at(49)), null);
});

test("a tolerance includes its bounds and nothing beyond", () => {
  assert.ok(meets(0.023, 0.0225, 0.0005));
  assert.ok(meets(0.022, 0.0225, 0.0005));
  assert.ok(!meets(0.02301, 0.0225, 0.0005));
});

test("the score counts first tries", () => {
  const attempt = (right: boolean, rightAtFirst: boolean): Attempt => ({ version: "", given: "", right, rightAtFirst });
  assert.equal(score([undefined, undefined]), "2 questions");
  assert.equal(score([attempt(true, false), attempt(true, true), undefined]), "2 of 3 answered, 1 right at the first try");
});

test("cards move up when known, down to box 1 when not, and come back when they should", () => {
  assert.deepEqual(graded(undefined, true, 100), { box: 2, due: 101 });
  assert.deepEqual(graded({ box: 2, due: 101 }, true, 101), { box: 3, due: 104 });
  assert.deepEqual(graded({ box: 5, due: 0 }, true, 10), { box: 5, due: 31 });
  assert.deepEqual(graded({ box: 4, due: 0 }, false, 10), { box: 1, due: 10 });
  assert.deepEqual([undefined, { box: 2, due: 5 }, { box: 2, due: 6 }].map((card) => isDue(card, 5)), [true, true, false]);
  assert.deepEqual(boxCounts([{ box: 2, due: 1 }, undefined, undefined]), [2, 0, 1, 0, 0, 0]);
});

test("a day begins at midnight where the learner is", () => {
  const lateEvening = Date.UTC(2026, 0, 1, 23, 30);
  assert.equal(dayNumber(lateEvening, 0) + 1, dayNumber(lateEvening, -60));
  assert.equal(dayNumber(lateEvening, 0), dayNumber(lateEvening, 60));
});

const CHAPTER: Setting = { p: 0.85, n: 20, kind: "wald" };
const FIRST_HUNDRED_SEED = 74;

test("the first hundred is the one that stands in print", () => {
  const draws = Draws.from(CHAPTER, FIRST_HUNDRED_SEED);
  assert.deepEqual(draws.shown, values.first_hundred);
  assert.equal(Math.round(100 * (1 - draws.exact)), draws.misses);
  assert.equal(summary(draws), "18 of 100 missed; 82.0% of 100 so far; exact coverage 81.9%");
});

test("evals add up, and only a hundred at a time is shown", () => {
  const draws = Draws.from(CHAPTER, 1);
  draws.draw();
  const shown = draws.shown;
  draws.count(10_000);
  assert.equal(draws.shown, shown);
  assert.deepEqual([draws.evals, draws.course.length, draws.course.at(-1)], [10_200, 102, draws.misses]);
  assert.ok(Math.abs(draws.coverage - draws.exact) < 4 * Math.sqrt((draws.exact * (1 - draws.exact)) / draws.evals));
  assert.deepEqual(draws.missed.above + draws.missed.below, shown.filter((k) => k > 18 || k < 13).length);
});

test("another interval judges the same hundred, and counts anew", () => {
  const draws = Draws.from(CHAPTER, 1);
  draws.draw();
  const wilson = draws.under("wilson");
  assert.deepEqual(wilson.shown, draws.shown);
  assert.equal(wilson.evals, 100);
  assert.equal(wilson.misses, draws.shown.filter((k) => k < 14).length);
  wilson.draw();
  assert.notDeepEqual(wilson.shown, draws.shown);
});

test("shares and ends are printed as in the chapter", () => {
  assert.deepEqual([0.85, 0.5, 0.9912, 0.991, 0.001].map(share), [".85", ".50", ".9912", ".991", ".001"]);
  assert.deepEqual([1.0065, 0.854, -0.0065, 0, 1].map(end), ["1.006", ".854", "−.006", ".000", "1.000"]);
});

test("an axis has round numbers, not too many", () => {
  assert.deepEqual(new Scale(0.5, 1.02, 0, 100).ticks(6).values.map((x) => x.toFixed(1)), ["0.5", "0.6", "0.7", "0.8", "0.9", "1.0"]);
  assert.equal(new Scale(0.78, 0.92, 0, 100).ticks(3).decimals, 2);
  assert.deepEqual([-1, 0, 0.25, 2].map((x) => new Scale(0, 1, 10, 110).place(x)), [10, 10, 35, 110]);
});
