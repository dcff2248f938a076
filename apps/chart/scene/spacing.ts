/** How large seats may be drawn without touching, and where a row's name covers no seat. */
import type { Point } from '#server/standins/seatsio/wire.ts';
import { isOutside } from './outline.ts';
import { distanceTo, placePoint, type Scene, type SceneGroup, type SceneRow } from './scene.ts';

/** How many distances are measured, in all and per group; more would not change the result. */
const samplesInAll = 600;
const samples = { least: 5, most: 48 };
const widestSearch = 4000;

/**
 * The drawn radius: 43 % of the distance to the nearest neighbour, measured for a few seats
 * spread over the group, so that 50,000 seats take milliseconds.
 */
export function measureRadius(scene: Scene, group: SceneGroup): number {
  const wanted = Math.max(
    samples.least,
    Math.min(samples.most, samplesInAll / (scene.chart.sections.length + 1)),
  );
  const count = group.rows.reduce((sum, row) => sum + row.count, 0);
  if (count === 0) return 0;
  const step = Math.max(1, count / wanted);
  const nearest: number[] = [];
  let next = step / 2;
  let before = 0;
  for (const row of group.rows) {
    for (; next < before + row.count; next += step) {
      const distance = nearestTo(scene, group, { i: row.first + Math.floor(next - before), row });
      // Two seats on one spot are an error of the drawing, so their distance is ignored.
      if (distance > 0 && distance < widestSearch) nearest.push(distance);
    }
    before += row.count;
  }
  nearest.sort((a, b) => a - b);
  return Math.max(1, (nearest[Math.floor(nearest.length * 0.1)] ?? 240) * 0.43);
}

function nearestTo(
  scene: Scene,
  group: SceneGroup,
  { i, row }: { i: number; row: SceneRow },
): number {
  const at = placePoint(scene, i);
  let best = widestSearch;
  // A seat's neighbours in its row limit the distance within which other seats are searched.
  for (const j of [i - 1, i + 1])
    if (j >= row.first && j < row.first + row.count)
      best = Math.min(best, distanceTo(scene, j, at));
  for (const other of group.rows) {
    if (isOutside(other.box, at.x, at.y, best)) continue;
    for (let j = other.first; j < other.first + other.count; j++) {
      const { x, y } = placePoint(scene, j);
      const [dx, dy] = [x - at.x, y - at.y];
      if (j !== i && dx * dx + dy * dy < best * best) best = Math.sqrt(dx * dx + dy * dy);
    }
  }
  return best;
}

/**
 * Where a row's name is written: beyond its ends, or beside its middle where other seats are at
 * the ends; computed when first needed.
 */
export function marksOf(scene: Scene, group: SceneGroup, row: SceneRow): Point[] {
  row.marks ??= markRow(scene, row, {
    radius: group.radius,
    isClear: (at) => isClear(scene, group, at),
  });
  return row.marks;
}

function isClear(scene: Scene, group: SceneGroup, at: Point): boolean {
  const room = group.radius * 1.7;
  for (const row of group.rows) {
    if (isOutside(row.box, at.x, at.y, room)) continue;
    for (let i = row.first; i < row.first + row.count; i++)
      if (distanceTo(scene, i, at) < room) return false;
  }
  return true;
}

function markRow(
  scene: Scene,
  row: SceneRow,
  room: { radius: number; isClear: (at: Point) => boolean },
): Point[] {
  const last = row.first + row.count - 1;
  if (row.count === 0 || row.table) return [];
  const at = (i: number) => placePoint(scene, i);
  const step = (from: Point, to: Point) => {
    const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
    return { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
  };
  const [head, tail] = [at(row.first), at(last)];
  const out = row.count > 1 ? step(at(row.first + 1), head) : { x: -1, y: 0 };
  const on = row.count > 1 ? step(at(last - 1), tail) : { x: 1, y: 0 };
  const far = room.radius * 2.2;
  const ends = [
    { x: head.x + out.x * far, y: head.y + out.y * far },
    { x: tail.x + on.x * far, y: tail.y + on.y * far },
  ].filter(room.isClear);
  if (isFolded(scene, row))
    return [centreOf(scene, row), ...ends.slice(-1)].filter(room.isClear).slice(0, 1);
  // A letter is written at the ends, a whole word beside the middle.
  const isWord = Boolean(row.wire.displayObjectType);
  if (ends.length === 2 && !isWord) return [...ends, ...markAisles(scene, row, room.radius)];
  const middle = { x: (head.x + tail.x) / 2, y: (head.y + tail.y) / 2 };
  const along = row.count > 1 ? step(head, tail) : { x: 1, y: 0 };
  const sides = [
    { x: middle.x + along.y * far, y: middle.y - along.x * far },
    { x: middle.x - along.y * far, y: middle.y + along.x * far },
  ].filter(room.isClear);
  return [...(sides.length > 0 ? sides.slice(0, 1) : ends), ...markAisles(scene, row, room.radius)];
}

/** A theatre's box: chairs in two lines, with the name between them. */
function isFolded(scene: Scene, row: SceneRow): boolean {
  const reach = (i: number, j: number) => distanceTo(scene, i, placePoint(scene, j));
  let path = 0;
  for (let i = row.first + 1; i < row.first + row.count; i++) path += reach(i, i - 1);
  return (
    row.count > 3 && row.count < 13 && path > 1.6 * reach(row.first, row.first + row.count - 1)
  );
}

function centreOf(scene: Scene, row: SceneRow): Point {
  let [x, y] = [0, 0];
  for (let i = row.first; i < row.first + row.count; i++) {
    const seat = placePoint(scene, i);
    x += seat.x / row.count;
    y += seat.y / row.count;
  }
  return { x, y };
}

/** In a wide aisle a further name helps visitors who see only the middle of the row. */
function markAisles(scene: Scene, row: SceneRow, radius: number): Point[] {
  return [...row.gaps]
    .map((gap) => row.first + gap)
    .filter((i) => i + 1 < row.first + row.count)
    .map((i) => ({ from: placePoint(scene, i), to: placePoint(scene, i + 1) }))
    .filter(({ from, to }) => Math.hypot(to.x - from.x, to.y - from.y) > radius * 4.8)
    .map(({ from, to }) => ({ x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 }));
}
