/** How the settings of a page make a scene look: colours, names and signs of places, colours of sections. */
import type { ChartConfig } from '#apps/chart/config.ts';
import { describeObject, describeSection, type ObjectSource } from '#apps/chart/objects.ts';
import type { GroupSummary, Look } from './picture.ts';
import { FREE } from '#apps/chart/scene/places.ts';
import type { SceneGroup } from '#apps/chart/scene/scene.ts';
import { makeTheme, type Theme } from './theme.ts';

/** Paper is white, whatever the page wears. */
export function themeOf(config: ChartConfig): Theme {
  return makeTheme(config.mode === 'print' ? { ...config, colorScheme: 'light' } : config);
}

export function makeLook(
  source: ObjectSource,
  config: ChartConfig,
  summaryOf: (group: SceneGroup) => GroupSummary,
): Look {
  const { scene } = source;
  const theme = themeOf(config);
  const { objectColor, objectLabel, objectIcon, sectionColor, extraConfig, pricing } = config;
  const palette = [
    theme.available,
    ...scene.chart.categories.map(({ color }) =>
      theme.forced ? theme.available : (config.colors?.availableObjectColor ?? color),
    ),
  ];
  const tint = Uint16Array.from(scene.category, (category) => category + 1);
  const names = objectLabel ? [...scene.names] : scene.names;
  // Where nothing can be chosen, a page's colours tell something of its own: they hold for places of every state.
  const own =
    objectColor && config.mode !== undefined && config.mode !== 'normal'
      ? new Uint8Array(scene.size)
      : null;
  const signs = objectIcon ? Array.from({ length: scene.size }, (): string | null => null) : null;
  if (objectColor || objectLabel || objectIcon) {
    const known = new Map(palette.map((color, at) => [color, at]));
    for (let i = 0; i < scene.size; i++) {
      const object = describeObject(source, i);
      if (objectLabel) names[i] = String(objectLabel(object, names[i]!, extraConfig) ?? names[i]);
      if (signs) signs[i] = objectIcon!(object, null, extraConfig) || null;
      if (!objectColor || theme.forced) continue;
      const given = own && source.places.state[i] !== FREE ? theme.taken : palette[tint[i]!]!;
      const color = objectColor(object, given, extraConfig) || given;
      if (color === given) continue;
      if (own) own[i] = 1;
      if (!known.has(color)) known.set(color, palette.push(color) - 1);
      tint[i] = known.get(color)!;
    }
  }
  const blocks = new Map<SceneGroup, string>();
  return {
    theme,
    palette,
    tint,
    own,
    names,
    signs,
    summaryOf,
    blockColor(group) {
      if (!sectionColor || theme.forced || group.section < 0) return undefined;
      if (!blocks.has(group))
        blocks.set(
          group,
          sectionColor(
            describeSection(source, group.section)!,
            palette[summaryOf(group).tint]!,
            extraConfig,
          ),
        );
      return blocks.get(group) || undefined;
    },
    contents: config.showSectionContents ?? 'auto',
    priceOverlay:
      config.showSectionPricingOverlay ??
      (pricing && !Array.isArray(pricing) ? pricing.showSectionPricingOverlay : undefined),
    print: config.mode === 'print',
  };
}
