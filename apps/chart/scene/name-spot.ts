/**
 * Where a section's name can be written at a scale without covering a seat: along the section's
 * own outline.
 */
import {
  type Box,
  distanceToEdge,
  emptyBox,
  isInside,
  isOutside,
  overlaps,
  widen,
  widenBy,
} from './outline.ts';
import { boxOfOther, floorAt, placePoint, type Scene, type SceneGroup } from './scene.ts';
import type { Point } from '#server/standins/seatsio/wire.ts';

/** The middle of the name, and its rotation in degrees (-90 … 90). */
export interface NameSpot {
  at: Point;
  turn: number;
}

/** The width and height of the written name in units of the drawing. */
interface Size {
  width: number;
  height: number;
}

const places = 72;

/**
 * The most level free spot; among equal ones the middle and upper one. `taken` are the boxes of
 * names written already. Null where no spot is free.
 */
export function findNameSpot(
  scene: Scene,
  group: SceneGroup,
  { size, taken }: { size: Size; taken: readonly Box[] },
): NameSpot | null {
  const kept = [...taken, ...obstaclesOf(scene, group.floor)];
  const room = floorAt(scene, group.floor).bounds;
  const own = outlineOf(scene, group);
  const outlines = scene.groups
    .filter((one) => one.floor === group.floor && one !== group)
    .map((other) => outlineOf(scene, other));
  // The cheapest checks that reject most spots come first.
  const isFree = (spot: NameSpot) => {
    const box = boxAround(spot, size);
    return (
      isWithin(box, room, size.height) &&
      !kept.some((other) => overlaps(box, other)) &&
      !liesOnSeat(scene, group.floor, { ...spot, ...size }) &&
      !outlines.some((other) => liesIn(other, spot, size.width) || isNearer(other, own, spot))
    );
  };
  const long = Math.max(1, room.bottom - room.top, room.right - room.left);
  const middle = (group.box.left + group.box.right) / 2;
  const cost = ({ at, turn }: NameSpot) =>
    Math.abs(turn) / 90 + (Math.abs(at.x - middle) + (at.y - room.top) / 4) / long / 4;
  return (
    spotsAlong(own, size)
      .sort((a, b) => cost(a) - cost(b))
      .find(isFree) ?? null
  );
}

/** Whether the middle or an end of a text is inside another section. */
export function liesInOther(
  scene: Scene,
  group: SceneGroup,
  { width, ...spot }: NameSpot & { width: number },
): boolean {
  const { x, y } = spot.at;
  return scene.groups.some(
    (other) =>
      other !== group &&
      other.floor === group.floor &&
      !isOutside(other.box, x, y, width / 2) &&
      liesIn(outlineOf(scene, other), spot, width),
  );
}

export function boxAround({ at, turn }: NameSpot, { width, height }: Size): Box {
  const angle = (turn * Math.PI) / 180;
  const [cos, sin] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))];
  const [half, up] = [(width * cos + height * sin) / 2, (width * sin + height * cos) / 2];
  return { left: at.x - half, right: at.x + half, top: at.y - up, bottom: at.y + up };
}

function outlineOf({ chart }: Scene, { section, box }: SceneGroup): readonly Point[] {
  const points = chart.sections[section]?.points ?? [];
  if (points.length > 2) return points;
  const { left, top, right, bottom } = box;
  return [
    { x: left, y: top },
    { x: right, y: top },
    { x: right, y: bottom },
    { x: left, y: bottom },
  ];
}

