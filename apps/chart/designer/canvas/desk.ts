/** What the tools work with, and what a tool is. */
import type { Point } from '#server/drawing/model/data.ts';
import type { Edit } from '#server/drawing/model/edit.ts';
import type { Selection } from '#server/drawing/model/selection.ts';
import type { Feature } from '#apps/chart/designer/config.ts';
import type { Studio } from '#apps/chart/designer/state/studio.ts';
import type { Camera } from './scene/camera.ts';
import type { Look } from './paint/look.ts';
import type { Stroke } from './paint/picture.ts';
import type { Scene } from './scene/scene.ts';
import type { CanvasSettings } from './settings.ts';
import type { Field } from './field.ts';

/** Where the pointer is: in the drawing, and on the canvas in pixels of the page. */
export interface Spot extends Point {
  sx: number;
  sy: number;
  shift: boolean;
  alt: boolean;
  ctrl: boolean;
  touch: boolean;
}

export interface Snapped extends Point {
  /** Lines that show why, in coordinates of the drawing. */
  lines: readonly [Point, Point][];
}

/** All of the canvas that a tool may use. */
export interface Desk {
  readonly studio: Studio;
  readonly scene: Scene;
  readonly camera: Camera;
  settings(): CanvasSettings;
  /** What the page lets people change. */
  may(feature: Feature): boolean;
  look(): Look;
  readonly newId: () => string;
  /** The top layer is painted again. */
  redraw(): void;
  /** Moves the selection with the pointer by that much; null: back to its place. */
  drag(by: Point | null): void;
  /** Shows what an edit would make, with its selection on top; null: the drawing as it is. */
  preview(edit: Edit | null, selection?: Selection): void;
  stroke(stroke: Stroke | null): void;
  /** Ends the preview and carries the edit out. */
  act(edit: Edit | null, selection?: Selection): void;
  /** The point to which grid, guides and neighbours pull it. */
  snap(at: Spot): Snapped;
  /** By how much a box moves when grid, guides and neighbours pull it. */
  snapBox(by: Point, spot: Spot): Snapped;
  /** A small form on the canvas; it replaces the one before it. */
  ask(field: Field): void;
  menu(spot: Spot, id: string | null): void;
  panBy(dx: number, dy: number): void;
}

/** How a tool is held: what the pointer does with it. */
export interface Hand {
  cursor(spot: Spot): string;
  hover?(spot: Spot): void;
  down(spot: Spot): void;
  /** Only once the pointer has moved further than a trembling hand. */
  drag?(spot: Spot): void;
  up(spot: Spot, how: { moved: boolean; clicks: number }): void;
  /** Ends what is under way without changing anything; false: there was nothing. */
  cancel(): boolean;
  /** Enter, Backspace: true when it was used. */
  key?(key: string): boolean;
  /** On the top layer, in pixels of the page. */
  paint?(context: CanvasRenderingContext2D): void;
}
