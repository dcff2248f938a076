/**
 * What one picture of the chart is made of: the scene, what every place is now, how it looks, and
 * from where it is seen.
 */
import type { Point } from '#server/standins/seatsio/wire.ts';
import type { Places } from '#apps/chart/places/places.ts';
import type { Scene, SceneGroup } from '#apps/chart/scene/scene.ts';
import type { Theme } from './theme.ts';
import type { GroupSummary } from '#apps/chart/places/summaries.ts';

/** A point of the drawing, times `k`, plus `x` and `y`, is a point of the screen. */
export interface Camera {
  k: number;
  x: number;
  y: number;
}

/** Colours and words of a scene, made again when settings change. */
export interface Look {
  theme: Theme;
  /** Fill of each place: an index into `palette`. */
  tint: Uint16Array;
  /** 1: this place has the page's colour whatever its state; null: no place does. */
  own: Uint8Array | null;
  palette: string[];
  names: string[];
  /** The page's own sign for a place, by name; null for the chart's usual one. */
  signs: (string | null)[] | null;
  /** The page's own colour of a section. */
  blockColor: (group: SceneGroup) => string | undefined;
  summaryOf: (group: SceneGroup) => GroupSummary;
  /**
   * Whether sections show their seats: by size on the screen, always, or only once the visitor
   * has zoomed in.
   */
  contents: 'auto' | 'always' | 'onlyAfterZoom';
  /**
   * The price on a section: true as a label of its own, false never, else under the name where
   * there is room.
   */
  priceOverlay?: boolean;
  /** Paper: numbers on all seats, as far as they can be read. */
  print: boolean;
}

export interface Picture {
  scene: Scene;
  places: Places;
  look: Look;
  camera: Camera;
  width: number;
  height: number;
  ratio: number;
  floor: number;
  /** The whole floor is seen: the visitor has not zoomed in. */
  whole: boolean;
  /** The minimap: no words, blocks whenever there are sections. */
  small?: boolean;
  hover?: number;
  /** The place about which a question is open. */
  asked?: number;
  /** Places that beat, and how far the beat is (0 … 1). */
  pulsing: ReadonlySet<number>;
  beat: number;
  /** All other places are faint. */
  spotlight: ReadonlySet<number> | null;
}

/** The pointer is on it, or a question about it is open. */
export function isMarked({ hover, asked }: Picture, i: number): boolean {
  return i === hover || i === asked;
}

export function toDrawing(context: CanvasRenderingContext2D, { camera, ratio }: Picture): void {
  context.setTransform(
    ratio * camera.k,
    0,
    0,
    ratio * camera.k,
    ratio * camera.x,
    ratio * camera.y,
  );
}

export function toScreen(context: CanvasRenderingContext2D, { ratio }: Picture): void {
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
}

export function onScreen({ k, x, y }: Camera, point: Point): Point {
  return { x: point.x * k + x, y: point.y * k + y };
}

/** The colour of a place's category, or the page's own. */
export function colourOf({ palette, tint }: Pick<Look, 'palette' | 'tint'>, i: number): string {
  return colourAt(palette, tint[i] ?? 0);
}

export function colourAt(palette: readonly string[], tint: number): string {
  return palette[tint] ?? '';
}
