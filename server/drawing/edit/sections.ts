/** Makes sections around objects or from an outline, and fills, fits and dissolves them. */
import type { Doc, Item, Key, Point, SectionData } from '#server/drawing/model/data.ts';
import { EditDraft, type Edit } from '#server/drawing/model/edit.ts';
import { originOf, type Selection } from '#server/drawing/model/selection.ts';
import { absoluteSeats } from '#server/drawing/geometry/absolute.ts';
import { boundsOf, boundsOfPoints, middleOfBounds } from '#server/drawing/geometry/bounds.ts';
import { isInside, isOutline } from '#server/drawing/geometry/hull.ts';
import { moving } from '#server/drawing/geometry/matrix.ts';
import { rounded, roundedPoint } from '#server/drawing/geometry/vector.ts';
import { leaving } from './inherit.ts';
import { noteSections, putNew } from './insert.ts';
import { Names, lastName, nextName, renamer } from './names.ts';
import { outlineAround } from './outlines.ts';
import { childrenOf, freeIn, isLocked, isSeated, placeOf, type NewId } from './targets.ts';
import { transformed } from './transformed.ts';

interface Look {
  label?: string;
  categoryKey?: Key | null;
  /** True if the outline is ours and follows its contents from now on. */
  follows?: boolean;
}

function sectionData(doc: Doc, floor: string, points: readonly Point[], look: Look): SectionData {
  const bounds = boundsOfPoints(points);
  if (!bounds) throw new RangeError('A section has an outline');
  const last = lastName(doc, { floor, section: null }, ({ kind }) => kind === 'section');
  const wanted = look.label || (last === null ? 'Settore 1' : nextName(last));
  const { categoryKey } = look;
  return {
    label: new Names(doc).claim({ kind: 'section', section: null }, wanted),
    points: points.map(roundedPoint),
    ...(look.follows === true ? { x_followsSeats: true } : {}),
    topLeft: roundedPoint({ x: bounds.left, y: bounds.top }),
    ...(categoryKey === undefined || categoryKey === null ? {} : { categoryKey }),
    labelSize: 24,
    labelRotationAngle: 0,
    subChart: {
      width: rounded(bounds.right - bounds.left),
      height: rounded(bounds.bottom - bounds.top),
    },
  };
}

/**
 * Moves objects into a section, or out of every section. They keep what they inherited, get free
 * names, and are measured from the new section. Without `floor` each stays on its own.
 */
export function putInto(
  draft: EditDraft,
  items: readonly Item[],
  { floor, section }: { floor?: string; section: string | null },
): void {
  const rename = renamer(new Names(draft.doc));
  for (const item of items) {
    const { doc } = draft;
    const kept = leaving(doc, item, section);
    const next = { ...kept, floor: floor ?? item.floor, section } as Item;
    const frames = { from: originOf(doc, item), to: originOf(doc, next) };
    // Names of areas and booths are unique in the whole drawing already.
    const isNamedHere = isSeated(item) && item.section !== section;
    const named = isNamedHere ? rename(next, item.section) : next;
    draft.put(transformed(named, moving(0, 0), frames));
  }
}

function makeAround(
  doc: Doc,
  {
    floor,
    points,
    items,
    look,
  }: { floor: string; points: readonly Point[]; items: readonly Item[]; look: Look },
  newId: NewId,
): Edit | null {
  if (!isOutline(points) || !placeOf(doc, { floor, section: null })) return null;
  const draft = new EditDraft(doc);
  const data = sectionData(doc, floor, points, look);
  const section = putNew(draft, { floor, section: null }, { kind: 'section', data }, newId);
  noteSections(draft);
  putInto(draft, items, { floor, section });
  return draft.finish('make-section', data.label);
}

export function sectionAround(
  doc: Doc,
  selection: Selection,
  look: Look,
  newId: NewId,
): Edit | null {
  const items = freeIn(doc, selection).filter(({ kind }) => kind !== 'section');
  const floor = items[0]?.floor;
  const here = items.filter((item) => item.floor === floor);
  if (floor === undefined) return null;
  const points = outlineAround(doc, here);
  return makeAround(doc, { floor, points, items: here, look: { ...look, follows: true } }, newId);
}

/** Most of the seats decide, because the middle of a curved row does not lie on it. */
function liesInside(doc: Doc, item: Item, outline: readonly Point[]): boolean {
  const seats = absoluteSeats(doc, item);
  const inside = seats.filter((seat) => isInside(outline, seat));
  if (seats.length > 0) return inside.length > seats.length / 2;
  const bounds = boundsOf(doc, item);
  return bounds !== null && isInside(outline, middleOfBounds(bounds));
}

/**
 * Makes a section from an outline. With `take`, objects inside the outline that are in no other
 * section are moved into it.
 */
export function makeSection(
  doc: Doc,
  {
    floor,
    points,
    take,
    ...look
  }: Look & { floor: string; points: readonly Point[]; take?: boolean },
  newId: NewId,
): Edit | null {
  const items = [...doc.items.values()].filter((item) => {
    if (take !== true || item.floor !== floor || item.section !== null) return false;
    if (item.kind === 'section' || isLocked(doc, item)) return false;
    return liesInside(doc, item, points);
  });
  return makeAround(doc, { floor, points, items, look }, newId);
}

/** Moves the selection into a section, or with null out of all sections. */
export function moveIntoSection(
  doc: Doc,
  selection: Selection,
  section: string | null,
): Edit | null {
  const into = section === null ? null : doc.items.get(section);
  if (into !== null && into?.kind !== 'section') return null;
  const items = freeIn(doc, selection).filter(
    (item) => item.kind !== 'section' && item.section !== section,
  );
  const draft = new EditDraft(doc);
  putInto(draft, items, { floor: into?.floor, section });
  return draft.finish('into-section', items.length);
}

/**
 * Dissolves a section; its objects stay in place with the category and entrance that they
 * inherited.
 */
export function dissolveSection(doc: Doc, id: string): Edit | null {
  const section = doc.items.get(id);
  if (section?.kind !== 'section' || isLocked(doc, section)) return null;
  const draft = new EditDraft(doc);
  putInto(draft, childrenOf(doc, id), { floor: section.floor, section: null });
  draft.remove(id);
  return draft.finish('dissolve-section', section.data.label);
}

/** Draws a new outline around the section's contents, which follows them from now on. */
export function fitSection(doc: Doc, id: string): Edit | null {
  const section = doc.items.get(id);
  if (section?.kind !== 'section' || isLocked(doc, section)) return null;
  const points = outlineAround(doc, childrenOf(doc, id));
  if (!isOutline(points)) return null;
  const draft = new EditDraft(doc);
  draft.put({ ...section, data: { ...section.data, points, x_followsSeats: true } });
  return draft.finish('fit-section');
}
