/**
 * A show and its dates: the fields that they share, and which of them a date has set for itself
 * (RULES E1).
 */
import { slugMax, type emptyForm } from './event.ts';

/**
 * Whether each field of the event form belongs to the show or to the date; a new field does not
 * compile without an entry. A date takes the show's value until it has its own.
 */
const belongsTo = {
  title: 'show',
  kind: 'show',
  description: 'show',
  terms: 'show',
  venue_title: 'show',
  venue_href: 'show',
  venue_address: 'show',
  event_ball_image: 'show',
  band_ball_image: 'show',
  banner_image: 'show',
  seat_pricing: 'show',
  price_phases: 'show',
  regime: 'show',
  vat_percent: 'show',
  fee_vat_percent: 'show',
  service_vat_percent: 'show',
  gift_terms: 'show',
  fee_price_id: 'show',
  surcharges: 'show',
  max_seats: 'show',
  max_per_email: 'show',
  pay_minutes: 'show',
  ask_phone: 'show',
  nominative: 'show',
  holder_change: 'show',
  holder_changes_max: 'show',
  holder_change_until_hours: 'show',
  refund_days: 'show',
  refund_stop_days: 'show',
  refund_keeps_fees: 'show',
  cancel_keeps_fees: 'show',
  refund_request: 'show',
  exchange: 'show',
  exchange_until_hours: 'show',
  exchange_fee_cents: 'show',
  reentry: 'show',
  verify_policy: 'show',
  moved_policy: 'show',
  doors_at: 'date',
  ends_at: 'date',
  admits_from: 'date',
  admits_until: 'date',
  sales_opens_at: 'date',
  sales_closes_at: 'date',
  chart_key: 'date',
  free_confirm: 'date',
  free_until_minutes: 'date',
  free_reminder: 'date',
  buyer_search: 'date',
  whole_terms: 'date',
} as const satisfies Record<keyof typeof emptyForm, 'show' | 'date'>;
type Belongs = typeof belongsTo;
export type SharedField = {
  [K in keyof Belongs]: Belongs[K] extends 'show' ? K : never;
}[keyof Belongs];
export const sharedFields = Object.keys(belongsTo).filter(
  (field) => belongsTo[field as keyof Belongs] === 'show',
) as SharedField[];
/** Values by field, as the form or as SQL columns. */
type Shared = Record<SharedField, unknown>;

/** The most dates of a show, and the most that can be created together. */
export const mostDates = 500;
export const mostNewDates = 60;

function pick<T extends Shared>(from: T, wanted: (field: SharedField) => boolean) {
  return Object.fromEntries(
    sharedFields.filter(wanted).map((field) => [field, from[field]]),
  ) as Pick<T, SharedField>;
}

/** Only the shared fields of a form or a row. */
export function sharedOf<T extends Shared>(from: T): Pick<T, SharedField> {
  return pick(from, () => true);
}

/** Takes the date's own value of each field in `own`, and the show's value of all others. */
export function resolveDate<T extends Shared>(show: T, date: T, own: readonly SharedField[]) {
  return { ...sharedOf(show), ...pick(date, (field) => own.includes(field)) };
}

/** Compares lists by their contents. */
function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** The fields in which the date differs from its show. */
export function fieldsThatDiffer(show: Shared, date: Shared): SharedField[] {
  return sharedFields.filter((field) => !isSame(show[field], date[field]));
}

export function readOwnFields(text: string): SharedField[] {
  const own = JSON.parse(text) as string[];
  return sharedFields.filter((field) => own.includes(field));
}

/** The fields of a later release, which a server of this one must not take from a date. */
export function laterFields(text: string): string[] {
  const own = JSON.parse(text) as string[];
  return own.filter((field) => !sharedFields.some((known) => known === field));
}

/**
 * "la-locandiera-2026-12-05": the address of a show's date, `day` as YYYY-MM-DD; the n-th date
 * with that address ends in its number.
 */
export function dateAddress(show_id: string, day: string, n = 1): string {
  const tail = n === 1 ? `-${day}` : `-${day}-${n}`;
  return show_id.slice(0, slugMax - tail.length).replace(/-+$/, '') + tail;
}
