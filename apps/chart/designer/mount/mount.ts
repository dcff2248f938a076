/**
 * The designer's canvas on a page: shows the studio's drawing, and lets mouse, fingers and keys
 * edit it.
 */
import type { Point } from '#server/drawing/model/data.ts';
import type { Selection } from '#server/drawing/model/selection.ts';
import type { Studio } from '#apps/chart/designer/state/studio.ts';
import { CanvasLife, type CanvasOptions } from './life.ts';
import type { CanvasSettings } from '#apps/chart/designer/canvas/settings.ts';

export interface CanvasHandle {
  destroy(): void;
  /** The element that takes the focus and receives keys. */
  readonly element: HTMLElement;
  /** Pixels of the page per unit of the drawing. */
  readonly scale: number;
  readonly settings: CanvasSettings;
  set(part: Partial<CanvasSettings>): void;
  zoomBy(factor: number): void;
  /** Shows the selection, on its own floor. */
  zoomTo(selection: Selection): void;
  fit(): void;
  /** The window coordinates of a point of the drawing. */
  screenOf(at: Point): Point;
  /** Cancels an unfinished drawing or drag; false when there was none. */
  cancel(): boolean;
  /** Repaints after a change of theme or heat. */
  refresh(): void;
}

/** `host` needs a size; the canvas fills it. */
export function mountCanvas(
  host: HTMLElement,
  studio: Studio,
  options: CanvasOptions,
): CanvasHandle {
  const life = new CanvasLife(host, studio, options);
  return {
    destroy: () => life.destroy(),
    element: life.root,
    get scale() {
      return life.board.camera.k;
    },
    get settings() {
      return life.settings;
    },
    set: (part) => life.set(part),
    zoomBy: (factor) => life.zoomBy(factor),
    zoomTo: (selection) => life.zoomTo(selection),
    fit: () => life.fit(),
    screenOf: (at) => life.screenOf(at),
    cancel: () => life.cancel(),
    refresh: () => life.board.refresh(),
  };
}
