/**
 * The rules of the two summaries: income by way of payment, refunds, and the VAT in them, line by
 * line (RULES L7).
 */
import type { Fees } from '#server/domain/price/fees.ts';
import type { CategoryPricing } from '#server/domain/price/pricing.ts';
import type { PaymentKind } from '#server/domain/payment/refund.ts';
import { splitVat } from './vat.ts';

export const noFiscalValue = 'Riepilogo gestionale – non valido ai fini fiscali';

/**
 * How money came in: online at Stripe, at a till, or otherwise by hand. `exchange`: from another
 * evening, with tickets that were exchanged (RULES M6). `gift`: what buyers of a cancelled evening
 * left to the house leaves the takings of tickets (RULES E5). `kept`: so does the part payment of a
 * reservation that ended unpaid (RULES K5).
 */
export const moneyWays = [
  'online',
  'cash',
  'pos',
  'transfer',
  'exchange',
  'gift',
  'kept',
  'other',
] as const;
export type MoneyWay = (typeof moneyWays)[number];
export type ByWay = Record<MoneyWay, number>;

export const wayNames: Record<MoneyWay, string> = {
  online: 'Online',
  cash: 'Contanti',
  pos: 'POS',
  transfer: 'Bonifico',
  exchange: 'Cambio data',
  gift: 'Lasciati al teatro',
  kept: 'Acconti trattenuti',
  other: 'Altro',
};

export function wayOf({ kind, method }: { kind: PaymentKind; method: string | null }): MoneyWay {
  if (kind === 'stripe') return 'online';
  if (kind === 'exchange' || kind === 'gift' || kind === 'kept') return kind;
  return moneyWays.find((way) => way === method && way !== 'online') ?? 'other';
}

export function noMoney(): ByWay {
  return { online: 0, cash: 0, pos: 0, transfer: 0, exchange: 0, gift: 0, kept: 0, other: 0 };
}

/** Income and refunds of one event on one day, in Rome. */
export interface Moved {
  /** The day, such as `2026-11-26`. */
  day: string;
  /** Before refunds. */
  taken: ByWay;
  given: ByWay;
  /** The surcharges in these sums, and the service commission in those. */
  fee_taken_cents: number;
  fee_given_cents: number;
  service_taken_cents: number;
  service_given_cents: number;
}

export interface Summed {
  gross_cents: number;
  refunded_cents: number;
  net_cents: number;
  /** Income less refunds, and its VAT: of tickets, presale fee and service commission. */
  tickets_cents: number;
  tickets_net_cents: number;
  tickets_vat_cents: number;
  fees_cents: number;
  fees_net_cents: number;
  fees_vat_cents: number;
  service_cents: number;
  service_net_cents: number;
  service_vat_cents: number;
}

export interface Rates {
  vat_percent: number | null;
  fee_vat_percent: number | null;
  service_vat_percent: number | null;
}

const sum = (by: ByWay) => moneyWays.reduce((total, way) => total + by[way], 0);

/**
 * The sums of each day of one event, from its first day on. A refund takes back its share of the
 * VAT of all that came in, so that nothing of it is left once all is given back.
 */
export function sumDays<T extends Moved>(
  moved: readonly T[],
  { vat_percent, fee_vat_percent, service_vat_percent }: Rates,
): (T & Summed)[] {
  const ofTickets = vatByDay(vat_percent);
  const ofPresale = vatByDay(fee_vat_percent);
  const ofService = vatByDay(service_vat_percent);
  return moved
    .toSorted((one, other) => one.day.localeCompare(other.day))
    .map((row) => {
      const gross_cents = sum(row.taken);
      const refunded_cents = sum(row.given);
      const service = { taken: row.service_taken_cents, given: row.service_given_cents };
      const presale = {
        taken: row.fee_taken_cents - service.taken,
        given: row.fee_given_cents - service.given,
      };
      const fees_cents = presale.taken - presale.given;
      const service_cents = service.taken - service.given;
      const tickets_cents = gross_cents - refunded_cents - fees_cents - service_cents;
      const tickets_vat_cents = ofTickets({
        taken: gross_cents - row.fee_taken_cents,
        given: refunded_cents - row.fee_given_cents,
      });
      const fees_vat_cents = ofPresale(presale);
      const service_vat_cents = ofService(service);
      return {
        ...row,
        gross_cents,
        refunded_cents,
        net_cents: gross_cents - refunded_cents,
        tickets_cents,
        tickets_net_cents: tickets_cents - tickets_vat_cents,
        tickets_vat_cents,
        fees_cents,
        fees_net_cents: fees_cents - fees_vat_cents,
        fees_vat_cents,
        service_cents,
        service_net_cents: service_cents - service_vat_cents,
        service_vat_cents,
      };
    });
}

