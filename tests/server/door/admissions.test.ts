/** The door on the server: pairing, what a phone downloads, scans as facts, conflicts, the desk, revocation. */
import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, inject, test } from 'vitest';
import {
  admitTicket,
  listRecentAdmissions,
  readAdmission,
  sendAdmissions,
  type ScanSent,
} from '#server/contract/door/admissions.ts';
import { getOrder } from '#server/contract/order/orders.ts';
import {
  heartbeat,
  listPhones,
  makePhone,
  pairPhone,
  revokePhone,
} from '#server/contract/door/phones.ts';
import { hashInput } from '#server/domain/door/ticket-code.ts';
import { testOnBoth } from '#tests/support/both.ts';
import { pullDoor } from '#tests/support/door/door-phone.ts';
import {
  ask,
  callOk,
  demoEvent,
  makeAdmin,
  makeOrder,
  makePairedPhone,
  payOrder,
} from '#tests/support/make.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

async function soldTickets(server: TestServer) {
  const order = await makeOrder(server);
  await payOrder(server, order.checkout_url);
  server.clock.advance(3_000);
  return (await callOk(server, getOrder, { params: { orderId: order.order_id } })).tickets;
}

/** The whole list of a phone, and the place of a ticket in it. */
async function findPlace(
  server: TestServer,
  phone: { headers: Record<string, string> },
  ticket: { ticket_id: string },
) {
  const page = await pullDoor(server, demoEvent, phone.headers);
  const { place } = await server.house.ctx.db('tickets').where({ id: ticket.ticket_id }).first();
  return { page, place: place as string };
}

const hashOf = (salt: string, code: string) =>
  createHash('sha256').update(hashInput(salt, code)).digest().subarray(0, 12).toString('base64url');

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

function makeScan(seq: number, changes: Partial<ScanSent> = {}): ScanSent {
  const at = new Date(Date.now() + seq * 1000).toISOString();
  return {
    admission_id: `scan-${Math.random().toString(36).slice(2)}-${seq}-0123456789`,
    seq,
    event_id: demoEvent,
    place: null,
    revision: null,
    read: null,
    direction: 'in',
    gate: 'Varco A',
    verdict: 'admit',
    counts: true,
    override: null,
    scanned_at: at,
    corrected_at: at,
    offline: true,
    ...changes,
  };
}

testOnBoth(
  'a phone downloads every place, sold or not, and recognises a sold code by its hash alone',
  async (server) => {
    const [ticket] = await soldTickets(server);
    const admin = await makeAdmin(server);
    const phone = await makePairedPhone(server, admin);
    const page = await pullDoor(server, demoEvent, phone.headers);
    expect(page.places.length).toBeGreaterThan(450);
    const hash = hashOf(page.event.salt, ticket!.code);
    const place = page.places.find((candidate) => candidate.hashes.includes(hash))!;
    expect([
      place.hashes.indexOf(hash),
      place.hashes.length,
      place.issued,
      place.ticket?.state,
      place.seat,
    ]).toEqual([0, 3, 1, 'valid', ticket!.seat]);
    expect(
      page.places
        .filter((candidate) => candidate.ticket === null)
        .every((candidate) => candidate.hashes.length === 2),
    ).toBe(true);
    expect(JSON.stringify(page)).not.toContain(ticket!.code);
    expect(Object.keys(place.ticket!).toSorted()).toEqual([
      'gates',
      'initials',
      'name',
      'order_group',
      'order_number',
      'revision',
      'sealed_name',
      'state',
      'type_label',
    ]);
    expect(page.other_events.map((event) => event.title)).toEqual(['Concerto di Natale']);

    const nothing = await pullDoor(server, demoEvent, phone.headers, page.cursor);
    expect([nothing.from, nothing.places, nothing.admissions]).toEqual([page.cursor, [], []]);
    const more = await makeOrder(server, { nth: 1 });
    await payOrder(server, more.checkout_url);
    server.clock.advance(3_000);
    await callOk(server, getOrder, { params: { orderId: more.order_id } });
    const delta = await pullDoor(server, demoEvent, phone.headers, page.cursor);
    expect(delta.places.map((changed) => [changed.issued, changed.ticket?.state])).toEqual([
      [1, 'valid'],
      [1, 'valid'],
    ]);
    for (const since of [
      'x',
      'other.1',
      `${page.cursor}9`,
      '.',
      `${page.cursor.split('.')[0]}.-1`,
    ]) {
      const answer = await ask(
        server,
        'GET',
        `/api/scanner/events/${demoEvent}/changes?wire=3&since=${encodeURIComponent(since)}`,
        { headers: phone.headers },
      );
      expect([since, answer.status, answer.body]).toEqual([
        since,
        409,
        expect.objectContaining({ code: 'resync_required' }),
      ]);
    }
  },
);

