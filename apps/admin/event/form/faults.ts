/** Validates the event form: faults by field, found in the browser or reported by the server. */
import { formBounds, type MissingPart } from '#server/domain/event/event.ts';
import { longestText, timeFaults, type TimeField } from '#server/domain/event/event-form.ts';
import { eventFieldNames } from '#server/domain/event/field-names.ts';
import { exchangeFeeMost } from '#server/domain/order/exchange-terms.ts';
import { CallError } from '#apps/shared/api.ts';
import { readEuro } from '#apps/admin/kit/form/euro-field.tsx';
import { surchargeFault } from './surcharge-values.ts';
import { slugFault } from './slug.ts';
import { instantOf, readWallTime, type WallTime } from '#apps/admin/kit/form/wall-time.ts';
import { isEmpty, numberNames, timeNames, type EventValues, type TimeName } from './values.ts';
import type { Faults } from '#apps/admin/kit/form/form-section.tsx';
import { tellFailure } from '#apps/admin/kit/page/loaded.tsx';
import { readLink } from '#apps/admin/kit/form/rich-text-link.ts';

/** Names of fields for the summary of faults, except those of ticket types. */
export const fieldWords: Readonly<Record<string, string>> = {
  id: 'Indirizzo della pagina',
  ...eventFieldNames,
};

/** What a draft lacks; `field` is null where the site's settings lack it. */
export const missingWords: Record<MissingPart, { text: string; field: string | null }> = {
  title: { text: 'Il titolo', field: 'title' },
  starts_at: { text: 'Una data di inizio nel futuro', field: 'starts_at' },
  venue_title: { text: 'Il luogo', field: 'venue_title' },
  chart_key: { text: 'La pianta dei posti', field: 'chart_key' },
  seat_pricing: {
    text: 'Almeno un biglietto in vendita, con un prezzo attivo su Stripe',
    field: 'seat_pricing',
  },
  sectors: { text: 'Un prezzo in ogni settore, o «non in vendita»', field: 'seat_pricing' },
  whole_places: { text: 'Quanti posti ha ogni séparé', field: 'whole_terms' },
  organiser_tax: { text: 'La partita IVA o il codice fiscale di chi vende', field: null },
  support_email: { text: 'L’e-mail dell’assistenza', field: null },
};

/**
 * Faults that need no server. A ticket type's fields are called `price 0.1` and `label 0.1`:
 * category 0, type 1.
 * @param creating the address is still to be chosen
 */
export function checkValues(values: EventValues, creating: boolean): Faults {
  const faults: Record<string, string> = {};
  const slug = creating ? slugFault(values.id) : null;
  if (slug !== null) faults['id'] = slug;
  for (const name of ['description', 'terms'] as const)
    if (values[name].length > longestText)
      faults[name] =
        `Il testo è troppo lungo: al massimo ${longestText.toLocaleString('it-IT')} caratteri, formato compreso.`;
  Object.assign(faults, faultsOfTimes(values));
  Object.assign(faults, linkFault(values));
  for (const name of numberNames) {
    const [least, most] = formBounds[name];
    const number = Number(values[name]);
    if (isEmpty(values, name)) continue;
    if (!/^\d{1,4}$/.test(values[name].trim()) || number < least || number > most)
      faults[name] = `Scrivi un numero intero da ${least} a ${most}.`;
  }
  const numbers = Object.values(values.whole_terms?.categories ?? {});
  if (numbers.some(({ places = 1, minimum = 1 }) => !isCount(places) || !isCount(minimum)))
    faults['whole_terms'] = 'Scrivi numeri interi di posti, da 1 a 500.';
  if (values.surcharges.some((row) => surchargeFault(row) !== null))
    faults['surcharges'] = 'Scrivi quanto si aggiunge.';
  const fee = values.exchange_fee_cents.trim() === '' ? 0 : readEuro(values.exchange_fee_cents);
  if (fee === null || fee > exchangeFeeMost)
    faults['exchange_fee_cents'] = 'Scrivi una somma fino a 100 euro, per esempio 2,00.';
  const { sectors = [] } = values.gift_terms ?? {};
  if (sectors.some(({ name, categories }) => name.trim() === '' || categories.length === 0))
    faults['gift_terms'] = 'Ogni unione ha un nome e almeno un settore.';
  else if (new Set(sectors.map(({ name }) => name.trim())).size < sectors.length)
    faults['gift_terms'] = 'Due unioni hanno lo stesso nome.';
  return { ...faults, ...pricingFaults(values) };
}

/** A page on the web that is none. */
export function linkFault({ venue_href }: Pick<EventValues, 'venue_href'>): Faults {
  return venue_href.trim() === '' || readLink(venue_href)?.startsWith('http')
    ? {}
    : { venue_href: 'Scrivi un indirizzo web, per esempio www.teatro.it.' };
}

function isCount(places: number): boolean {
  return Number.isInteger(places) && places >= 1 && places <= 500;
}

/** The sentence for each time that contradicts another. */
export const timeWords: Record<TimeField, string> = {
  doors_at: 'Le porte non si aprono dopo l’inizio.',
  ends_at: 'La fine viene dopo l’inizio.',
  admits_from: 'L’ingresso non comincia dopo l’inizio.',
  admits_until: 'L’ingresso si chiude dopo l’apertura.',
  sales_opens_at: 'La vendita comincia prima di finire.',
  sales_closes_at: 'La vendita non dura più dell’evento.',
};

