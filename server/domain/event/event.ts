/**
 * Rules of an event: its states, when it sells, how much is left, and the defaults and bounds of
 * its form.
 */
import type { EventKind } from './event-kind.ts';
import type { Surcharge } from '#server/domain/price/surcharge.ts';
import type { GiftTerms } from '#server/domain/papers/gift-meter.ts';
import type { Regime } from '#server/domain/papers/regime.ts';
import type { CategoryPricing } from '#server/domain/price/pricing.ts';
import type { WholeTerms } from '#server/domain/event/whole-terms.ts';
import { isolate } from '#server/domain/text/direction.ts';

export const eventStatuses = ['draft', 'published', 'cancelled'] as const;
export type EventStatus = (typeof eventStatuses)[number];
export const salesStates = ['not_yet', 'open', 'paused', 'closed', 'cancelled'] as const;
export type SalesState = (typeof salesStates)[number];
export const availabilities = ['many', 'few', 'none'] as const;
export type Availability = (typeof availabilities)[number];
/**
 * What a draft lacks before it may be sold; the last two are settings of the site, because buyers
 * must know the seller (RULES L1).
 */
export const missingParts = [
  'title',
  'starts_at',
  'venue_title',
  'chart_key',
  'seat_pricing',
  'sectors',
  'whole_places',
  'organiser_tax',
  'support_email',
] as const;
export type MissingPart = (typeof missingParts)[number];
/**
 * The address of an event: small letters and digits, separated by single hyphens; chosen once.
 */
export const slugForm = /^[a-z0-9](-?[a-z0-9])*$/;
export const slugMax = 60;
/** An event counts as over this long after its start. */
export const eveningMs = 6 * 3_600_000;

/**
 * An event takes over changes of its chart until this long after its start; sold seats are never
 * removed from it (RULES H4).
 */
export const followsChartMs = 24 * 3_600_000;

interface SalesFacts {
  status: EventStatus;
  /** Missing: the sale is not paused. */ sale_paused?: 0 | 1;
  starts_at: number;
  sales_opens_at: number | null;
  sales_closes_at: number | null;
}

/**
 * Without sale dates an event sells from its publication until it starts; it is `paused` while it
 * moves to another hall.
 */
export function salesStateOf(event: SalesFacts, now: number): SalesState {
  if (event.status === 'cancelled') return 'cancelled';
  if (event.sale_paused === 1) return 'paused';
  if (event.sales_opens_at !== null && now < event.sales_opens_at) return 'not_yet';
  return now < (event.sales_closes_at ?? event.starts_at) ? 'open' : 'closed';
}

/** "Teatro Goldoni, Corte del Teatro 4, 30124 Venezia": several theatres have that name. */
export function venueWords({
  venue_title,
  venue_address,
}: {
  venue_title: string;
  venue_address: string | null;
}): string {
  return [venue_title, venue_address ?? ''].filter(Boolean).map(isolate).join(', ');
}

/**
 * "Ultimi posti": at most 20 places and at most a tenth are left. Only then is the number shown,
 * because the public need not know how empty a hall is.
 */
export function availabilityOf({ places, left }: { places: number; left: number }): {
  availability: Availability;
  places_left: number | null;
} {
  if (left <= 0) return { availability: 'none', places_left: null };
  return left <= 20 && left * 10 <= places
    ? { availability: 'few', places_left: left }
    : { availability: 'many', places_left: null };
}

/** A phone deletes its copy of an event 48 h after the start (RULES A5). */
export const wipeAfterMs = 48 * 3_600_000;

/** The least and the most of each whole number in the event form, for server and form alike. */
export const formBounds = {
  max_seats: [1, 50],
  max_per_email: [1, 100],
  vat_percent: [1, 30],
  fee_vat_percent: [1, 30],
  service_vat_percent: [1, 30],
  pay_minutes: [5, 30],
  free_until_minutes: [1, 240],
  holder_changes_max: [1, 10],
  holder_change_until_hours: [0, 720],
  refund_days: [0, 365],
  refund_stop_days: [0, 365],
  exchange_until_hours: [0, 720],
} as const;

/** The most characters of each text in the form. */
export const formLengths = {
  title: 200,
  venue_title: 200,
  venue_href: 500,
  venue_address: 300,
  price_id: 100,
  ticket_label: 80,
  gate: 60,
} as const;

/**
 * Every field of the event form except the start, with the value of a new event. Refunds are
 * those of RULES R1 and R2; a cancellation refunds the fees, too, because courts have struck down
 * terms that exclude it. VAT: live shows have 10 %, and so has the presale fee, which is a part of
 * the show's price (circ. 165/E of 2000); a separate service has 22 %.
 */
export const emptyForm = {
  title: '',
  kind: 'other' as EventKind,
  description: '',
  terms: null,
  doors_at: null,
  ends_at: null,
  admits_from: null,
  admits_until: null,
  sales_opens_at: null,
  sales_closes_at: null,
  venue_title: '',
  venue_href: null,
  venue_address: null,
  event_ball_image: null,
  band_ball_image: null,
  banner_image: null,
  chart_key: null,
  seat_pricing: [] as CategoryPricing[],
  price_phases: null,
  /** Tables are sold as they are drawn. */
  whole_terms: { tables: { mode: 'INHERIT' }, categories: {} } as WholeTerms,
  fee_price_id: null,
  surcharges: null as Surcharge[] | null,
  regime: 'unsaid' as Regime,
  vat_percent: 10,
  fee_vat_percent: 10,
  service_vat_percent: 22,
  gift_terms: null as GiftTerms | null,
  max_seats: 10,
  max_per_email: null,
  pay_minutes: 15,
  ask_phone: false,
  nominative: false,
  holder_change: false,
  holder_changes_max: 1,
  holder_change_until_hours: 24,
  refund_days: 10,
  refund_stop_days: 15,
  refund_keeps_fees: true,
  cancel_keeps_fees: false,
  refund_request: 'office',
  exchange: false,
  exchange_until_hours: 24,
  exchange_fee_cents: 0,
  reentry: true,
  verify_policy: 'ask',
  moved_policy: 'admit',
  free_confirm: false,
  free_until_minutes: null,
  free_reminder: true,
  buyer_search: 'off',
} as const;

type ColumnOf<T> = T extends boolean ? 0 | 1 : T extends object ? string : T;
export type ColumnsOf<T> = { [K in keyof T]: ColumnOf<T[K]> };

/** Form values as SQL columns: booleans as numbers, lists and objects as JSON. */
export function toColumns<T extends object>(form: T): ColumnsOf<T> {
  const columnOf = (value: unknown) => {
    if (typeof value === 'boolean') return value ? 1 : 0;
    return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
  };
  return Object.fromEntries(
    Object.entries(form).map(([field, value]) => [field, columnOf(value)]),
  ) as ColumnsOf<T>;
}

/** The columns of a new event that its form does not have. */
const notInForm = {
  cancelled_at: null,
  version: 1,
  updated_at: 0,
  rehearsal: 0,
  show_id: null,
  own_fields: '[]',
  needs_day: 0,
  postponed_from: null,
  sale_paused: 0,
  demo: 0,
  names_due: null,
  licensed: null,
  phase_turns: null,
} as const;
export const bareEvent = /* @__PURE__ */ Object.assign(
  /* @__PURE__ */ toColumns(emptyForm),
  notInForm,
);
