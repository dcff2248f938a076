/** What the office types about the place of a change of hall, and the request made of it. */
import type { Asked, ReplyOf } from '#server/contract/endpoint.ts';
import type { readEvent } from '#server/contract/event-desk.ts';
import type { proposeRehousing, suggestRehousingPlace } from '#server/contract/rehousings.ts';
import type { PostponementAnswer } from '#server/domain/event/postponement.ts';
import { newsFaults } from '#server/domain/seat/rehousing-place.ts';
import type { Faults } from '#apps/admin/kit/form/form-section.tsx';
import { instantOf, noTime, wallTimeOf, type WallTime } from '#apps/admin/kit/form/wall-time.ts';
import { readLink } from '#apps/admin/kit/form/rich-text-link.ts';
import { linkFault, timeWords, wallFault } from '#apps/admin/event/form/faults.ts';
import type { VenueValues } from '#apps/admin/event/form/venue-fields.tsx';
import type { Plan } from './plan.ts';

export type News = NonNullable<Asked<typeof proposeRehousing>['body']['news']>;
export type EventForm = ReplyOf<typeof readEvent>['form'];
type Suggested = ReplyOf<typeof suggestRehousingPlace>;

export interface PlaceValues extends VenueValues {
  /** Null: not said yet. */ moves: boolean | null;
  doors_at: WallTime;
  until: WallTime;
  if_silent: PostponementAnswer;
  reason: string;
}

/** What was said of this plan before, or else what its hall is known for. */
export function placeValues(
  { starts_at }: EventForm,
  suggested: Suggested,
  news: Plan['news'],
): PlaceValues {
  const place = news?.place ?? null;
  const { venue_title, venue_address, venue_href, doors_at } = place ?? suggested;
  // The page of the present place would lead people to the old building.
  const isLinkOld = place === null && suggested.is_other !== true;
  return {
    moves: news === null ? suggested.is_other : place !== null,
    venue_title,
    venue_address: venue_address ?? '',
    venue_href: isLinkOld ? '' : (venue_href ?? ''),
    doors_at: wallTimeOf(doors_at),
    until: place === null ? usualDue(Date.parse(starts_at)) : wallTimeOf(place.answer_by),
    if_silent: place?.if_silent ?? 'keep',
    reason: news?.reason ?? '',
  };
}

const dayMs = 86_400_000;
const hourMs = 3_600_000;

/** A week from now, but at the latest the day before; empty if that has passed. */
function usualDue(starts_at: number): WallTime {
  const due = Math.min(Date.now() + 7 * dayMs, starts_at - dayMs);
  const hour = Math.floor(due / hourMs) * hourMs;
  return hour <= Date.now() ? noTime : wallTimeOf(new Date(hour).toISOString());
}

const isoOf = (ms: number) => new Date(ms).toISOString();
const msOf = (iso: string | null) => (iso === null ? null : Date.parse(iso));

/** The request, or the faults by field. */
export function readPlace(form: EventForm, values: PlaceValues): News | { faults: Faults } {
  const reason = values.reason.trim() || null;
  if (values.moves === null) return { faults: { moves: 'Scegli se il luogo cambia.' } };
  if (!values.moves) return { reason, place: null };
  const [doors, until] = [instantOf(values.doors_at), instantOf(values.until)];
  const place = {
    venue_title: values.venue_title.trim(),
    venue_address: values.venue_address.trim() || null,
    venue_href: values.venue_href.trim() === '' ? null : readLink(values.venue_href),
    if_silent: values.if_silent,
  };
  const faults = {
    ...faultsOf(form, { reason, place: { ...place, doors_at: doors, answer_by: until ?? 0 } }),
    ...linkFault(values),
    ...named('doors_at', wallFault(values.doors_at)),
    ...named('answer_by', wallFault(values.until)),
  };
  if (until === null || Object.keys(faults).length > 0) return { faults };
  const doors_at = doors === null ? null : isoOf(doors);
  return { reason, place: { ...place, doors_at, answer_by: isoOf(until) } };
}

function named(field: string, fault: string | null): Faults {
  return fault === null ? {} : { [field]: fault };
}

type Told = Parameters<typeof newsFaults>[1];

function faultsOf(
  form: EventForm,
  {
    reason,
    place,
  }: { reason: string | null; place: Omit<NonNullable<Told['place']>, 'starts_at'> },
): Faults {
  const starts_at = Date.parse(form.starts_at);
  const event = {
    ...form,
    starts_at,
    doors_at: msOf(form.doors_at),
    ends_at: msOf(form.ends_at),
    admits_from: msOf(form.admits_from),
    admits_until: msOf(form.admits_until),
    sales_opens_at: msOf(form.sales_opens_at),
    sales_closes_at: msOf(form.sales_closes_at),
  };
  const told = { reason, place: { ...place, starts_at } };
  const { fields, times } = newsFaults(event, told, Date.now());
  const words: Record<string, string> = {
    venue_title:
      place.venue_title === ''
        ? 'Scrivi il nome del luogo.'
        : 'È il luogo di adesso: cambia nome o indirizzo, oppure scegli che resta.',
    reason: 'Scrivi perché: chi ha il biglietto lo legge nell’e-mail.',
    answer_by: 'Il termine viene dopo adesso e prima dell’inizio.',
    doors_at: timeWords.doors_at,
  };
  const wrong = [...fields, ...times.map((field) => (field in words ? field : 'doors_at'))];
  return Object.fromEntries(wrong.map((field) => [field, words[field] ?? '']));
}