testOnBoth(
  'scans are facts: a batch is stored item by item, a repeat changes nothing, nonsense hurts nobody',
  async (server) => {
    const [ticket] = await soldTickets(server);
    const admin = await makeAdmin(server);
    const phone = await makePairedPhone(server, admin);
    const { page, place } = await findPlace(server, phone, ticket!);
    const items = [
      makeScan(0, { place, revision: 1 }),
      { nonsense: true },
      makeScan(1, { place, revision: 1, verdict: 'already_in', counts: false }),
      makeScan(2, { verdict: 'invalid', counts: false, read: 'https://example.org' }),
      makeScan(3, { event_id: 'concerto-di-natale', verdict: 'invalid', counts: false }),
      null,
      7,
      'x',
      makeScan(4, { admission_id: 'short' }),
    ];
    const first = await callOk(server, sendAdmissions, { body: { items } }, phone.headers);
    expect(first.results.map((result) => result.result)).toEqual([
      'stored',
      'unreadable',
      'stored',
      'stored',
      'unreadable',
      'unreadable',
      'unreadable',
      'unreadable',
      'unreadable',
    ]);
    const again = await callOk(server, sendAdmissions, { body: { items } }, phone.headers);
    expect(again.results).toEqual(first.results);
    expect(await server.house.ctx.db('admissions').count({ n: '*' }).first()).toEqual({ n: 3 });
    const delta = await pullDoor(server, demoEvent, phone.headers, page.cursor);
    expect(
      delta.admissions.map((scan) => [scan.place, scan.direction, scan.by, scan.gate]),
    ).toEqual([[place, 'in', 'Varco A', 'Varco A']]);
    const recent = await callOk(server, listRecentAdmissions, { query: {} }, admin);
    expect(recent.items.map((scan) => scan.verdict).toSorted()).toEqual([
      'admit',
      'already_in',
      'invalid',
    ]);
    expect(recent.items.find((scan) => scan.verdict === 'admit')).toMatchObject({
      seat: ticket!.seat,
      scanned_at: (items[0] as ScanSent).scanned_at,
      offline: true,
      by: 'Varco A',
      conflict_with: null,
    });
    const tooMany = await ask(server, 'POST', sendAdmissions.path, {
      body: { items: Array(501).fill(items[0]) },
      headers: phone.headers,
    });
    expect(tooMany.status).toBe(400);
  },
);

