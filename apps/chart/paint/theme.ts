/** The colours of a chart: scheme, the page's own colours, and the system's when the visitor forces them. */
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

export function makeTheme(config: ChartConfig): Theme {
  const forced = matchMedia('(forced-colors: active)').matches;
  const base = forced ? system : config.colorScheme === 'dark' ? dark : light;
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
  return { ...theme, forced, onSelected: forced ? 'HighlightText' : readableOn(theme.selected) };
}

const families: Record<string, string> = {
  WorkSans: 'Work Sans',
  NotoSansHK: 'Noto Sans HK',
  NunitoSans: 'Nunito Sans',
};

/** The page's wishes for letters and corners, as custom properties of the style sheet; the font itself is the page's to load. */
export function styleOf({ style = {} }: ChartConfig): Record<string, string> {
  const { font, cornerRadius, buttonShape } = style;
  const square = cornerRadius === 'square';
  return {
    ...(font
      ? { font: `"${(families[font] ?? font).replace(/[^\w -]/g, '')}",system-ui,sans-serif` }
      : {}),
    ...(square ? { radius: '2px', 'radius-large': '2px' } : {}),
    ...(buttonShape
      ? { 'radius-button': buttonShape === 'square' ? '2px' : '24px' }
      : square
        ? { 'radius-button': '2px' }
        : {}),
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
const shades = new Map<string, string>();

/** Black or white, whichever reads better on a colour. */
export function readableOn(color: string): string {
  const known = shades.get(color);
  if (known) return known;
  probe ??= document.createElement('canvas').getContext('2d');
  let shade = '#ffffff';
  if (probe) {
    probe.fillStyle = '#888888';
    probe.fillStyle = color;
    const value = Number.parseInt(String(probe.fillStyle).slice(1, 7), 16) || 0;
    const channel = (shift: number) => (((value >> shift) & 255) / 255) ** 2.2;
    shade =
      0.2126 * channel(16) + 0.7152 * channel(8) + 0.0722 * channel(0) > 0.19
        ? '#10131a'
        : '#ffffff';
  }
  shades.set(color, shade);
  return shade;
}
