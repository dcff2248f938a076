/** The looks of lines and bars: colours, and dashes and hatching for colour-blind people. */
import { requireValue } from '#server/domain/require-value.ts';

export interface Look {
  color: string;
  /** Empty for a solid line. */
  dash: number[];
  hatching: Hatching;
  width: number;
}

type Hatching = 'none' | 'rising' | 'dots' | 'falling' | 'level' | 'upright';

const hatchings: readonly Hatching[] = ['none', 'rising', 'dots', 'falling', 'level', 'upright'];
const dashes: readonly number[][] = [[], [9, 4], [2, 3], [9, 3, 2, 3], [5, 5], [14, 4]];
/** The style sheet has this many colours. */
const colors = 6;

/** Lines to compare with are grey and thin, and after three the dashes repeat. */
const paleDashes: readonly number[][] = [[], [6, 3], [2, 3]];

export type Scheme = 'light' | 'dark';

type Palette = (name: string) => string;

const palettes = new Map<Scheme, Palette>();

/** Reads the style sheet's colours, which must be those of `scheme` now. */
export function paletteOf(scheme: Scheme): Palette {
  const palette = palettes.get(scheme) ?? readPalette();
  palettes.set(scheme, palette);
  return palette;
}

function readPalette(): Palette {
  const probe = document.createElement('span');
  document.body.append(probe);
  const known = new Map<string, string>();
  for (const name of paletteNames) {
    probe.style.color = `var(--${name})`;
    known.set(name, getComputedStyle(probe).color);
  }
  probe.remove();
  return (name) => known.get(name) ?? '';
}

const paletteNames = [
  ...Array.from({ length: colors }, (_, at) => `figure-${at + 1}`),
  'figure-pale',
  'bg-raised',
  'line',
  'line-strong',
  'text',
  'text-soft',
];

/** One look per column, in order. Over bars a pale line would be invisible, so it is dark. */
export function looksOf(
  columns: readonly { pale?: boolean | undefined }[],
  colorOf: (name: string) => string,
  { overBars }: { overBars: boolean },
): Look[] {
  let strong = 0;
  let pale = 0;
  return columns.map((column) => {
    const at = column.pale === true ? pale++ : strong++;
    if (column.pale === true)
      return {
        color: colorOf(overBars ? 'text' : 'figure-pale'),
        dash: turnOf(paleDashes, at),
        hatching: turnOf(hatchings, at + 1),
        width: 1.5,
      };
    return {
      color: colorOf(`figure-${(at % colors) + 1}`),
      dash: turnOf(dashes, at),
      hatching: turnOf(hatchings, at),
      width: 2.5,
    };
  });
}

/** Starts again after the last one. */
function turnOf<T>(all: readonly T[], at: number): T {
  return requireValue(all[at % all.length], 'look');
}

const tile = 8;

/** The fill of a bar: its colour, hatched with the background's. */
export function fillOf({ color, hatching }: Look, ground: string, ratio: number) {
  if (hatching === 'none') return color;
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = tile * ratio;
  const to = requireValue(canvas.getContext('2d'), 'pen');
  to.scale(ratio, ratio);
  to.fillStyle = color;
  to.fillRect(0, 0, tile, tile);
  to.strokeStyle = to.fillStyle = ground;
  to.lineWidth = 1.5;
  to.beginPath();
  for (const [fromX, fromY, toX, toY] of strokes[hatching]) {
    to.moveTo(fromX, fromY);
    to.lineTo(toX, toY);
  }
  to.stroke();
  if (hatching === 'dots') {
    to.arc(tile / 2, tile / 2, 1.6, 0, 2 * Math.PI);
    to.fill();
  }
  return requireValue(to.createPattern(canvas, 'repeat'), 'pattern');
}

type Stroke = readonly [fromX: number, fromY: number, toX: number, toY: number];

/** The strokes of one tile; those at its corners continue in the next tile. */
const strokes: Record<Hatching, readonly Stroke[]> = {
  none: [],
  dots: [],
  rising: [
    [-2, 2, 2, -2],
    [-1, 9, 9, -1],
    [6, 10, 10, 6],
  ],
  falling: [
    [-2, 6, 2, 10],
    [-1, -1, 9, 9],
    [6, -2, 10, 2],
  ],
  level: [[0, 4, 8, 4]],
  upright: [[4, 0, 4, 8]],
};