testOnBoth(
  'two phones apart let in one ticket: the earlier is the admission, the later a conflict, whoever arrives first',
  async (server) => {
    const [ticket] = await soldTickets(server);
    const admin = await makeAdmin(server);
    const [a, b] = [
      await makePairedPhone(server, admin, 'Varco A'),
      await makePairedPhone(server, admin, 'Varco B'),
    ];
    const { page, place } = await findPlace(server, a, ticket!);
    const [early, late] = [
      makeScan(0, { place, revision: 1, corrected_at: minutesAgo(4) }),
      makeScan(0, { place, revision: 1, corrected_at: minutesAgo(2) }),
    ];
    const fromB = await callOk(server, sendAdmissions, { body: { items: [late] } }, b.headers);
    expect(fromB.results[0]).toMatchObject({ result: 'stored', verdict: 'admit' });
    const fromA = await callOk(server, sendAdmissions, { body: { items: [early] } }, a.headers);
    expect(fromA.results[0]).toMatchObject({ result: 'stored', verdict: 'admit' });
    const repeatB = await callOk(server, sendAdmissions, { body: { items: [late] } }, b.headers);
    expect(repeatB.results[0]).toMatchObject({
      result: 'conflict',
      verdict: 'already_in',
      conflict_with: early.admission_id,
    });
    const delta = await pullDoor(server, demoEvent, a.headers, page.cursor);
    expect(
      new Map(delta.admissions.map((scan) => [scan.admission_id, scan.conflict_with])),
    ).toEqual(
      new Map([
        [early.admission_id, null],
        [late.admission_id, early.admission_id],
      ]),
    );
  },
);

testOnBoth('the same scan from ten requests at once is one admission', async (server) => {
  const [ticket] = await soldTickets(server);
  const admin = await makeAdmin(server);
  const phone = await makePairedPhone(server, admin);
  const { place } = await findPlace(server, phone, ticket!);
  const items = [makeScan(0, { place, revision: 1 })];
  const answers = await Promise.all(
    Array.from({ length: 10 }, () =>
      callOk(server, sendAdmissions, { body: { items } }, phone.headers),
    ),
  );
  expect(answers.every((answer) => answer.results[0]!.result === 'stored')).toBe(true);
  expect(await server.house.ctx.db('admissions').count({ n: '*' }).first()).toEqual({ n: 1 });
  expect(server.logged).toEqual([]);
});

testOnBoth(
  'the desk admits by id or by code, once, even from two desks at once',
  async (server) => {
    const [ticket, other] = await soldTickets(server);
    const admin = await makeAdmin(server);
    const admit = (text: string, body = {}) =>
      callOk(server, admitTicket, { params: { ticketId: text }, body }, admin);
    const both = await Promise.all([admit(ticket!.ticket_id), admit(ticket!.code)]);
    expect(both.map((answer) => answer.verdict).toSorted()).toEqual(['admit', 'already_in']);
    expect(
      await callOk(server, readAdmission, { params: { ticketId: ticket!.code_for_people } }, admin),
    ).toMatchObject({ ticket_id: ticket!.ticket_id, verdict: 'already_in', seat: ticket!.seat });
    expect((await admit(ticket!.code, { direction: 'out' })).verdict).toBe('out');
    expect((await admit(ticket!.code)).verdict).toBe('admit');
    expect(await admit(ticket!.code, { override: 'bambino rientrato' })).toMatchObject({
      verdict: 'admit',
      counts: true,
    });
    expect(
      (await callOk(server, readAdmission, { params: { ticketId: other!.ticket_id } }, admin))
        .history,
    ).toEqual([]);
    for (const text of ['nessuno', '0'.repeat(31), 'AAAA'])
      expect(
        (await ask(server, 'GET', `/api/admin/admissions/${text}`, { headers: admin })).status,
      ).toBe(404);
  },
);

testOnBoth('a pairing link works once and for ten minutes', async (server) => {
  const admin = await makeAdmin(server);
  const made = await callOk(
    server,
    makePhone,
    { body: { name: 'Varco A', event_ids: [demoEvent] } },
    admin,
  );
  const token = new URL(made.pairing_url).hash.replace('#pair=', '');
  const answers = await Promise.all(
    [1, 2, 3].map(() => ask(server, 'POST', pairPhone.path, { body: { token } })),
  );
  expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 410, 410]);
  const late = await callOk(
    server,
    makePhone,
    { body: { name: 'Varco B', event_ids: [demoEvent] } },
    admin,
  );
  server.clock.advance(10 * 60_000 + 1);
  expect(
    (
      await ask(server, 'POST', pairPhone.path, {
        body: { token: new URL(late.pairing_url).hash.replace('#pair=', '') },
      })
    ).status,
  ).toBe(410);
  const stored = JSON.stringify(await server.house.ctx.db('phones'));
  expect(stored).not.toContain(token);
});

