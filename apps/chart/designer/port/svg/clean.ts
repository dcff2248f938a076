/**
 * Makes a stranger's SVG harmless: builds a new picture of shapes and texts alone, so that no
 * script, address, style or event of the file reaches the page.
 */

const SVG = 'http://www.w3.org/2000/svg';

/** Larger files are refused, before or while they are read. */
const MOST_LETTERS = 25_000_000;
const MOST_PARTS = 150_000;
const MOST_DEPTH = 60;
const MOST_STYLES = 300_000;

export type SvgFault = 'not-svg' | 'too-large' | 'too-deep' | 'empty';

export class UnreadableSvg extends Error {
  readonly reason: SvgFault;
  constructor(reason: SvgFault) {
    super(reason);
    this.reason = reason;
  }
}

/** The allowed elements, with those attributes that set their position and shape. */
const SHAPES: Record<string, readonly string[]> = {
  circle: ['cx', 'cy', 'r'],
  ellipse: ['cx', 'cy', 'rx', 'ry'],
  rect: ['x', 'y', 'width', 'height', 'rx', 'ry'],
  path: ['d'],
  polygon: ['points'],
  polyline: ['points'],
};
const HOLDERS = new Set(['svg', 'g', 'a', 'switch']);
/**
 * Numbers, units, path letters and functions of a transform; no address can be written with these
 * characters.
 */
const GEOMETRY = /^[\s\d.,+\-eEa-zA-Z()%]*$/;

/** A part of the cleaned picture, with the file's facts about it. */
export interface CleanPart {
  readonly element: SVGGraphicsElement;
  readonly kind: 'shape' | 'text';
  readonly text: string;
  readonly color: string;
  readonly groups: readonly string[];
  readonly name: string;
  /** `data-` attributes of the part and its parents, which our own exports have. */
  readonly said: Readonly<Record<string, string>>;
  /** All parts of one used symbol have the same number. */
  readonly symbol: number | null;
}

export interface CleanPicture {
  readonly root: SVGSVGElement;
  readonly parts: readonly CleanPart[];
  /** The names of the elements left out, and how many of each. */
  readonly leftOut: ReadonlyMap<string, number>;
}

interface Around {
  into: SVGElement;
  depth: number;
  color: string;
  groups: readonly string[];
  said: Readonly<Record<string, string>>;
  symbol: number | null;
  /** The symbols being drawn, which prevents a symbol from containing itself. */
  using: readonly Element[];
}

interface Cleaning {
  parts: CleanPart[];
  leftOut: Map<string, number>;
  made: number;
  letters: number;
  symbols: number;
  byId: Map<string, Element>;
  colors: Map<string, string>;
}

/**
 * Adobe Illustrator writes the addresses of its namespaces as entities. Only these are read, and
 * only as a whole attribute, because other entities could expand without limit.
 */