/** Spots on both sides of chords of the outline that are as long as the name. */
function spotsAlong(points: readonly Point[], { width, height }: Size): NameSpot[] {
  const sides = points.map((from, n) => {
    const to = points[(n + 1) % points.length] ?? from;
    return { from, to, long: Math.hypot(to.x - from.x, to.y - from.y) };
  });
  const whole = sides.reduce((sum, { long }) => sum + long, 0);
  const at = (way: number) => pointAfter(sides, (way + whole) % whole);
  return Array.from({ length: places }, (_, n) => (n / places) * whole).flatMap((middle) => {
    const [from, to] = [at(middle - width / 2), at(middle + width / 2)];
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const chord = Math.hypot(dx, dy);
    // Around a corner there is no straight line to write on.
    if (chord < width * 0.9) return [];
    const on = at(middle);
    const angle = (Math.atan2(dy, dx) * 180) / Math.PI;
    const turn = Math.abs(angle) > 90 ? angle - Math.sign(angle) * 180 : angle;
    return [1, -1].flatMap((side) =>
      [0.75, 1.1].map((far) => ({
        at: {
          x: on.x - (side * far * height * dy) / chord,
          y: on.y + (side * far * height * dx) / chord,
        },
        turn,
      })),
    );
  });
}

/** The point of an outline at this distance along it. */
function pointAfter(
  sides: readonly { from: Point; to: Point; long: number }[],
  way: number,
): Point {
  let left = way;
  for (const { from, to, long } of sides) {
    if (left <= long && long > 0) {
      const share = left / long;
      return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
    }
    left -= long;
  }
  return sides[0]?.from ?? { x: 0, y: 0 };
}

/** Whether a name at this spot would be taken for that of another section. */
function isNearer(other: readonly Point[], own: readonly Point[], { at }: NameSpot): boolean {
  return distanceToEdge(other, at) < distanceToEdge(own, at);
}

/** Whether the middle or an end of a name is inside. */
function liesIn(points: readonly Point[], { at, turn }: NameSpot, width: number): boolean {
  const angle = (turn * Math.PI) / 180;
  return [-0.5, 0, 0.5].some((share) =>
    isInside(
      points,
      at.x + share * width * Math.cos(angle),
      at.y + share * width * Math.sin(angle),
    ),
  );
}

/** Everything with its own text: stage, texts, areas, booths and tables. */
function obstaclesOf(scene: Scene, floor: number): Box[] {
  const { chart, groups } = scene;
  const isHere = (part: { floor?: number }) => (part.floor ?? 0) === floor;
  const shapes = chart.shapes.filter((shape) => isHere(shape) && shape.label);
  return [
    ...shapes.map(({ points = [], center, width = 0, height = 0 }) => {
      const box = emptyBox();
      for (const { x, y } of points) widen(box, x, y);
      if (center && points.length === 0)
        widenBy(box, boxAround({ at: center, turn: 0 }, { width, height }));
      return box;
    }),
    ...chart.texts
      .filter(isHere)
      .map(({ text, center, size }) =>
        boxAround({ at: center, turn: 0 }, { width: text.length * size * 0.6, height: size }),
      ),
    ...groups
      .filter((group) => group.floor === floor)
      .flatMap(({ others }) => others.map((i) => boxOfOther(scene, i))),
  ];
}

/** Whether a text covers a seat of any section. */
export function liesOnSeat(scene: Scene, floor: number, name: NameSpot & Size): boolean {
  const { at, turn, width, height } = name;
  const angle = (turn * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return scene.groups.some(({ floor: where, radius, rows, box }) => {
    const reach = Math.hypot(width, height) / 2 + radius;
    if (where !== floor || isOutside(box, at.x, at.y, reach)) return false;
    return rows.some((row) => {
      if (isOutside(row.box, at.x, at.y, reach)) return false;
      for (let i = row.first; i < row.first + row.count; i++) {
        const { x, y } = placePoint(scene, i);
        const [dx, dy] = [x - at.x, y - at.y];
        const along = Math.abs(dx * cos + dy * sin);
        const across = Math.abs(dy * cos - dx * sin);
        if (along < width / 2 + radius && across < height / 2 + radius) return true;
      }
      return false;
    });
  });
}

function isWithin(box: Box, room: Box, by: number): boolean {
  return (
    box.left >= room.left - by &&
    box.right <= room.right + by &&
    box.top >= room.top - by &&
    box.bottom <= room.bottom + by
  );
}
