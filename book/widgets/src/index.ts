// Loads the script of each custom element that stands on the page, and of no other.
declare const BUNDLE_VERSION: string;

const ELEMENTS = ["paired-table", "same-model", "interval-coverage", "quiz-box", "flash-cards"];
const here = (document.currentScript as HTMLScriptElement).src;

for (const name of ELEMENTS) {
  if (!document.querySelector(name)) continue;
  const script = document.createElement("script");
  script.src = new URL(`${name}.js?v=${BUNDLE_VERSION}`, here).href;
  document.head.append(script);
}
