/**
 * One object of the floor in the canvas's form: its seats in typed arrays, its outline, and its
 * current selection.
 */
import type { Item, Key, Point, SeatData } from '#server/drawing/model/data.ts';
import { seatsOf } from '#server/drawing/model/selection.ts';
import { placePoint } from '#apps/chart/scene/scene.ts';
import { emptyBox, widen, type Box } from '#apps/chart/scene/outline.ts';
import { boxOfPoints, figureOf, pointsOf, type Figure } from './figure.ts';

export interface Entry {
  readonly item: Item;
  /** The section that contains it. */
  readonly around: Item<'section'> | null;
  readonly origin: Point;
  readonly x: Float32Array;
  readonly y: Float32Array;
  /** Each seat's colour as a position in the palette, 0 for no category. */
  readonly tint: Uint16Array;
  /** The colour of the object itself, if it can be booked; 0 for none. */
  readonly ownTint: number;
  /** Bits: 1 accessible, 2 companion's, 4 restricted view. */
  readonly flags: Uint8Array;
  /** The seat radius that the distances allow; 0: too few seats, so the usual one is used. */
  readonly measured: number;
  radius: number;
  readonly figure: Figure | null;
  readonly rank: number;
  box: Box;
  /** Made when it is first painted. */
  path?: Path2D;
  /** Whether it is selected as a whole. */
  whole: boolean;
  /** Whether it moves along because its section is selected. */
  carried: boolean;
  /** 1 for each seat that is selected alone; null when there is none. */
  chosen: Uint8Array | null;
  marked: Uint8Array | null;
  markedWhole: boolean;
}

/** Painting order: lower objects first; the contents of a section are above its floor. */
const ranks: Record<Item['kind'], number> = {
  image: 0,
  shape: 1,
  section: 2,
  area: 3,
  table: 4,
  booth: 5,
  row: 6,
  icon: 7,
  text: 8,
};
const inSection = 10;
const perLayer = 100;

type TintOf = (key: Key | null | undefined) => number;

function flagsOf({ accessible, companionSeat, restrictedView }: SeatData): number {
  return (accessible ? 1 : 0) | (companionSeat ? 2 : 0) | (restrictedView ? 4 : 0);
}

/** 43 % of the least distance between neighbours, so that no two seats touch. */
function measure(seats: readonly SeatData[]): number {
  let least = Infinity;
  for (const [at, seat] of seats.entries()) {
    const before = seats[at - 1] ?? seat;
    const distance = Math.hypot(seat.x - before.x, seat.y - before.y);
    // Two seats on one spot are an error of the drawing, so their distance is ignored.
    if (distance > 0.5 && distance < least) least = distance;
  }
  return least === Infinity ? 0 : least * 0.43;
}

interface Surroundings {
  around: Item<'section'> | null;
  origin: Point;
  tintOf: TintOf;
  usual: number;
}

export function makeEntry(item: Item, { around, origin, tintOf, usual }: Surroundings): Entry {
  const seats = seatsOf(item);
  const count = seats.length;
  const [x, y] = [new Float32Array(count), new Float32Array(count)];
  const [tint, flags] = [new Uint16Array(count), new Uint8Array(count)];
  const own = 'categoryKey' in item.data ? (item.data.categoryKey as Key | null) : null;
  const inherited = own ?? around?.data.categoryKey;
  for (const [at, seat] of seats.entries()) {
    x[at] = seat.x + origin.x;
    y[at] = seat.y + origin.y;
    tint[at] = tintOf(seat.categoryKey ?? inherited);
    flags[at] = flagsOf(seat);
  }
  const measured = measure(seats);
  const figure = figureOf(item, origin);
  const entry: Entry = {
    item,
    around,
    origin,
    x,
    y,
    tint,
    flags,
    measured,
    figure,
    radius: measured || usual,
    ownTint: tintOf(inherited ?? (item.kind === 'table' ? seats[0]?.categoryKey : undefined)),
    rank: (item.data.x_layer ?? 0) * perLayer + (around ? inSection : 0) + ranks[item.kind],
    box: emptyBox(),
    whole: false,
    carried: false,
    chosen: null,
    marked: null,
    markedWhole: false,
  };
  frameEntry(entry);
  return entry;
}

/** Computes its box, once its radius is known. */
export function frameEntry(entry: Entry): void {
  const { radius, figure } = entry;
  const box = figure ? boxOfPoints(pointsOf(figure)) : emptyBox();
  for (let at = 0; at < entry.x.length; at++) {
    const { x, y } = placePoint(entry, at);
    widen(box, x, y, radius);
  }
  entry.box = box;
}

/** Whether a seat is selected, alone or with its object. */
export function isChosen(entry: Entry, at: number): boolean {
  return entry.whole || entry.carried || entry.chosen?.[at] === 1;
}

/** The square that a seat fills. */
export function boxOfSeat(entry: Entry, at: number): Box {
  const { x, y } = placePoint(entry, at);
  const { radius } = entry;
  return { left: x - radius, top: y - radius, right: x + radius, bottom: y + radius };
}
