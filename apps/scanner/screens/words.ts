/**
 * How the scanner's screens write numbers and facts. Numbers always have a thousands separator
 * (1.248), which the rest of the product leaves out below 10.000.
 */
import { isolate } from '#server/domain/text/direction.ts';

/**
 * Made once: making a formatter takes a slow phone milliseconds, and every verdict writes several
 * numbers.
 */
const digits = new Intl.NumberFormat('it-IT', { useGrouping: 'always' });

export function sayNumber(count: number): string {
  return digits.format(count);
}

/** "1 biglietto", "1.248 biglietti" */
export function sayCount(count: number, one: string, many: string): string {
  return `${sayNumber(count)} ${count === 1 ? one : many}`;
}

/** "3 letture da inviare, 2 ingressi": refused and repeated readings are sent, too. */
export function sayUnsent({ readings, entries }: { readings: number; entries: number }): string {
  const all = sayCount(readings, 'lettura da inviare', 'letture da inviare');
  return entries === 0 ? all : `${all}, ${sayCount(entries, 'ingresso', 'ingressi')}`;
}

/** "Varco A · Luca"; empty or unknown facts are left out. */
export function joinFacts(...facts: (string | null | undefined)[]): string {
  return facts.flatMap((fact) => (fact ? [isolate(fact)] : [])).join(' · ');
}

/** The category, unless the seat begins with it ("Platea, fila A, posto 3 · Platea"). */
export function categoryBeside({ seat, category }: { seat: string; category: string }) {
  return seat.startsWith(category) ? null : category;
}
