/** Names a place for people: "Platea, fila A, posto 12". */

export const placeKinds = ['seat', 'table', 'booth', 'area'] as const;
export type PlaceKind = (typeof placeKinds)[number];
export interface SeatParts {
  kind: PlaceKind;
  section: string | null;
  row: string | null;
  seat: string;
}

/** A standing place has no seat to look for. */
export function seatName({ kind, section, row, seat }: SeatParts): string {
  if (kind === 'area') return section ? `${section}, ${seat}, posto unico` : `${seat}, posto unico`;
  return [section, row === null ? null : rowName(row), kind === 'seat' ? `posto ${seat}` : seat]
    .filter((part) => part !== null)
    .join(', ');
}

/** Row names such as "Palco 7" or "Tavolo 3" need no "fila". */
function rowName(row: string): string {
  return /^\p{L}{3,}/u.test(row) ? row : `fila ${row}`;
}

/**
 * Splits a list of labels at its commas; a backslash makes the next comma or backslash part of
 * the label.
 */
export function splitLabels(text: string): string[] {
  const labels: string[] = [];
  let label = '';
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === ',') {
      labels.push(label);
      label = '';
      continue;
    }
    if (text[at] === '\\' && at + 1 < text.length) at += 1;
    label += text.charAt(at);
  }
  return [...labels, label];
}

let collator: Intl.Collator | undefined;

/** For sorting: row 2 before row 10, and seat 2 before seat 10. */
export function compareNames(a: string, b: string): number {
  // Loading the dictionary takes a phone a tenth of a second, and most phones never sort.
  return (collator ??= new Intl.Collator('it', { numeric: true })).compare(a, b);
}
