/** The drawing as flat arrays: one index per seat, booth, area and whole table; geometry never changes while a chart stands. */
import type { Point, WireChart } from '#server/standins/seatsio/wire.ts';
import { type Box, emptyBox, widen, widenBy } from './outline.ts';

export const SEAT = 0;
export const BOOTH = 1;
export const AREA = 2;
export const TABLE = 3;

export const ACCESSIBLE = 1;
export const COMPANION = 2;
export const RESTRICTED = 4;

/** Seats `first` … `first + count - 1` in physical order; `gaps` holds the offsets after which an aisle lies. */
export interface SceneRow {
  wire: number;
  first: number;
  count: number;
  section: number;
  table: boolean;
  label: string;
  name: string;
  box: Box;
  gaps: Set<number>;
  /** Where the row's name is written; null until it is first needed. */
  marks: Point[] | null;
}

/** What is culled, shown from afar as one block and listed together: a section, or (section -1) all that stands in none on its floor. */
export interface SceneGroup {
  section: number;
  floor: number;
  name: string;
  rows: SceneRow[];
  /** Booths, areas and whole tables. */
  others: number[];
  box: Box;
  /** Half the width of a seat here, so that neighbours do not touch; 0 without seats. */
  radius: number;
  /** Where a name has room, and how much: sideways, upwards, and the circle that is free around it. */
  middle: Point;
  room: { width: number; height: number; around: number };
  outline: Path2D | null;
}

/** A chart without floors has one that nobody names. */
export interface SceneFloor {
  name: string;
  displayName: string;
  bounds: Box;
}

export interface Scene {
  chart: WireChart;
  size: number;
  kind: Uint8Array;
  x: Float32Array;
  y: Float32Array;
  category: Int16Array;
  flags: Uint8Array;
  /** 1 for what is sold by number of places: standing areas that are not booked as a whole. */
  counted: Uint8Array;
  /** The bookable object a point stands for: itself, or the table that is sold as a whole. */
  owner: Int32Array;
  /** Index into `rows`, or for areas and booths into the wire's list. */
  parent: Int32Array;
  section: Int16Array;
  labels: string[];
  names: string[];
  /** By bookable label; chairs of whole tables are not in it. */
  byLabel: LabelIndex;
  rows: SceneRow[];
  groups: SceneGroup[];
  floors: SceneFloor[];
  seatCount: number;
}

/** Made when first asked: a chart can be painted before anybody looks for a label. */
export class LabelIndex {
  readonly #make: () => Map<string, number>;
  #map: Map<string, number> | null = null;

  constructor(make: () => Map<string, number>) {
    this.#make = make;
  }

  get(label: string): number | undefined {
    this.#map ??= this.#make();
    return this.#map.get(label);
  }

  has(label: string): boolean {
    return this.get(label) !== undefined;
  }
}

/** The box around a booth, an area or a whole table. */
export function boxOfOther(scene: Scene, i: number): Box {
  const box = emptyBox();
  const at = scene.parent[i]!;
  if (scene.kind[i] === AREA) {
    const { shape } = scene.chart.areas[at]!;
    if (shape.type === 'polygon') for (const point of shape.points) widen(box, point.x, point.y);
    else widen(box, shape.center.x, shape.center.y, Math.max(shape.radius1, shape.radius2));
  } else if (scene.kind[i] === BOOTH) {
    const booth = scene.chart.booths[at]!;
    widen(box, booth.center.x, booth.center.y, Math.max(booth.width, booth.height) / 2);
  } else {
    widenBy(box, scene.rows[at]!.box);
  }
  return box;
}
