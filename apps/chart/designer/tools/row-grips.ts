/**
 * Handles of a row: to lengthen or shorten it at both ends, to bend its middle, and to move the
 * bends of a segmented one.
 */
import type { Item, Point } from '#server/drawing/model/data.ts';
import { originOf } from '#server/drawing/model/selection.ts';
import { resizeRow, seatsFor, stretchRow } from '#server/drawing/edit/rows/resize.ts';
import { curveFor, curveRows, setRowPoints } from '#server/drawing/edit/rows/shape.ts';
import { minus } from '#server/drawing/geometry/vector.ts';
import { placePoint } from '#apps/chart/scene/scene.ts';
import type { Desk } from '#apps/chart/designer/canvas/desk.ts';
import type { Entry } from '#apps/chart/designer/canvas/scene/entry.ts';
import { shaping, type Grip } from './shaping.ts';

/** The distance from the seats to the handles, in pixels of the page. */
const aside = 12;
/** A row whose curve looks smaller than this is made straight. */
const flat = 5;

type Row = Item<'row'>;

/** The point beyond the last seat, in the row's direction there. */
function beyond(entry: Entry, [from, to]: [number, number], k: number): Point {
  const far = entry.radius + aside / k;
  const seat = placePoint(entry, to);
  const way = from === to ? { x: 1, y: 0 } : minus(seat, placePoint(entry, from));
  const length = Math.hypot(way.x, way.y) || 1;
  return { x: seat.x + (way.x * far) / length, y: seat.y + (way.y * far) / length };
}

/** Makes the row longer or shorter; with Alt its seats are spread instead. */
function endGrip(
  desk: Desk,
  id: string,
  { end, at, seat }: { end: 'start' | 'end'; at: Point; seat: Point },
): Grip {
  // The seat's position when the handle is dragged to this point.
  const held = ({ x, y }: Point): Point => ({ x: x - at.x + seat.x, y: y - at.y + seat.y });
  return {
    ...at,
    look: 'square',
    cursor: 'ew-resize',
    take: () =>
      shaping(desk, (spot) => {
        const { doc } = desk.studio.state;
        if (spot.alt) return { edit: stretchRow(doc, id, { [end]: held(spot) }) };
        const seats = seatsFor(doc, id, end, held(spot));
        const edit = resizeRow(doc, id, end, seats, desk.newId);
        return { edit, note: seats === 1 ? '1 posto' : `${seats} posti` };
      }),
  };
}

function curveGrip(desk: Desk, { id }: Row, entry: Entry): Grip {
  const last = entry.x.length - 1;
  const low = placePoint(entry, Math.floor(last / 2));
  const high = placePoint(entry, Math.ceil(last / 2));
  const middle = { x: (low.x + high.x) / 2, y: (low.y + high.y) / 2 };
  const way = minus(placePoint(entry, last), placePoint(entry, 0));
  const length = Math.hypot(way.x, way.y) || 1;
  const far = entry.radius + aside / desk.camera.k;
  const off = { x: (-way.y * far) / length, y: (way.x * far) / length };
  return {
    x: middle.x + off.x,
    y: middle.y + off.y,
    look: 'round',
    cursor: 'ns-resize',
    take: () =>
      shaping(desk, (spot) => {
        const { doc } = desk.studio.state;
        const wanted = curveFor(doc, id, { x: spot.x - off.x, y: spot.y - off.y });
        const curve = Math.abs(wanted) * desk.camera.k < flat ? 0 : wanted;
        return { edit: curveRows(doc, [id], curve), note: `Curva ${Math.round(curve)}` };
      }),
  };
}

function bendGrips(desk: Desk, row: Row, points: readonly Point[]): Grip[] {
  const origin = originOf(desk.studio.state.doc, row);
  const bends = points.map(({ x, y }) => ({ x: x + origin.x, y: y + origin.y }));
  return bends.map((bend, index) => ({
    ...bend,
    look: 'round',
    cursor: 'move',
    take: () =>
      shaping(desk, (spot) => {
        const { x, y } = desk.snap(spot);
        const { doc } = desk.studio.state;
        return { edit: setRowPoints(doc, row.id, bends.with(index, { x, y })) };
      }),
    double: () =>
      bends.length > 2
        ? setRowPoints(desk.studio.state.doc, row.id, bends.toSpliced(index, 1))
        : null,
  }));
}

export function rowGrips(desk: Desk, row: Row): Grip[] {
  const entry = desk.scene.entryOf(row.id);
  const last = (entry?.x.length ?? 0) - 1;
  if (!entry || last < 0) return [];
  const { k } = desk.camera;
  const { points } = row.data;
  const end = endGrip(desk, row.id, {
    end: 'end',
    at: beyond(entry, [Math.max(0, last - 1), last], k),
    seat: placePoint(entry, last),
  });
  if (last === 0) return [end];
  const start = endGrip(desk, row.id, {
    end: 'start',
    at: beyond(entry, [1, 0], k),
    seat: placePoint(entry, 0),
  });
  const isBent = Array.isArray(points) && points.length > 1;
  const shape = isBent ? bendGrips(desk, row, points) : [];
  if (!isBent && last > 1) shape.push(curveGrip(desk, row, entry));
  return [...shape, start, end];
}
