/** The tripwire: a phone installed last week talks to today's server, so a change of any shape is made on purpose. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import * as admissions from '#server/contract/door/admissions.ts';
import { endpoints } from '#server/contract/all.ts';
import {
  addressOf,
  endpoint,
  limitOf,
  timeIn,
  timeOut,
  type EndpointShape,
} from '#server/contract/endpoint.ts';
import { errors } from '#server/contract/errors.ts';
import { wireVersion } from '#server/domain/door/wire.ts';
import * as v from 'valibot';

/** After a change on purpose: raise wireVersion if an older phone would not understand, then put the new hash here. */
const known = { version: 5, hash: '7de6f0e412afc4fa' };

/** What of a schema decides about a value: rules that are functions by their text, and no words for readers of the documentation. */
function hashOf(shapes: object): string {
  const told = (name: string, value: unknown) => {
    if (name === 'summary' || name === 'message') return undefined;
    const isRule = name === 'requirement' || name === 'operation';
    return isRule && typeof value === 'function' ? wordsOf(value.toString()) : value;
  };
  const text = JSON.stringify(
    Object.entries(shapes).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    told,
  );
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** A function's text without what a formatter or the test runner's compiler may change. */
function wordsOf(source: string): string {
  return source.replace(/\s+/g, '').replace(/(?:\(0,)?__vi\w*?__\.|['"`();,]/g, '');
}

test('no shape changes without its line here', () => {
  const limited = Object.entries(endpoints).map(([name, one]) => [
    name,
    { ...one, limit: limitOf(one), description: undefined },
  ]);
  const hash = hashOf({ ...Object.fromEntries(limited), scan: admissions.scan });
  expect({ version: wireVersion, hash }).toEqual(known);
});

test('every field for a mail address takes whatever buys at Stripe, and no second recipient', () => {
  const fields = Object.entries(endpoints).flatMap(([name, { body }]: [string, EndpointShape]) => {
    const known = [body, ...Object.values(entriesOf(body))].flatMap((part) => {
      const { email } = entriesOf(part);
      return email === undefined ? [] : [email];
    });
    return known.map((schema) => [name, schema] as const);
  });
  expect(fields.length).toBeGreaterThan(12);
  for (const [name, schema] of fields) {
    for (const [typed, spelled] of [
      [" p.d'angelo@comune.example.it", "p.d'angelo@comune.example.it"],
      ['info@città.it', 'info@città.it'],
      ['info@xn--citt-3na.it', 'info@città.it'],
      ['nicolò@example.it', 'nicolò@example.it'],
    ] as const) {
      const { success, output } = v.safeParse(schema, typed);
      expect([name, success]).toEqual([name, true]);
      if (!readLater.has(name)) expect([name, output]).toEqual([name, spelled]);
    }
    if (!readLater.has(name))
      for (const typed of ['a@b.it\nBcc: c@d.it', 'a@b.it, c@d.it', 'Eva <a@b.it>', 'a@b', ''])
        expect([name, v.safeParse(schema, typed).success]).toEqual([name, false]);
  }
});

/** Where any text may be typed, the service spells the address, or finds none. */
const readLater = new Set([
  'login',
  'changeBuyer',
  'confirmOrder',
  'findPerson',
  'exportPerson',
  'erasePerson',
  'writeSiteSettings',
]);

/** The fields of an object, also of one that may be missing or null. */
function entriesOf(schema?: unknown): Record<string, v.GenericSchema> {
  const { entries = {}, wrapped } = (schema ?? {}) as {
    entries?: Record<string, v.GenericSchema>;
    wrapped?: unknown;
  };
  return wrapped === undefined ? entries : entriesOf(wrapped);
}

test('the tripwire sees fields, bounds and checks, and no words', () => {
  const shape = (rule: (text: string) => boolean, more: object = {}) => ({
    one: endpoint('GET', '/x', {
      who: 'public',
      limit: 'read',
      summary: 'One',
      reply: v.object({ name: v.pipe(v.string(), v.maxLength(5), v.check(rule)), ...more }),
    }),
  });
  const first = shape((text) => text !== 'a');
  expect(hashOf({ one: { ...first.one, summary: 'Other words' } })).toBe(hashOf(first));
  expect(hashOf(shape((text) => text !== 'b'))).not.toBe(hashOf(first));
  expect(hashOf(shape((text) => text !== 'a', { age: v.number() }))).not.toBe(hashOf(first));
  const looser = {
    one: { ...first.one, reply: v.object({ name: v.pipe(v.string(), v.maxLength(6)) }) },
  };
  expect(hashOf(looser)).not.toBe(hashOf(first));
});

test('every refusal has an Italian sentence and a 4xx or 5xx status', () => {
  for (const [code, { status, message }] of Object.entries(errors)) {
    expect([code, status >= 400 && status < 600, /^\p{Lu}.*[.)…]+$/u.test(message)]).toEqual([
      code,
      true,
      true,
    ]);
  }
});

test('every endpoint of the specification that is built has its path and method', () => {
  const built = new Set(
    Object.values(endpoints).map((endpoint) => `${endpoint.method} ${endpoint.path}`),
  );
  for (const call of [
    'GET /api/event/:eventId/',
    'POST /api/event/:eventId/book',
    'GET /api/orders/:orderId/status',
    'DELETE /api/orders/:orderId/checkout_session',
    'POST /api/auth/login',
    'POST /api/auth/logout',
    'GET /api/auth/me',
    'GET /api/admin/events/',
    'GET /api/admin/events/:eventId',
    'POST /api/admin/events/',
    'PUT /api/admin/events/:eventId',
    'POST /api/admin/events/ball_image_filter',
    'GET /api/admin/admissions/recent',
    'POST /api/admin/admissions/:ticketId',
    'GET /api/admin/admissions/:ticketId',
    'GET /api/admin/seatsio/events/:eventKey',
    'GET /api/admin/seatsio/events/:eventKey/objects/:objIds',
    'GET /api/admin/orders/',
    'GET /api/admin/orders/:orderId',
    'GET /api/admin/orders/:orderId/checkout_session',
    'GET /api/admin/orders/:orderId/tickets',
    'GET /api/admin/orders/find_by_receipt_number',
    'POST /api/admin/orders/:orderId/confirm',
    'GET /api/admin/stripe/price/:priceId',
    'GET /api/admin/stripe/prices/:priceIds',
  ])
    expect([call, built.has(call)]).toEqual([call, true]);
});

test('times change their form only at the wall', () => {
  expect(v.parse(timeIn, '2026-11-21T20:00:00.000Z')).toBe(1795291200000);
  expect(v.parse(timeOut, 1795291200000)).toBe('2026-11-21T20:00:00.000Z');
  expect(v.safeParse(timeIn, 'ieri sera').success).toBe(false);
});

test('an address encodes its parameters and leaves out what is missing', () => {
  expect(addressOf(endpoints['getEvent']!, { eventId: 'a/b c' })).toBe('/api/event/a%2Fb%20c/');
  expect(
    addressOf(endpoints['listOrders']!, {}, { q: 'Rossi & figli', cursor: undefined, limit: 5 }),
  ).toBe('/api/admin/orders/?q=Rossi%20%26%20figli&limit=5');
});
