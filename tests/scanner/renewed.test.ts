/** Tickets whose code was replaced (reissued, renamed, resold, moved and then reissued) at the door: one guest, whatever paper was read where, and each dead code says what ended it. */
import { expect, onTestFinished } from 'vitest';
import type { Core } from '#apps/scanner/scan/core.ts';
import { reasonOf } from '#apps/scanner/screens/scan/verdict/reason.ts';
import { findEvent } from '#db/event/events.ts';
import { readAdmission } from '#server/contract/door/admissions.ts';
import { listConflicts } from '#server/contract/door/conflicts.ts';
import { reissueTickets } from '#server/contract/counter.ts';
import { nameHolders } from '#server/contract/order/order-desk.ts';
import { readPresence } from '#server/contract/door/presence.ts';
import type { PhoneRole } from '#server/domain/door/phone.ts';
import { codeOf } from '#server/services/order/tickets.ts';
import {
  addHall,
  changeTicket,
  moveTicket,
  pairingToken,
  renameTicket,
  sellPlaces,
} from '#tests/shared/door-hall.ts';
import { openNodePhone } from '#tests/shared/node-phone.ts';
import { testOnBoth as it } from '#tests/support/both.ts';
import { ask, callOk, demoEvent, findSeats } from '#tests/support/make.ts';
import { makeSold, soldOf, tryMove, type Office, type Sold } from '#tests/support/move.ts';
import { scanText, verdictOf } from '#tests/support/scripted-line.ts';
import type { TestServer } from '#tests/support/server.ts';

/** A phone of the evening; it ends with the test. */
async function openPhone(
  server: TestServer,
  name: string,
  { event_id = demoEvent, role = 'steward' as PhoneRole } = {},
): Promise<Core> {
  const { ctx } = server.house;
  const token = await pairingToken(ctx, { name, gate: null, event_ids: [event_id], role });
  const phone = await openNodePhone(server, { now: server.clock.now }, token);
  onTestFinished(() => phone[Symbol.dispose]());
  return phone.core;
}

const read = (core: Core, code: string, direction: 'in' | 'out' = 'in') =>
  verdictOf(core, code, { event_id: demoEvent, direction });

async function reissue(server: TestServer, office: Office, sold: Sold, ticket_ids: string[]) {
  const asked = { params: { orderId: sold.order_id }, body: { reason: 'persi', ticket_ids } };
  expect(await callOk(server, reissueTickets, asked, office)).toEqual({
    tickets: ticket_ids.length,
  });
}

type Change = (server: TestServer, office: Office, sold: Sold) => Promise<unknown>;

/** What gives a ticket another code, and what its old paper says at a phone that has heard of it. */
const changes: Record<string, { make: Change; old: 'replaced' | 'moved' }> = {
  reissued: { make: (...about) => reissue(...about, about[2].tickets), old: 'replaced' },
  renamed: {
    async make(server, office, { order_id, tickets }) {
      for (const name of ['Ada Neri', 'Bea Neri']) {
        const holders = tickets.map((ticket_id) => ({ ticket_id, name }));
        const asked = { params: { orderId: order_id }, body: { holders } };
        await callOk(server, nameHolders, asked, office);
      }
    },
    old: 'replaced',
  },
  moved: {
    async make(server, office, sold) {
      const to = await findSeats(server, { count: sold.seats.length, nth: 6 });
      expect((await tryMove(server, office, sold, to)).status).toBe(200);
    },
    old: 'moved',
  },
};

/** Which paper is read first and which second: the old one by the phone that has not heard. */
const orders = [
  ['deaf old', 'heard new'],
  ['heard new', 'deaf old'],
  ['deaf old', 'heard old'],
  ['heard old', 'deaf old'],
] as const;

