/**
 * The marks of an SVG picture, as the browser measured them: the input of the search for rows.
 */
import type { Point } from '#server/drawing/model/data.ts';

/** What our own pictures say about a place; others say nothing. */
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

/** Something small and about as wide as high: a circle, a square, a symbol that is used. */
export interface SeatMark extends Point {
  readonly width: number;
  readonly height: number;
  /** `#rrggbb`, or nothing where it is not filled. */
  readonly color: string;
  /** Its groups from the outside in. */
  readonly groups: readonly string[];
  /** The id or title that its drawer gave it. */
  readonly name: string;
  readonly own?: OwnNames;
}

export interface TextMark extends Point {
  readonly text: string;
  readonly size: number;
  readonly groups: readonly string[];
}

/** What our own pictures say about an outline. */
export interface OwnOutline {
  readonly kind: 'section' | 'area' | 'booth' | 'shape' | 'stage';
  readonly label: string;
  readonly section: string;
  readonly category: string;
  readonly entrance: string;
  readonly capacity: number;
  /** Where its name stands, if not in its middle. */
  readonly at: Point | null;
}

/** Larger than a seat: a stage, a wall. */
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
