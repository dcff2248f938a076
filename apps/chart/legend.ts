/** Above the map: what each colour is and from how much, and what the signs mean. */
import type { ChartConfig } from './config.ts';
import { make, makeIcon } from './dom.ts';
import { describeCategory, type ObjectSource, priceRange } from './objects.ts';
import type { Theme } from './theme.ts';
import { words } from './words.ts';

const check = 'M6.5 12.5l3.5 3.5 7.5-8';
const cross = 'M8.5 8.5l7 7M15.5 8.5l-7 7';

/** Categories that have places, with the cheapest price; then chosen and taken. */
export function makeLegend(source: ObjectSource, config: ChartConfig, theme: Theme): HTMLElement {
  const { legend = {} } = config;
  const list = make('ul', { className: 'bsc-legend', attributes: { 'aria-label': words.legend } });
  source.scene.chart.categories.forEach((category, at) => {
    if (!source.scene.category.includes(at)) return;
    if (legend.hideNonSelectableCategories && !describeCategory(source, at)?.hasSelectableObjects) return;
    const swatch = make('i', { className: 'bsc-swatch' });
    swatch.style.background = theme.forced ? theme.available : category.color;
    const item = make('li', {}, swatch);
    if (!legend.hideCategoryName) item.append(make('span', {}, category.label));
    const price = legend.hidePricing ? '' : priceRange(source.prices().ofCategory(at));
    if (price) item.append(make('b', {}, price));
    list.append(item);
  });
  if (config.mode !== 'static') list.append(makeKey('bsc-swatch bsc-mine', check, words.keyMine));
  if (!legend.hideUnavailableLegendItem) list.append(makeKey('bsc-swatch bsc-taken', cross, words.keyTaken));
  return list;
}

function makeKey(className: string, sign: string, text: string): HTMLElement {
  const swatch = make('i', { className });
  swatch.append(makeIcon(sign));
  return make('li', { className: 'bsc-key' }, swatch, make('span', {}, text));
}