it('two phones apart, old paper and new code in every order: one guest is inside, a second way in is a card, and an exit ends it', async (server, office) => {
  let cards = 0;
  for (const [change, { make, old }] of Object.entries(changes)) {
    const before = await makeSold(server, { count: orders.length, nth: 2 });
    const [deaf, heard] = [await openPhone(server, 'Luca'), await openPhone(server, 'Mara')];
    deaf.setNoNetwork(true);
    await make(server, office, before);
    await heard.syncOnce();
    heard.setNoNetwork(true);
    const after = await soldOf(server, before.order_id);
    for (const [nth, steps] of orders.entries()) {
      let entries = 0;
      for (const step of steps) {
        server.clock.advance(10_000);
        const isOld = step.endsWith('old');
        const core = step.startsWith('deaf') ? deaf : heard;
        const verdict = await read(core, (isOld ? before : after).codes[nth]!);
        const expected = isOld && core === heard ? old : 'admit';
        expect([change, steps, step, verdict]).toEqual([change, steps, step, expected]);
        if (verdict !== 'replaced') entries += 1;
      }
      cards += entries - 1;
    }
    for (const core of [heard, deaf, heard]) {
      core.setNoNetwork(false);
      await core.syncOnce();
    }
    const inside = async () => [
      (await callOk(server, readPresence, { params: { eventId: demoEvent } }, office)).inside,
      ...[heard, deaf].map((core) => core.presence(demoEvent).inside),
    ];
    expect([change, await inside()]).toEqual([change, [4, 4, 4]]);
    const { open } = await callOk(server, listConflicts, { query: {} }, office);
    expect([change, open]).toEqual([change, cards]);
    server.clock.advance(60_000);
    const fresh = await openPhone(server, 'Nina');
    for (const [nth, code] of after.codes.entries()) {
      for (const core of [heard, deaf, fresh])
        expect([change, nth, await read(core, code)]).toEqual([change, nth, 'already_in']);
      expect([change, nth, await read(fresh, code, 'out')]).toEqual([change, nth, 'out']);
    }
    for (const core of [fresh, heard, deaf]) await core.syncOnce();
    expect([change, await inside()]).toEqual([change, [0, 0, 0]]);
    expect([change, fresh.presence(demoEvent).inside]).toEqual([change, 0]);
  }
  expect(server.logged).toEqual([]);
});

it('a reissue after the entry changes only the tickets named, and the new code of the guest inside is already in', async (server, office) => {
  const { ctx } = server.house;
  const before = await makeSold(server, { count: 3 });
  const core = await openPhone(server, 'Luca');
  for (const at of [0, 1]) expect(await read(core, before.codes[at]!)).toBe('admit');
  await core.syncOnce();
  server.clock.advance(60_000);
  await reissue(server, office, before, [before.tickets[1]!]);
  const after = await soldOf(server, before.order_id);
  const isSame = after.codes.map((code, at) => code === before.codes[at]);
  expect(isSame).toEqual([true, false, true]);
  await core.syncOnce();
  for (const phone of [core, await openPhone(server, 'Mara')]) {
    phone.setNoNetwork(true);
    expect(await read(phone, after.codes[1]!)).toBe('already_in');
    expect(await read(phone, before.codes[1]!)).toBe('replaced');
    expect(phone.presence(demoEvent).inside).toBe(2);
  }
  // A phone of before 1.3.0 knows the scans of each code alone.
  const [ticket] = await ctx.db('tickets').where({ id: before.tickets[1] });
  const rows = ctx.db('admissions').where({ ticket_id: ticket.id, counts: 1 });
  expect(
    await rows.orderBy('corrected_at').select('revision', 'direction', 'conflict_with'),
  ).toEqual([
    { revision: ticket.revision - 1, direction: 'in', conflict_with: null },
    { revision: ticket.revision - 1, direction: 'out', conflict_with: null },
    { revision: ticket.revision, direction: 'in', conflict_with: null },
  ]);
  const desk = { params: { ticketId: after.codes[1]! } };
  const { verdict, history } = await callOk(server, readAdmission, desk, office);
  expect([verdict, history.length]).toEqual(['already_in', 3]);
  const stranger = { reason: 'persi', ticket_ids: ['nobody'] };
  const asked = { params: { orderId: before.order_id }, body: stranger };
  const path = `/api/admin/counter/orders/${before.order_id}/reissue`;
  expect(await ask(server, 'POST', path, { body: asked.body, headers: office })).toMatchObject({
    status: 404,
  });
});

const sera = 'sera';

