/** The parts of one picture of the drawing, and the coordinates in which its painters work. */
import type { Camera } from '#apps/chart/designer/canvas/scene/camera.ts';
import type { Entry } from '#apps/chart/designer/canvas/scene/entry.ts';
import type { Look } from './look.ts';
import type { Pictures } from './pictures.ts';

/**
 * The colour of a seat (or with null of the object itself) while a panel's overlay replaces the
 * categories; null means grey.
 */
export interface Heat {
  (id: string, seat: number | null): string | null;
  /** The former positions of removed places. */
  readonly gone?: readonly { readonly x: number; readonly y: number; readonly floor: string }[];
}

/** While the selection is dragged, it is `lifted` and all else is the `rest`. */
type Part = 'all' | 'rest' | 'lifted';

/** What an unfinished brush stroke has touched. */
export interface Stroke {
  color: string;
  touched: ReadonlyMap<string, 'whole' | ReadonlySet<number>>;
}

export interface Picture {
  camera: Camera;
  look: Look;
  ratio: number;
  part: Part;
  /** The section being edited; everything outside is faint. */
  section: string | null;
  labels: boolean;
  pictures: Pictures;
  heat: Heat | null;
  stroke: Stroke | null;
}

function isLifted({ whole, carried }: Entry): boolean {
  return whole || carried;
}

/** Whether the object itself, apart from its seats, belongs to this part. */
export function isPart(entry: Entry, part: Part): boolean {
  return part === 'all' || isLifted(entry) === (part === 'lifted');
}

export function hasSeatsIn(entry: Entry, part: Part): boolean {
  if (entry.x.length === 0) return false;
  if (part === 'all' || isLifted(entry)) return part !== 'rest';
  return part === 'rest' || entry.chosen !== null;
}

/** Sets the context to coordinates of the drawing. */
export function inDrawingUnits(
  context: CanvasRenderingContext2D,
  { camera, ratio }: Pick<Picture, 'camera' | 'ratio'>,
): void {
  const k = camera.k * ratio;
  context.setTransform(k, 0, 0, k, camera.x * ratio, camera.y * ratio);
}

/** Sets the context to pixels of the page. */
export function inPagePixels(
  context: CanvasRenderingContext2D,
  { ratio }: Pick<Picture, 'ratio'>,
): void {
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
}
