/** The chart's colours: the scheme's, the page's, or the system's if the visitor forces them. */
import type { ChartConfig } from '#apps/chart/config.ts';

export interface Theme {
  background: string;
  raised: string;
  text: string;
  muted: string;
  line: string;
  section: string;
  stage: string;
  taken: string;
  selected: string;
  onSelected: string;
  /**
   * The colour of a chosen place: the page's colour of choice, or another where a category has
   * nearly the same.
   */
  chosen: string;
  onChosen: string;
  available: string;
  error: string;
  forced: boolean;
}

const dark = {
  background: '#12151b',
  raised: '#1d222b',
  text: '#f2f4f8',
  muted: '#a5aebd',
  line: '#39414f',
  section: '#ffffff0b',
  stage: '#2a303b',
  taken: '#5d6675',
  selected: '#ffffff',
  available: '#7f8ea3',
  error: '#ff6b6b',
};
const light = {
  background: '#ffffff',
  raised: '#ffffff',
  text: '#171b22',
  muted: '#596274',
  line: '#d3d8e0',
  section: '#0b1a330a',
  stage: '#e4e8ee',
  taken: '#a9b1bd',
  selected: '#14181f',
  available: '#7f8ea3',
  error: '#d3273e',
};
const system = {
  background: 'Canvas',
  raised: 'Canvas',
  text: 'CanvasText',
  muted: 'CanvasText',
  line: 'CanvasText',
  section: 'transparent',
  stage: 'Canvas',
  taken: 'GrayText',
  selected: 'Highlight',
  available: 'LinkText',
  error: 'Mark',
};

/** `categories`: the colours of free places. */
export function makeTheme(config: ChartConfig, categories: readonly string[] = []): Theme {
  const forced = matchMedia('(forced-colors: active)').matches;
  const scheme = config.colorScheme === 'dark' ? dark : light;
  const base = forced ? system : scheme;
  const { colors = {} } = config;
  const own = forced
    ? {}
    : dropMissing({
        text: colors.colorTitle,
        selected: colors.selectedObjectColor ?? colors.colorSelected,
        available: colors.availableObjectColor,
        error: colors.errorColor,
      });
  const theme = { ...base, ...own };
  if (!forced && matchMedia('(prefers-contrast: more)').matches)
    Object.assign(theme, { line: theme.muted, muted: theme.text, taken: theme.muted });
  if (forced)
    return {
      ...theme,
      forced,
      onSelected: 'HighlightText',
      chosen: theme.selected,
      onChosen: 'HighlightText',
    };
  const chosen = tellApart([theme.selected, base.selected, ...striking], categories);
  return {
    ...theme,
    forced,
    onSelected: readableOn(theme.selected),
    chosen,
    onChosen: readableOn(chosen),
  };
}

/** Used for a chosen place if neither white nor black differs from the categories' colours. */
const striking = ['#ffe600', '#ff3fd2', '#52ff6b'];
/** Colours closer than this look alike; black and white are 441 apart. */
const similar = 100;

/** The first colour that differs clearly from all of `others`. */
function tellApart(candidates: readonly [string, ...string[]], others: readonly string[]): string {
  const nearest = (color: string) =>
    Math.min(...others.map((other) => distanceOf(channelsOf(color), channelsOf(other))));
  return candidates.find((color) => nearest(color) > similar) ?? candidates[0];
}

function distanceOf(one: readonly number[], other: readonly number[]): number {
  return Math.hypot(...one.map((value, at) => value - (other[at] ?? 0)));
}

const families: Record<string, string> = {
  WorkSans: 'Work Sans',
  NotoSansHK: 'Noto Sans HK',
  NunitoSans: 'Nunito Sans',
};

/**
 * The page's settings for fonts and corners, as custom properties of the style sheet; the page
 * itself loads the font.
 */
export function styleOf({ style = {} }: ChartConfig): Record<string, string> {
  const { font, cornerRadius, buttonShape } = style;
  const square = cornerRadius === 'square';
  const button = buttonShape ?? (square ? 'square' : undefined);
  return {
    ...(font
      ? { font: `"${(families[font] ?? font).replace(/[^\w -]/g, '')}",system-ui,sans-serif` }
      : {}),
    ...(square ? { radius: '2px', 'radius-large': '2px' } : {}),
    ...(button ? { 'radius-button': button === 'square' ? '2px' : '24px' } : {}),
  };
}

function dropMissing(colors: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(colors).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );
}

let probe: CanvasRenderingContext2D | null = null;

/** Red, green and blue, 0 … 255, of any CSS colour. */
function channelsOf(color: string): number[] {
  probe ??= document.createElement('canvas').getContext('2d');
  if (!probe) return [0, 0, 0];
  probe.fillStyle = '#888888';
  probe.fillStyle = color;
  const value = Number.parseInt(String(probe.fillStyle).slice(1, 7), 16) || 0;
  return [16, 8, 0].map((shift) => (value >> shift) & 255);
}

const shades = new Map<string, string>();

/** Black or white, whichever is more legible on a colour. */
export function readableOn(color: string): string {
  const known = shades.get(color);
  if (known) return known;
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((value) => (value / 255) ** 2.2);
  const shade = 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.19 ? '#10131a' : '#ffffff';
  shades.set(color, shade);
  return shade;
}
