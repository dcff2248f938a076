/**
 * What an order keeps of its event as it was on the day of the sale, and which of two terms holds
 * after the office has changed them (RULES O20).
 */
import type { EventStatus } from '#server/domain/event/event.ts';
import { refundLimits } from '#server/domain/payment/refund-days.ts';
import type { ExchangeTerms } from './exchange-terms.ts';
import type { RefundFacts, RefundRequest } from '#server/domain/payment/refund.ts';
import { pickFields } from '#server/domain/pick-fields.ts';

/** 0 or 1 as in SQL. */
export interface Rights extends ExchangeTerms {
  refund_request: RefundRequest;
  refund_days: number;
  refund_stop_days: number;
  refund_keeps_fees: 0 | 1;
  cancel_keeps_fees: 0 | 1;
  nominative: 0 | 1;
  holder_change: 0 | 1;
  holder_changes_max: number;
  holder_change_until_hours: number;
  reentry: 0 | 1;
}

export interface SaleTerms extends Rights {
  vat_percent: number | null;
  fee_vat_percent: number | null;
  service_vat_percent: number | null;
}

/** The rights of before 1.5.0, in the order of a record at Stripe. */
const firstRights = [
  'refund_request',
  'refund_days',
  'refund_stop_days',
  'refund_keeps_fees',
  'cancel_keeps_fees',
  'nominative',
  'holder_change',
  'holder_changes_max',
  'holder_change_until_hours',
  'reentry',
] as const satisfies (keyof Rights)[];
const dateTerms = [
  'exchange',
  'exchange_until_hours',
  'exchange_fee_cents',
] as const satisfies (keyof ExchangeTerms)[];

/** The terms that give a right: those of money alone are left out. */
export const soldRights = [...firstRights, ...dateTerms] as const;

/** Their order in a record at Stripe: a new one goes to the end. */
export const saleTerms = [
  'vat_percent',
  'fee_vat_percent',
  ...firstRights,
  'service_vat_percent',
  ...dateTerms,
] as const;

/** The columns of an event that a new order takes over. */
export function saleTermsOf(event: SaleTerms): SaleTerms {
  return pickFields<SaleTerms>(event, saleTerms);
}

const least = <N extends number>(one: N, other: N): N => (one < other ? one : other);
const most = <N extends number>(one: N, other: N): N => (one > other ? one : other);

/**
 * The event with the better of two terms in every point: those that the order was sold with, and
 * those of today. The numbers of a side that offers nothing do not count.
 */
export function underTerms<E extends Rights>(event: E, sold: Rights): E {
  return {
    ...event,
    ...refundRights(sold, event),
    ...holderRights(sold, event),
    ...dateRights(sold, event),
    cancel_keeps_fees: least(sold.cancel_keeps_fees, event.cancel_keeps_fees),
    nominative: least(sold.nominative, event.nominative),
    reentry: most(sold.reentry, event.reentry),
  };
}

function refundRights(sold: Rights, now: Rights) {
  const sides = [sold, now].filter(({ refund_request }) => refund_request !== 'never');
  const [one = now, other = one] = sides;
  return {
    refund_request: [one, other].some(({ refund_request }) => refund_request === 'automatic')
      ? 'automatic'
      : one.refund_request,
    refund_days: most(one.refund_days, other.refund_days),
    refund_stop_days: least(one.refund_stop_days, other.refund_stop_days),
    refund_keeps_fees: least(one.refund_keeps_fees, other.refund_keeps_fees),
  };
}

function holderRights(sold: Rights, now: Rights) {
  const sides = [sold, now].filter(({ holder_change }) => holder_change === 1);
  const [one = now, other = one] = sides;
  return {
    holder_change: one.holder_change,
    holder_changes_max: most(one.holder_changes_max, other.holder_changes_max),
    holder_change_until_hours: least(
      one.holder_change_until_hours,
      other.holder_change_until_hours,
    ),
  };
}

function dateRights(sold: Rights, now: Rights): ExchangeTerms {
  const sides = [sold, now].filter(({ exchange }) => exchange === 1);
  const [one = now, other = one] = sides;
  return {
    exchange: one.exchange,
    exchange_until_hours: least(one.exchange_until_hours, other.exchange_until_hours),
    exchange_fee_cents: least(one.exchange_fee_cents, other.exchange_fee_cents),
  };
}

type Sale = Pick<
  Rights,
  'refund_request' | 'refund_days' | 'refund_stop_days' | 'refund_keeps_fees' | 'cancel_keeps_fees'
> & { status: EventStatus; starts_at: number };

/** What the refund rule reads of an event under an order's terms; `bought_at` in milliseconds. */
export function refundEventOf(event: Sale, bought_at: number): RefundFacts['event'] {
  const cancelled = event.status === 'cancelled';
  return {
    cancelled,
    starts_at: event.starts_at,
    request: event.refund_request,
    keeps_fees: (cancelled ? event.cancel_keeps_fees : event.refund_keeps_fees) === 1,
    ...refundLimits({ ...event, bought_at }),
  };
}

const dayMs = 86_400_000;

/** When buyers are reminded of a name that is due: three days before, or halfway there. */
export function reminderAt(now: number, due: number): number {
  return Math.max(due - 3 * dayMs, Math.floor((now + due) / 2));
}
