/** The marks of an SVG picture as the browser measured them, from which rows are found. */
import type { Point } from '#server/drawing/model/data.ts';

/** The names of a place, which only our own pictures contain. */
export interface OwnNames {
  readonly section: string;
  readonly row: string;
  readonly isTable: boolean;
  readonly seat: string;
  readonly shown: string;
  readonly rowShown: string;
  readonly category: string;
  readonly entrance: string;
  readonly rowEntrance: string;
  readonly marks: string;
}

/** A small mark about as wide as high: a circle, a square, a used symbol. */
export interface SeatMark extends Point {
  readonly width: number;
  readonly height: number;
  /** `#rrggbb`, or empty if it is not filled. */
  readonly color: string;
  /** The groups around it, from the outside in. */
  readonly groups: readonly string[];
  /** The id or title in the picture. */
  readonly name: string;
  readonly own?: OwnNames;
}

export interface TextMark extends Point {
  readonly text: string;
  readonly size: number;
  readonly groups: readonly string[];
}

/** The data of an outline, which only our own pictures contain. */
export interface OwnOutline {
  readonly kind: 'section' | 'area' | 'booth' | 'shape' | 'stage';
  readonly label: string;
  readonly section: string;
  readonly category: string;
  readonly entrance: string;
  readonly capacity: number;
  /** The position of its name, or null for its middle. */
  readonly at: Point | null;
}

/** A mark that is larger than a seat: a stage, a wall. */
export interface OutlineMark {
  readonly points: readonly Point[];
  readonly color: string;
  readonly own?: OwnOutline;
}

export interface Marks {
  readonly seats: readonly SeatMark[];
  readonly texts: readonly TextMark[];
  readonly outlines: readonly OutlineMark[];
}
