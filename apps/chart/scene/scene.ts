/**
 * The drawing as flat arrays: one index per seat, booth, area and whole table; the geometry of a
 * rendered chart never changes.
 */
import { requireValue } from '#server/domain/require-value.ts';
import type { Point, WireCategory, WireChart, WireRow } from '#server/standins/seatsio/wire.ts';
import { type Box, emptyBox, widen, widenBy } from './outline.ts';

export const SEAT = 0;
export const BOOTH = 1;
export const AREA = 2;
export const TABLE = 3;

export const ACCESSIBLE = 1;
export const COMPANION = 2;
export const RESTRICTED = 4;

/** Seats `first` … `first + count - 1` in physical order; an aisle follows each of `gaps`. */
export interface SceneRow {
  wire: WireRow;
  first: number;
  count: number;
  section: number;
  table: boolean;
  label: string;
  name: string;
  box: Box;
  gaps: Set<number>;
  /** Where the row's name is written; null until it is first needed. */
  marks: RowMark[] | null;
}

/** A row's name at a spot of the drawing; `turn` is in degrees, `size` in radii of a seat. */
export interface RowMark extends Point {
  text: string;
  turn: number;
  size: number;
}

/**
 * Objects that are drawn or left out together, shown as one block in the far view and listed
 * under one heading: a section, or (section -1) everything on a floor outside sections.
 */
export interface SceneGroup {
  section: number;
  floor: number;
  name: string;
  rows: SceneRow[];
  /** Booths, areas and whole tables. */
  others: number[];
  box: Box;
  /** The radius at which these seats are drawn, so that none touch; 0 without seats. */
  radius: number;
  /**
   * Where a name has most room, and how much: sideways, upwards, and the free circle around it.
   */
  middle: Point;
  room: { width: number; height: number; around: number };
  outline: Path2D | null;
}

/** A chart without floors has one floor without a name. */
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
  /** 1 for objects sold by number of places: standing areas that are not booked as a whole. */
  counted: Uint8Array;
  /** The bookable object of each index: itself, or the table that is sold as a whole. */
  owner: Int32Array;
  /** An index into `rows`, or for areas and booths into the wire's list. */
  parent: Int32Array;
  section: Int16Array;
  labels: string[];
  names: string[];
  /** Indexes by bookable label; chairs of whole tables are left out. */
  byLabel: LabelIndex;
  rows: SceneRow[];
  groups: SceneGroup[];
  floors: SceneFloor[];
  seatCount: number;
}

/** Made when first needed, because a chart can be painted before a label is looked up. */
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

type WireArea = WireChart['areas'][number];
type WireSection = WireChart['sections'][number];
type WireBooth = WireChart['booths'][number];

export function placeLabel({ labels }: Scene, i: number): string {
  return labels[i] ?? '';
}

/** The text that is written on it. */
export function shownName({ names }: Scene, i: number): string {
  return names[i] ?? '';
}

/** An index into the chart's categories; -1: none. */
export function placeCategory({ category }: Scene, i: number): number {
  return category[i] ?? -1;
}

/** An index into the chart's sections; -1: none. */
export function placeSection({ section }: Scene, i: number): number {
  return section[i] ?? -1;
}

/** The bookable object that a place belongs to. */
export function ownerOf({ owner }: Scene, i: number): number {
  return owner[i] ?? i;
}

type Columns = Pick<Scene, 'x' | 'y'>;

export function placePoint({ x, y }: Columns, i: number): Point {
  return { x: x[i] ?? 0, y: y[i] ?? 0 };
}

/** The distance from the middle of a place to a point. */
export function distanceTo({ x, y }: Columns, i: number, at: Point): number {
  return Math.hypot((x[i] ?? 0) - at.x, (y[i] ?? 0) - at.y);
}

export function hasFlag({ flags }: Scene, i: number, bits: number): boolean {
  return ((flags[i] ?? 0) & bits) > 0;
}

export function wireCategoryOf({ chart, category }: Scene, i: number): WireCategory | undefined {
  return chart.categories[category[i] ?? -1];
}

export function sectionOf({ chart, section }: Scene, i: number): WireSection | undefined {
  return chart.sections[section[i] ?? -1];
}

function parentIn<T>(list: readonly T[], { parent }: Scene, i: number): T {
  return requireValue(list[parent[i] ?? -1], 'what the place stands in');
}

/** The row of a seat or of a table that is sold whole. */
export function rowOf(scene: Scene, i: number): SceneRow {
  return parentIn(scene.rows, scene, i);
}

export function areaOf(scene: Scene, i: number): WireArea {
  return parentIn(scene.chart.areas, scene, i);
}

/** The places of an object that is chosen as one; no drawing says how many a booth has. */
export function placesInOne(scene: Scene, i: number): number {
  if (scene.kind[i] === TABLE) return rowOf(scene, i).count;
  return isWholeArea(scene, i) ? areaOf(scene, i).capacity : 1;
}

export function isWholeArea({ kind, counted }: Scene, i: number): boolean {
  return kind[i] === AREA && counted[i] === 0;
}

export function boothOf(scene: Scene, i: number): WireBooth {
  return parentIn(scene.chart.booths, scene, i);
}

export function categoryAt({ chart }: Scene, at: number): WireCategory {
  return requireValue(chart.categories[at], 'category of the chart');
}

export function sectionAt({ chart }: Scene, at: number): WireSection {
  return requireValue(chart.sections[at], 'section of the chart');
}

export function floorAt({ floors }: Scene, at: number): SceneFloor {
  return requireValue(floors[at], 'floor of the chart');
}

/** The box around a booth, an area or a whole table. */
export function boxOfOther(scene: Scene, i: number): Box {
  const box = emptyBox();
  if (scene.kind[i] === AREA) {
    const { shape } = areaOf(scene, i);
    if (shape.type === 'polygon') for (const point of shape.points) widen(box, point.x, point.y);
    else widen(box, shape.center.x, shape.center.y, Math.max(shape.radius1, shape.radius2));
  } else if (scene.kind[i] === BOOTH) {
    const booth = boothOf(scene, i);
    widen(box, booth.center.x, booth.center.y, Math.max(booth.width, booth.height) / 2);
  } else {
    widenBy(box, rowOf(scene, i).box);
  }
  return box;
}
