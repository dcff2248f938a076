/** Finds the object at a point of the map. */
import { isInside, isOutside, type Box } from '#apps/chart/scene/outline.ts';
import {
  AREA,
  areaOf,
  BOOTH,
  boothOf,
  boxOfOther,
  distanceTo,
  ownerOf,
  placePoint,
  rowOf,
  type Scene,
  type SceneGroup,
  TABLE,
} from '#apps/chart/scene/scene.ts';
import type { Places } from '#apps/chart/places/places.ts';
import { HIDDEN } from '#apps/chart/places/places.ts';

interface Hit {
  place: number;
  group: SceneGroup;
}

/**
 * A point of the drawing on one of its floors; seats within `reach` (drawing units) are hit, the
 * nearest first.
 */
interface Spot {
  x: number;
  y: number;
  floor: number;
  reach: number;
}

/** The bookable object at a point; null for empty floor. */
export function hitPlace(scene: Scene, places: Places, at: Spot): Hit | null {
  let best: Hit | null = null;
  let nearest = Infinity;
  for (const group of scene.groups) {
    const reach = Math.max(group.radius, at.reach);
    if (group.floor !== at.floor || isOutside(group.box, at.x, at.y, reach)) continue;
    for (const row of group.rows) {
      if (isOutside(row.box, at.x, at.y, reach)) continue;
      for (let i = row.first; i < row.first + row.count; i++) {
        const distance = distanceTo(scene, i, at);
        if (distance > reach || distance >= nearest || places.state[i] === HIDDEN) continue;
        nearest = distance;
        best = { place: ownerOf(scene, i), group };
      }
    }
  }
  return best ?? hitOther(scene, places, at);
}

function hitOther(scene: Scene, places: Places, at: Spot): Hit | null {
  for (const group of scene.groups) {
    if (group.floor !== at.floor) continue;
    const place = group.others.find(
      (i) => places.state[i] !== HIDDEN && covers(scene, i, at.x, at.y),
    );
    if (place !== undefined) return { place, group };
  }
  return null;
}

/** The seats of a floor whose centres are in a box; other objects are left out. */
export function seatsWithin(
  scene: Scene,
  places: Places,
  { box, floor }: { box: Box; floor: number },
): number[] {
  const isWithin = (i: number) => {
    const { x, y } = placePoint(scene, i);
    return places.state[i] !== HIDDEN && !isOutside(box, x, y, 0);
  };
  const found = scene.groups
    .filter((group) => group.floor === floor)
    .flatMap((group) => group.rows)
    .flatMap(({ first, count }) => Array.from({ length: count }, (_, at) => first + at))
    .filter(isWithin);
  return [...new Set(found.map((i) => ownerOf(scene, i)))];
}

/** The section at a point, for taps on the far view. */
export function hitGroup(scene: Scene, { x, y, floor }: Omit<Spot, 'reach'>): SceneGroup | null {
  return (
    scene.groups.find(
      (group) =>
        group.floor === floor && isInside(scene.chart.sections[group.section]?.points ?? [], x, y),
    ) ?? null
  );
}

function covers(scene: Scene, i: number, x: number, y: number): boolean {
  if (isOutside(boxOfOther(scene, i), x, y, 0)) return false;
  if (scene.kind[i] === AREA) {
    const { shape } = areaOf(scene, i);
    if (shape.type === 'polygon') return isInside(shape.points, x, y);
    const local = turn(x - shape.center.x, y - shape.center.y, -shape.rotationAngle);
    return (local.x / shape.radius1) ** 2 + (local.y / shape.radius2) ** 2 <= 1;
  }
  if (scene.kind[i] === BOOTH) {
    const booth = boothOf(scene, i);
    const local = turn(x - booth.center.x, y - booth.center.y, -booth.rotationAngle);
    return Math.abs(local.x) <= booth.width / 2 && Math.abs(local.y) <= booth.height / 2;
  }
  if (scene.kind[i] !== TABLE) return false;
  return distanceTo(scene, i, { x, y }) <= (rowOf(scene, i).wire.radius ?? 0);
}

function turn(x: number, y: number, degrees: number): { x: number; y: number } {
  const angle = (degrees * Math.PI) / 180;
  return {
    x: x * Math.cos(angle) - y * Math.sin(angle),
    y: x * Math.sin(angle) + y * Math.cos(angle),
  };
}
