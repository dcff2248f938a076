/** Checks a drawing that is being edited; each finding names what to mark on the canvas. */
import { listOf, type Doc } from '#server/drawing/model/data.ts';
import { saveDrawing, type Raw } from '#server/drawing/model/open.ts';
import type { Selection } from '#server/drawing/model/selection.ts';
import { checkMarked } from './check.ts';
import { checkHall, type Pointed } from './check-hall.ts';
import type { Mark } from './findings.ts';
import { entryAt } from '#server/drawing/model/entry.ts';

/** The objects of a saved drawing, each with its id in the editor. */
function idsOf(doc: Doc, saved: Raw): Map<object, string> {
  const ids = new Map<object, string>();
  for (const item of doc.items.values()) ids.set(item.data, item.id);
  // Saving writes a section together with its contents, so the saved section is an object of its
  // own.
  const floors = (saved.subChartFloors ?? [saved.subChart]) as Raw[];
  floors.forEach((floor, index) => {
    const list = (floor.sections ?? []) as Raw[];
    const order = doc.order.get(
      listOf({ floor: entryAt(doc.floors, index).id, section: null, kind: 'section' }),
    );
    list.forEach((raw, place) => {
      const id = order?.[place];
      if (id !== undefined) ids.set(raw, id);
    });
  });
  return ids;
}

function selectMarks(ids: ReadonlyMap<object, string>, marks: readonly Mark[]): Selection {
  const items = new Set<string>();
  const seats = new Map<string, Set<number>>();
  for (const mark of marks) {
    const id = ids.get(mark.raw);
    if (id === undefined) continue;
    if (!mark.seats) items.add(id);
    else seats.set(id, new Set([...(seats.get(id) ?? []), ...mark.seats]));
  }
  return { items, seats };
}

/**
 * Runs the check for every drawing and the checks for a hall that will be sold; errors come
 * first.
 */
export function checkDoc(doc: Doc): Pointed[] {
  const saved = saveDrawing(doc);
  const ids = idsOf(doc, saved);
  return [
    ...checkMarked(saved).map(({ finding, marks }) => ({
      ...finding,
      marks: selectMarks(ids, marks),
    })),
    ...checkHall(doc),
  ];
}
