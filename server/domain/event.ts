/** When an event sells and when its doors open. */

export const eventStatuses = ['draft', 'published', 'cancelled'] as const;
export type EventStatus = (typeof eventStatuses)[number];
export const salesStates = ['not_yet', 'open', 'closed', 'cancelled'] as const;
export type SalesState = (typeof salesStates)[number];
export const availabilities = ['many', 'few', 'none'] as const;
export type Availability = (typeof availabilities)[number];
/** What a draft lacks before it may be sold; the last two are the site's own settings: who sells must be told (DPR 633/72 art. 35, D.lgs. 70/2003 art. 7). */
export const missingParts = [
  'title',
  'starts_at',
  'venue_title',
  'chart_key',
  'seat_pricing',
  'organiser_tax',
  'support_email',
] as const;
export type MissingPart = (typeof missingParts)[number];
/** The address of an event: small letters and digits, parted by single hyphens; chosen once. */
export const slugForm = /^[a-z0-9](-?[a-z0-9])*$/;
export const slugMax = 60;
/** So long after its start an evening is over: other lists begin with the next one. */
export const eveningMs = 6 * 3_600_000;

export interface SalesFacts {
  status: EventStatus;
  starts_at: number;
  sales_opens_at: number | null;
  sales_closes_at: number | null;
}

/** Without dates of its own an event sells from its publication until it starts. */
export function salesStateOf(event: SalesFacts, now: number): SalesState {
  if (event.status === 'cancelled') return 'cancelled';
  if (event.sales_opens_at !== null && now < event.sales_opens_at) return 'not_yet';
  return now < (event.sales_closes_at ?? event.starts_at) ? 'open' : 'closed';
}

/** "Ultimi posti": at most 20 and at most a tenth. A number is told only then: how full an empty hall is, is nobody's business. */
export function availabilityOf({ places, left }: { places: number; left: number }): {
  availability: Availability;
  places_left: number | null;
} {
  if (left <= 0) return { availability: 'none', places_left: null };
  return left <= 20 && left * 10 <= places
    ? { availability: 'few', places_left: left }
    : { availability: 'many', places_left: null };
}

/** The phone's copy of an event is wiped 48 h after it began (decisions §7). */
export const wipeAfterMs = 48 * 3_600_000;

/** What the specification's terms (§9) say where an event says nothing else; on cancellation the fees go back, too: courts have struck down terms that keep them. */
export const defaultRefunds = {
  refund_days: 10,
  refund_stop_days: 15,
  refund_keeps_fees: 1,
  cancel_keeps_fees: 0,
  refund_request: 'office',
} as const;

/** What an event says of itself when nobody has said more. */
export const bareEvent = {
  ends_at: null,
  venue_address: null,
  banner_image: null,
  chart_key: null,
  terms: null,
  nominative: 0,
  holder_change: 0,
  holder_changes_max: 1,
  holder_change_until_hours: 24,
  version: 1,
  updated_at: 0,
  admits_until: null,
  rehearsal: 0,
} as const;
