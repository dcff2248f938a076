/** Makes a row longer or shorter at one end, stretches it, or adds a seat. */
import type { Doc, Item, Point, SeatData } from '#server/drawing/model/data.ts';
import { EditDraft, type Edit } from '#server/drawing/model/edit.ts';
import { originOf } from '#server/drawing/model/selection.ts';
import { toAbsolute, toRelative } from '#server/drawing/geometry/absolute.ts';
import { placedOn, spacingOf, stepsOf, trackOf } from '#server/drawing/geometry/row-shape.ts';
import {
  angleOf,
  distance,
  isPoint,
  minus,
  roundedPoint,
  whole,
} from '#server/drawing/geometry/vector.ts';
import { composed, moving, scaling, turning } from '#server/drawing/geometry/matrix.ts';
import { isLocked, rowOf, withSeats, type NewId } from '#server/drawing/edit/targets.ts';
import { transformed } from '#server/drawing/edit/transformed.ts';
import { forgetSeats } from '#server/drawing/edit/remove.ts';
import { highestFree, nextNumbers, takenNumbers } from './numbers.ts';
import { MOST_SEATS } from './seats.ts';
import { entryAt } from '#server/drawing/model/entry.ts';

type End = 'start' | 'end';

/** A new seat with the fields of its neighbour. */
function seatLike(beside: SeatData | undefined, at: Point, label: string, newId: NewId): SeatData {
  const { categoryKey, entrance } = beside ?? {};
  return {
    uuid: newId(),
    label,
    ...roundedPoint(at),
    ...(categoryKey === undefined ? {} : { categoryKey }),
    ...(entrance === undefined ? {} : { entrance }),
  };
}

/** Positions beyond one end, outwards; there are fewer if the line would meet itself. */
function beyond(row: Item<'row'>, end: End, count: number): Point[] {
  const { seats } = row.data;
  const track = trackOf(row.data);
  const spacing = spacingOf(row.data);
  const [near, far] =
    end === 'end'
      ? [entryAt(seats, -1), entryAt(seats, 0)]
      : [entryAt(seats, 0), entryAt(seats, -1)];
  const start = track.markOf(near);
  const steps = Array.from({ length: count }, () => (end === 'end' ? spacing : -spacing));
  const other = track.markOf(far);
  return placedOn(track, start, steps)
    .slice(1)
    .filter((point) => Math.abs(track.markOf(point) - other) < track.span);
}

function resized(row: Item<'row'>, end: End, wanted: number): (Point | SeatData)[] {
  const { seats } = row.data;
  const count = whole(wanted, [1, MOST_SEATS]);
  if (count <= seats.length) return end === 'end' ? seats.slice(0, count) : seats.slice(-count);
  const more = beyond(row, end, count - seats.length);
  return end === 'end' ? [...seats, ...more] : [...more.toReversed(), ...seats];
}

/** The number of seats when the row's end is dragged to a point. */
export function seatsFor(doc: Doc, id: string, end: End, pointer: Point): number {
  const row = rowOf(doc, id);
  const seats = row?.data.seats ?? [];
  if (!row || seats.length === 0) return 0;
  const track = trackOf(row.data);
  const edge = track.markOf(end === 'end' ? entryAt(seats, -1) : entryAt(seats, 0));
  const step = Math.abs(track.walk(edge, spacingOf(row.data)) - edge);
  const dragged = track.markOf(toRelative(doc, row, pointer)) - edge;
  return whole(seats.length + ((end === 'end' ? 1 : -1) * dragged) / step, [1, MOST_SEATS]);
}

export function resizeRow(
  doc: Doc,
  id: string,
  end: End,
  wanted: number,
  newId: NewId,
): Edit | null {
  const row = rowOf(doc, id);
  if (!row || row.data.seats.length === 0 || isLocked(doc, row)) return null;
  const { seats } = row.data;
  const places = resized(row, end, wanted);
  const added = Math.max(0, places.length - seats.length);
  if (places.length === seats.length) return null;
  const inwards = end === 'end' ? seats : seats.toReversed();
  const names = nextNumbers(inwards, added, takenNumbers(doc, row));
  const fresh = (end === 'end' ? places.slice(seats.length) : places.slice(0, added)).map(
    (at, index) =>
      seatLike(
        inwards.at(-1),
        at,
        entryAt(names, end === 'end' ? index : added - 1 - index),
        newId,
      ),
  );
  const grown = end === 'end' ? [...seats, ...fresh] : [...fresh, ...seats];
  const draft = new EditDraft(doc);
  draft.put(withSeats(row, added > 0 ? grown : (places as SeatData[])));
  if (added === 0)
    forgetSeats(draft, end === 'end' ? seats.slice(places.length) : seats.slice(0, -places.length));
  return draft.finish('resize-row', places.length);
}

/** Stretches a row's seats between new ends. */
export function stretchRow(
  doc: Doc,
  id: string,
  { start, end }: { start?: Point; end?: Point },
): Edit | null {
  const row = rowOf(doc, id);
  if (!row || row.data.seats.length < 2 || isLocked(doc, row)) return null;
  const origin = originOf(doc, row);
  const [from, to] = [entryAt(row.data.seats, 0), entryAt(row.data.seats, -1)].map((seat) =>
    toAbsolute(doc, row, seat),
  ) as [Point, Point];
  const [begin, finish] = [start ?? from, end ?? to];
  const reach = distance(from, to);
  if (!isPoint(begin) || !isPoint(finish) || reach < 1 || distance(begin, finish) < 1) return null;
  const factor = distance(begin, finish) / reach;
  const degrees = angleOf(minus(finish, begin)) - angleOf(minus(to, from));
  const matrix = composed(
    scaling(factor, factor, from),
    turning(degrees, from),
    moving(begin.x - from.x, begin.y - from.y),
  );
  const draft = new EditDraft(doc);
  draft.put(transformed(row, matrix, { from: origin, to: origin }));
  return draft.finish('stretch-row');
}

/** Inserts a seat into a row; the seats behind it move on. */
export function insertSeat(doc: Doc, id: string, position: number, newId: NewId): Edit | null {
  const row = rowOf(doc, id);
  if (!row || row.data.seats.length === 0 || isLocked(doc, row)) return null;
  const { seats } = row.data;
  const at = whole(position, [0, seats.length]);
  if (at === 0 || at === seats.length)
    return resizeRow(doc, id, at === 0 ? 'start' : 'end', seats.length + 1, newId);
  const [track, steps, spacing] = [trackOf(row.data), stepsOf(seats), spacingOf(row.data)];
  const before = entryAt(seats, at - 1);
  const places = placedOn(track, track.markOf(before), [spacing, ...steps.slice(at - 1)]).slice(1);
  const name = highestFree(takenNumbers(doc, row));
  const moved = seats
    .slice(at)
    .map((seat, index) => ({ ...seat, ...roundedPoint(entryAt(places, index + 1)) }));
  const draft = new EditDraft(doc);
  const seat = seatLike(before, entryAt(places, 0), name, newId);
  const { x_gapAfter, ...joined } = before;
  // An aisle then lies behind the new seat.
  const parted = x_gapAfter === true ? [joined, { ...seat, x_gapAfter }] : [before, seat];
  draft.put(withSeats(row, [...seats.slice(0, at - 1), ...parted, ...moved]));
  return draft.finish('insert-seat', name);
}
