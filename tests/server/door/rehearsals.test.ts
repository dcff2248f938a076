/** The rehearsal: every word of the door is on its sheet, phones take it like an evening, and nobody else ever sees it. */
import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import {
  listRecentAdmissions,
  readAdmission,
  sendAdmissions,
  type ScanSent,
} from '#server/contract/door/admissions.ts';
import { listEvents, listPublished } from '#server/contract/events.ts';
import { listOrders } from '#server/contract/order/orders.ts';
import { listConflicts } from '#server/contract/door/conflicts.ts';
import { changePhone, heartbeat } from '#server/contract/door/phones.ts';
import {
  closeRehearsal,
  listRehearsals,
  makeRehearsal,
  readRehearsal,
  turnRehearsal,
} from '#server/contract/door/rehearsals.ts';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import {
  decideAdmission,
  standingOf,
  verdicts,
  type Verdict,
} from '#server/domain/door/admission.ts';
import { verdictNames } from '#server/domain/door/verdict-names.ts';
import { hashInput, readTicketCode } from '#server/domain/door/ticket-code.ts';
import { checkInvariants } from '#server/services/reconcile/invariants.ts';
import { pullDoor, resultsOf, statusOf } from '#tests/support/door/door-phone.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { proved } from '#tests/support/door/proof.ts';
import { ask, callOk, demoEvent, makePairedPhone } from '#tests/support/make.ts';
import { readPdf } from '#tests/support/pdf.ts';
import type { TestServer } from '#tests/support/server.ts';

type Rehearsal = ReplyOf<typeof makeRehearsal>;
type Changes = Awaited<ReturnType<typeof pullDoor>>;

/** What a phone with this list says, by the rule that runs on it. */
function wordOf(
  list: Changes,
  code: string,
  {
    gate = null,
    direction = 'in',
    now = Date.now(),
  }: { gate?: string | null; direction?: 'in' | 'out'; now?: number } = {},
): Verdict {
  const read = readTicketCode(code)!;
  const event = { ...list.event, admits_from: timeOf(list.event.admits_from), admits_until: null };
  if (read.tag !== list.event.tag)
    return list.other_events.some(({ tag }) => tag === read.tag) ? 'wrong_event' : 'invalid';
  const hash = createHash('sha256')
    .update(hashInput(list.event.salt, read.code))
    .digest()
    .subarray(0, 12)
    .toString('base64url');
  const place = list.places.find(({ hashes }) => hashes.includes(hash));
  if (!place) return 'invalid';
  const revision = place.hashes.indexOf(hash) + 1;
  const scans = list.admissions
    .filter((scan) => scan.place === place.place && scan.revision === revision)
    .map((scan) => ({ ...scan, corrected_at: Date.parse(scan.at) }));
  const { last } = standingOf(scans);
  return decideAdmission(
    {
      reading: { kind: 'place', place: place.place, revision },
      event: { ...event, starts_at: 0, moved_policy: 'ask' },
      ticket: place.ticket,
      moved: false,
      newest: place.issued,
      lost: false,
      last: last && { direction: last.direction, at: last.corrected_at, phone_id: last.phone_id },
    },
    { now, direction, phone_id: 'this', gate, override: null },
  ).verdict;
}

function timeOf(iso: string | null): number | null {
  return iso === null ? null : Date.parse(iso);
}

function cardOf(rehearsal: Rehearsal, key: string): Rehearsal['cards'][number] {
  return rehearsal.cards.find((card) => card.key === key)!;
}

async function pull(
  server: TestServer,
  phone: { headers: Record<string, string> },
  eventId: string,
): Promise<Changes> {
  return pullDoor(server, eventId, phone.headers);
}

async function assign(
  server: TestServer,
  admin: { cookie: string },
  phone_id: string,
  event_ids: string[],
): Promise<void> {
  await callOk(server, changePhone, { params: { phoneId: phone_id }, body: { event_ids } }, admin);
}

