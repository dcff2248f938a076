/** The outlines of sections, which follow their contents unless a person drew them. */
import type { Doc, Item, Point, SectionData } from '#server/drawing/model/data.ts';
import { applyEdit, type Edit } from '#server/drawing/model/edit.ts';
import { seatsOf } from '#server/drawing/model/selection.ts';
import { absoluteSeats } from '#server/drawing/geometry/absolute.ts';
import { SEAT_RADIUS, outlineOfItem } from '#server/drawing/geometry/bounds.ts';
import { clusteredOutline } from '#server/drawing/geometry/concave.ts';
import { isOutline } from '#server/drawing/geometry/hull.ts';
import { spacingOf } from '#server/drawing/geometry/row-shape.ts';
import { away, distance, roundedPoint } from '#server/drawing/geometry/vector.ts';
import { entryAt } from '#server/drawing/model/entry.ts';
import { childrenOf } from './targets.ts';

/** The room around a row's seats, and the smaller one around boxes, tables and areas. */
const MARGIN = 14;
const NARROW = 8;
/** Edges of an object count as points so far apart. */
const STEP = 8;

/** The distance within which seats and rows belong to one block. */
function bridgeOf(items: readonly Item[]): number {
  const spacings = items.flatMap((item) => (item.kind === 'row' ? [spacingOf(item.data)] : []));
  return 2.2 * Math.max(20, ...spacings);
}

function alongEdges(corners: readonly Point[]): Point[] {
  return corners.flatMap((from, at) => {
    const to = entryAt(corners, (at + 1) % corners.length);
    const steps = Math.min(200, Math.max(1, Math.ceil(distance(from, to) / STEP)));
    return Array.from({ length: steps }, (_, step) => ({
      x: from.x + ((to.x - from.x) * step) / steps,
      y: from.y + ((to.y - from.y) * step) / steps,
    }));
  });
}

function aroundSeat(seat: Point): Point[] {
  return Array.from({ length: 8 }, (_, step) => away(seat, step * 45, SEAT_RADIUS));
}

/** The outline around objects; it follows the bay of a horseshoe of rows or boxes. */
export function outlineAround(doc: Doc, items: readonly Item[]): Point[] {
  const edges = items.flatMap((item) => alongEdges(outlineOfItem(doc, item)));
  const seats = items.flatMap((item) => absoluteSeats(doc, item));
  if (edges.length + seats.length === 0) return [];
  const bridge = bridgeOf(items);
  if (edges.length === 0) return clusteredOutline(seats, { bridge, room: MARGIN + SEAT_RADIUS });
  return clusteredOutline([...edges, ...seats.flatMap(aroundSeat)], { bridge, room: NARROW });
}

/** Where an object lies and what shape it has, to see whether an edit changed that. */
function shapeIn(doc: Doc, item: Item | null): string {
  if (!item) return '';
  const { center, points, width, height, radius, radius1, radius2, rotationAngle } =
    item.data as Record<string, unknown>;
  const seats = seatsOf(item).map(({ x, y }) => [x, y]);
  const sizes = [center, points, width, height, radius, radius1, radius2];
  const turn = item.kind === 'row' ? null : rotationAngle;
  return JSON.stringify([item.section, doc.items.has(item.id), seats, sizes, turn]);
}

/** The sections whose contents an edit moved, added or removed, but which it did not reshape. */
function sectionsToFit(before: Doc, after: Doc, edit: Edit): Item<'section'>[] {
  const touched = new Set<string | null>();
  for (const change of edit.changes) {
    if (change.at !== 'item') continue;
    if (shapeIn(before, change.before) === shapeIn(after, change.after)) continue;
    touched.add(change.before?.section ?? null).add(change.after?.section ?? null);
  }
  return [...touched].flatMap((id) => {
    const now = id === null ? undefined : after.items.get(id);
    const old = id === null ? undefined : before.items.get(id);
    if (now?.kind !== 'section' || old?.kind !== 'section') return [];
    const isOurs = now.data.x_followsSeats === true && now.data.x_locked !== true;
    return isOurs && now.data.points === old.data.points ? [now] : [];
  });
}

function withOutline(edit: Edit, section: Item<'section'>, points: Point[]): Edit {
  const data: SectionData = { ...section.data, points };
  const after: Item = { ...section, data };
  const isKnown = edit.changes.some((change) => change.at === 'item' && change.id === section.id);
  const changes = isKnown
    ? edit.changes.map((change) =>
        change.at === 'item' && change.id === section.id ? { ...change, after } : change,
      )
    : [...edit.changes, { at: 'item', id: section.id, before: section, after } as const];
  return { ...edit, changes };
}

/** The edit, and with it the outlines of the sections whose contents it changes. */
export function withOutlines(before: Doc, edit: Edit): Edit {
  const after = applyEdit(before, edit);
  return sectionsToFit(before, after, edit).reduce((whole, section) => {
    const points = outlineAround(after, childrenOf(after, section.id)).map(roundedPoint);
    return isOutline(points) ? withOutline(whole, section, points) : whole;
  }, edit);
}
