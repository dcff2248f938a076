/** The parts of one picture of the chart: the scene, the places' states and look, the camera. */
import type { Point } from '#server/standins/seatsio/wire.ts';
import type { Places } from '#apps/chart/places/places.ts';
import type { Scene, SceneGroup } from '#apps/chart/scene/scene.ts';
import type { Theme } from './theme.ts';
import type { GroupSummary } from '#apps/chart/places/summaries.ts';

/** screen point = drawing point × `k` + (`x`, `y`). */
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
  /** 1: the page's colour applies to this place in every state; null: to no place. */
  own: Uint8Array | null;
  palette: string[];
  names: string[];
  /** The page's own sign for a place, by name; null for the chart's own. */
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
   * The price on a section: true: as a label of its own; false: never; undefined: under the name
   * where there is room.
   */
  priceOverlay?: boolean;
  /** For paper: numbers on all seats, where they are legible. */
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
  /** Whether the whole floor is shown, not zoomed in. */
  whole: boolean;
  /** For the minimap: no words, and blocks whenever there are sections. */
  small?: boolean;
  hover?: number;
  /** The place of an open question. */
  asked?: number;
  /** Pulsing places, and the progress of the beat (0 … 1). */
  pulsing: ReadonlySet<number>;
  beat: number;
  /** The highlighted places; all others are faint. */
  spotlight: ReadonlySet<number> | null;
}

/** Whether the pointer is on it, or a question about it is open. */
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
