/** The office's form and the row in SQL, in both directions, and what of a form cannot be stored. */
import type { EventRow, Truth } from '#db/rows.ts';
import { cleanHtml } from '#server/adapters/rich-text.ts';
import { longestText, timeFaults, type EventForm } from '#server/domain/event-form.ts';
import { imageIdOf } from '#server/domain/image.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { pricingOf } from './events.ts';
import { cleanText } from './texts.ts';

type Columns = Omit<
  EventRow,
  | 'id'
  | 'status'
  | 'seatsio_event_key'
  | 'code_tag'
  | 'code_secret'
  | 'code_salt'
  | 'feed_seq'
  | 'feed_epoch'
  | 'created_at'
  | 'cancelled_at'
  | 'version'
  | 'updated_at'
  | 'rehearsal'
>;

const truth = (value: boolean): Truth => (value ? 1 : 0);

/** Texts cleaned, truths as numbers. @throws Refusal event_times_wrong, text_too_long, with `detail.fields` */
export function columnsOf(form: EventForm): Columns {
  const faults = timeFaults(form);
  if (faults.length > 0) throw new Refusal('event_times_wrong', { fields: faults });
  const {
    nominative,
    holder_change,
    refund_keeps_fees,
    cancel_keeps_fees,
    reentry,
    seat_pricing,
    ...same
  } = withoutStrangers(form);
  const texts = {
    description: cleanHtml(form.description),
    terms: form.terms === null ? null : cleanHtml(form.terms) || null,
  };
  const tooLong = (['description', 'terms'] as const).filter(
    (field) => (texts[field]?.length ?? 0) > longestText,
  );
  if (tooLong.length > 0)
    throw new Refusal('text_too_long', { fields: tooLong, most: longestText });
  return {
    ...same,
    ...texts,
    venue_address: same.venue_address || null,
    seat_pricing: JSON.stringify(seat_pricing),
    nominative: truth(nominative),
    holder_change: truth(holder_change),
    refund_keeps_fees: truth(refund_keeps_fees),
    cancel_keeps_fees: truth(cancel_keeps_fees),
    reentry: truth(reentry),
  };
}

/** Only what a form has: a request carries its version along. */
function withoutStrangers(form: EventForm): EventForm {
  return Object.fromEntries(
    formFields.map((field) => [field, form[field]]),
  ) as unknown as EventForm;
}

/** Every field of the form, so that a new one cannot be forgotten in one direction. */
const formFields = Object.keys({
  title: 1,
  description: 1,
  terms: 1,
  starts_at: 1,
  doors_at: 1,
  ends_at: 1,
  admits_from: 1,
  admits_until: 1,
  sales_opens_at: 1,
  sales_closes_at: 1,
  venue_title: 1,
  venue_href: 1,
  venue_address: 1,
  event_ball_image: 1,
  band_ball_image: 1,
  banner_image: 1,
  chart_key: 1,
  seat_pricing: 1,
  fee_price_id: 1,
  max_seats: 1,
  pay_minutes: 1,
  nominative: 1,
  holder_change: 1,
  holder_changes_max: 1,
  holder_change_until_hours: 1,
  refund_days: 1,
  refund_stop_days: 1,
  refund_keeps_fees: 1,
  cancel_keeps_fees: 1,
  refund_request: 1,
  reentry: 1,
  verify_policy: 1,
} satisfies Record<keyof EventForm, 1>) as (keyof EventForm)[];

export function formOf(event: EventRow): EventForm {
  return withoutStrangers({
    ...event,
    description: cleanText(event.description),
    terms: event.terms === null ? null : cleanText(event.terms),
    seat_pricing: pricingOf(event),
    nominative: event.nominative === 1,
    holder_change: event.holder_change === 1,
    refund_keeps_fees: event.refund_keeps_fees === 1,
    cancel_keeps_fees: event.cancel_keeps_fees === 1,
    reentry: event.reentry === 1,
  });
}

/** Pictures of ours that the row shows. */
export function imagesOf(
  event: Pick<EventRow, 'event_ball_image' | 'band_ball_image' | 'banner_image'>,
): string[] {
  return [event.event_ball_image, event.band_ball_image, event.banner_image].flatMap(
    (url) => imageIdOf(url) ?? [],
  );
}

/** Fields that differ, with both values; long texts are cut, since the book is for reading. */
export function changesBetween(
  before: EventRow,
  after: Partial<EventRow>,
): Record<string, { from: unknown; to: unknown }> {
  const told = (value: unknown) =>
    typeof value === 'string' && value.length > 300 ? `${value.slice(0, 300)}…` : value;
  const fields = (Object.keys(after) as (keyof EventRow)[]).filter(
    (field) =>
      after[field] !== before[field] &&
      field !== 'updated_at' &&
      field !== 'version' &&
      field !== 'feed_epoch',
  );
  return Object.fromEntries(
    fields.map((field) => [field, { from: told(before[field]), to: told(after[field]) }]),
  );
}
