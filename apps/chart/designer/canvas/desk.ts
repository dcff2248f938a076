/** The interface between canvas and tools. */
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

/** The pointer's position: in the drawing, and on the canvas in pixels of the page. */
export interface Spot extends Point {
  sx: number;
  sy: number;
  shift: boolean;
  alt: boolean;
  ctrl: boolean;
  touch: boolean;
}

export interface Snapped extends Point {
  /** Lines that show the reason for snapping, in coordinates of the drawing. */
  lines: readonly [Point, Point][];
}

/** The parts of the canvas that a tool may use. */
export interface Desk {
  readonly studio: Studio;
  readonly scene: Scene;
  readonly camera: Camera;
  settings(): CanvasSettings;
  /** Whether the page allows this feature. */
  may(feature: Feature): boolean;
  look(): Look;
  readonly newId: () => string;
  /** Repaints the top layer. */
  redraw(): void;
  /** Moves the selection with the pointer by this much; null moves it back. */
  drag(by: Point | null): void;
  /** Shows the result of an edit, with its selection on top; null shows the drawing as it is. */
  preview(edit: Edit | null, selection?: Selection): void;
  stroke(stroke: Stroke | null): void;
  /** Ends the preview and makes the edit. */
  act(edit: Edit | null, selection?: Selection): void;
  /** The point after snapping to grid, guides and neighbours. */
  snap(at: Spot): Snapped;
  /** The move of a box after snapping to grid, guides and neighbours. */
  snapBox(by: Point, spot: Spot): Snapped;
  /** Opens a small form on the canvas; it replaces the previous one. */
  ask(field: Field): void;
  menu(spot: Spot, id: string | null): void;
  panBy(dx: number, dy: number): void;
}

/** A tool's reactions to pointer and keys. */
export interface Hand {
  cursor(spot: Spot): string;
  hover?(spot: Spot): void;
  down(spot: Spot): void;
  /** Called only after the pointer has moved further than a trembling hand does. */
  drag?(spot: Spot): void;
  up(spot: Spot, how: { moved: boolean; clicks: number }): void;
  /** Ends the unfinished act without changing anything; false when there was none. */
  cancel(): boolean;
  /** Handles Enter and Backspace; true when the key was used. */
  key?(key: string): boolean;
  /** Paints on the top layer, in pixels of the page. */
  paint?(context: CanvasRenderingContext2D): void;
}
