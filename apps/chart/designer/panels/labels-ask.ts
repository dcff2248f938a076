/** The values of the labels dialog, and what it labels when nothing is selected. */
import {
  planObjects,
  planSeats,
  type Labelling,
  type Target,
} from '#server/drawing/label/labels.ts';
import {
  chosenLines,
  chosenObjects,
  type Course,
  type RowOrder,
} from '#server/drawing/label/lines.ts';
import { PLAIN, type Scheme } from '#server/drawing/label/scheme.ts';
import { LISTS, type Doc, type Kind } from '#server/drawing/model/data.ts';
import { selectItems, type Selection } from '#server/drawing/model/selection.ts';

export type What = 'seat' | 'row' | 'table' | 'booth' | 'area' | 'section';

export interface Ask {
  what: What;
  scheme: Scheme;
  course: Course;
  oddSide: 'left' | 'right';
  aisle: 'continue' | 'restart' | 'skip';
  across: boolean;
  runsOn: boolean;
  order: RowOrder;
  perSection: boolean;
  target: Target;
}

const KINDS: readonly Exclude<What, 'seat'>[] = ['row', 'table', 'booth', 'area', 'section'];

/** The selection, or if it is empty the whole visible floor. */
export function scopeOf(
  doc: Doc,
  { selection, floor }: { selection: Selection; floor: string },
): Selection {
  if (selection.items.size > 0 || selection.seats.size > 0) return selection;
  return selectItems(KINDS.flatMap((kind) => doc.order.get(`${floor}/${LISTS[kind]}`) ?? []));
}

/** How many objects of each kind can be labelled. */
export function countsIn(doc: Doc, scope: Selection): [what: What, count: number][] {
  const seats = chosenLines(doc, scope).reduce((sum, line) => sum + line.length, 0);
  const counts = KINDS.map((kind): [What, number] => [
    kind,
    chosenObjects(doc, scope, kind).length,
  ]);
  return [['seat', seats] as [What, number], ...counts].filter(([, count]) => count > 0);
}

/** Rows are counted by letters, everything else by numbers. */
export function usualAsk(what: What): Ask {
  const isRow = what === 'row';
  return {
    what,
    scheme: isRow ? { ...PLAIN, kind: 'letters', start: 'A' } : PLAIN,
    course: 'left',
    oddSide: 'left',
    aisle: 'continue',
    across: false,
    runsOn: false,
    order: isRow ? 'front' : 'list',
    perSection: isRow,
    target: 'both',
  };
}

const STARTS: Record<Scheme['kind'], string> = {
  numbers: '1',
  letters: 'A',
  doubled: 'A',
  roman: 'I',
};

export function withKind(scheme: Scheme, kind: Scheme['kind']): Scheme {
  return { ...scheme, kind, start: STARTS[kind] };
}

export function planOf(doc: Doc, scope: Selection, ask: Ask): Labelling {
  const { what, target } = ask;
  if (what === 'seat') return planSeats(doc, scope, { ask, target });
  return planObjects(doc, scope, { ask: { ...ask, kind: what as Kind }, target });
}