test('a rehearsal has a code for every word of the door, and a phone with its list says just that word', async (server, admin) => {
  const phone = await makePairedPhone(server, admin);
  const made = await callOk(server, makeRehearsal, { body: { event_id: demoEvent } }, admin);
  await assign(server, admin, phone.phone_id, [demoEvent, made.event_id]);
  const list = await pull(server, phone, made.event_id);

  // `undone` is said of no reading, and no ticket of a rehearsal moves.
  expect(new Set(made.cards.map(({ verdict }) => verdict))).toEqual(
    new Set(verdicts.filter((verdict) => verdict !== 'undone' && verdict !== 'moved')),
  );
  expect(
    made.cards.filter(({ verdict, key }) => verdict === 'admit' && key.startsWith('group')),
  ).toHaveLength(3);
  expect(
    new Set(
      list.places
        .filter(({ place }) => place.startsWith('group'))
        .map(({ ticket }) => ticket!.order_group),
    ).size,
  ).toBe(1);
  const plain = made.cards.filter(
    ({ key }) => !['again-1', 'before-1', 'after-1', 'nobody-1', 'out-1'].includes(key),
  );
  expect(plain.map(({ key, code }) => [key, wordOf(list, code)])).toEqual(
    plain.map(({ key, verdict }) => [key, verdict]),
  );
  expect([
    wordOf(list, cardOf(made, 'nobody-1').code, { gate: 'Varco A' }),
    wordOf(list, cardOf(made, 'nobody-1').code),
  ]).toEqual(['wrong_gate', 'admit']);
  expect(wordOf(list, cardOf(made, 'out-1').code, { direction: 'out' })).toBe('out');

  const turn = (phase: 'before' | 'open' | 'after') =>
    callOk(server, turnRehearsal, { params: { eventId: made.event_id }, body: { phase } }, admin);
  const wordNow = async () =>
    wordOf(await pull(server, phone, made.event_id), cardOf(made, 'before-1').code, {
      now: server.clock.now(),
    });
  await turn('before');
  expect(await wordNow()).toBe('not_yet');
  expect((await turn('open')).phase).toBe('open');
  expect(await wordNow()).toBe('admit');
  await turn('after');
  const { admits_until } = (await pullDoor(server, made.event_id, phone.headers)).event;
  expect(Date.parse(admits_until!)).toBeLessThanOrEqual(server.clock.now());
  const params = { ticketId: cardOf(made, 'after-1').code };
  expect(await callOk(server, readAdmission, { params }, admin)).toMatchObject({
    verdict: 'too_late',
  });
});

test('nobody outside the door sees a rehearsal: not the site, not the lists, not the figures, and every rule of the books holds', async (server, admin) => {
  const seen = async () => [
    await callOk(server, listEvents, {}, admin),
    await callOk(server, listOrders, {}, admin),
    (await callOk(server, listPublished, {})).items.length,
  ];
  const before = await seen();
  const made = await callOk(server, makeRehearsal, { body: {} }, admin);
  expect(await seen()).toEqual(before);
  const { db } = server.house.ctx;
  const { id: order_id, number } = await db('orders').where({ event_id: made.event_id }).first();
  const publicly = [
    `/event/${made.event_id}`,
    `/api/event/${made.event_id}/`,
    `/api/orders/${order_id}`,
    `/api/orders/${order_id}/status`,
  ];
  const office = [
    `/api/admin/events/${made.event_id}`,
    `/api/admin/orders/${order_id}`,
    `/api/admin/orders/${order_id}/tickets`,
  ];
  for (const path of [...publicly, ...office]) {
    const headers = office.includes(path) ? admin : {};
    expect([path, await statusOf(server, ['GET', path], headers)]).toEqual([path, 404]);
  }
  expect((await callOk(server, listOrders, { query: { q: number } }, admin)).items).toEqual([]);
  expect((await ask(server, 'GET', '/sitemap.xml')).body).not.toContain(made.event_id);
  server.clock.advance(20 * 60_000);
  await server.runDue();
  await checkInvariants(server.house.ctx);
  const rules = await db('invariants');
  expect([rules.length > 20, rules.filter(({ violations }) => Number(violations) > 0)]).toEqual([
    true,
    [],
  ]);
  expect(await db('mails')).toEqual([]);
});

