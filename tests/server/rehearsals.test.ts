/** The rehearsal: every word of the door is on its sheet, phones take it like an evening, and nobody else ever sees it. */
import { expect } from 'vitest';
import { pullChanges, readAdmission } from '#server/contract/admissions.ts';
import { listEvents, listPublished } from '#server/contract/events.ts';
import { listOrders } from '#server/contract/orders.ts';
import { changePhone } from '#server/contract/phones.ts';
import { closeRehearsal, listRehearsals, makeRehearsal, readRehearsal, turnRehearsal } from '#server/contract/rehearsals.ts';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { decideAdmission, standingOf, verdicts, type Verdict } from '#server/domain/admission.ts';
import { verdictNames } from '#server/domain/verdict-names.ts';
import { hashInput, readTicketCode } from '#server/domain/ticket-code.ts';
import { checkInvariants } from '#server/services/invariants.ts';
import { createHash } from 'node:crypto';
import { testOnBoth } from '#tests/support/both.ts';
import { ask, callOk, demoEvent, makeAdmin, makePairedPhone } from '#tests/support/make.ts';
import { readPdf } from '#tests/support/pdf.ts';
import { asRole } from '#tests/support/roles.ts';
import type { TestServer } from '#tests/support/server.ts';

type Rehearsal = ReplyOf<typeof makeRehearsal>;
type Changes = ReplyOf<typeof pullChanges>;

/** What a phone with this list says, by the rule that runs on it. */
function wordOf(list: Changes, code: string, { gate = null, direction = 'in', now = Date.now(), phone_id = 'this' }: { gate?: string | null; direction?: 'in' | 'out'; now?: number; phone_id?: string } = {}): Verdict {
  const read = readTicketCode(code)!;
  const event = { ...list.event, admits_from: timeOf(list.event.admits_from), admits_until: timeOf((list.event as { admits_until?: string | null }).admits_until ?? null) };
  if (read.tag !== list.event.tag) return list.other_events.some(({ tag }) => tag === read.tag) ? 'wrong_event' : 'invalid';
  const hash = createHash('sha256').update(hashInput(list.event.salt, read.code)).digest().subarray(0, 12).toString('base64url');
  const place = list.places.find(({ hashes }) => hashes.includes(hash));
  if (!place) return 'invalid';
  const revision = place.hashes.indexOf(hash) + 1;
  const scans = list.admissions.filter((scan) => scan.place === place.place && scan.revision === revision)
    .map((scan) => ({ ...scan, corrected_at: Date.parse(scan.at) }));
  const { last } = standingOf(scans);
  return decideAdmission({
    reading: { kind: 'place', place: place.place, revision }, event, ticket: place.ticket, newest: place.issued,
    last: last && { direction: last.direction, at: last.corrected_at, phone_id: last.phone_id },
  }, { now, direction, phone_id, gate, override: null }).verdict;
}

function timeOf(iso: string | null): number | null {
  return iso === null ? null : Date.parse(iso);
}

function cardOf(rehearsal: Rehearsal, key: string): Rehearsal['cards'][number] {
  return rehearsal.cards.find((card) => card.key === key)!;
}

async function pull(server: TestServer, phone: { headers: Record<string, string> }, eventId: string): Promise<Changes> {
  return callOk(server, pullChanges, { params: { eventId }, query: {} }, phone.headers);
}

async function assign(server: TestServer, admin: { cookie: string }, phone_id: string, event_ids: string[]): Promise<void> {
  await callOk(server, changePhone, { params: { phoneId: phone_id }, body: { event_ids } }, admin);
}

testOnBoth('a rehearsal has a code for every word of the door, and a phone with its list says just that word', async (server) => {
  const admin = await makeAdmin(server);
  const phone = await makePairedPhone(server, admin);
  const made = await callOk(server, makeRehearsal, { body: { event_id: demoEvent } }, admin);
  await assign(server, admin, phone.phone_id, [demoEvent, made.event_id]);
  const list = await pull(server, phone, made.event_id);

  // `undone` is said of no reading.
  expect(new Set(made.cards.map(({ verdict }) => verdict))).toEqual(new Set(verdicts.filter((verdict) => verdict !== 'undone')));
  expect(made.cards.filter(({ verdict, key }) => verdict === 'admit' && key.startsWith('group'))).toHaveLength(3);
  expect(new Set(list.places.filter(({ place }) => place.startsWith('group')).map(({ ticket }) => ticket!.order_group)).size).toBe(1);
  const plain = made.cards.filter(({ key }) => !['again-1', 'before-1', 'after-1', 'nobody-1', 'out-1'].includes(key));
  expect(plain.map(({ key, code }) => [key, wordOf(list, code)])).toEqual(plain.map(({ key, verdict }) => [key, verdict]));
  expect([wordOf(list, cardOf(made, 'nobody-1').code, { gate: 'Varco A' }), wordOf(list, cardOf(made, 'nobody-1').code)]).toEqual(['wrong_gate', 'admit']);
  expect(wordOf(list, cardOf(made, 'out-1').code, { direction: 'out' })).toBe('out');

  await callOk(server, turnRehearsal, { params: { eventId: made.event_id }, body: { phase: 'before' } }, admin);
  expect(wordOf(await pull(server, phone, made.event_id), cardOf(made, 'before-1').code, { now: server.clock.now() })).toBe('not_yet');
  const open = await callOk(server, turnRehearsal, { params: { eventId: made.event_id }, body: { phase: 'open' } }, admin);
  expect([open.phase, wordOf(await pull(server, phone, made.event_id), cardOf(made, 'before-1').code)]).toEqual(['open', 'admit']);
  await callOk(server, turnRehearsal, { params: { eventId: made.event_id }, body: { phase: 'after' } }, admin);
  expect((await callOk(server, readAdmission, { params: { ticketId: cardOf(made, 'after-1').code } }, admin)).verdict).toBe('too_late');
});