/** Why typed day and hour are no moment; null: they are one, or both are empty. */
export function wallFault(wall: WallTime): string | null {
  const { kind } = readWallTime(wall);
  if (kind === 'half') return 'Completa giorno e ora.';
  return kind === 'skipped'
    ? 'Quella notte comincia l’ora legale: dalle 2:00 si passa alle 3:00, e quest’ora non esiste.'
    : null;
}

function faultsOfTimes(values: EventValues): Record<string, string> {
  const faults: Record<string, string> = {};
  for (const name of timeNames) {
    if (readWallTime(values[name]).kind === 'empty' && name === 'starts_at')
      faults[name] = 'Scrivi giorno e ora di inizio: potrai ancora cambiarli.';
    const fault = wallFault(values[name]);
    if (fault !== null) faults[name] = fault;
  }
  const { starts_at, ...others } = Object.fromEntries(
    timeNames.map((name) => [name, instantOf(values[name])]),
  ) as Record<TimeName, number | null>;
  if (starts_at !== null)
    for (const name of timeFaults({ starts_at, ...others })) faults[name] ??= timeWords[name];
  return faults;
}

function pricingFaults({ seat_pricing }: EventValues): Record<string, string> {
  const faults: Record<string, string> = {};
  seat_pricing.forEach(({ ticketTypes }, at) =>
    ticketTypes.forEach(({ label, price_id }, nth) => {
      const others = ticketTypes.filter(
        (type) => type.label.trim().toLowerCase() === label.trim().toLowerCase(),
      );
      if (label.trim() === '') faults[`label ${at}.${nth}`] = 'Scrivi il nome del biglietto.';
      else if (others.length > 1)
        faults[`label ${at}.${nth}`] = 'Due biglietti dello stesso settore hanno lo stesso nome.';
      if (!/^[\w-]{1,100}$/.test(price_id.trim()))
        faults[`price ${at}.${nth}`] =
          price_id.trim() === ''
            ? 'Scegli il prezzo, o togli il biglietto.'
            : 'Il codice di un prezzo ha solo lettere, cifre e trattini.';
    }),
  );
  return faults;
}

const notSellable = 'Stripe non lascia vendere questo prezzo.';
const words: Record<string, string> = {
  event_times_wrong: 'Questo orario non va d’accordo con gli altri.',
  price_not_sellable: notSellable,
  category_unknown: 'Questo settore non esiste nella pianta scelta.',
  chart_not_found: 'Questa pianta non c’è più: scegline un’altra.',
  image_unknown: 'Questa immagine non c’è più: caricala di nuovo.',
  slug_taken: 'C’è già un evento con questo indirizzo: scegline un altro.',
  event_has_orders: 'Per questo evento c’è già un ordine: la pianta non si può più cambiare.',
};
const alwaysAt: Record<string, string[]> = {
  slug_taken: ['id'],
  chart_not_found: ['chart_key'],
  event_has_orders: ['chart_key'],
};

/** Faults of a refusal by field; `form` holds a fault of no field. */
export function faultsOfRefusal(error: unknown, values: EventValues): Faults {
  const sentence = tellFailure(error);
  if (!(error instanceof CallError)) return { form: sentence };
  const faults: Record<string, string> = {};
  for (const field of listOf(error.detail, 'fields')) {
    const name = typeof field === 'string' ? field.replace(/\..*/s, '') : '';
    if (name in fieldWords)
      faults[name] =
        words[error.code] ??
        (error.code === 'bad_request' ? 'Il server non accetta questo valore.' : sentence);
  }
  for (const field of alwaysAt[error.code] ?? []) faults[field] = words[error.code] ?? sentence;
  for (const part of listOf(error.detail, 'missing')) {
    const field = missingWords[part as MissingPart]?.field;
    if (field)
      faults[field] = 'Manca, e l’evento è in vendita: per toglierlo, prima riportalo in bozza.';
  }
  const bad = new Set(
    listOf(error.detail, 'prices').map(
      (entry) => (entry as { price_id?: unknown } | null)?.price_id,
    ),
  );
  if (bad.has(values.fee_price_id.trim())) faults['fee_price_id'] = notSellable;
  values.seat_pricing.forEach(({ ticketTypes }, at) =>
    ticketTypes.forEach(({ price_id }, nth) => {
      if (bad.has(price_id.trim())) faults[`price ${at}.${nth}`] = notSellable;
    }),
  );
  if (error.code === 'category_unknown')
    faults['seat_pricing'] =
      `Non esiste nella pianta scelta: ${listOf(error.detail, 'categories').join(', ')}.`;
  if (error.code === 'whole_objects_fixed')
    faults['whole_terms'] = `${sentence} ${listOf(error.detail, 'objects').join(', ')}.`;
  return Object.keys(faults).length === 0 ? { form: sentence } : faults;
}

function listOf(detail: unknown, name: string): unknown[] {
  const list = (detail as Record<string, unknown> | null | undefined)?.[name];
  return Array.isArray(list) ? list : [];
}
