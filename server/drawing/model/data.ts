/**
 * A drawing in seats.io's format, as its file has it. Known keys have a type, and all others are
 * kept; our own keys begin with `x_`.
 */

export interface Point {
  x: number;
  y: number;
}
/** Drawings have numbers or texts as keys of categories. */
export type Key = string | number;

interface Kept {
  [key: string]: unknown;
}
/**
 * Keys that every object may have. Objects with the same `x_group` are selected together; one
 * with a greater `x_layer` lies above.
 */
interface Named extends Kept {
  uuid?: string;
  label?: string;
  displayLabel?: string;
  entrance?: string;
  x_group?: string;
  x_locked?: boolean;
  x_hidden?: boolean;
  x_layer?: number;
  /** Steps by which best places put it forward (negative) or back (positive). */
  x_priority?: number;
}
interface Placed extends Named {
  center?: Point;
  rotationAngle?: number;
}
export interface SeatData extends Named, Point {
  /** The section's category if it is null or missing. */
  categoryKey?: Key | null;
  accessible?: boolean;
  companionSeat?: boolean;
  restrictedView?: boolean;
  liftUpArmrests?: boolean;
  semiAmbulatorySeat?: boolean;
  hearingImpaired?: boolean;
  signLanguageInterpretation?: boolean;
  plusSize?: boolean;
  /** True if an aisle follows, so that this seat and the next are not neighbours. */
  x_gapAfter?: boolean;
  /**
   * The uuid of the wheelchair place that a companion's seat belongs to; it need not be adjacent.
   */
  x_companionOf?: string;
}
export interface RowData extends Named {
  /**
   * The height of the arc over its chord, in units; positive if it bends away from the focal
   * point.
   */
  curve?: number;
  chairSpacing?: number;
  rotationAngle?: number;
  /** The ends and bends of a segmented row. */
  points?: Point[];
  smooth?: boolean;
  seatLabeling?: { algoName?: string; startAtIndex?: number; isInverted?: boolean };
  rowLabelPosition?: string;
  displayObjectType?: string;
  /** The height of the floor above the hall's lowest point, in centimetres, for sight lines. */
  x_height?: number;
  /** Whether its seats are fixed or loose; only one safety rule uses it. */
  x_seating?: 'fixed' | 'loose';
  seats: SeatData[];
}
export interface TableData extends Placed {
  type?: 'round' | 'rectangular';
  radius?: number;
  width?: number;
  height?: number;
  bookAsAWhole?: boolean;
  variableOccupancy?: boolean;
  minOccupancy?: number;
  openSpaces?: number;
  categoryKey?: Key | null;
  /** `palco` for a box: its cell is `width` × `height`, its tier is the section or `x_tier`. */
  x_kind?: 'palco';
  x_tier?: string;
  seats: SeatData[];
}
/** The data of an object with a known centre. */
export type Centred<T> = T & { center: Point };
export interface BoothData extends Placed {
  categoryKey?: Key | null;
  width?: number;
  height?: number;
}
export interface AreaData extends Placed {
  type?: 'circle' | 'polygon';
  categoryKey?: Key | null;
  capacity?: number;
  bookAsAWhole?: boolean;
  variableOccupancy?: boolean;
  minOccupancy?: number;
  points?: Point[];
  radius1?: number;
  radius2?: number;
}
export interface ShapeData extends Placed {
  type?: 'rectangle' | 'ellipse' | 'polygon' | 'line';
  smartType?: 'stage' | string;
  points?: Point[];
  width?: number;
  height?: number;
  radius1?: number;
  radius2?: number;
  cornerRadius?: number;
  fillColor?: string;
}
export interface TextData extends Placed {
  text?: string;
  fontSize?: number;
  textColor?: string;
}
interface IconData extends Placed {
  iconType?: string;
  iconSize?: number;
  iconColor?: string;
}
interface ImageData extends Placed {
  /** A data: address. */
  href?: string;
  width?: number;
  height?: number;
  opacity?: number;
}
/** A section; its seats are measured from `topLeft`, and `points` are absolute. */
export interface SectionData extends Named {
  points?: Point[];
  /** True while the outline was not drawn by hand, so that it changes with its contents. */
  x_followsSeats?: boolean;
  topLeft?: Point;
  categoryKey?: Key | null;
  zone?: string;
  labelSize?: number;
  labelRotationAngle?: number;
  subChart: Kept;
}
export interface FloorData extends Kept {
  width?: number;
  height?: number;
  focalPoint?: Point | null;
  /** The height of the focal point in centimetres. */
  x_focalHeight?: number;
  floorName?: string;
  floorDisplayName?: string;
  /** A picture to trace; some of its keys are ours. */
  backgroundImage?: Kept | null;
}
export interface CategoryData extends Kept {
  key: Key;
  label: string;
  color: string;
  accessible?: boolean;
}
export interface ZoneData extends Kept {
  key: string;
  label: string;
  focalPoint?: Point | null;
}
/**
 * The root of a drawing. Rules in metres can only be checked with `x_cmPerUnit`, the real length
 * of a unit.
 */
export interface RootData extends Kept {
  name?: string;
  venueType?: string;
  x_cmPerUnit?: number;
  /** The number of people for whom the hall is licensed. */
  x_licensedCapacity?: number;
}

/** The list of a floor, or of a section's subChart, for each kind of object. */
export const LISTS = {
  row: 'rows',
  table: 'tables',
  booth: 'booths',
  area: 'generalAdmissionAreas',
  section: 'sections',
  shape: 'shapes',
  text: 'texts',
  icon: 'icons',
  image: 'imageObjects',
} as const;
export type Kind = keyof typeof LISTS;
export const KINDS = Object.keys(LISTS) as Kind[];

interface DataOf {
  row: RowData;
  table: TableData;
  booth: BoothData;
  area: AreaData;
  section: SectionData;
  shape: ShapeData;
  text: TextData;
  icon: IconData;
  image: ImageData;
}
/**
 * One object of a drawing. `id` is its uuid, or a generated one if that is missing or shared;
 * `section` is the id of its section.
 */
export type Item<K extends Kind = Kind> = {
  [P in K]: {
    readonly id: string;
    readonly kind: P;
    readonly floor: string;
    readonly section: string | null;
    readonly data: DataOf[P];
  };
}[K];

export interface Floor {
  readonly id: string;
  readonly data: FloorData;
}

/** A drawing opened for editing. It never changes; an edit makes another one. */
export interface Doc {
  readonly root: RootData;
  /** All floors; a single one needs no name. */
  readonly floors: readonly Floor[];
  readonly categories: readonly CategoryData[];
  readonly zones: readonly ZoneData[];
  readonly items: ReadonlyMap<string, Item>;
  /** The ids of each list (`listOf(…)`) in the order of the file, in which they are read out. */
  readonly order: ReadonlyMap<string, readonly string[]>;
}

/** The name of a list in `Doc.order`. */
export function listOf(item: Pick<Item, 'floor' | 'section' | 'kind'>): string {
  return `${item.section ?? item.floor}/${LISTS[item.kind]}`;
}
