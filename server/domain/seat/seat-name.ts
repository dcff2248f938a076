/** Names a place for people: "Platea, fila A, posto 12". */
import type { placeKinds } from './place-kinds.ts';

export type PlaceKind = (typeof placeKinds)[number];
export interface SeatParts {
  kind: PlaceKind;
  section: string | null;
  row: string | null;
  seat: string;
}

/** The words before a name that is only a letter or a number. */
const words: Record<PlaceKind, string> = {
  seat: 'fila',
  table: 'Tavolo',
  booth: 'Séparé',
  area: '',
};

/**
 * Names a place. Of a place in an object sold whole `row` is the object and `seat` the number in
 * it ("3 di 10"). A standing place has no seat to look for.
 */
export function seatName({ kind, section, row, seat }: SeatParts): string {
  if (kind === 'seat' || row !== null)
    return joined(section, row === null ? null : withWord(words[kind], row), `posto ${seat}`);
  return joined(section, withWord(words[kind], seat), kind === 'area' ? 'posto unico' : null);
}

/** Names an object that is sold whole, also by one of its places: "Tavolo 4". */
export function wholeName({ kind, section, row, seat }: SeatParts): string {
  return joined(section, withWord(words[kind], row ?? seat));
}

/** "Tavolo 4, intero: 10 posti", or "6 di 10 posti" if fewer are paid. */
export function wholeWords(
  kind: PlaceKind,
  { name, paid, places }: { name: string; paid: number; places: number },
): string {
  const many = places === 1 ? '1 posto' : `${places} posti`;
  return `${name}, ${kind === 'area' ? 'tutta la zona' : 'intero'}: ${paid < places ? `${paid} di ` : ''}${many}`;
}

/**
 * Puts the places of each object that is sold whole together: "Tavolo 4, intero: 10 posti". Every
 * other place stands alone.
 */
export function namedTogether<P extends SeatParts>(
  places: readonly P[],
): { name: string; places: [P, ...P[]] }[] {
  const groups: [P, ...P[]][] = [];
  for (const place of places) {
    const whole = groups.find(
      ([first]) => isInWhole(place) && isInWhole(first) && wholeName(first) === wholeName(place),
    );
    if (whole) whole.push(place);
    else groups.push([place]);
  }
  return groups.map((group) => ({ name: nameOfGroup(group), places: group }));
}

function nameOfGroup([first, ...others]: readonly [SeatParts, ...SeatParts[]]): string {
  if (!isInWhole(first)) return seatName(first);
  const places = Number(first.seat.replace(/^.* di /, ''));
  return wholeWords(first.kind, { name: wholeName(first), paid: others.length + 1, places });
}

function isInWhole({ kind, row }: SeatParts): boolean {
  return kind !== 'seat' && row !== null;
}

/** `row` and `seat` of a place in an object that is sold whole. */
export function partsInWhole(object: SeatParts, position: number, places: number) {
  return {
    row: wholeName({ ...object, section: null }),
    seat: `${position} di ${places}`,
  };
}

/** A row or table as its drawing calls it, with the drawing's own word if it has one. */
export function lineName(
  type: 'row' | 'table',
  { word, label }: { word: string | undefined; label: string },
): string {
  if (word) return label.toLowerCase().startsWith(word.toLowerCase()) ? label : `${word} ${label}`;
  return type === 'table' ? withWord(words.table, label) : label;
}

function joined(...parts: (string | null)[]): string {
  return parts.filter((part) => part !== null).join(', ');
}

/** Names that begin with a word, such as "Palco 7", need no other one. */
function withWord(word: string, label: string): string {
  return word === '' || /^\p{L}{3,}/u.test(label) ? label : `${word} ${label}`;
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
