/** The surcharges of an event as the form has them, with amounts as typed text. */
import { surchargeBounds } from '#server/domain/price/price-bounds.ts';
import { euroTextOf, readEuro } from '#apps/admin/kit/form/euro-field.tsx';
import { type Surcharge } from '#server/domain/price/surcharge.ts';

/** How a surcharge is reckoned: an amount or a part per ticket, or an amount per order. */
export const surchargeWays = {
  ticket: 'Euro per biglietto',
  percent: '% del prezzo di listino',
  order: 'Euro per ordine, una volta',
} as const;
export type SurchargeWay = keyof typeof surchargeWays;

export interface SurchargeValues extends Omit<Surcharge, 'per' | 'cents' | 'percent'> {
  way: SurchargeWay;
  amount: string;
}

export const newSurcharge: SurchargeValues = {
  kind: 'service',
  way: 'ticket',
  amount: '',
  categories: null,
  not_at_till: false,
  not_on_day: false,
};

export function surchargeValuesOf({ per, cents, percent, ...rest }: Surcharge): SurchargeValues {
  if (percent !== null) return { ...rest, way: 'percent', amount: String(percent) };
  return { ...rest, way: per, amount: euroTextOf(cents ?? 0) };
}

/** Only for values without faults. */
export function surchargeOf({ way, amount, categories, ...rest }: SurchargeValues): Surcharge {
  const own = way === 'order' || categories?.length === 0 ? null : categories;
  const number = numberIn(way, amount);
  return {
    ...rest,
    categories: own,
    per: way === 'order' ? 'order' : 'ticket',
    cents: way === 'percent' ? null : number,
    percent: way === 'percent' ? number : null,
  };
}

/** What is wrong with an amount; null: nothing. */
export function surchargeFault({ way, amount }: SurchargeValues): string | null {
  const number = numberIn(way, amount);
  const [least, most] = surchargeBounds[way === 'percent' ? 'percent' : 'cents'];
  if (number !== null && number >= least && number <= most) return null;
  return way === 'percent'
    ? `Scrivi un numero intero da ${least} a ${most}.`
    : 'Scrivi una somma da 0,01 a 100 euro, per esempio 1,50.';
}

function numberIn(way: SurchargeWay, amount: string): number | null {
  if (way !== 'percent') return readEuro(amount);
  return /^\d{1,3}$/.test(amount.trim()) ? Number(amount) : null;
}
