/** The values of the event form’s fields, and their conversion from replies and to requests. */
import { timeFields } from '#server/domain/event/event-times.ts';
import type { Asked, ReplyOf } from '#server/contract/endpoint.ts';
import type { readEvent, updateEvent } from '#server/contract/event-desk.ts';
import { emptyForm, formBounds } from '#server/domain/event/event.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { euroTextOf, readEuro } from '#apps/admin/kit/form/euro-field.tsx';
import { readLink } from '#apps/admin/kit/form/rich-text-link.ts';
import { surchargeOf, surchargeValuesOf, type SurchargeValues } from './surcharge-values.ts';
import { suggestSlug } from './slug.ts';
import { instantOf, wallTimeOf, type WallTime } from '#apps/admin/kit/form/wall-time.ts';

export type DeskEvent = ReplyOf<typeof readEvent>;
type Form = DeskEvent['form'];
/** Every optional field of the request is required here. */
type FormBody = Required<
  Omit<Asked<typeof updateEvent>['body'], 'version' | 'tell_buyers' | 'ask_names_by'>
>;

export const timeNames = timeFields;
export type TimeName = (typeof timeNames)[number];
export type NumberName = keyof typeof formBounds;
export const numberNames = Object.keys(formBounds) as NumberName[];
/** These numbers may be empty: no limit, or no tax. */
const limitNames = [
  'max_per_email',
  'vat_percent',
  'fee_vat_percent',
  'service_vat_percent',
  'free_until_minutes',
] as const;
type LimitName = (typeof limitNames)[number];
type RequiredNumber = Exclude<NumberName, LimitName>;
const requiredNumbers = numberNames.filter(
  (name): name is RequiredNumber => !limitNames.some((limit) => limit === name),
);
/** Null in the reply becomes an empty field. */
const emptyNames = ['terms', 'venue_href', 'venue_address', 'fee_price_id'] as const;
type EmptyName = (typeof emptyNames)[number];

export type EventValues = Omit<
  Form,
  TimeName | NumberName | EmptyName | 'surcharges' | 'exchange_fee_cents'
> &
  Record<TimeName, WallTime> &
  Record<NumberName | EmptyName, string> & {
    surcharges: SurchargeValues[];
    /** As typed, in euros; empty: nothing. */
    exchange_fee_cents: string;
    /** The address, chosen when the event is made. */
    id: string;
  };
export type CategoryValues = EventValues['seat_pricing'][number];
export type TypeValues = CategoryValues['ticketTypes'][number];

export function eventValuesOf({ id, form }: { id: string; form: FormOrEmpty }): EventValues {
  return {
    ...form,
    id,
    ...mapNames(timeNames, (name) => wallTimeOf(form[name])),
    ...mapNames(numberNames, (name) => String(form[name] ?? '')),
    ...mapNames(emptyNames, (name) => form[name] ?? ''),
    surcharges: (form.surcharges ?? []).map(surchargeValuesOf),
    exchange_fee_cents: form.exchange_fee_cents === 0 ? '' : euroTextOf(form.exchange_fee_cents),
  };
}
type FormOrEmpty = Omit<Form, 'starts_at'> & { starts_at: string | null };

export const newValues = eventValuesOf({ id: '', form: { ...emptyForm, starts_at: null } });

/** Only for values without faults. */
export function eventBodyOf(values: EventValues): FormBody {
  const { id: _, ...rest } = values;
  return {
    ...rest,
    ...mapNames(timeNames, (name) => isoOf(instantOf(values[name]))),
    starts_at: requireValue(isoOf(instantOf(values.starts_at)), 'start'),
    ...mapNames(requiredNumbers, (name) => Number(values[name])),
    ...mapNames(limitNames, (name) => (isEmpty(values, name) ? null : Number(values[name]))),
    ...mapNames(emptyNames, (name) => values[name].trim() || null),
    venue_href: values.venue_href.trim() === '' ? null : readLink(values.venue_href),
    surcharges: values.surcharges.length === 0 ? null : values.surcharges.map(surchargeOf),
    exchange_fee_cents: readEuro(values.exchange_fee_cents) ?? 0,
    seat_pricing: values.seat_pricing.map(({ gate, ...entry }) => ({
      ...entry,
      ...(gate?.trim() ? { gate: gate.trim() } : {}),
      ticketTypes: entry.ticketTypes.map((type) => ({
        ...type,
        price_id: type.price_id.trim(),
        label: type.label.trim(),
      })),
    })),
  };
}

/** Whether the field is empty; only fields whose number may be missing count. */
export function isEmpty(values: EventValues, name: NumberName): boolean {
  return limitNames.some((limit) => limit === name) && values[name].trim() === '';
}

/** Keys are sorted, because saved and typed values have them in different orders. */
export function areSameEvents(a: EventValues, b: EventValues): boolean {
  const spell = (values: EventValues) =>
    JSON.stringify(Object.entries(values).toSorted(([x], [y]) => (x < y ? -1 : 1)));
  return spell(a) === spell(b);
}

/** Orders store this name, so it never changes, even if the label does. */
export function newTicketType(label: string, taken: readonly string[]): string {
  const base = suggestSlug(label).slice(0, 50) || 'biglietto';
  for (let n = 1; ; n++) {
    const name = n === 1 ? base : `${base}-${n}`;
    if (!taken.includes(name)) return name;
  }
}

function isoOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

function mapNames<K extends string, T>(names: readonly K[], make: (name: K) => T): Record<K, T> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<K, T>;
}