function withAddresses(head: string, picture: string): string {
  const declared = head.matchAll(/<!ENTITY\s+([\w.-]+)\s+(["'])(https?:[^&<"']{1,200})\2\s*>/g);
  const addresses = new Map([...declared].map(([, name, , address]) => [name, address] as const));
  if (addresses.size === 0) return picture;
  return picture.replaceAll(/=(["'])&([\w.-]+);\1/g, (whole, quote: string, name: string) => {
    const address = addresses.get(name);
    return address === undefined ? whole : `=${quote}${address}${quote}`;
  });
}

/** Reads the picture without its document type. */
function parse(text: string): Element {
  if (text.length > MOST_LETTERS) throw new UnreadableSvg('too-large');
  const start = text.search(/<(?:[\w.-]+:)?svg[\s>]/);
  if (start < 0) throw new UnreadableSvg('not-svg');
  const picture = withAddresses(text.slice(0, start), text.slice(start));
  const file = new DOMParser().parseFromString(picture, 'image/svg+xml');
  const root = file.documentElement;
  if (root.namespaceURI !== SVG || root.localName !== 'svg' || file.querySelector('parsererror'))
    throw new UnreadableSvg('not-svg');
  return root;
}

/** Drawing programs set colours by classes; of a style sheet only `.name { fill: … }` is read. */
function readClasses(root: Element): Map<string, string> {
  const colors = new Map<string, string>();
  const sheets = [...root.getElementsByTagNameNS(SVG, 'style')];
  const text = sheets.map(({ textContent }) => textContent ?? '').join('\n');
  for (const rule of text.slice(0, MOST_STYLES).split('}')) {
    const [selectors = '', body = ''] = rule.split('{');
    const fill = /(?:^|;)\s*fill\s*:([^;]+)/.exec(body)?.[1];
    if (fill === undefined) continue;
    for (const selector of selectors.split(',')) {
      const name = /^\s*\.([\w-]+)\s*$/.exec(selector)?.[1];
      if (name) colors.set(name, fill.trim());
    }
  }
  return colors;
}

let inks: CanvasRenderingContext2D | null = null;

/** `#rrggbb`; empty for none and for anything but a plain colour. */
function plainColor(text: string): string {
  if (text === 'none' || text === 'transparent') return '';
  if (!/^[#\w(),.%\s-]{1,60}$/.test(text) || /url|var|env|attr/i.test(text)) return '';
  inks ??= document.createElement('canvas').getContext('2d');
  if (!inks) return '';
  inks.fillStyle = '#010203';
  inks.fillStyle = text;
  const read = String(inks.fillStyle);
  return /^#[\da-f]{6}$/.test(read) && (read !== '#010203' || text === '#010203') ? read : '';
}

/** A value from an attribute or from the style attribute. */
function valueOf(element: Element, name: string): string {
  const style = (element.getAttribute('style') ?? '').slice(0, 2000);
  const inStyle = style
    .split(';')
    .map((pair) => pair.split(':'))
    .find(([key]) => key?.trim() === name)?.[1];
  return (inStyle ?? element.getAttribute(name) ?? '').trim();
}

function isHidden(element: Element): boolean {
  const opacity = valueOf(element, 'opacity');
  return (
    valueOf(element, 'display') === 'none' ||
    valueOf(element, 'visibility') === 'hidden' ||
    (opacity !== '' && Number(opacity) === 0)
  );
}

function colorOf(cleaning: Cleaning, element: Element, inherited: string): string {
  const own = valueOf(element, 'fill');
  if (own !== '' && own !== 'inherit' && own !== 'currentColor') return plainColor(own);
  for (const name of element.classList) {
    const color = cleaning.colors.get(name);
    if (color !== undefined) return plainColor(color);
  }
  return inherited;
}

const LONGEST_NAME = 200;

function nameOf(element: Element): string {
  const title = [...element.children].find(({ localName }) => localName === 'title')?.textContent;
  const label =
    element.getAttribute('inkscape:label') ??
    element.getAttribute('data-name') ??
    title ??
    element.id;
  return label.trim().slice(0, LONGEST_NAME);
}

function saidOf(element: Element, inherited: Around['said']): Around['said'] {
  const own = [...element.attributes].filter(({ name }) => name.startsWith('data-'));
  if (own.length === 0) return inherited;
  const said: Record<string, string> = { ...inherited };
  for (const { name, value } of own.slice(0, 20)) said[name.slice(5)] = value.slice(0, 500);
  return said;
}

function make(
  cleaning: Cleaning,
  tag: string,
  from: Element,
  attributes: readonly string[],
): SVGElement {
  cleaning.made += 1;
  if (cleaning.made > MOST_PARTS) throw new UnreadableSvg('too-large');
  const made = document.createElementNS(SVG, tag) as SVGElement;
  for (const name of attributes) {
    const value = name === 'transform' ? valueOf(from, name) : from.getAttribute(name);
    if (value === null || value === '' || !GEOMETRY.test(value)) continue;
    cleaning.letters += value.length;
    if (cleaning.letters > MOST_LETTERS) throw new UnreadableSvg('too-large');
    made.setAttribute(name, value);
  }
  return made;
}

function leaveOut(cleaning: Cleaning, element: Element): void {
  const { localName } = element;
  cleaning.leftOut.set(localName, (cleaning.leftOut.get(localName) ?? 0) + 1);
}

function cleanShape(cleaning: Cleaning, element: Element, around: Around): void {
  const made = make(cleaning, element.localName, element, [
    ...(SHAPES[element.localName] ?? []),
    'transform',
  ]);
  around.into.append(made);
  cleaning.parts.push({
    element: made as SVGGraphicsElement,
    kind: 'shape',
    text: '',
    color: colorOf(cleaning, element, around.color),
    groups: around.groups,
    name: nameOf(element),
    said: saidOf(element, around.said),
    symbol: around.symbol,
  });
}

/** Makes a separate text of each line that has its own position. */
function cleanText(cleaning: Cleaning, element: Element, around: Around): void {
  const outer = make(cleaning, 'g', element, ['transform']);
  around.into.append(outer);
  const lines = [...element.children].filter(
    (child) => child.localName === 'tspan' && child.hasAttribute('x'),
  );
  for (const line of lines.length > 0 ? lines : [element]) {
    const text = (line.textContent ?? '').replaceAll(/\s+/g, ' ').trim().slice(0, LONGEST_NAME);
    if (text === '') continue;
    const made = make(cleaning, 'text', line, ['x', 'y', 'dx', 'dy']);
    for (const name of ['x', 'y'])
      if (!made.hasAttribute(name)) {
        const value = element.getAttribute(name) ?? '0';
        if (GEOMETRY.test(value)) made.setAttribute(name, value);
      }
    for (const name of ['font-size', 'text-anchor', 'dominant-baseline']) {
      const value = valueOf(line, name) || valueOf(element, name);
      if (value !== '' && GEOMETRY.test(value)) made.setAttribute(name, value);
    }
    made.textContent = text;
    outer.append(made);
    cleaning.parts.push({
      element: made as SVGGraphicsElement,
      kind: 'text',
      text,
      color: '',
      groups: around.groups,
      name: '',
      said: saidOf(element, around.said),
      symbol: around.symbol,
    });
  }
}

function cleanUse(cleaning: Cleaning, element: Element, around: Around): void {
  const href =
    element.getAttribute('href') ??
    element.getAttributeNS('http://www.w3.org/1999/xlink', 'href') ??
    '';
  const target = href.startsWith('#') ? cleaning.byId.get(href.slice(1)) : undefined;
  // A symbol of another file is not fetched, and a symbol that contains itself is not drawn.
  if (!target || around.using.includes(target)) return leaveOut(cleaning, element);
  const outer = make(cleaning, 'g', element, ['transform']);
  const inner = make(cleaning, 'g', element, []);
  const [x, y] = ['x', 'y'].map(
    (name) => Number.parseFloat(element.getAttribute(name) ?? '0') || 0,
  );
  inner.setAttribute('transform', `translate(${x} ${y})`);
  outer.append(inner);
  around.into.append(outer);
  cleaning.symbols += 1;
  const inside: Around = {
    ...around,
    into: inner,
    depth: around.depth + 1,
    color: colorOf(cleaning, element, around.color),
    groups: around.groups,
    said: saidOf(element, around.said),
    symbol: around.symbol ?? cleaning.symbols,
    using: [...around.using, target],
  };
  if (target.localName !== 'symbol') return cleanElement(cleaning, target, inside);
  let into = inner;
  if (target.hasAttribute('viewBox')) {
    into = make(cleaning, 'svg', target, ['viewBox']);
    for (const name of ['width', 'height']) {
      const value = element.getAttribute(name) ?? target.getAttribute(name) ?? '';
      if (value !== '' && GEOMETRY.test(value)) into.setAttribute(name, value);
    }
    inner.append(into);
  }
  cleanChildren(cleaning, target, { ...inside, into });
}

function cleanHolder(cleaning: Cleaning, element: Element, around: Around): void {
  const isPicture = element.localName === 'svg';
  const made = make(
    cleaning,
    isPicture ? 'svg' : 'g',
    element,
    isPicture ? ['x', 'y', 'width', 'height', 'viewBox'] : ['transform'],
  );
  around.into.append(made);
  const name = nameOf(element);
  cleanChildren(cleaning, element, {
    ...around,
    into: made,
    depth: around.depth + 1,
    color: colorOf(cleaning, element, around.color),
    // Groups without a name are distinguished by a number.
    groups: [...around.groups, name === '' ? `#${cleaning.made}` : name],
    said: saidOf(element, around.said),
  });
}

function cleanElement(cleaning: Cleaning, element: Element, around: Around): void {
  if (around.depth > MOST_DEPTH) throw new UnreadableSvg('too-deep');
  if (element.namespaceURI !== SVG) return leaveOut(cleaning, element);
  const { localName } = element;
  // Elements that draw nothing here: definitions used elsewhere, and texts about the picture.
  if (['defs', 'symbol', 'title', 'desc', 'metadata', 'style'].includes(localName)) return;
  if (isHidden(element)) return;
  if (Object.hasOwn(SHAPES, localName)) cleanShape(cleaning, element, around);
  else if (localName === 'text') cleanText(cleaning, element, around);
  else if (localName === 'use') cleanUse(cleaning, element, around);
  else if (HOLDERS.has(localName)) cleanHolder(cleaning, element, around);
  else leaveOut(cleaning, element);
}

function cleanChildren(cleaning: Cleaning, element: Element, around: Around): void {
  for (const child of element.children) cleanElement(cleaning, child, around);
}

/** @throws UnreadableSvg */
export function cleanSvg(text: string): CleanPicture {
  const file = parse(text);
  const cleaning: Cleaning = {
    parts: [],
    leftOut: new Map(),
    made: 0,
    letters: 0,
    symbols: 0,
    byId: new Map(),
    colors: readClasses(file),
  };
  for (const element of file.querySelectorAll('[id]'))
    if (!cleaning.byId.has(element.id)) cleaning.byId.set(element.id, element);
  const root = make(cleaning, 'svg', file, ['viewBox']) as SVGSVGElement;
  cleanChildren(cleaning, file, {
    into: root,
    depth: 0,
    color: colorOf(cleaning, file, '#000000'),
    groups: [],
    said: saidOf(file, {}),
    symbol: null,
    using: [],
  });
  if (cleaning.parts.length === 0) throw new UnreadableSvg('empty');
  return { root, parts: cleaning.parts, leftOut: cleaning.leftOut };
}
