/** Reads values of a file from elsewhere; a value of the wrong type counts as missing. */
import type { Point } from '#server/drawing/model/data.ts';
import { isRaw, rawOf, type Raw } from '#server/drawing/model/open.ts';
import { entryAt } from '#server/drawing/model/entry.ts';

/** Why a file cannot be read; the screen has the words for it. */
export type Unreadable = 'not-json' | 'too-deep' | 'not-this-format' | 'no-seats' | 'too-large';

export class UnreadableFile extends Error {
  readonly reason: Unreadable;
  constructor(reason: Unreadable) {
    super(reason);
    this.reason = reason;
  }
}

/** No hall has more seats; a file with more is refused. */
export const MOST_SEATS = 100_000;

export function rawsOf(value: unknown): Raw[] {
  return Array.isArray(value) ? value.filter(isRaw) : [];
}

/** A longer text cannot be a seat's label. */
const LONGEST = 500;

/** A trimmed text without control characters, or an empty one. */
export function textOf(value: unknown): string {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  if (typeof value !== 'string') return '';
  return value
    .replaceAll(/[\p{Cc}\p{Cs}]+/gu, ' ')
    .trim()
    .slice(0, LONGEST);
}

/** No coordinate of a hall is larger. */
const FARTHEST = 1e6;

export function numberOf(value: unknown, otherwise = 0): number {
  return typeof value === 'number' && Math.abs(value) <= FARTHEST ? value : otherwise;
}

/** A size above zero. */
export function sizeOf(value: unknown, otherwise: number): number {
  const size = numberOf(value, otherwise);
  return size > 0 ? size : otherwise;
}

export function pointOf(value: unknown): Point {
  const raw = rawOf(value);
  return { x: numberOf(raw.x), y: numberOf(raw.y) };
}

export function add(a: Point, b: Point): Point {
  return { x: tidy(a.x + b.x), y: tidy(a.y + b.y) };
}

export function subtract(a: Point, b: Point): Point {
  return { x: tidy(a.x - b.x), y: tidy(a.y - b.y) };
}

/** Rounds to a thousandth, because sums of fractions would change when read back. */
export function tidy(value: number): number {
  return Math.round(value * 1000) / 1000;
}

export function turn({ x, y }: Point, degrees: number): Point {
  const angle = (degrees * Math.PI) / 180;
  return {
    x: x * Math.cos(angle) - y * Math.sin(angle),
    y: x * Math.sin(angle) + y * Math.cos(angle),
  };
}

/**
 * Colours that people with any colour blindness can distinguish; if there are more categories,
 * colours repeat.
 */
const COLORS = [
  '#d9a02b',
  '#3f8fc4',
  '#a8527f',
  '#2f9e77',
  '#c4622d',
  '#6b6ecf',
  '#8c8c3f',
  '#5b6270',
];

/** A colour in the chart's spelling, or one of ours. */
export function colorOf(value: unknown, index: number): string {
  const text = textOf(value).toLowerCase();
  if (/^#[\da-f]{6}$/.test(text)) return text;
  if (/^#[\da-f]{3}$/.test(text)) return text.replaceAll(/[\da-f]/g, '$&$&');
  return entryAt(COLORS, index % COLORS.length);
}

/** No drawing is nested so deeply. */
const MOST_DEPTH = 200;

/** @throws UnreadableFile when it is not JSON or is nested too deeply */
export function readJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    throw new UnreadableFile('not-json');
  }
  const left: { at: unknown; depth: number }[] = [{ at: value, depth: 0 }];
  for (let next = left.pop(); next; next = left.pop()) {
    if (next.depth > MOST_DEPTH) throw new UnreadableFile('too-deep');
    if (typeof next.at !== 'object' || next.at === null) continue;
    for (const inner of Object.values(next.at))
      if (typeof inner === 'object' && inner !== null)
        left.push({ at: inner, depth: next.depth + 1 });
  }
  return value;
}

/** Our own function, because some visitors' browsers have no `Map.groupBy`. */
export function groupBy<T, K>(values: Iterable<T>, keyOf: (value: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return groups;
}
