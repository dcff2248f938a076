/**
 * Sets fields: names, entrances, marks of seats, the scale, the focal point. The value undefined
 * removes a key.
 */
import type { FLAGS } from '#server/drawing/model/flags.ts';
import type { Doc, Point } from '#server/drawing/model/data.ts';
import { EditDraft, type Edit } from '#server/drawing/model/edit.ts';
import type { Selection } from '#server/drawing/model/selection.ts';
import { distance, isPoint, rounded, roundedPoint } from '#server/drawing/geometry/vector.ts';
import { patched, seatsIn, withSeats } from './targets.ts';

type Patch = Readonly<Record<string, unknown>>;

function changed<T extends object>(data: T, patch: Patch): T {
  const next = { ...data } as Record<string, unknown>;
  for (const [key, value] of Object.entries(patch))
    if (value === undefined) delete next[key];
    else next[key] = value;
  const isSame = Object.entries(patch).every(
    ([key, value]) => (data as Record<string, unknown>)[key] === value,
  );
  return isSame ? data : (next as T);
}

export function setFields(doc: Doc, ids: Iterable<string>, patch: Patch): Edit | null {
  const draft = new EditDraft(doc);
  for (const id of ids) {
    const item = doc.items.get(id);
    if (item) draft.put(patched(item, patch));
  }
  return draft.finish('set-fields');
}

/** Changes the selected seats, and all seats of selected rows and tables. */
export function setSeatFields(
  doc: Doc,
  selection: Selection,
  patch: Patch,
  code = 'set-fields',
): Edit | null {
  const draft = new EditDraft(doc);
  let count = 0;
  for (const { item, positions } of seatsIn(doc, selection, { whole: true })) {
    const seats = item.data.seats.map((seat, position) =>
      positions.has(position) ? changed(seat, patch) : seat,
    );
    const differing = seats.filter((seat, position) => seat !== item.data.seats[position]).length;
    if (differing > 0) draft.put(withSeats(item, seats));
    count += differing;
  }
  return draft.finish(code, count);
}

type Flag = (typeof FLAGS)[number][0];

/** Sets a mark; a seat that is no longer a companion's loses its pairing. */
export function setFlag(doc: Doc, selection: Selection, flag: Flag, on: boolean): Edit | null {
  const alone = flag === 'companionSeat' && !on ? { x_companionOf: undefined } : {};
  return setSeatFields(doc, selection, { [flag]: on ? true : undefined, ...alone }, 'set-flag');
}

export function setRoot(doc: Doc, patch: Patch): Edit | null {
  const draft = new EditDraft(doc);
  draft.set('root', changed(doc.root, patch));
  return draft.finish('set-chart');
}

export function setFloor(doc: Doc, floor: string, patch: Patch, code = 'set-floor'): Edit | null {
  const draft = new EditDraft(doc);
  const floors = doc.floors.map((one) => {
    const data = one.id === floor ? changed(one.data, patch) : one.data;
    return data === one.data ? one : { ...one, data };
  });
  if (floors.some((one, at) => one !== doc.floors[at])) draft.set('floors', floors);
  return draft.finish(code);
}

export function setFocalPoint(doc: Doc, floor: string, point: Point | null): Edit | null {
  if (point !== null && !isPoint(point)) return null;
  return setFloor(doc, floor, { focalPoint: point && roundedPoint(point) }, 'focal-point');
}

/** Sets the scale in centimetres per unit; null if it is unknown. */
export function setScale(doc: Doc, cmPerUnit: number | null): Edit | null {
  const isGood = cmPerUnit === null || (cmPerUnit > 0 && Number.isFinite(cmPerUnit));
  if (!isGood) return null;
  const draft = new EditDraft(doc);
  draft.set('root', changed(doc.root, { x_cmPerUnit: cmPerUnit ?? undefined }));
  return draft.finish('set-scale', cmPerUnit === null ? undefined : rounded(cmPerUnit));
}

/** Sets the scale from a line whose real length is known. */
export function scaleFromLine(doc: Doc, from: Point, to: Point, cm: number): Edit | null {
  const length = distance(from, to);
  return length > 0.01 ? setScale(doc, Math.round((cm / length) * 10_000) / 10_000) : null;
}