it('a guest who came in by the old code and went out by the new one is gone, also once the ticket has ended and the seat has another guest', async (server) => {
  const { ctx } = server.house;
  await addHall(ctx, { id: sera, places: [{ label: 'A1', gate: null }] });
  await sellPlaces(ctx, sera, { places: ['A1'] });
  const about = { event_id: sera } as const;
  const [deaf, heard] = [
    await openPhone(server, 'Luca', about),
    await openPhone(server, 'Mara', about),
  ];
  deaf.setNoNetwork(true);
  const event = (await findEvent(ctx.db, sera))!;
  const paper = (revision: number) => codeOf(event, { place: 'A1', revision, earlier_codes: 0 });
  await renameTicket(ctx, sera, { place: 'A1', holder: 'Ada Neri' });
  await heard.syncOnce();
  expect(await verdictOf(deaf, paper(1), { event_id: sera, direction: 'in' })).toBe('admit');
  server.clock.advance(60_000);
  expect(await verdictOf(heard, paper(2), { event_id: sera, direction: 'out' })).toBe('out');
  await changeTicket(ctx, sera, { place: 'A1', state: 'refunded' });
  await sellPlaces(ctx, sera, { places: ['A1'] });
  deaf.setNoNetwork(false);
  for (const core of [deaf, heard, deaf]) await core.syncOnce();
  const phones = [deaf, heard, await openPhone(server, 'Nina', about)];
  expect(phones.map((core) => core.presence(sera).inside)).toEqual([0, 0, 0]);
});

it('a dead code says what ended it: by the whole list, by its changes, for a supervisor with the order, and at the desk', async (server, office) => {
  const { ctx } = server.house;
  const labels = ['A1', 'A2', 'A3', 'A4', 'A5', 'B3'];
  await addHall(ctx, { id: sera, places: labels.map((label) => ({ label, gate: null })) });
  await addHall(ctx, {
    id: 'sabato',
    places: [{ label: 'A1', gate: null }],
    starts_at: Date.parse('2026-12-12T20:00:00Z'),
  });
  await sellPlaces(ctx, sera, { places: labels.slice(0, 5) });
  const about = { event_id: sera, role: 'supervisor' } as const;
  const heard = await openPhone(server, 'Luca', about);
  await renameTicket(ctx, sera, { place: 'A1', holder: 'Ada Neri' });
  await changeTicket(ctx, sera, { place: 'A2', state: 'refunded' });
  await sellPlaces(ctx, sera, { places: ['A2'] });
  await moveTicket(ctx, sera, { from: 'A3', to: 'B3' });
  await renameTicket(ctx, sera, { place: 'B3', holder: 'Bea Rossi' });
  const exchanged = await ctx.db('tickets').where({ event_id: sera, place: 'A4' }).first();
  await changeTicket(ctx, sera, { place: 'A4', state: 'void' });
  await ctx.db('ended_codes').insert({
    event_id: sera,
    place: 'A4',
    revision: 1,
    why: 'exchanged',
    ended_at: ctx.now(),
    ticket_id: exchanged.id,
    to_event_id: 'sabato',
  });
  await sellPlaces(ctx, sera, { places: ['A4'] });
  // Changed by a version that wrote nothing down.
  await renameTicket(ctx, sera, { place: 'A5', holder: 'Eva Verdi' });
  await ctx.db('ended_codes').where({ place: 'A5' }).delete();
  server.clock.advance(60_000);
  await heard.syncOnce();
  const phones = {
    heard,
    fresh: await openPhone(server, 'Mara', about),
    steward: await openPhone(server, 'Nina', { event_id: sera }),
  };
  const codes = (await findEvent(ctx.db, sera))!;
  const papers = [
    ['A1', 'replaced', 'Il biglietto ha cambiato nome'],
    ['A2', 'replaced', 'Rivenduto'],
    ['A3', 'replaced', 'Il biglietto ha cambiato nome'],
    ['A4', 'cancelled', 'Cambiato con sab 12 dic · 21:00'],
    ['A5', 'replaced', 'Questo codice non vale più. Manda alla cassa'],
  ] as const;
  for (const [place, verdict, words] of papers) {
    const text = codeOf(codes, { place, revision: 1, earlier_codes: 0 });
    for (const [name, core] of Object.entries(phones)) {
      core.setNoNetwork(true);
      const shown = await scanText(core, text, { event_id: sera });
      expect([name, place, shown.verdict]).toEqual([name, place, verdict]);
      expect(reasonOf(shown)).toContain(words);
      const isNamed = name !== 'steward' && place !== 'A5';
      expect([name, place, shown.ended?.order_number ?? null]).toEqual([
        name,
        place,
        isNamed ? expect.any(String) : null,
      ]);
    }
    const desk = await callOk(server, readAdmission, { params: { ticketId: text } }, office);
    expect([place, desk.verdict, desk.ended?.why ?? null]).toEqual([
      place,
      verdict,
      { A1: 'renamed', A2: 'resold', A3: 'renamed', A4: 'exchanged', A5: null }[place],
    ]);
  }
});
