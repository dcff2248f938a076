/** Which ticket types and prices a place has, and how a price is written. */
import type { ChartConfig, PriceConfig } from './config.ts';
import type { Scene } from './scene.ts';

/** One way to buy a place; `ticketType` is null when the page named a plain price. */
export interface Offer {
  ticketType: string | null;
  label: string;
  price: number | string;
  formatted: string;
  description?: string;
  unavailable: boolean;
  fee?: number;
  originalPrice?: number | string;
}

const euro = new Intl.NumberFormat('it-IT', { style: 'currency', currency: 'EUR' });

/** The page's pricing, looked up by object label first, then by category key or label. */
export class PriceList {
  readonly #format: (price: number) => string;
  readonly #byObject = new Map<string, Offer[]>();
  readonly #byCategory: Offer[][];

  constructor(config: ChartConfig, scene: Scene) {
    const { pricing } = config;
    const entries = Array.isArray(pricing) ? pricing : pricing?.prices ?? [];
    this.#format = config.priceFormatter ?? (Array.isArray(pricing) ? undefined : pricing?.priceFormatter) ?? ((price) => euro.format(price));
    this.#byCategory = scene.chart.categories.map(({ key, label }) => {
      const entry = entries.find(({ category }) => category !== undefined && (String(category) === key || category === label));
      return entry ? this.#read(entry) : [];
    });
    for (const entry of entries) {
      for (const label of entry.objects ?? []) this.#byObject.set(label, this.#read(entry));
    }
  }

  /** Empty when the page gave no price. */
  offersOf(label: string, category: number): Offer[] {
    return this.#byObject.get(label) ?? this.#byCategory[category] ?? [];
  }

  ofCategory(category: number): Offer[] {
    return this.#byCategory[category] ?? [];
  }

  write(price: number | string): string {
    return typeof price === 'number' ? this.#format(price) : price;
  }

  #read(entry: PriceConfig): Offer[] {
    if (entry.ticketTypes) {
      return entry.ticketTypes.map((type) => ({
        ticketType: type.ticketType, label: type.label ?? type.ticketType, price: type.price, formatted: this.write(type.price),
        description: type.description, unavailable: type.unavailable === true, fee: type.fee, originalPrice: type.originalPrice,
      }));
    }
    if (entry.price === undefined) return [];
    return [{ ticketType: null, label: '', price: entry.price, formatted: this.write(entry.price), unavailable: false, fee: entry.fee, originalPrice: entry.originalPrice }];
  }
}

/** The cheapest of some offers, and whether there are dearer ones. */
export function cheapest(offers: Offer[]): { offer: Offer; only: boolean } | null {
  const open = offers.filter((offer) => !offer.unavailable);
  const [first] = open;
  if (!first) return null;
  const offer = open.reduce((low, next) => (Number(next.price) < Number(low.price) ? next : low), first);
  return { offer, only: open.every((other) => other.price === offer.price) };
}