testOnBoth(
  'a revoked phone gets nothing more, but may hand in its queue for a while',
  async (server) => {
    const [ticket] = await soldTickets(server);
    const admin = await makeAdmin(server);
    const phone = await makePairedPhone(server, admin);
    const { place } = await findPlace(server, phone, ticket!);
    await callOk(
      server,
      heartbeat,
      { body: { queue_length: 2, clock_offset_ms: -1500, battery: 0.5, app_version: 'x' } },
      phone.headers,
    );
    expect((await callOk(server, listPhones, {}, admin)).items[0]).toMatchObject({
      state: 'paired',
      queue_length: 2,
      clock_offset_ms: -1500,
      battery: 0.5,
      missing_scans: 0,
    });
    await callOk(server, revokePhone, { params: { phoneId: phone.phone_id } }, admin);
    const changes = await ask(server, 'GET', `/api/scanner/events/${demoEvent}/list?wire=3`, {
      headers: phone.headers,
    });
    expect([changes.status, changes.body]).toEqual([
      401,
      expect.objectContaining({ code: 'phone_revoked' }),
    ]);
    const handed = await callOk(
      server,
      sendAdmissions,
      {
        body: {
          items: [
            makeScan(0, { place, revision: 1 }),
            makeScan(5, { place, revision: 1, direction: 'out', verdict: 'out' }),
          ],
        },
      },
      phone.headers,
    );
    expect(handed.results.map((result) => result.result)).toEqual(['stored', 'stored']);
    expect((await callOk(server, listPhones, {}, admin)).items[0]).toMatchObject({
      state: 'revoked',
      missing_scans: 4,
    });
    server.clock.advance(11 * 60_000);
    expect(
      (
        await ask(server, 'POST', sendAdmissions.path, {
          body: { items: [] },
          headers: phone.headers,
        })
      ).status,
    ).toBe(401);
  },
);

test('a phone sees only its own events', async () => {
  await using server = await startServer();
  const phone = await makePairedPhone(server, await makeAdmin(server));
  expect(
    (
      await ask(server, 'GET', '/api/scanner/events/concerto-di-natale/list?wire=3', {
        headers: phone.headers,
      })
    ).status,
  ).toBe(404);
});

testOnBoth(
  'scans that are almost right are told apart one by one, and nobody’s download suffers',
  async (server) => {
    const [ticket] = await soldTickets(server);
    const admin = await makeAdmin(server);
    const phone = await makePairedPhone(server, admin);
    const { place } = await findPlace(server, phone, ticket!);
    const odd: Partial<ScanSent>[] = [
      { place },
      { revision: 1 },
      { place, revision: 3_000_000_000 },
      { place, revision: 1.5 },
      { seq: 1e300 },
      { seq: -1 },
      { scanned_at: '9999-12-31T23:59:59-12:00' },
      { corrected_at: '0000-01-01T00:00:00+12:00' },
      { corrected_at: 'ieri' },
      { gate: 'x'.repeat(101) },
      { read: 'a\u0000b' },
      { place, revision: 4 },
      { place, revision: 1, verdict: 'invalid' },
      { place, revision: 1, counts: false },
      { counts: true },
      { place: 'Platea-Z-99', revision: 1 },
    ];
    const items = odd.map((changes, index) => makeScan(index, changes));
    const { results } = await callOk(server, sendAdmissions, { body: { items } }, phone.headers);
    expect(results.map((result) => result.result)).toEqual([
      ...Array(odd.length - 1).fill('unreadable'),
      'stored',
    ]);
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record(
            Object.fromEntries(
              Object.entries(makeScan(0, { place, revision: 1 })).map(([key, value]) => [
                key,
                fc.oneof(
                  { weight: 5, arbitrary: fc.constant(value) },
                  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 1 }) },
                  { weight: 1, arbitrary: fc.double() },
                  {
                    weight: 1,
                    arbitrary: fc
                      .date()
                      .map((date) => (Number.isNaN(date.getTime()) ? 'never' : date.toISOString())),
                  },
                ),
              ]),
            ),
          ),
          { maxLength: 5 },
        ),
        async (scans) => {
          const answer = await callOk(
            server,
            sendAdmissions,
            { body: { items: scans } },
            phone.headers,
          );
          expect(answer.results).toHaveLength(scans.length);
        },
      ),
      { numRuns: 40 },
    );
    expect(
      (
        await ask(server, 'GET', `/api/scanner/events/${demoEvent}/list?wire=3`, {
          headers: phone.headers,
        })
      ).status,
    ).toBe(200);
    expect((await ask(server, 'GET', listRecentAdmissions.path, { headers: admin })).status).toBe(
      200,
    );
    expect(server.logged).toEqual([]);
  },
);

