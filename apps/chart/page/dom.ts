/** Makes elements in one call; knows nothing of seats. */

type Properties<K extends keyof HTMLElementTagNameMap> = Partial<
  Omit<HTMLElementTagNameMap[K], 'style' | 'children' | 'attributes'>
> & { attributes?: Record<string, string> };

/**
 * `make('button', { className: 'x', attributes: { 'aria-pressed': 'false' } }, 'text', child)`;
 * strings become text, never markup.
 */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Properties<K> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const { attributes, ...rest } = properties;
  const element = Object.assign(document.createElement(tag), rest);
  for (const [name, value] of Object.entries(attributes ?? {})) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** A button of the chart that never submits the page's form. */
export function makeButton(
  className: string,
  label: string | Node,
  press: () => void,
): HTMLButtonElement {
  const button = make('button', { type: 'button', className }, label);
  button.addEventListener('click', press);
  return button;
}

const fills = new WeakMap<Element, () => void>();

/** Fills an element now, and again at each `refill` of a root that holds it. */
export function fillLive<T extends HTMLElement>(element: T, fill: (element: T) => void): T {
  fills.set(element, () => fill(element));
  element.classList.add('bsc-live');
  fill(element);
  return element;
}

export function refill(root: HTMLElement): void {
  for (const element of root.querySelectorAll('.bsc-live')) fills.get(element)?.();
}

const svgSpace = 'http://www.w3.org/2000/svg';

/** A line icon from path data; 24 × 24 units by default. */
export function makeIcon(path: string, viewBox = '0 0 24 24'): SVGSVGElement {
  const svg = document.createElementNS(svgSpace, 'svg');
  svg.setAttribute('viewBox', viewBox);
  svg.setAttribute('class', 'bsc-icon');
  svg.setAttribute('aria-hidden', 'true');
  const line = document.createElementNS(svgSpace, 'path');
  line.setAttribute('d', path);
  svg.append(line);
  return svg;
}

/**
 * Makes an element a Tab stop while it scrolls, so that keys can scroll it. The element must have
 * a name and contain nothing that can get the focus.
 */
export function focusWhileScrollable(element: HTMLElement): void {
  const observer = new ResizeObserver(() => {
    const { scrollHeight, clientHeight, scrollWidth, clientWidth } = element;
    const { paddingTop, paddingBottom } = getComputedStyle(element);
    // An overflow smaller than the padding hides nothing.
    const spare = 1 + Number.parseFloat(paddingTop) + Number.parseFloat(paddingBottom);
    if (scrollHeight >= clientHeight + spare || scrollWidth > clientWidth + 1) element.tabIndex = 0;
    else element.removeAttribute('tabindex');
  });
  // The content is watched, too, because a box at its maximum height does not resize when its
  // content grows.
  for (const part of [element, ...element.children]) observer.observe(part);
}
