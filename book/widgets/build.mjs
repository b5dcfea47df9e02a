// Bundles the custom elements and copies MathJax into book/_static, which git ignores.
// Classic scripts, not modules: browsers refuse modules on pages opened from disk, and the built book must open there.
import { build } from "esbuild";
import { cp, mkdir, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const destination = join(here, "..", "_static");
const elements = ["paired-table", "same-model", "quiz-box", "flash-cards"];

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
  await build({ ...shared, format: "iife", entryPoints: { index: "src/index.ts", ...entryPoints } });
  await build({ ...shared, entryPoints: { elements: "src/elements.css" } });
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