/** Makes a function that must be called for each day, and returns the day's VAT. */
function vatByDay(percent: number | null) {
  const all = { taken: 0, given: 0, vat: 0, vat_back: 0 };
  return ({ taken, given }: { taken: number; given: number }): number => {
    const { vat_cents } = splitVat(taken, percent);
    all.taken += taken;
    all.given += given;
    all.vat += vat_cents;
    if (given === 0 || all.taken === 0) return vat_cents;
    // Shares the running total, less what was shared before, so that roundings do not add up.
    const vat_back = Math.round((all.vat * all.given) / all.taken);
    const back = vat_back - all.vat_back;
    all.vat_back = vat_back;
    return vat_cents - back;
  };
}

/** The three amounts of a line with the VAT in each; `fees_cents`: the presale fee alone. */
export function taxed(
  { tickets_cents, fee_cents, service_cents }: Fees & { tickets_cents: number },
  rates: Rates,
) {
  const fees_cents = fee_cents - service_cents;
  const tickets = splitVat(tickets_cents, rates.vat_percent);
  const fees = splitVat(fees_cents, rates.fee_vat_percent);
  const service = splitVat(service_cents, rates.service_vat_percent);
  return {
    tickets_cents,
    tickets_net_cents: tickets.net_cents,
    tickets_vat_cents: tickets.vat_cents,
    fees_cents,
    fees_net_cents: fees.net_cents,
    fees_vat_cents: fees.vat_cents,
    service_cents,
    service_net_cents: service.net_cents,
    service_vat_cents: service.vat_cents,
  };
}

export interface RateLine {
  percent: number | null;
  gross_cents: number;
  net_cents: number;
  vat_cents: number;
}

/**
 * Sums by rate, the highest first, exempt amounts last; they add up the lines, so that they agree
 * with them to the cent.
 */
export function sumRates(
  lines: readonly (Pick<
    Summed,
    | 'tickets_cents'
    | 'tickets_vat_cents'
    | 'fees_cents'
    | 'fees_vat_cents'
    | 'service_cents'
    | 'service_vat_cents'
  > &
    Rates)[],
): RateLine[] {
  const parts = lines.flatMap((line) => [
    { percent: line.vat_percent, gross: line.tickets_cents, vat: line.tickets_vat_cents },
    { percent: line.fee_vat_percent, gross: line.fees_cents, vat: line.fees_vat_cents },
    { percent: line.service_vat_percent, gross: line.service_cents, vat: line.service_vat_cents },
  ]);
  const rates = new Map<number | null, RateLine>();
  for (const { percent, gross, vat } of parts) {
    if (gross === 0 && vat === 0) continue;
    const line = rates.get(percent) ?? { percent, gross_cents: 0, net_cents: 0, vat_cents: 0 };
    line.gross_cents += gross;
    line.net_cents += gross - vat;
    line.vat_cents += vat;
    rates.set(percent, line);
  }
  return [...rates.values()].toSorted((one, other) => (other.percent ?? -1) - (one.percent ?? -1));
}

export const entryKinds = ['full', 'reduced', 'free'] as const;
export type EntryKind = (typeof entryKinds)[number];
export const entryNames: Record<EntryKind, string> = {
  full: 'Intero',
  reduced: 'Ridotto',
  free: 'Omaggio',
};

/** What a ticket was sold as; `list_cents`: what it cost without rules, null if none was asked. */
export interface SoldEntry {
  category: string;
  category_key: string | undefined;
  ticket_type: string;
  price_cents: number;
  list_cents: number | null;
}

/**
 * A ticket for nothing is a gift; the first type of a category's price list is the full price if
 * all of it was paid; all others are reduced.
 */
export function entryKindOf(
  { category, category_key, ticket_type, price_cents, list_cents }: SoldEntry,
  pricing: readonly Pick<CategoryPricing, 'category' | 'ticketTypes'>[],
): EntryKind {
  if (price_cents === 0) return 'free';
  if (price_cents < (list_cents ?? price_cents)) return 'reduced';
  const types =
    pricing.find((entry) => entry.category === category || entry.category === category_key)
      ?.ticketTypes ?? [];
  const first = types[0]?.ticketType ?? ticket_type;
  return first === ticket_type ? 'full' : 'reduced';
}

/** What a ticket counts as on another place: a move that changes no price changes nothing. */
export function entryKindMoved(
  line: { ticket_type: string; price_cents: number; entry_kind: string | null },
  to: Omit<SoldEntry, 'ticket_type'> & { ticket_type?: string },
  pricing: readonly Pick<CategoryPricing, 'category' | 'ticketTypes'>[],
): string | null {
  const { price_cents, entry_kind } = line;
  const { ticket_type = line.ticket_type } = to;
  const isSame = to.price_cents === price_cents && ticket_type === line.ticket_type;
  if (entry_kind === null || isSame) return entry_kind;
  return entryKindOf({ ...to, ticket_type }, pricing);
}
