/** The colours of the canvas: those of the theme, of the categories, and of a panel's overlay. */
import type { CategoryData } from '#server/drawing/model/data.ts';

type Palette = readonly [string, ...string[]];

export interface Look {
  paper: string;
  text: string;
  muted: string;
  line: string;
  grid: string;
  accent: string;
  onAccent: string;
  danger: string;
  panel: string;
  /** Position 0 is the colour of no category. */
  palette: Palette;
}

/** The theme's CSS variables, with the default where a page has none. */
const variables = {
  paper: ['--bsd-canvas', '#ffffff'],
  text: ['--bsd-text', '#171b22'],
  muted: ['--bsd-muted', '#5d6676'],
  line: ['--bsd-line', '#c9cfd8'],
  grid: ['--bsd-grid', '#e9ecf1'],
  accent: ['--bsd-accent', '#1f5fd6'],
  onAccent: ['--bsd-on-accent', '#ffffff'],
  danger: ['--bsd-danger', '#c81e3a'],
  panel: ['--bsd-panel', '#f6f7f9'],
} as const;
const uncategorised = '#8d96a5';

/** Resolved by an element, because a variable may depend on the light or dark scheme. */
export function readLook(host: HTMLElement, categories: readonly CategoryData[]): Look {
  const probe = document.createElement('i');
  probe.hidden = true;
  host.append(probe);
  const style = getComputedStyle(probe);
  const colors = Object.fromEntries(
    Object.entries(variables).map(([name, [variable, fallback]]) => {
      probe.style.color = `var(${variable}, ${fallback})`;
      return [name, style.color];
    }),
  ) as Record<keyof typeof variables, string>;
  probe.remove();
  const palette: Palette = [
    uncategorised,
    ...categories.map(({ color }) => color || uncategorised),
  ];
  return { ...colors, palette };
}

export function paletteAt({ palette }: Look, tint: number): string {
  return palette[tint] ?? palette[0];
}

const known = new Map<string, [number, number, number]>();
let pen: CanvasRenderingContext2D | null = null;

/** Any CSS colour as three bytes; computed once each. */
export function bytesOf(color: string): [number, number, number] {
  let bytes = known.get(color);
  if (!bytes) {
    pen ??= document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    bytes = [128, 128, 128];
    if (pen) {
      pen.clearRect(0, 0, 1, 1);
      pen.fillStyle = color;
      pen.fillRect(0, 0, 1, 1);
      const [red = 0, green = 0, blue = 0] = pen.getImageData(0, 0, 1, 1).data;
      bytes = [red, green, blue];
    }
    known.set(color, bytes);
  }
  return bytes;
}

/** Black or white, whichever contrasts more with a colour. */
export function inkOn(color: string): string {
  const [red, green, blue] = bytesOf(color);
  return red * 0.299 + green * 0.587 + blue * 0.114 > 150 ? '#14181f' : '#ffffff';
}
