/** Tickets whose code was replaced (reissued, renamed, resold, moved and then reissued) at the door: one guest, whatever paper was read where, and each dead code says what ended it. */
import { expect, onTestFinished } from 'vitest';
import type { Core } from '#apps/scanner/scan/core.ts';
import { reasonOf } from '#apps/scanner/screens/scan/verdict/reason.ts';
import { findEvent } from '#db/event/events.ts';
import { readAdmission } from '#server/contract/door/admissions.ts';
import { reissueTickets } from '#server/contract/counter.ts';
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
import { testOnBoth as it, testOnSqlite as test } from '#tests/support/both.ts';
import { ask, callOk, demoEvent } from '#tests/support/make.ts';
import { makeSold, soldOf, type Office, type Sold } from '#tests/support/move.ts';
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

test('a guest who came in by the old code and went out by the new one is gone, also once the ticket has ended and the seat has another guest', async (server) => {
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

it('a guest who went out by a deaf phone before the reissue comes in again with the new paper', async (server, office) => {
  await server.house.ctx.db('events').where({ id: demoEvent }).update({ reentry: 1 });
  const sold = await makeSold(server, { count: 1 });
  const [deaf, heard] = [await openPhone(server, 'Luca'), await openPhone(server, 'Mara')];
  expect(await read(deaf, sold.codes[0]!)).toBe('admit');
  await deaf.syncOnce();
  deaf.setNoNetwork(true);
  server.clock.advance(60_000);
  expect(await read(deaf, sold.codes[0]!, 'out')).toBe('out');
  server.clock.advance(60_000);
  await reissue(server, office, sold, sold.tickets);
  deaf.setNoNetwork(false);
  for (const core of [deaf, heard, deaf]) await core.syncOnce();
  server.clock.advance(60_000);
  const [code] = (await soldOf(server, sold.order_id)).codes;
  const desk = await callOk(server, readAdmission, { params: { ticketId: code! } }, office);
  const said = [desk.verdict, heard.presence(demoEvent).inside, await read(heard, code!)];
  expect(said).toEqual(['admit', 0, 'admit']);
});

test('a passage that is taken back after a move leaves nobody inside: by the phone that let in, by one that was deaf, and by a supervisor', async (server) => {
  const { ctx } = server.house;
  const labels = ['A1', 'A2', 'A3', 'B1', 'B2', 'B3'];
  await addHall(ctx, { id: sera, places: labels.map((label) => ({ label, gate: null })) });
  for (const place of ['A1', 'A2', 'A3']) await sellPlaces(ctx, sera, { places: [place] });
  const about = { event_id: sera } as const;
  const [luca, deaf] = [
    await openPhone(server, 'Luca', about),
    await openPhone(server, 'Dora', about),
  ];
  const boss = await openPhone(server, 'Capo', { ...about, role: 'supervisor' });
  const event = (await findEvent(ctx.db, sera))!;
  const paper = (place: string) => codeOf(event, { place, revision: 1, earlier_codes: 0 });
  const come = (core: Core, place: string) =>
    scanText(core, paper(place), { event_id: sera, direction: 'in' });
  const undo = async (core: Core, admission_id: string) =>
    expect(
      await core.undo({ event_id: sera, admission_id, reason: 'Letto per sbaglio' }),
    ).toMatchObject({ undone: true });
  const entries = [await come(luca, 'A1'), await come(deaf, 'A2'), await come(luca, 'A3')];
  expect(entries.map(({ verdict }) => verdict)).toEqual(['admit', 'admit', 'admit']);
  for (const core of [luca, deaf]) await core.syncOnce();
  deaf.setNoNetwork(true);
  await undo(deaf, entries[1]!.admission_id);
  server.clock.advance(60_000);
  for (const at of [1, 2, 3]) await moveTicket(ctx, sera, { from: `A${at}`, to: `B${at}` });
  for (const core of [luca, boss]) await core.syncOnce();
  server.clock.advance(60_000);
  await undo(luca, entries[0]!.admission_id);
  const carried = await ctx.db('admissions').where({ place: 'B3', direction: 'in' }).first('id');
  await undo(boss, carried.id);
  deaf.setNoNetwork(false);
  const phones = [luca, deaf, boss];
  for (const core of [...phones, ...phones]) await core.syncOnce();
  const fresh = await openPhone(server, 'Nina', about);
  expect([...phones, fresh].map((core) => core.presence(sera).inside)).toEqual([0, 0, 0, 0]);
  for (const at of [1, 2, 3]) expect((await come(fresh, `A${at}`)).verdict).toBe('moved');
});

test('the panel of a ticket offers the way out to who is inside, whatever became of the code', async (server, office) => {
  const sold = await makeSold(server, { count: 2 });
  const core = await openPhone(server, 'Luca');
  for (const code of sold.codes) expect(await read(core, code)).toBe('admit');
  await core.syncOnce();
  server.clock.advance(60_000);
  await reissue(server, office, sold, [sold.tickets[0]!]);
  await changeTicket(server.house.ctx, demoEvent, { place: sold.seats[1]!, state: 'refunded' });
  await core.syncOnce();
  const lastOf = async (code: string) => {
    const recognised = await core.recognise(demoEvent, code);
    const view = await core.lookUp(demoEvent, recognised);
    return view?.last?.direction ?? null;
  };
  const [renewed] = (await soldOf(server, sold.order_id)).codes;
  expect([await lastOf(renewed!), await lastOf(sold.codes[1]!)]).toEqual(['in', 'in']);
  server.clock.advance(60_000);
  expect(await read(core, sold.codes[0]!, 'out')).toBe('out');
  expect(await lastOf(renewed!)).toBe('out');
});

test('a companion who has the seat that the leader had comes in with the group', async (server) => {
  const { ctx } = server.house;
  const labels = ['A1', 'A2', 'B1'];
  await addHall(ctx, { id: sera, places: labels.map((label) => ({ label, gate: null })) });
  await sellPlaces(ctx, sera, { places: ['A1', 'A2'] });
  await moveTicket(ctx, sera, { from: 'A1', to: 'B1' });
  await moveTicket(ctx, sera, { from: 'A2', to: 'A1' });
  const core = await openPhone(server, 'Luca', { event_id: sera });
  const event = (await findEvent(ctx.db, sera))!;
  server.clock.advance(60_000);
  const text = codeOf(event, { place: 'A1', revision: 1, earlier_codes: 0 });
  const leader = await core.recognise(sera, text);
  const shown = await scanText(core, text, { event_id: sera, direction: 'in' });
  expect([shown.verdict, shown.place?.place]).toEqual(['moved', 'B1']);
  const group = await core.admitGroup({ event_id: sera, direction: 'in', leader, places: ['A1'] });
  expect(group.map(({ verdict }) => verdict)).toEqual(['admit']);
  await core.syncOnce();
  const rows = await ctx.db('admissions').orderBy('seq').select('place', 'counts', 'doubt');
  expect(rows).toEqual([
    { place: 'B1', counts: 1, doubt: null },
    { place: 'A1', counts: 1, doubt: null },
  ]);
});
