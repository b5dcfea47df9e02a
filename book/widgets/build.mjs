// Bundles the custom elements and copies MathJax into book/_static, which git ignores.
// Classic scripts, not modules: browsers refuse modules on pages opened from disk, and the built book must open there.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { cp, mkdir, readdir, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const destination = join(here, "..", "_static");
const elements = ["paired-table", "same-model", "interval-coverage", "quiz-box", "flash-cards"];

const shared = {
  absWorkingDir: here,
  outdir: join(destination, "widgets"),
  bundle: true,
  minify: true,
  legalComments: "none",
  target: ["es2022"],
  logLevel: "warning",
};

async function bundleElements() {
  await rm(shared.outdir, { recursive: true, force: true });
  const entryPoints = Object.fromEntries(elements.map((name) => [name, `src/${name}/index.ts`]));
  await build({ ...shared, format: "iife", entryPoints });
  await build({ ...shared, entryPoints: { elements: "src/elements.css" } });
  const define = { BUNDLE_VERSION: JSON.stringify(await fingerprint()) };
  await build({ ...shared, format: "iife", entryPoints: { index: "src/index.ts" }, define });
}

/** A short hash of the scripts, so that a browser never pairs a new loader with an old element. */
async function fingerprint() {
  const hash = createHash("sha256");
  for (const name of elements) hash.update(await readFile(join(shared.outdir, `${name}.js`)));
  return hash.digest("hex").slice(0, 8);
}

/** The part of MathJax that pages use: the TeX-to-CHTML component, its fonts, and extensions loaded on demand. */
async function copyMathJax() {
  const source = join(here, "node_modules", "mathjax", "es5");
  const target = join(destination, "mathjax");
  await rm(target, { recursive: true, force: true });
  for (const part of ["tex-mml-chtml.js", "output/chtml/fonts/woff-v2", "input/tex/extensions"]) {
    await mkdir(dirname(join(target, part)), { recursive: true });
    await cp(join(source, part), join(target, part), { recursive: true });
  }
}

await bundleElements();
await copyMathJax();
console.log(`widgets: ${(await readdir(shared.outdir)).sort().join(" ")}; MathJax copied`);
