/** Turns the office's event form into columns and back, and refuses invalid forms. */
import type { EventRow } from '#db/rows.ts';
import { cleanHtml } from '#server/adapters/rich-text.ts';
import type { EventForm } from '#server/contract/event-desk.ts';
import { surchargesOf } from '#server/domain/price/surcharge.ts';
import { emptyForm, toColumns, type ColumnsOf } from '#server/domain/event/event.ts';
import { longestText, timeFaults } from '#server/domain/event/event-form.ts';
import { giftTermsOf } from '#server/domain/papers/gift-meter.ts';
import { imageIdOf } from '#server/domain/event/image.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { followPrices, phasesOutOfOrder, pricedOf } from '#server/domain/price/phase.ts';
import { pricingOf } from '#server/domain/price/pricing.ts';
import { wholeTermsOf } from '#server/domain/event/whole-terms.ts';
import { cleanText } from './texts.ts';

/** Every column of the form with its default; the compiler finds a missing one. */
const defaults: Omit<EventForm, 'starts_at'> = emptyForm;
const formFields = ['starts_at', ...Object.keys(defaults)] as (keyof EventForm)[];

/**
 * Sanitises texts and turns booleans into numbers.
 * @throws Refusal event_times_wrong, price_phases_wrong, text_too_long, each with `detail.fields`
 */
export function columnsOf(form: EventForm): ColumnsOf<EventForm> {
  const faults = timeFaults(form);
  if (faults.length > 0) throw new Refusal('event_times_wrong', { fields: faults });
  const phases = phasesOutOfOrder(form.price_phases ?? []);
  if (phases.length > 0)
    throw new Refusal('price_phases_wrong', { fields: ['price_phases'], phases });
  const texts = {
    description: cleanHtml(form.description),
    terms: form.terms === null ? null : cleanHtml(form.terms) || null,
  };
  const tooLong = (['description', 'terms'] as const).filter(
    (field) => (texts[field]?.length ?? 0) > longestText,
  );
  if (tooLong.length > 0)
    throw new Refusal('text_too_long', { fields: tooLong, most: longestText });
  return toColumns({
    ...onlyForm(form),
    ...texts,
    venue_address: form.venue_address || null,
  });
}

/** The form with phases whose prices go on for cells that get another last price. */
export function withPhases<Form extends Pick<EventForm, 'seat_pricing' | 'price_phases'>>(
  before: Pick<EventRow, 'seat_pricing'>,
  form: Form,
): Form {
  const { seat_pricing, price_phases } = form;
  if (price_phases === null) return form;
  const changed = { from: pricingOf(before), to: seat_pricing };
  return { ...form, price_phases: followPrices(price_phases, changed) };
}

/** The fields of the form alone, out of a request or a row that has more. */
function onlyForm<T extends Record<keyof EventForm, unknown>>(more: T): Pick<T, keyof EventForm> {
  return Object.fromEntries(formFields.map((field) => [field, more[field]])) as Pick<
    T,
    keyof EventForm
  >;
}

export function formOf(event: EventRow): EventForm {
  const truths = Object.entries(defaults)
    .filter(([, value]) => typeof value === 'boolean')
    .map(([field]) => [field, event[field as keyof EventRow] === 1]);
  return {
    ...onlyForm(event),
    description: cleanText(event.description),
    terms: event.terms === null ? null : cleanText(event.terms),
    ...pricesOfForm(event),
    surcharges: event.surcharges === null ? null : surchargesOf(event),
    whole_terms: wholeTermsOf(event),
    gift_terms: giftTermsOf(event),
    ...(Object.fromEntries(truths) as Record<TruthField, boolean>),
  };
}

function pricesOfForm(event: EventRow): Pick<EventForm, 'seat_pricing' | 'price_phases'> {
  const { seat_pricing, price_phases } = pricedOf(event);
  return { seat_pricing, price_phases: price_phases.length === 0 ? null : price_phases };
}

type TruthField = {
  [K in keyof EventForm]: EventForm[K] extends boolean ? K : never;
}[keyof EventForm];

/** The ids of the uploaded pictures that the event shows. */
export function imagesOf(
  event: Pick<EventRow, 'event_ball_image' | 'band_ball_image' | 'banner_image'>,
): string[] {
  return [event.event_ball_image, event.band_ball_image, event.banner_image].flatMap(
    (url) => imageIdOf(url) ?? [],
  );
}

/** The fields that differ, with both values; long texts are cut, because people read them. */
export function changesBetween(
  before: EventRow,
  after: Partial<EventRow>,
): Record<string, { from: unknown; to: unknown }> {
  const shortened = (value: unknown) =>
    typeof value === 'string' && value.length > 300 ? `${value.slice(0, 300)}…` : value;
  const fields = (Object.keys(after) as (keyof EventRow)[]).filter(
    (field) =>
      after[field] !== before[field] &&
      field !== 'updated_at' &&
      field !== 'version' &&
      field !== 'feed_epoch',
  );
  return Object.fromEntries(
    fields.map((field) => [field, { from: shortened(before[field]), to: shortened(after[field]) }]),
  );
}
