/**
 * Above the map: the categories with colours and lowest prices, and the signs; or, where the page
 * wants it, buttons that filter categories.
 */
import { fillLive, focusWhileScrollable, makeButton, make, makeIcon } from './dom.ts';
import type { ChartConfig } from '#apps/chart/config.ts';
import { describeCategory, type ObjectSource, priceRange } from '#apps/chart/places/objects.ts';
import { cheapest } from '#apps/chart/places/pricing.ts';
import { categoryAt } from '#apps/chart/scene/scene.ts';
import type { Theme } from '#apps/chart/paint/theme.ts';
import { flagSigns, pathOfSign } from '#apps/chart/paint/signs.ts';
import { flagWords, translate, upper, words } from '#apps/chart/words.ts';

const check = 'M6.5 12.5l3.5 3.5 7.5-8';
/** The hatching of taken seats on the map. */
const hatching = 'M5 19L19 5M3.5 12.5L12.5 3.5M11.5 20.5L20.5 11.5';

interface LegendWants {
  source: ObjectSource;
  config: ChartConfig;
  theme: Theme;
  /** The keys of the filtered categories; empty for all. */
  filtered: readonly string[];
  /** Called with the new keys when the visitor filters. */
  filter: (keys: string[]) => void;
}

/** Null when the page wants neither legend nor filter. */
export function makeLegend(wants: LegendWants): HTMLElement | null {
  const { config } = wants;
  if (!config.showLegend && !config.categoryFilter?.enabled) return null;
  const bar = make('div', { className: 'bsc-bar' });
  if (config.categoryFilter?.enabled) bar.append(makeFilter(wants));
  if (config.showLegend) bar.append(makeKeys(wants));
  return bar;
}

/**
 * Categories that have places, with the lowest price; then "chosen" and "taken"; then the signs
 * that occur in this hall.
 */
function makeKeys(wants: LegendWants): HTMLElement {
  const { config } = wants;
  const { legend = {} } = config;
  const list = make('ul', { className: 'bsc-legend', attributes: { 'aria-label': words.legend } });
  // The filter's buttons already show the categories.
  if (!config.categoryFilter?.enabled) {
    for (const at of categoriesIn(wants, legend.hideNonSelectableCategories === true)) {
      list.append(
        make(
          'li',
          {},
          ...describeEntry(at, wants, {
            name: !legend.hideCategoryName,
            price: !legend.hidePricing,
          }),
        ),
      );
    }
  }
  if (config.mode !== 'static' && config.mode !== 'print')
    list.append(makeKey('bsc-mine', makeIcon(check), words.keyMine));
  if (!legend.hideUnavailableLegendItem)
    list.append(makeKey('bsc-taken', makeIcon(hatching), words.keyTaken));
  for (const [bit, sign] of flagSigns)
    if (wants.source.scene.flags.some((flags) => (flags & (1 << bit)) > 0))
      list.append(
        makeKey('bsc-sign', makeIcon(pathOfSign(sign), '-1 -1 2 2'), upper(flagWords[bit] ?? '')),
      );
  // On a phone a long legend scrolls, so that the map has room.
  focusWhileScrollable(list);
  return list;
}

/** In the order of the page's prices, which it shows beside the map. */
function categoriesIn({ source }: LegendWants, selectableOnly: boolean): number[] {
  const prices = source.prices();
  const used = new Set(source.scene.category);
  return source.scene.chart.categories
    .map((_, at) => at)
    .filter(
      (at) =>
        used.has(at) && (!selectableOnly || describeCategory(source, at)?.hasSelectableObjects),
    )
    .toSorted((a, b) => prices.rankOf(a) - prices.rankOf(b));
}

function describeEntry(
  at: number,
  { source, theme }: LegendWants,
  shown: { name: boolean; price: boolean },
): HTMLElement[] {
  const category = categoryAt(source.scene, at);
  const swatch = make('i', { className: 'bsc-swatch' });
  swatch.style.background = theme.forced ? theme.available : category.color;
  const offers = shown.price ? source.prices().ofCategory(at) : [];
  return [
    swatch,
    ...(shown.name ? [make('span', {}, translate(category.label))] : []),
    ...(cheapest(offers)
      ? [
          fillLive(make('b'), (price) => {
            price.textContent = priceRange(offers);
          }),
        ]
      : []),
  ];
}

function makeKey(className: string, sign: SVGSVGElement, text: string): HTMLElement {
  const swatch = make('i', { className: `bsc-swatch ${className}` }, sign);
  return make('li', { className: 'bsc-key' }, swatch, make('span', {}, text));
}

/** One toggle button per category, and one that ends the filter. */
function makeFilter(wants: LegendWants): HTMLElement {
  const { source, config, filtered, filter } = wants;
  const { multiSelect = true, sortBy = 'price' } = config.categoryFilter ?? {};
  const bar = make('div', {
    className: 'bsc-filter',
    attributes: { role: 'group', 'aria-label': words.filter },
  });
  const add = (label: (Node | string)[], keys: string[], pressed: boolean) => {
    const button = makeButton('bsc-chip', '', () => filter(keys));
    button.append(...label);
    button.setAttribute('aria-pressed', String(pressed));
    bar.append(button);
  };
  add([words.filterAll], [], filtered.length === 0);
  for (const at of sortCategories(categoriesIn(wants, false), source, sortBy)) {
    const { key } = categoryAt(source.scene, at);
    const is = filtered.includes(key);
    const others = multiSelect ? filtered.filter((one) => one !== key) : [];
    add(describeEntry(at, wants, { name: true, price: true }), is ? others : [...others, key], is);
  }
  return bar;
}

function sortCategories(all: number[], source: ObjectSource, by: string): number[] {
  const price = (at: number) =>
    Number(cheapest(source.prices().ofCategory(at))?.offer.price ?? Infinity);
  const name = (at: number) => translate(categoryAt(source.scene, at).label);
  if (by === 'name') return [...all].sort((a, b) => name(a).localeCompare(name(b), 'it'));
  if (by === 'price') return [...all].sort((a, b) => price(a) - price(b));
  // A category without a price is last in either order.
  if (by === 'priceDescending')
    return [...all].sort(
      (a, b) =>
        (Number.isFinite(price(b)) ? price(b) : -1) - (Number.isFinite(price(a)) ? price(a) : -1),
    );
  return all;
}
