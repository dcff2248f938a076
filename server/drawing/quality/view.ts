/**
 * The view from each place: distance and angle to the focal point, and whether the head in front
 * is in the way.
 */
import { listPlaces, meanOf, type Place } from '#server/drawing/model/places.ts';
import { distanceBetween } from './rank.ts';
import type { Doc, Item, Point } from '#server/drawing/model/data.ts';
import { entryOf } from '#server/drawing/model/entry.ts';

/** The focal point of a place's floor, or else of its section's zone. */
export function focalPoints(doc: Doc): (place: Pick<Place, 'floor' | 'section'>) => Point | null {
  const floors = new Map(doc.floors.map(({ id, data }) => [id, data.focalPoint ?? null]));
  const zones = new Map(doc.zones.map(({ key, focalPoint }) => [key, focalPoint ?? null]));
  return ({ floor, section }) => {
    const own = floors.get(floor);
    if (own) return own;
    const item = section === null ? undefined : doc.items.get(section);
    const zone = item?.kind === 'section' ? item.data.zone : undefined;
    return zone === undefined ? null : (zones.get(zone) ?? null);
  };
}

interface View {
  readonly place: Place;
  /** In units of the drawing. */
  readonly distance: number;
  /** Degrees between the place and the middle of the audience, as seen from the focal point. */
  readonly angle: number;
}

function key({ x, y }: Point): string {
  return `${x} ${y}`;
}

/** The vectors from each focal point to the middle of its audience. */
function axesOf(places: readonly [Place, Point][]): Map<string, Point> {
  const audiences = new Map<string, { focal: Point; places: Place[] }>();
  for (const [place, focal] of places) {
    const known = audiences.get(key(focal));
    if (known) known.places.push(place);
    else audiences.set(key(focal), { focal, places: [place] });
  }
  return new Map(
    [...audiences].map(([id, { focal, places: all }]) => {
      const middle = meanOf(all);
      return [id, { x: middle.x - focal.x, y: middle.y - focal.y }];
    }),
  );
}

function degreesBetween(a: Point, b: Point): number {
  const lengths = Math.hypot(a.x, a.y) * Math.hypot(b.x, b.y);
  if (lengths < 1e-9) return 0;
  const cosine = Math.max(-1, Math.min(1, (a.x * b.x + a.y * b.y) / lengths));
  return (Math.acos(cosine) * 180) / Math.PI;
}

/** The views of all places that have a focal point. */
export function viewsOf(doc: Doc): View[] {
  const focalOf = focalPoints(doc);
  const seen = listPlaces(doc).flatMap((place): [Place, Point][] => {
    const focal = focalOf(place);
    return focal ? [[place, focal]] : [];
  });
  const axes = axesOf(seen);
  return seen.map(([place, focal]) => ({
    place,
    distance: distanceBetween(focal, place),
    angle: degreesBetween(
      { x: place.x - focal.x, y: place.y - focal.y },
      entryOf(axes, key(focal)),
    ),
  }));
}

/** The height of a seated person's eyes above the floor, in centimetres. */
const EYE = 120;
/** How many rows in front are checked; heads further away hide no more than nearer ones. */
const LOOK = 4;

type SightGrade = 'good' | 'fair' | 'least' | 'poor';

/**
 * `clearance` is the height in centimetres at which the line of sight passes over the head in
 * front.
 */
interface Sight {
  readonly place: Place;
  readonly clearance: number;
  readonly grade: SightGrade;
  /** The seat in front. */
  readonly over: Place;
}

function gradeOf(clearance: number): SightGrade {
  if (clearance >= 12) return 'good';
  if (clearance >= 9) return 'fair';
  return clearance >= 6 ? 'least' : 'poor';
}

interface Eye {
  place: Place;
  focal: Point;
  /** The height above the focal point, in centimetres. */
  height: number;
  pitch: number;
}

