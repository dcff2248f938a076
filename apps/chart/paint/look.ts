/** How a page's settings make a chart look: colours, names and signs of places and sections. */
import type { ChartConfig } from '#apps/chart/config.ts';
import { describeObject, describeSection, type ObjectSource } from '#apps/chart/places/objects.ts';
import type { GroupSummary } from '#apps/chart/places/summaries.ts';
import { colourAt, colourOf, type Look } from './picture.ts';
import { FREE } from '#apps/chart/places/places.ts';
import { textOrNull } from '#apps/chart/places/promised.ts';
import type { SceneGroup } from '#apps/chart/scene/scene.ts';
import { makeTheme, type Theme } from './theme.ts';

/** Print is on white paper, whatever the page's colour scheme. */
function themeOf(config: ChartConfig, categories: readonly string[]): Theme {
  return makeTheme(
    config.mode === 'print' ? { ...config, colorScheme: 'light' } : config,
    categories,
  );
}

export function makeLook(
  source: ObjectSource,
  config: ChartConfig,
  summaryOf: (group: SceneGroup) => GroupSummary,
): Look {
  const { scene } = source;
  const { objectColor, objectLabel, objectIcon, pricing } = config;
  const colors = scene.chart.categories.map(
    ({ color }) => config.colors?.availableObjectColor ?? color,
  );
  const theme = themeOf(config, colors);
  const palette = [theme.available, ...colors.map((c) => (theme.forced ? theme.available : c))];
  const looks: PlaceLooks = {
    theme,
    palette,
    tint: Uint16Array.from(scene.category, (category) => category + 1),
    names: objectLabel ? [...scene.names] : scene.names,
    // In read-only modes the page's colours apply to places of every state, because they have a
    // meaning of their own.
    own:
      objectColor && config.mode !== undefined && config.mode !== 'normal'
        ? new Uint8Array(scene.size)
        : null,
    signs: objectIcon ? Array.from({ length: scene.size }, (): string | null => null) : null,
  };
  if (objectColor || objectLabel || objectIcon) askPage(looks, source, config);
  return {
    ...looks,
    summaryOf,
    blockColor: blockColors(source, config, { theme, palette, summaryOf }),
    contents: config.showSectionContents ?? 'auto',
    priceOverlay:
      config.showSectionPricingOverlay ??
      (pricing && !Array.isArray(pricing) ? pricing.showSectionPricingOverlay : undefined),
    print: config.mode === 'print',
  };
}

type PlaceLooks = Pick<Look, 'theme' | 'palette' | 'tint' | 'names' | 'own' | 'signs'>;

/** Calls the page's functions for each place and writes the results into `looks`. */
function askPage(looks: PlaceLooks, source: ObjectSource, config: ChartConfig): void {
  const { theme, palette, tint, names, own, signs } = looks;
  const { objectColor, objectLabel, objectIcon, extraConfig } = config;
  const known = new Map(palette.map((color, at) => [color, at]));
  for (let i = 0; i < source.scene.size; i++) {
    const object = describeObject(source, i);
    if (objectLabel)
      names[i] = textOrNull(objectLabel(object, names[i] ?? '', extraConfig)) ?? names[i] ?? '';
    if (signs && objectIcon) signs[i] = textOrNull(objectIcon(object, null, extraConfig)) || null;
    if (!objectColor || theme.forced) continue;
    const given = own && source.places.state[i] !== FREE ? theme.taken : colourOf(looks, i);
    const color = textOrNull(objectColor(object, given, extraConfig)) || given;
    if (color === given) continue;
    if (own) own[i] = 1;
    const at = known.get(color) ?? palette.push(color) - 1;
    known.set(color, at);
    tint[i] = at;
  }
}

/** The page's colour of each section, computed once. */
function blockColors(
  source: ObjectSource,
  { sectionColor, extraConfig }: ChartConfig,
  { theme, palette, summaryOf }: Pick<Look, 'theme' | 'palette' | 'summaryOf'>,
): Look['blockColor'] {
  const known = new Map<SceneGroup, string>();
  return (group) => {
    if (!sectionColor || theme.forced || group.section < 0) return undefined;
    const section = known.has(group) ? undefined : describeSection(source, group.section);
    if (section) {
      const usual = colourAt(palette, summaryOf(group).tint);
      known.set(group, '');
      // An error of the page must not stop the drawing.
      try {
        known.set(group, textOrNull(sectionColor(section, usual, extraConfig)) ?? '');
      } catch (error) {
        reportError(error);
      }
    }
    return known.get(group) || undefined;
  };
}
