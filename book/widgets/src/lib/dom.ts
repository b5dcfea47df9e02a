type Attribute = string | number | boolean;
type Attributes = Readonly<Record<string, Attribute>>;
type Child = Node | string;

function fill<E extends Element>(element: E, attributes: Attributes, children: readonly Child[]): E {
  setAttributes(element, attributes);
  element.append(...children);
  return element;
}

/** Sets each attribute; `true` sets it empty, `false` removes it. */
export function setAttributes(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/** A new HTML element. Strings among the children become text, never markup. */
export function html<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), attributes, children);
}

/** A new SVG element. */
export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

export function button(text: string, className: string, onClick: () => void): HTMLButtonElement {
  const element = html("button", { type: "button", class: className }, text);
  element.addEventListener("click", onClick);
  return element;
}

let counter = 0;

/** An id that no other element on the page has. */
export function uniqueId(prefix: string): string {
  counter += 1;
  return `${prefix}-${counter}`;
}