function eyesOf(doc: Doc): Eye[] {
  const focalOf = focalPoints(doc);
  const aims = new Map(
    doc.floors.map(({ id, data }) => [
      id,
      typeof data.x_focalHeight === 'number' ? data.x_focalHeight : 0,
    ]),
  );
  const pitches = new Map<string, number>();
  return listPlaces(doc).flatMap((place) => {
    const row = entryOf(doc.items, place.item);
    const focal = focalOf(place);
    if (row.kind !== 'row' || typeof row.data.x_height !== 'number' || !focal) return [];
    const pitch = pitches.get(row.id) ?? pitchOf(row);
    pitches.set(row.id, pitch);
    return [{ place, focal, height: row.data.x_height + EYE - entryOf(aims, place.floor), pitch }];
  });
}

function pitchOf({ data }: Extract<Item, { kind: 'row' }>): number {
  const [first, second] = data.seats;
  return first && second ? Math.hypot(second.x - first.x, second.y - first.y) || 20 : 20;
}

/** The eyes of one floor in a grid, so that those in front are found without comparing all. */
class Crowd {
  readonly #cell: number;
  readonly #cells = new Map<string, Eye[]>();

  constructor(eyes: readonly Eye[]) {
    this.#cell = 2 * Math.max(...eyes.slice(0, 500).map(({ pitch }) => pitch), 1);
    for (const eye of eyes) {
      const id = this.#id(eye.place);
      const known = this.#cells.get(id);
      if (known) known.push(eye);
      else this.#cells.set(id, [eye]);
    }
  }

  #id({ x, y }: Point, dx = 0, dy = 0): string {
    return `${Math.floor(x / this.#cell) + dx} ${Math.floor(y / this.#cell) + dy}`;
  }

  *#around(point: Point): Iterable<Eye> {
    for (const dx of [-1, 0, 1])
      for (const dy of [-1, 0, 1]) yield* this.#cells.get(this.#id(point, dx, dy)) ?? [];
  }

  /**
   * The nearest head on the line from an eye to its focal point; in staggered rows it is in the
   * second row.
   */
  inFrontOf(eye: Eye): Eye | null {
    const { place, focal, pitch } = eye;
    const length = Math.hypot(focal.x - place.x, focal.y - place.y) || 1;
    const [ux, uy] = [(focal.x - place.x) / length, (focal.y - place.y) / length];
    for (let step = 1; step <= LOOK * 2; step += 1) {
      const point = { x: place.x + ux * pitch * step, y: place.y + uy * pitch * step };
      let [best, nearest]: [Eye | null, number] = [null, Infinity];
      for (const other of this.#around(point)) {
        const [dx, dy] = [other.place.x - place.x, other.place.y - place.y];
        const ahead = dx * ux + dy * uy;
        const aside = Math.abs(dx * uy - dy * ux);
        if (ahead < pitch * 0.4 || ahead >= length || aside > pitch * 0.35 || ahead >= nearest)
          continue;
        [best, nearest] = [other, ahead];
      }
      if (best) return best;
    }
    return null;
  }
}

/**
 * The C-value of every seat if its row and the row in front have a height (`x_height`) and the
 * drawing has a scale. C = D · (N + R) / (D + T) − R, with D from the front eye to the focal
 * point, R its height above that point, N the riser, and T the row depth.
 */
export function sightLines(doc: Doc): Sight[] {
  const scale = doc.root.x_cmPerUnit;
  if (typeof scale !== 'number' || !(scale > 0)) return [];
  const eyes = eyesOf(doc);
  const crowds = new Map<string, Crowd>();
  for (const { id } of doc.floors)
    crowds.set(id, new Crowd(eyes.filter(({ place }) => place.floor === id)));
  return eyes.flatMap((eye) => {
    const front = entryOf(crowds, eye.place.floor).inFrontOf(eye);
    if (!front) return [];
    const far = scale * distanceBetween(front.place, eye.focal);
    const depth = scale * distanceBetween(front.place, eye.place);
    const clearance = (far * eye.height) / (far + depth) - front.height;
    return [{ place: eye.place, clearance, grade: gradeOf(clearance), over: front.place }];
  });
}