testOnBoth('an id that names another scan does not swallow this one', async (server) => {
  const [ticket] = await soldTickets(server);
  const admin = await makeAdmin(server);
  const [a, b] = [
    await makePairedPhone(server, admin, 'Varco A'),
    await makePairedPhone(server, admin, 'Varco B'),
  ];
  const { place } = await findPlace(server, a, ticket!);
  const scan = makeScan(0, { place, revision: 1 });
  const send = async (phone: { headers: Record<string, string> }, items: ScanSent[]) =>
    (await callOk(server, sendAdmissions, { body: { items } }, phone.headers)).results.map(
      (result) => result.result,
    );
  expect(await send(a, [scan])).toEqual(['stored']);
  // The same one, by a phone that was paired as another meanwhile, is there already; it stays the first one's.
  expect(await send(b, [scan])).toEqual(['stored']);
  expect(
    await server.house.ctx.db('admissions').where({ id: scan.admission_id }).pluck('gate'),
  ).toEqual(['Varco A']);
  expect(await send(b, [{ ...scan, scanned_at: new Date(0).toISOString() }])).toEqual([
    'unreadable',
  ]);
  expect(await send(a, [{ ...scan, direction: 'out', verdict: 'out' }])).toEqual(['unreadable']);
  expect(await send(a, [scan])).toEqual(['stored']);
});

test('door staff see the scans, but not the order that would show all its codes', async () => {
  await using server = await startServer();
  const [ticket] = await soldTickets(server);
  const admin = await makeAdmin(server);
  await callOk(server, admitTicket, { params: { ticketId: ticket!.ticket_id }, body: {} }, admin);
  const [row] = (await callOk(server, listRecentAdmissions, { query: {} }, admin)).items;
  expect(row!.order_id).toMatch(/^[\w-]{30}$/);
  await server.house.ctx.db('users').update({ role: 'door' });
  const [seen] = (await callOk(server, listRecentAdmissions, { query: {} }, admin)).items;
  expect(seen).toEqual({ ...row, order_id: null });
  expect(
    (await callOk(server, readAdmission, { params: { ticketId: ticket!.ticket_id } }, admin))
      .history[0]!.order_id,
  ).toBeNull();
});

test('a phone may tell its battery as finely as it likes', async () => {
  await using server = await startServer({
    database: 'postgres',
    postgresUrl: inject('postgresUrl'),
  });
  const phone = await makePairedPhone(server, await makeAdmin(server));
  for (const battery of [5e-324, 1e-50, 0.999999, 1, null])
    await callOk(server, heartbeat, { body: { queue_length: 0, battery } }, phone.headers);
  expect(server.logged).toEqual([]);
});
