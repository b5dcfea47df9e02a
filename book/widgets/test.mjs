// Bundles the unit tests (Node 20 does not read TypeScript) and runs them with node:test.
import { build } from "esbuild";
import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const sources = (await readdir(join(here, "test"))).filter((name) => name.endsWith(".test.ts"));
const outdir = await mkdtemp(join(tmpdir(), "widget-tests-"));
try {
  await build({
    absWorkingDir: here,
    entryPoints: sources.map((name) => `test/${name}`),
    outdir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    logLevel: "warning",
  });
  const files = sources.map((name) => join(outdir, name.replace(/\.ts$/, ".mjs")));
  process.exitCode = spawnSync(process.execPath, ["--test", ...files], { stdio: "inherit" }).status ?? 1;
} finally {
  await rm(outdir, { recursive: true, force: true });
}
