/**
 * Colours of the house: whether they are readable on our pages, light and dark, and the nearest
 * readable one.
 */
import { requireValue } from '#server/domain/require-value.ts';

export const themes = ['light', 'dark'] as const;
export type Theme = (typeof themes)[number];

/** The limit of WCAG 1.4.3 for ordinary text. */
export const leastContrast = 4.5;

/** The backgrounds in apps/shared/ui/theme.css that are under a colour of the house. */
const grounds: Record<Theme, readonly string[]> = {
  light: ['#f6f7fa', '#ffffff', '#e9edf3'],
  dark: ['#0d1117', '#161c26', '#090c11'],
};
export const pageColours: Record<Theme, { ground: string; words: string; line: string }> = {
  light: { ground: '#f6f7fa', words: '#131a26', line: '#d4dbe6' },
  dark: { ground: '#0d1117', words: '#eef2f8', line: '#2b3444' },
};
/** Mixing a colour with this one makes it more readable on its theme. */
const ends: Record<Theme, string> = { light: '#000000', dark: '#ffffff' };
/** The two text colours on a house's colour. */
const letters = ['#ffffff', '#071326'] as const;

/** `on`: text on the colour. `strong`: links. `soft`: the background of a chosen element. */
export interface Tones {
  primary: string;
  on: string;
  strong: string;
  soft: string;
}
export type Accent = Record<Theme, string>;

export function isColour(text: string): boolean {
  return /^#[0-9a-f]{6}$/.test(text);
}

/** The contrast of two colours `#rrggbb`, from 1 to 21 (WCAG 2.2). */
export function contrastOf(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = partsOf(colour).map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function partsOf(colour: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
}

/** Mixes `share` of `other` into the colour. */
function mix(colour: string, other: string, share: number): string {
  const others = partsOf(other);
  const parts = partsOf(colour).map((part, at) =>
    Math.round(part + ((others[at] ?? part) - part) * share)
      .toString(16)
      .padStart(2, '0'),
  );
  return `#${parts.join('')}`;
}

/** The one of our two text colours that is more readable on this colour. */
function inkOn(colour: string): string {
  const [white, ink] = letters;
  return contrastOf(colour, white) >= contrastOf(colour, ink) ? white : ink;
}

function leastOn(colour: string, those: readonly string[]): number {
  return Math.min(...those.map((ground) => contrastOf(colour, ground)));
}

export interface ColourFault {
  /** `page`: the colour is not readable on our pages; `letters`: no text is readable on it. */
  why: 'page' | 'letters';
  contrast: number;
  nearest: string;
}

/** The fault of a colour; null: the colour is readable, and so is text on it. */
export function faultOfColour(colour: string, theme: Theme): ColourFault | null {
  const onPage = leastOn(colour, grounds[theme]);
  const onIt = contrastOf(colour, inkOn(colour));
  if (onPage >= leastContrast && onIt >= leastContrast) return null;
  return {
    why: onPage < leastContrast ? 'page' : 'letters',
    contrast: Math.min(onPage, onIt),
    nearest: nearestOf(colour, (near) => faultlessIn(near, theme), ends[theme]),
  };
}

function faultlessIn(colour: string, theme: Theme): boolean {
  return (
    leastOn(colour, grounds[theme]) >= leastContrast &&
    contrastOf(colour, inkOn(colour)) >= leastContrast
  );
}

/** Mixes in more of `end` until `isRight`; `end` itself always passes. */
function nearestOf(colour: string, isRight: (near: string) => boolean, end: string): string {
  for (let step = 0; step < 200; step += 1) {
    const near = mix(colour, end, step / 200);
    if (isRight(near)) return near;
  }
  return end;
}

/** The tones of a colour that has no fault. */
export function tonesOf(colour: string, theme: Theme): Tones {
  const ground = requireValue(grounds[theme][theme === 'light' ? 1 : 0], 'ground of this theme');
  const soft = mix(ground, colour, theme === 'light' ? 0.12 : 0.22);
  const strong = nearestOf(
    mix(colour, ends[theme], 0.2),
    (near) => leastOn(near, [...grounds[theme], soft]) >= leastContrast,
    ends[theme],
  );
  return { primary: colour, on: inkOn(colour), strong, soft };
}

/**
 * The text of a style element with the house's colours. It overrides theme.css wherever it stands
 * in the page, is dark unless the page says otherwise, and does not apply to print, which is
 * black on white.
 */
export function accentStyle(accent: Accent): string {
  const light = declarationsOf(tonesOf(accent.light, 'light'));
  const dark = declarationsOf(tonesOf(accent.dark, 'dark'));
  return [
    `@media screen{:root:root{${dark}}:root[data-theme=light]:root{${light}}}`,
    `@media screen and (prefers-color-scheme:light){:root[data-theme=auto]:root{${light}}}`,
  ].join('');
}

function declarationsOf({ primary, on, strong, soft }: Tones): string {
  return `--primary:${primary};--on-primary:${on};--primary-strong:${strong};--primary-soft:${soft}`;
}

/** The hues (degrees, through 0) of red, amber and green, which at the door mean verdicts. */
const verdictHues = { from: 335, to: 180 };
/** Below this saturation a colour counts as grey. */
const leastSaturation = 0.2;

/** At the door a colour of the house must not look like a verdict. */
export function isLikeVerdict(colour: string): boolean {
  const { hue, saturation } = hueOf(colour);
  return saturation >= leastSaturation && (hue >= verdictHues.from || hue <= verdictHues.to);
}

function hueOf(colour: string): { hue: number; saturation: number } {
  const [red = 0, green = 0, blue = 0] = partsOf(colour).map((part) => part / 255);
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  const range = most - least;
  if (range === 0) return { hue: 0, saturation: 0 };
  const sixths: Record<number, number> = {
    [blue]: (red - green) / range + 4,
    [green]: (blue - red) / range + 2,
    [red]: (green - blue) / range,
  };
  return { hue: ((sixths[most] ?? 0) * 60 + 360) % 360, saturation: range / most };
}

/** The tones on the door's phones by theme; null: the product's own colour stays. */
export function accentAtDoor(accent: Accent | null): Record<Theme, Tones> | null {
  if (accent === null || themes.some((theme) => isLikeVerdict(accent[theme]))) return null;
  return { light: tonesOf(accent.light, 'light'), dark: tonesOf(accent.dark, 'dark') };
}

/** Each colour is readable on pages of its theme; the first pair is the product's own. */
export const palette: readonly (Accent & { name: string })[] = [
  { name: 'Blu', light: '#1f5fd1', dark: '#4f8ef7' },
  { name: 'Bordeaux', light: '#8c1d40', dark: '#f08ba6' },
  { name: 'Rosso sipario', light: '#a3211c', dark: '#ff8a80' },
  { name: 'Terracotta', light: '#98401d', dark: '#f0a07a' },
  { name: 'Oro', light: '#745500', dark: '#e3b23c' },
  { name: 'Verde', light: '#1c6b45', dark: '#4fc08a' },
  { name: 'Petrolio', light: '#0f6170', dark: '#4fbccb' },
  { name: 'Viola', light: '#6b3fa0', dark: '#b794f0' },
  { name: 'Grafite', light: '#3f4a5a', dark: '#b3bfce' },
];
