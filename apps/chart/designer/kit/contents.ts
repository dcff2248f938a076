/** What a drawing holds, in a line: «639 posti, 40 file, 3 settori». */
import type { Doc } from '#server/drawing/model/data.ts';
import { walkSeats } from '#server/drawing/port/walk.ts';
import { count } from './count.ts';

export function contentsOf(doc: Doc): string {
  const items = [...doc.items.values()];
  const of = (kind: string) => items.filter((item) => item.kind === kind).length;
  const seats = doc.floors.reduce((sum, { id }) => sum + walkSeats(doc, id).length, 0);
  const parts = [
    count(seats, 'posto', 'posti'),
    count(of('row'), 'fila', 'file'),
    of('table') > 0 && count(of('table'), 'tavolo', 'tavoli'),
    of('area') > 0 && count(of('area'), 'area', 'aree'),
    of('booth') > 0 && count(of('booth'), 'séparé', 'séparé'),
    of('section') > 0 && count(of('section'), 'settore', 'settori'),
    doc.floors.length > 1 && count(doc.floors.length, 'piano', 'piani'),
    count(doc.categories.length, 'categoria', 'categorie'),
  ];
  return parts.filter(Boolean).join(', ');
}
