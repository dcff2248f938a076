/** The back office in tests: what the event form sends, and prices that exist at Stripe. */
import { createEvent, publishEvent, readEvent, updateEvent } from '#server/contract/event-desk.ts';
import type { Asked, ReplyOf } from '#server/contract/endpoint.ts';
import { emptyForm } from '#server/domain/event/event.ts';
import { readSiteSettings, writeSiteSettings } from '#server/contract/site.ts';
import { ask, callOk, type Answered } from './make.ts';
import type { TestServer } from './server.ts';

export type Form = Omit<Asked<typeof createEvent>['body'], 'id' | 'seatsio_event_key'>;
export type Desk = ReplyOf<typeof readEvent>;

export const day = 24 * 3_600_000;

/** A complete form: a concert in forty days in the Goldoni, one price for the stalls. */
export async function makeForm(server: TestServer, changes: Partial<Form> = {}): Promise<Form> {
  const price_id = await server.house.ctx.payments.ensurePrice({
    lookup_key: 'recital-platea',
    product: 'Recital – Platea',
    unit_amount: 2_000,
  });
  const stalls = [
    { category: 'Platea', ticketTypes: [{ price_id, ticketType: 'intero', label: 'Intero' }] },
  ];
  return {
    ...emptyForm,
    title: 'Recital',
    description: '<p>Chopin e <strong>Liszt</strong>.</p>',
    starts_at: inDays(server, 40),
    venue_title: 'Teatro Goldoni',
    venue_href: 'https://teatro.example/',
    venue_address: 'Corte del Teatro 4, Venezia',
    chart_key: 'teatro-goldoni',
    seat_pricing: changes.chart_key === undefined ? withTheRest(stalls) : stalls,
    ...changes,
  };
}

export function inDays(server: TestServer, days: number): string {
  return new Date(server.clock.now() + days * day).toISOString();
}

/**
 * The other sectors of the Goldoni, marked as not on sale, because an event is published only if
 * every sector is decided.
 */
export function withTheRest(pricing: Form['seat_pricing']): Form['seat_pricing'] {
  const rest = ['Platea', 'Palchi', 'Galleria'].filter((sector) =>
    pricing.every(({ category }) => category !== sector),
  );
  return [...pricing, ...rest.map((category) => ({ category, ticketTypes: [] }))];
}

/** The Cookie header of a person in the office. */
export type Office = { cookie: string };

/** The law requires the seller's data before anything is sold. */
export async function nameSeller(server: { url: string }, admin: Office): Promise<void> {
  const { version, name, organiser, support } = await callOk(server, readSiteSettings, {}, admin);
  await callOk(
    server,
    writeSiteSettings,
    {
      body: {
        version,
        name,
        organiser: { ...organiser, vat_number: '00743110157' },
        support: { ...support, email: 'assistenza@teatro.it' },
        legal: { terms: null, privacy: null, cookies: null, accessibility: null },
      },
    },
    admin,
  );
}

/** Removes the seller's data, which the demonstration sets, as on a new site. */
export async function forgetSeller(server: TestServer): Promise<void> {
  await server.house.ctx.db('settings').where({ key: 'site' }).delete();
}

export async function makeDraft(
  server: TestServer,
  admin: Office,
  { id = 'recital', ...changes }: Partial<Form> & { id?: string } = {},
): Promise<Desk> {
  return callOk(server, createEvent, { body: { id, ...(await makeForm(server, changes)) } }, admin);
}

export async function makePublished(
  server: TestServer,
  admin: Office,
  changes: Partial<Form> & { id?: string } = {},
): Promise<Desk> {
  await nameSeller(server, admin);
  const { seat_pricing } = await makeForm(server, changes);
  const { id, version } = await makeDraft(server, admin, {
    ...changes,
    seat_pricing: withTheRest(seat_pricing),
  });
  return callOk(server, publishEvent, { params: { eventId: id }, body: { version } }, admin);
}

/** Saves the event and returns any answer. */
export async function trySave(
  server: TestServer,
  admin: Office,
  event: Desk,
  changes: Partial<Form> & { tell_buyers?: number; version?: number },
): Promise<Answered> {
  return ask(server, updateEvent.method, `/api/admin/events/${event.id}`, {
    body: { ...event.form, version: event.version, ...changes },
    headers: admin,
  });
}

export async function save(
  server: TestServer,
  admin: Office,
  event: Desk,
  changes: Partial<Form> & { tell_buyers?: number },
): Promise<Desk> {
  return callOk(
    server,
    updateEvent,
    { params: { eventId: event.id }, body: { ...event.form, version: event.version, ...changes } },
    admin,
  );
}
