/**
 * What a visitor had chosen on the date that was left, in session storage: how many places, in
 * which category and of which ticket types. The next date offers the same.
 */
import { keptText, parseKept } from '#apps/booking/shell/kept-text.ts';

/** Use a new number if the shape changes. */
const kept = keptText('sessionStorage', 'botteghino.wish.1');

export interface Wish {
  /** The path of the left date. */ from: string;
  number: number;
  /** Labels of categories. */ categories: string[];
  /** How many of each ticket type; empty: the places have one price each. */
  types: Record<string, number>;
}

interface Chosen {
  category?: { label: string };
  selectedTicketType?: string;
  numSelected?: number;
  selectionPerTicketType?: Record<string, number>;
}

/** The wish for the objects chosen on the chart; null if there are no places. */
export function wishOf(from: string, objects: readonly object[]): Wish | null {
  const wish: Wish = { from, number: 0, categories: [], types: {} };
  for (const object of objects as readonly Chosen[]) {
    const { category, selectedTicketType: type, selectionPerTicketType: perType } = object;
    const counts = perType ?? (type ? { [type]: 1 } : {});
    const typed = Object.entries(counts).filter(([name]) => name && name !== 'NO_TICKET_TYPE');
    for (const [name, count] of typed) wish.types[name] = (wish.types[name] ?? 0) + count;
    wish.number += object.numSelected || 1;
    if (category && !wish.categories.includes(category.label)) wish.categories.push(category.label);
  }
  return wish.number === 0 ? null : wish;
}

export function keepWish(from: string, objects: readonly object[]): void {
  const wish = wishOf(from, objects);
  if (wish !== null) kept.write(JSON.stringify(wish));
}

export function forgetWish(): void {
  kept.write(null);
}

/** Null: none, unreadable, or of another show; `paths` are the pages of the show's other dates. */
export function wishFor(paths: readonly string[]): Wish | null {
  const wish = parseKept(kept.read()) as Partial<Wish> | null;
  const isWhole =
    wish !== null &&
    typeof wish.number === 'number' &&
    Array.isArray(wish.categories) &&
    typeof wish.types === 'object' &&
    paths.includes(wish.from ?? '');
  return isWhole ? (wish as Wish) : null;
}
