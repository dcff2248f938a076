/**
 * The card of a place before it is chosen: where it is, what it costs, what is special, and why
 * it is not available.
 */
import type { ChartObject, SectionJson } from '#apps/chart/chart-object.ts';
import type { ChartConfig } from '#apps/chart/config.ts';
import { readMarks } from './bbcode.ts';
import { fillLive, make } from './dom.ts';
import {
  categoryBeside,
  describeObject,
  extentOf,
  flagsOf,
  nameOf,
  type ObjectSource,
  priceRange,
  statusWord,
} from '#apps/chart/places/objects.ts';
import { makePrice } from './offers.ts';
import { FREE, MINE } from '#apps/chart/places/places.ts';
import { rowOf, SEAT, sectionOf, wireCategoryOf } from '#apps/chart/scene/scene.ts';
import { translate, upper, words } from '#apps/chart/words.ts';

interface CardWants {
  source: ObjectSource;
  config: ChartConfig;
}

/** With more ticket types than this, one line gives the price range. */
const mostOffers = 4;

/** The whole card, for the tip beside the pointer and for a finger's confirmation. */
export function describePlace(i: number, wants: CardWants): HTMLElement[] {
  return [...describeLabel(i, wants), ...describePrices(i, wants), ...describeDetail(i, wants)];
}

function describeLabel(i: number, { source, config }: CardWants): HTMLElement[] {
  const { showLabel = true, stylizedLabel = true } = config.objectPopover ?? {};
  if (!showLabel) return [];
  return stylizedLabel ? labelColumns(i, source) : [make('b', {}, nameOf(source.scene, i))];
}

/** Section, row and seat in one line, each value under its caption. */
function labelColumns(i: number, source: ObjectSource): HTMLElement[] {
  const { scene } = source;
  const { labels } = describeObject(source, i);
  if (scene.kind[i] !== SEAT) return [make('b', {}, nameOf(scene, i))];
  const row = rowOf(scene, i);
  const line = row.table ? words.tableWord : words.row('', row.wire.displayObjectType).trim();
  const parts: [string, string | undefined][] = [
    [words.sectionWord, labels.section && translate(labels.section)],
    [line, labels.parent],
    [words.seatWord, labels.own],
  ];
  const columns = make('div', { className: 'bsc-columns' });
  for (const [caption, value] of parts) {
    if (value)
      columns.append(
        make('span', {}, make('small', {}, `${upper(caption)} `), make('b', {}, value)),
      );
  }
  return [columns];
}

function describePrices(i: number, { source, config }: CardWants): HTMLElement[] {
  const { scene, places } = source;
  const state = places.state[i];
  if (config.objectPopover?.showPricing === false || (state !== FREE && state !== MINE)) return [];
  const prices = source.prices();
  const offers = prices.offersAt(i).filter((offer) => !offer.unavailable);
  const [chosen] = source.counts(i).keys();
  const shown =
    state === MINE && chosen && !scene.counted[i]
      ? offers.filter((offer) => offer.ticketType === chosen)
      : offers;
  if (shown.length > mostOffers)
    return [
      fillLive(make('span', { className: 'bsc-price' }), (price) => {
        price.textContent = priceRange(shown);
      }),
    ];
  return shown.map((offer) =>
    make(
      'span',
      { className: 'bsc-price' },
      ...(offer.label ? [`${translate(offer.label)} `] : []),
      makePrice(offer, prices),
    ),
  );
}

/** The lines below name and price; they also stand under the title of a question. */
export function describeDetail(i: number, { source, config }: CardWants): HTMLElement[] {
  const { scene, places } = source;
  const popover = config.objectPopover ?? {};
  const state = places.state[i];
  const open = state === FREE || state === MINE;
  const lines: HTMLElement[] = [];
  const category = wireCategoryOf(scene, i);
  if (category && popover.showCategory !== false && open && categoryBeside(scene, i)) {
    const dot = make('i', { className: 'bsc-dot' });
    dot.style.background = category.color;
    lines.push(make('span', {}, dot, translate(category.label)));
  }
  const extent = extentOf(scene, i);
  if (extent) lines.push(make('span', {}, upper(extent)));
  const remarks = flagsOf(scene, i);
  if (remarks.length > 0)
    lines.push(make('span', { className: 'bsc-remark' }, upper(remarks.join(' · '))));
  const entrance = sectionOf(scene, i)?.entrance;
  if (entrance) lines.push(make('span', {}, words.entrance(translate(entrance))));
  if (popover.showAvailability && scene.counted[i] && open)
    lines.push(make('span', {}, upper(words.free(places.freePlaces(i)))));
  if (places.orphans.has(i)) lines.push(make('span', { className: 'bsc-remark' }, words.leftAlone));
  if (state === MINE)
    lines.push(
      make('span', {}, scene.counted[i] ? upper(words.chosen(places.chosen(i))) : words.keyMine),
    );
  if (!open && popover.showUnavailableNotice !== false)
    lines.push(
      make('span', { className: 'bsc-why' }, `${words.unavailable}: ${statusWord(places, i)}`),
    );
  return [...lines, ...describeInfo(i, { source, config })];
}

/** The page's own text about a place. */
export function describeInfo(i: number, wants: CardWants): HTMLElement[] {
  return ownWords(() => describeObject(wants.source, i), wants);
}

/** The page's own text about a place or section; hidden as long as there is none. */
function ownWords(
  object: () => ChartObject | SectionJson | undefined,
  { source: { promised }, config }: CardWants,
): HTMLElement[] {
  const ask = config.popoverInfo ?? config.tooltipInfo;
  const about = ask && object();
  if (!ask || !about) return [];
  const { extraConfig: extra } = config;
  const read = () => {
    try {
      return promised.textOf(ask, {
        input: () => JSON.stringify(about),
        extra,
        ask: () => ask(about, extra),
      });
    } catch (error) {
      // An error of the page must not keep the visitor from choosing.
      reportError(error);
      return null;
    }
  };
  return [
    fillLive(make('span', { className: 'bsc-info' }), (info) => {
      const text = read() ?? '';
      info.replaceChildren(readMarks(text));
      info.hidden = text === '';
    }),
  ];
}

/** The text under a question's title, which already names the place. */
export function describeQuestion(i: number, wants: CardWants): HTMLElement[] {
  return [...describeDetail(i, wants), ...describePrices(i, wants)];
}

/**
 * The card of a section in the far view: its name, its lowest price, and if the page wants it,
 * how many places are left.
 */
export function describeSectionCard(
  section: {
    name: string;
    free: number;
    none: string;
    price: string;
    object: () => SectionJson | undefined;
  },
  wants: CardWants,
): HTMLElement[] {
  const { config } = wants;
  const {
    showPricing = true,
    showLabel = true,
    showAvailability = false,
    showUnavailableNotice = true,
  } = config.objectPopover ?? {};
  const facts = (
    section.free === 0
      ? [showUnavailableNotice && section.none]
      : [showAvailability && words.free(section.free), showPricing && section.price]
  )
    .filter(Boolean)
    .join(' · ');
  return [
    ...(showLabel ? [make('b', {}, section.name)] : []),
    ...(facts ? [make('span', {}, upper(facts))] : []),
    ...ownWords(section.object, wants),
  ];
}
