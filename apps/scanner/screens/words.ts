/**
 * How the screens of the door put numbers and facts. Numbers always have the point of the
 * thousands, 1.248, which the rest of the product leaves out below 10.000.
 */

/**
 * Made once: a formatter takes a slow phone milliseconds to make, and every verdict says several
 * numbers.
 */
const digits = new Intl.NumberFormat('it-IT', { useGrouping: 'always' });

export function sayNumber(count: number): string {
  return digits.format(count);
}

/** 1 biglietto, 1.248 biglietti */
export function sayCount(count: number, one: string, many: string): string {
  return `${sayNumber(count)} ${count === 1 ? one : many}`;
}

/** Varco A · Luca; what is empty or unknown is left out. */
export function joinFacts(...facts: (string | null | undefined)[]): string {
  return facts.filter(Boolean).join(' · ');
}

/**
 * The category, where the seat does not say it already: "Platea, fila A, posto 3 · Platea" would
 * say it twice.
 */
export function categoryBeside({ seat, category }: { seat: string; category: string }) {
  return seat.startsWith(category) ? null : category;
}
