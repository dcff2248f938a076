/** Finds places and objects by label, or by the name that visitors read and that is printed. */
import { listPlaces, labelOf } from '#server/drawing/model/places.ts';
import { selectItems, type Selection } from '#server/drawing/model/selection.ts';
import { whereOf } from '#server/drawing/model/where.ts';
import type { Doc } from '#server/drawing/model/data.ts';

const shown = 30;

export interface FoundPlace {
  key: string;
  text: string;
  /** The label and the printed name, each of which may be typed. */
  words: readonly string[];
  selection: Selection;
}

export function findablePlaces(doc: Doc): FoundPlace[] {
  const places = listPlaces(doc).map(({ label, shown: printed, item, seat }): FoundPlace => ({
    key: `${item} ${seat}`,
    text: printed === label ? label : `${printed} (${label})`,
    words: [label.toLowerCase(), printed.toLowerCase()],
    selection:
      seat === null
        ? selectItems([item])
        : { items: new Set(), seats: new Map([[item, new Set([seat])]]) },
  }));
  const objects = [...doc.items.values()]
    .filter(({ kind, data }) => labelOf(data) !== '?' && kind !== 'booth' && kind !== 'area')
    .map((item): FoundPlace => {
      const text = whereOf(doc, item);
      return { key: item.id, text, words: [text.toLowerCase()], selection: selectItems([item.id]) };
    });
  return [...objects, ...places];
}

/** Labels that begin with the text come first, then those that contain it. */
export function searchPlaces(all: readonly FoundPlace[], text: string): FoundPlace[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return [];
  const hits = all.filter(({ words }) => words.some((word) => word.includes(wanted)));
  const rank = ({ words }: FoundPlace) => {
    if (words.includes(wanted)) return 0;
    return words.some((word) => word.startsWith(wanted)) ? 1 : 2;
  };
  return hits.toSorted((a, b) => rank(a) - rank(b)).slice(0, shown);
}
