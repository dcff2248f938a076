/** What a row of the table says about one requirement of OWASP ASVS 5.0.0, levels 1 and 2; the numbers are theirs, the words are ours. */

type Row =
  /** A test fails without it: file under tests/, and part of the test's name. */
  | { kind: 'proven'; file: string; test: string }
  /** It holds by how the house is built, at this place; no test says so. */
  | { kind: 'built'; place: string; why: string }
  /** The house has nothing of the kind. */
  | { kind: 'absent'; why: string }
  /** It falls short, or is for whoever runs the house. */
  | { kind: 'short'; why: string };

export type Rows = Record<string, Row>;

export const proven = (file: string, test: string): Row => ({ kind: 'proven', file, test });
export const built = (place: string, why: string): Row => ({ kind: 'built', place, why });
export const absent = (why: string): Row => ({ kind: 'absent', why });
export const short = (why: string): Row => ({ kind: 'short', why });

/** The same of each. */
export function all(numbers: string, row: Row): Rows {
  return Object.fromEntries(numbers.split(' ').map((number) => [number, row]));
}