test('what phones say at a rehearsal is ticked off, and its double entries are in no count of the real ones', async (server, admin) => {
  const [one, two] = [
    await makePairedPhone(server, admin, 'Varco A'),
    await makePairedPhone(server, admin, 'Varco B'),
  ];
  const made = await callOk(server, makeRehearsal, { body: { event_id: demoEvent } }, admin);
  for (const phone of [one, two])
    await assign(server, admin, phone.phone_id, [demoEvent, made.event_id]);
  const at = new Date(server.clock.now()).toISOString();
  const codes = await server.house.ctx.db('events').where({ id: made.event_id }).first();
  const scan = (seq: number, changes: Partial<ScanSent>): ScanSent =>
    proved(codes, {
      admission_id: `practice-0123456789-${seq}-${changes.gate}`,
      seq,
      event_id: made.event_id,
      place: null,
      revision: null,
      read: null,
      direction: 'in',
      gate: null,
      verdict: 'invalid',
      counts: false,
      override: null,
      scanned_at: at,
      corrected_at: at,
      offline: true,
      ...changes,
    });
  const twice = { place: 'twice-1', revision: 1, verdict: 'admit', counts: true } as const;
  const send = async ({ headers }: typeof one, ...items: ScanSent[]) =>
    resultsOf((await callOk(server, sendAdmissions, { body: { items } }, headers)).results);
  await send(one, scan(0, { ...twice, gate: 'Varco A' }), scan(1, { gate: 'Varco A', read: 'x' }));
  await send(two, scan(0, { ...twice, gate: 'Varco B' }));
  const read = await callOk(server, readRehearsal, { params: { eventId: made.event_id } }, admin);
  expect([
    cardOf(read, 'twice-1').seen_by,
    cardOf(read, 'stranger').seen_by,
    cardOf(read, 'single-1').seen_by,
  ]).toEqual([['Varco A', 'Varco B'], ['Varco A'], []]);
  expect((await callOk(server, listConflicts, { query: {} }, admin)).open).toBe(0);
  expect(
    (await callOk(server, listConflicts, { query: { event_id: made.event_id } }, admin)).items.map(
      ({ first, second }) => [first.by, second.by],
    ),
  ).toEqual([['Varco A', 'Varco B']]);
  const { items } = await callOk(
    server,
    listRecentAdmissions,
    { query: { event_id: made.event_id } },
    admin,
  );
  expect(items.map(({ order_id }) => order_id)).toEqual(items.map(() => null));
  // Apart from the real ones: without an event they are told only where they are asked for.
  const recent = async (query: { rehearsal?: '1' }) =>
    (await callOk(server, listRecentAdmissions, { query }, admin)).items.length;
  expect([await recent({}), await recent({ rehearsal: '1' })]).toEqual([0, items.length]);

  // Closed: the phones are told of it no more, and what they had read still comes in.
  const closed = await callOk(
    server,
    closeRehearsal,
    { params: { eventId: made.event_id } },
    admin,
  );
  expect(closed.closed_at).not.toBeNull();
  const beat = await callOk(server, heartbeat, { body: { queue_length: 1 } }, one.headers);
  expect(beat.events.map(({ id }) => id)).toEqual([demoEvent]);
  const list = ['GET', `/api/scanner/events/${made.event_id}/list?wire=4`] as const;
  expect(await statusOf(server, list, one.headers)).toBe(404);
  const late = { place: 'single-1', revision: 1, verdict: 'admit', counts: true } as const;
  expect(await send(one, scan(2, { ...late, gate: 'Varco A' }))).toEqual(['stored']);
  const body = { phase: 'before' };
  const address = `/api/admin/rehearsals/${made.event_id}`;
  const turned = await ask(server, 'PUT', address, { headers: admin, body });
  expect(turned.body).toMatchObject({ status: 409, code: 'rehearsal_closed' });
});

test('made again, a rehearsal has the same phones and other codes, and the one before is closed', async (server, admin) => {
  const phone = await makePairedPhone(server, admin);
  const first = await callOk(server, makeRehearsal, { body: { event_id: demoEvent } }, admin);
  await assign(server, admin, phone.phone_id, [first.event_id]);
  const second = await callOk(server, makeRehearsal, { body: { replaces: first.event_id } }, admin);
  expect([
    second.title,
    second.phones.map(({ id }) => id),
    second.cards.map(({ key }) => key),
  ]).toEqual([first.title, [phone.phone_id], first.cards.map(({ key }) => key)]);
  const old = new Set(first.cards.map(({ code }) => code));
  expect(second.cards.filter(({ code }) => old.has(code))).toEqual([]);
  const { items } = await callOk(server, listRehearsals, {}, admin);
  expect(items.map(({ event_id, closed_at }) => [event_id, closed_at === null])).toEqual([
    [second.event_id, true],
    [first.event_id, false],
  ]);
  const list = await pull(server, phone, second.event_id);
  expect(wordOf(list, cardOf(second, 'single-1').code)).toBe('admit');
  expect(wordOf(list, cardOf(first, 'single-1').code)).not.toBe('admit');
  for (const body of [
    { event_id: 'nessuno' },
    { replaces: demoEvent },
    { event_id: first.event_id },
  ])
    expect(
      (await ask(server, 'POST', '/api/admin/rehearsals', { headers: admin, body })).body,
    ).toMatchObject({ status: 404, code: 'event_not_found' });
});

it('the sheet can be printed: every code of the screen is on paper with its word, each in a picture that a scanner reads', async (server, admin) => {
  const made = await callOk(server, makeRehearsal, { body: { event_id: demoEvent } }, admin);
  const response = await fetch(`${server.url}/api/admin/rehearsals/${made.event_id}/sheet.pdf`, {
    headers: { ...admin, connection: 'close' },
  });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  const { pages, tags } = readPdf(Buffer.from(await response.arrayBuffer()));
  const words = pages
    .flatMap(({ lines }) => lines)
    .join(' ')
    .replace(/\s+/g, ' ');
  for (const card of made.cards)
    expect([
      card.key,
      words.includes(card.code_for_people),
      words.includes(verdictNames[card.verdict]),
    ]).toEqual([card.key, true, true]);
  expect(tags.filter((tag) => tag === 'Figure')).toHaveLength(made.cards.length);
  for (const { code } of pages) expect(made.cards.map((card) => card.code)).toContain(code);
  for (const { lowest, rightmost } of pages)
    expect([lowest >= 15, rightmost <= 560]).toEqual([true, true]);
});
