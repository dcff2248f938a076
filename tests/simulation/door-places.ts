/** The places of an evening's hall: single seats, or tables that are sold whole. */
import type { Evening } from './door-history.ts';

const single = ['A1', 'A2', 'A3', 'A4', 'B1', 'B2', 'B3', 'B4'];
export const chairs = 3;
export const tables = ['T1', 'T2', 'T3'];
export const placesAt = (table: string) =>
  Array.from({ length: chairs }, (_, at) => `${table}#${at + 1}`);

/** The places of the evening's hall. */
export function seatsOf({ evening }: { evening: Evening }): readonly string[] {
  return evening.tables ? ['A1', ...tables.flatMap(placesAt)] : single;
}

/** The places that are sold and moved together: those of a table, or a seat alone. */
export function togetherWith(place: string): string[] {
  const [table = '', chair] = place.split('#');
  return chair === undefined ? [place] : placesAt(table);
}
