/** Finds what is under a point or in a region, among what can be selected now. */
import type { Point } from '#server/drawing/model/data.ts';
import type { Selection } from '#server/drawing/model/selection.ts';
import { distanceTo, placePoint } from '#apps/chart/scene/scene.ts';
import { isInside, type Box } from '#apps/chart/scene/outline.ts';
import type { Entry } from './entry.ts';
import { boxOfPoints, isOn, pointsOf } from './figure.ts';
import type { Scene } from './scene.ts';

export interface Hit {
  entry: Entry;
  /** Null for the object itself. */
  seat: number | null;
}

/** Leaves out what cannot be hit: locked objects, and all outside the section being edited. */
function isOpen({ item, around }: Entry, section: string | null): boolean {
  if (item.data.x_locked || around?.data.x_locked) return false;
  return section === null || item.section === section;
}

function nearestSeat(entry: Entry, at: Point, reach: number): number | null {
  let best = Math.max(entry.radius, reach);
  let found: number | null = null;
  for (let n = 0; n < entry.x.length; n++) {
    const distance = distanceTo(entry, n, at);
    if (distance > best) continue;
    best = distance;
    found = n;
  }
  return found;
}

/** `reach`: how far beside an object a click still hits it, in units of the drawing. */
export function hitAt(
  scene: Scene,
  at: Point,
  { reach, section }: { reach: number; section: string | null },
): Hit | null {
  const around = boxOfPoints([at], reach);
  let nearest: Hit | null = null;
  let best = Infinity;
  for (const entry of scene.within(around).reverse()) {
    if (!isOpen(entry, section)) continue;
    const seat = nearestSeat(entry, at, reach);
    if (seat !== null) {
      const distance = distanceTo(entry, seat, at);
      if (distance < best) [best, nearest] = [distance, { entry, seat }];
    } else if (!nearest && entry.figure && isOn(entry.figure, at.x, at.y, reach))
      return { entry, seat: null };
  }
  return nearest;
}

/** A rectangle, or a hand-drawn outline. */
interface Region {
  box: Box;
  contains: (x: number, y: number) => boolean;
}

export function regionOf(points: readonly Point[]): Region {
  return { box: boxOfPoints(points), contains: (x, y) => isInside(points, x, y) };
}

export function rectangleOf(from: Point, to: Point): Region {
  const box = boxOfPoints([from, to]);
  return {
    box,
    contains: (x, y) => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom,
  };
}

/**
 * Objects that the region touches; sections and pictures, which lie under others, only when
 * wholly inside.
 */
export function objectsIn(scene: Scene, region: Region, section: string | null): Selection {
  const items = new Set<string>();
  for (const entry of scene.within(region.box))
    if (isOpen(entry, section) && isTaken(entry, region)) items.add(entry.item.id);
  for (const id of items) {
    const inside = scene.entryOf(id)?.item.section;
    if (inside && items.has(inside)) items.delete(id);
  }
  return { items, seats: new Map() };
}

function isSeatIn(entry: Entry, at: number, { contains }: Region): boolean {
  const { x, y } = placePoint(entry, at);
  return contains(x, y);
}

function isTaken(entry: Entry, region: Region): boolean {
  const { item, figure } = entry;
  const { contains } = region;
  const corners = figure ? pointsOf(figure) : [];
  if (item.kind === 'section' || item.kind === 'image')
    return corners.length > 0 && corners.every((point) => contains(point.x, point.y));
  for (let at = 0; at < entry.x.length; at++) if (isSeatIn(entry, at, region)) return true;
  return corners.some((point) => contains(point.x, point.y));
}

/**
 * Seats in the region, and objects without seats whose centre is in it. A row that is wholly
 * inside is one object.
 */
export function seatsIn(scene: Scene, region: Region, section: string | null): Selection {
  const items = new Set<string>();
  const seats = new Map<string, ReadonlySet<number>>();
  for (const entry of scene.within(region.box)) {
    const { item, x, box } = entry;
    if (!isOpen(entry, section) || item.kind === 'section') continue;
    const inside = new Set<number>();
    for (let at = 0; at < x.length; at++) if (isSeatIn(entry, at, region)) inside.add(at);
    const isAll =
      x.length > 0
        ? inside.size === x.length
        : region.contains((box.left + box.right) / 2, (box.top + box.bottom) / 2);
    if (isAll) items.add(item.id);
    else if (inside.size > 0) seats.set(item.id, inside);
  }
  return { items, seats };
}
