/** Which ticket types and prices a place has, and how a price is written. */
import type { ChartConfig, PriceConfig } from '#apps/chart/config.ts';
import { type Promised, textOrNull } from './promised.ts';
import { placeCategory, placeLabel, type Scene } from '#apps/chart/scene/scene.ts';

/**
 * One way to buy a place; `ticketType` is null when the page gave a plain price. The formatted
 * prices change when a text arrives that the page has promised.
 */
export interface Offer {
  ticketType: string | null;
  label: string;
  price: number | string;
  readonly formatted: string;
  description?: string;
  unavailable: boolean;
  /** `unavailable`, `soldOut` or the page's own sentence. */
  unavailableReason?: string;
  /** Whether the page wants this one first. */
  primary?: boolean;
  fee?: number;
  originalPrice?: number | string;
  readonly formattedOriginal?: string;
}

const none: Offer[] = [];
/** Made when needed: most pages format prices themselves. */
let euro: Intl.NumberFormat | undefined;

function inEuro(price: number): string {
  euro ??= new Intl.NumberFormat('it-IT', { style: 'currency', currency: 'EUR' });
  return euro.format(price);
}

/** The page's pricing, looked up by object label first, then by category key or label. */
export class PriceList {
  readonly #format: ((price: number) => unknown) | undefined;
  readonly #promised: Promised;
  /** The prices that the page has written, so that it is asked once for each. */
  readonly #written = new Map<number, string>();
  readonly #byObject = new Map<string, Offer[]>();
  readonly #byCategory: Offer[][];
  /** The place of each category in the page's pricing. */ readonly #ranks: number[];
  /** The same for each channel that has its own prices. */
  readonly #ofChannels = new Map<
    string,
    { byObject: Map<string, Offer[]>; byCategory: Map<number, Offer[]> }
  >();
  readonly #scene: Scene;
  readonly #channelOf: (label: string) => string | undefined;
  /** Whether the page says that its prices include the fees. */
  readonly feesIncluded: boolean;

  /**
   * `channelOf` gives only channels that the page named.
   * @throws what the page's function throws for a price
   */
  constructor(
    config: ChartConfig,
    scene: Scene,
    {
      channelOf,
      promised,
    }: { channelOf: (label: string) => string | undefined; promised: Promised },
  ) {
    const { pricing } = config;
    this.#promised = promised;
    this.#scene = scene;
    this.#channelOf = channelOf;
    const entries = Array.isArray(pricing) ? pricing : (pricing?.prices ?? []);
    this.#format =
      config.priceFormatter ?? (Array.isArray(pricing) ? undefined : pricing?.priceFormatter);
    this.feesIncluded = !Array.isArray(pricing) && pricing?.allFeesIncluded === true;
    this.#ranks = scene.chart.categories.map(({ key, label }) =>
      entries.findIndex(
        ({ category }) =>
          category !== undefined && (String(category) === key || category === label),
      ),
    );
    this.#byCategory = this.#ranks.map((at) => (entries[at] ? this.#read(entries[at]) : []));
    for (const entry of entries) {
      for (const label of entry.objects ?? []) this.#byObject.set(label, this.#read(entry));
      for (const { channel, ...own } of entry.channels ?? [])
        this.#addChannel(channel, { entry, own, scene });
    }
  }

  #addChannel(
    channel: string,
    { entry, own, scene }: { entry: PriceConfig; own: PriceConfig; scene: Scene },
  ): void {
    const list = this.#ofChannels.get(channel) ?? {
      byObject: new Map<string, Offer[]>(),
      byCategory: new Map<number, Offer[]>(),
    };
    this.#ofChannels.set(channel, list);
    const offers = this.#read(own);
    for (const label of entry.objects ?? []) list.byObject.set(label, offers);
    const category = scene.chart.categories.findIndex(
      ({ key, label }) =>
        entry.category !== undefined &&
        (String(entry.category) === key || entry.category === label),
    );
    if (category >= 0) list.byCategory.set(category, offers);
  }

  /** Empty when the page gave no price. */
  offersAt(i: number): Offer[] {
    const category = placeCategory(this.#scene, i);
    if (this.#ofChannels.size > 0) {
      const label = placeLabel(this.#scene, i);
      const own = this.#ofChannels.get(this.#channelOf(label) ?? '');
      const offers = own?.byObject.get(label) ?? own?.byCategory.get(category);
      if (offers) return offers;
    }
    // Called for each of 50,000 seats, so a label is looked up only if some object has its own
    // price.
    return (
      (this.#byObject.size > 0 ? this.#byObject.get(placeLabel(this.#scene, i)) : undefined) ??
      this.#byCategory[category] ??
      none
    );
  }

  /** The category's position among the page's prices; after all others if it has none. */
  rankOf(category: number): number {
    const rank = this.#ranks[category] ?? -1;
    return rank < 0 ? Number.MAX_SAFE_INTEGER : rank;
  }

  ofCategory(category: number): Offer[] {
    return this.#byCategory[category] ?? [];
  }

  /** The price as the page formats it; in euro while the page's text is pending, or if it fails. */
  write(price: number | string): string {
    if (typeof price !== 'number') return textOrNull(price) ?? '';
    try {
      return this.#ask(price) ?? inEuro(price);
    } catch (error) {
      reportError(error);
      return inEuro(price);
    }
  }

  #ask(price: number): string | null {
    const format = this.#format;
    if (!format) return null;
    const known = this.#written.get(price);
    if (known !== undefined) return known;
    const text = this.#promised.textOf(format, {
      input: () => String(price),
      ask: () => format(price),
    });
    if (text !== null) this.#written.set(price, text);
    return text;
  }

  #read(entry: PriceConfig): Offer[] {
    if (entry.ticketTypes)
      return entry.ticketTypes.map((type) =>
        this.#offer(type, {
          ticketType: type.ticketType,
          label: type.label ?? type.ticketType,
          description: type.description,
          unavailable: type.unavailable === true,
          unavailableReason: type.unavailableReason,
          primary: type.primary,
        }),
      );
    if (entry.price === undefined) return [];
    return [
      this.#offer(
        { ...entry, price: entry.price },
        { ticketType: null, label: '', unavailable: false },
      ),
    ];
  }

  #offer(
    { price, originalPrice, fee }: Pick<Offer, 'price' | 'originalPrice' | 'fee'>,
    rest: Omit<Offer, 'price' | 'originalPrice' | 'fee' | 'formatted' | 'formattedOriginal'>,
  ): Offer {
    const write = (amount: number | string) => this.write(amount);
    // A page's function that throws is detected here, and not while the chart is drawn.
    for (const amount of [price, originalPrice]) if (typeof amount === 'number') this.#ask(amount);
    return {
      ...rest,
      price,
      get formatted() {
        return write(price);
      },
      fee,
      originalPrice,
      get formattedOriginal() {
        return originalPrice === undefined ? undefined : write(originalPrice);
      },
    };
  }
}

/** The cheapest of some offers, and whether there are more expensive ones. */
export function cheapest(offers: Offer[]): { offer: Offer; only: boolean } | null {
  const open = offers.filter((offer) => !offer.unavailable);
  const [first] = open;
  if (!first) return null;
  const offer = open.reduce(
    (low, next) => (Number(next.price) < Number(low.price) ? next : low),
    first,
  );
  return { offer, only: open.every((other) => other.price === offer.price) };
}
