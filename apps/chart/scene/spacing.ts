/** How large seats may be drawn without touching, and where a row's name covers no seat. */
import type { Point } from '#server/standins/seatsio/wire.ts';
import { liesInOther, liesOnSeat } from './name-spot.ts';
import { isOutside } from './outline.ts';
import {
  distanceTo,
  placePoint,
  type RowMark,
  type Scene,
  type SceneGroup,
  type SceneRow,
} from './scene.ts';
import { words } from '#apps/chart/words.ts';

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

/** Text sizes in radii of a seat; the first that has room is used. */
const wordSizes = [1.15, 0.9, 0.75];
const letterSize = 1.15;
/** The usual width of a letter, in text sizes. */
const letterWidth = 0.62;

/**
 * Where a row's name is written: beyond its ends, or beside its middle where other seats are at
 * the ends, and never on a seat of any section; computed when first needed.
 */
export function marksOf(scene: Scene, group: SceneGroup, row: SceneRow): RowMark[] {
  row.marks ??= row.wire.displayObjectType
    ? markWord(scene, group, row)
    : markLetter(scene, group, row);
  return row.marks;
}

function isClear(scene: Scene, { floor, radius }: SceneGroup, mark: RowMark): boolean {
  const size = mark.size * radius;
  const width = mark.text.length * letterWidth * size;
  const { x, y, turn } = mark;
  return !liesOnSeat(scene, floor, { at: { x, y }, turn, width, height: size * 0.8 });
}

/** A letter is written at both ends and in wide aisles, or once beside the middle. */
function markLetter(scene: Scene, group: SceneGroup, row: SceneRow): RowMark[] {
  if (row.count === 0 || row.table) return [];
  const mark = (at: Point) => ({ ...at, text: row.name, turn: 0, size: letterSize });
  const clear = (spots: readonly Point[]) =>
    spots.map(mark).filter((one) => isClear(scene, group, one));
  const ends = clear(endsOf(scene, group, row));
  const aisles = clear(markAisles(scene, row, group.radius));
  if (isFolded(scene, row))
    return clear([centreOf(scene, row), ...endsOf(scene, group, row)]).slice(0, 1);
  if (ends.length === 2) return [...ends, ...aisles];
  const sides = clear(sidesOf(scene, group, row));
  return [...(sides.length > 0 ? sides.slice(0, 1) : ends), ...aisles];
}

/**
 * A whole word, such as a box's name, is written along its row, or only its number if the word has
 * no room.
 */
function markWord(scene: Scene, group: SceneGroup, row: SceneRow): RowMark[] {
  if (row.count === 0 || row.table) return [];
  const spots = [
    ...(isFolded(scene, row) ? [centreOf(scene, row)] : []),
    ...sidesOf(scene, group, row),
    ...endsOf(scene, group, row),
  ];
  const turn = turnOf(scene, row);
  const word = words.row(row.name, row.wire.displayObjectType);
  for (const text of [word, row.name])
    for (const size of wordSizes)
      for (const at of spots) {
        const mark = { ...at, text, turn, size };
        const width = text.length * letterWidth * size * group.radius;
        if (isClear(scene, group, mark) && !liesInOther(scene, group, { at, turn, width }))
          return [mark];
      }
  return [];
}

/** The angle of a row's first line, turned so that words are not upside down. */
function turnOf(scene: Scene, row: SceneRow): number {
  const last = row.first + (isFolded(scene, row) ? 1 : row.count - 1);
  const [from, to] = [placePoint(scene, row.first), placePoint(scene, last)];
  const angle = (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI;
  return Math.abs(angle) > 90 ? angle - Math.sign(angle) * 180 : angle;
}

function step(from: Point, to: Point): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  return { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
}

/** Beyond the first and the last seat. */
function endsOf(scene: Scene, { radius }: SceneGroup, { first, count }: SceneRow): [Point, Point] {
  const at = (i: number) => placePoint(scene, i);
  const last = first + count - 1;
  const [head, tail] = [at(first), at(last)];
  const out = count > 1 ? step(at(first + 1), head) : { x: -1, y: 0 };
  const on = count > 1 ? step(at(last - 1), tail) : { x: 1, y: 0 };
  const far = radius * 2.2;
  return [
    { x: head.x + out.x * far, y: head.y + out.y * far },
    { x: tail.x + on.x * far, y: tail.y + on.y * far },
  ];
}

/** Beside the middle. */
function sidesOf(scene: Scene, { radius }: SceneGroup, { first, count }: SceneRow): Point[] {
  const [head, tail] = [placePoint(scene, first), placePoint(scene, first + count - 1)];
  const middle = { x: (head.x + tail.x) / 2, y: (head.y + tail.y) / 2 };
  const along = count > 1 ? step(head, tail) : { x: 1, y: 0 };
  const far = radius * 2.2;
  return [
    { x: middle.x + along.y * far, y: middle.y - along.x * far },
    { x: middle.x - along.y * far, y: middle.y + along.x * far },
  ];
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

/** Between the two lines of a box, which may have different lengths. */
function centreOf(scene: Scene, { first, count }: SceneRow): Point {
  const ends = [first, first + 1, first + count - 2, first + count - 1];
  const seats = ends.map((i) => placePoint(scene, i));
  return {
    x: seats.reduce((sum, { x }) => sum + x / 4, 0),
    y: seats.reduce((sum, { y }) => sum + y / 4, 0),
  };
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
