/**
 * The names of sections that show their seats, or have no room inside: written beside the
 * section, where they cover no seat.
 */
import type { Point } from '#server/standins/seatsio/wire.ts';
import { boxAround, findNameSpot, type NameSpot } from '#apps/chart/scene/name-spot.ts';
import { isOutside, overlaps, type Box } from '#apps/chart/scene/outline.ts';
import { placePoint, type Scene, type SceneGroup } from '#apps/chart/scene/scene.ts';
import { shortName } from '#apps/chart/scene/short-names.ts';
import { translate } from '#apps/chart/words.ts';
import { widthOf, write } from './pen.ts';
import { onScreen, type Picture } from './picture.ts';

/** Text sizes on the screen; the first that has room is used. */
const sizes = [13, 11, 9.5];
const largest = 16;
/** The search is repeated only when the view is nearer by this factor. */
const worthSearch = 1.25;

/** A search result at a scale; zooming in only adds room there. */
interface Found {
  k: number;
  text: string;
  size: number;
  spot: NameSpot | null;
  box: Box;
}

const found = new WeakMap<Scene, Map<SceneGroup, Found>>();

/**
 * A visible section whose name is not visible. Its name may be written at `spots` (the best first),
 * or without spots below the top of the view at `across`.
 */
export interface Lost {
  group: SceneGroup;
  text: string;
  spots?: Point[];
  across: number[];
}

/** A section with a smaller share of the visible seats is not named. */
const leastShare = 0.12;
const mostHeads = 2;

/** Writes the names; returns the visible sections whose name found no room, the fullest first. */
export function nameSections(
  context: CanvasRenderingContext2D,
  picture: Picture,
  {
    open,
    cramped,
    seen,
  }: { open: readonly SceneGroup[]; cramped: readonly SceneGroup[]; seen: Box },
): Lost[] {
  const { camera, look, scene } = picture;
  const written = new Set(scene.chart.texts.map(({ text }) => translate(text).toLowerCase()));
  const lost = new Set<SceneGroup>();
  const bare: Lost[] = [];
  for (const group of [...open, ...cramped]) {
    if (group.name === '' || group.rows.length === 0) continue;
    const { text, spot, size, k } = spotOf(context, picture, group);
    // Some drawings contain the section's name as a text.
    if (spot && !written.has(group.name.toLowerCase()))
      write(context, camera, {
        text,
        ...spot,
        size: Math.min(largest, (size * camera.k) / k),
        color: look.theme.text,
        bold: true,
      });
    // In the far view a section's name may lie on its seats.
    if (!spot && cramped.includes(group))
      bare.push({
        group,
        text: shortName(scene, group),
        spots: seatsFromAxis(picture, group),
        across: [],
      });
    else if (!spot || isOutside(seen, spot.at.x, spot.at.y, 0)) lost.add(group);
  }
  if (picture.whole || lost.size === 0) return bare;
  const inView = [...open, ...cramped].map((group) => ({
    group,
    seats: seatsIn(scene, group, seen),
  }));
  const all = inView.reduce((sum, { seats }) => sum + seats.length, 0);
  const heads = inView
    .filter(({ group, seats }) => lost.has(group) && seats.length > all * leastShare)
    .sort((a, b) => b.seats.length - a.seats.length)
    .slice(0, mostHeads)
    .map(({ group, seats }) => ({
      group,
      text: group.name,
      across: fromMiddle(seats).map((x) => x * camera.k + camera.x),
    }));
  return [...heads, ...bare];
}

/** The x coordinates of the visible seats. */
function seatsIn(scene: Scene, { rows }: SceneGroup, seen: Box): number[] {
  const seats: number[] = [];
  for (const { box, first, count } of rows) {
    if (!overlaps(box, seen)) continue;
    for (let i = first; i < first + count; i++) {
      const { x, y } = placePoint(scene, i);
      if (!isOutside(seen, x, y, 0)) seats.push(x);
    }
  }
  return seats;
}

/** How many seats are tried as spots for a name. */
const tries = 6;

/** Seats by their distance from the section's axis: a horseshoe's bow comes before its arms. */
function seatsFromAxis({ scene, camera }: Picture, { rows, box }: SceneGroup): Point[] {
  const axis = (box.left + box.right) / 2;
  const seats = rows
    .flatMap(({ first, count }) =>
      Array.from({ length: count }, (_, n) => placePoint(scene, first + n)),
    )
    .sort((a, b) => Math.abs(a.x - axis) - Math.abs(b.x - axis));
  return someOf(seats).map((seat) => onScreen(camera, seat));
}

/**
 * Seat positions by their distance from the mean, which in a horseshoe is itself on the floor
 * between its arms.
 */
function fromMiddle(seats: number[]): number[] {
  const mean = seats.reduce((sum, x) => sum + x, 0) / seats.length;
  return someOf(seats.toSorted((a, b) => Math.abs(a - mean) - Math.abs(b - mean)));
}

function someOf<T>(all: readonly T[]): T[] {
  const every = Math.max(1, Math.floor(all.length / tries));
  return all.filter((_, n) => n % every === 0);
}

function spotOf(
  context: CanvasRenderingContext2D,
  { scene, camera: { k } }: Picture,
  group: SceneGroup,
): Found {
  const all = found.get(scene) ?? new Map<SceneGroup, Found>();
  found.set(scene, all);
  const known = all.get(group);
  const holds = known && k >= known.k * 0.99;
  if (known && holds && (known.spot || k < known.k * worthSearch)) return known;
  const taken = [...all]
    .filter(([other, { spot }]) => other !== group && spot !== null)
    .map(([, { box }]) => box);
  const fresh = search(context, { scene, group, taken, k });
  all.set(group, fresh);
  return fresh;
}

function search(
  context: CanvasRenderingContext2D,
  { scene, group, taken, k }: { scene: Scene; group: SceneGroup; taken: Box[]; k: number },
): Found {
  for (const text of new Set([group.name, shortName(scene, group)]))
    for (const size of sizes) {
      const room = { width: (widthOf(context, text, size) + 4) / k, height: (size + 2) / k };
      const spot = findNameSpot(scene, group, { size: room, taken });
      if (spot) return { k, text, size, spot, box: boxAround(spot, room) };
    }
  return { k, text: '', size: 0, spot: null, box: group.box };
}
