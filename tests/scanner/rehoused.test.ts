/** Phones of the door where tickets have moved: to other seats, and with the whole evening to another hall, which one has heard of and one never has. */
import { expect, onTestFinished } from 'vitest';
import type { Core } from '#apps/scanner/scan/core.ts';
import { findEvent } from '#db/event/events.ts';
import { readAdmission, sendAdmissions, type ScanSent } from '#server/contract/door/admissions.ts';
import { listConflicts } from '#server/contract/door/conflicts.ts';
import { readPresence } from '#server/contract/door/presence.ts';
import {
  addHall,
  changeEvent,
  changeTicket,
  moveTicket,
  pairBare,
  pairingToken,
  renameTicket,
  sellPlaces,
} from '#tests/shared/door-hall.ts';
import { presenceOf } from '#server/services/door/presence.ts';
import { codeOf } from '#server/services/order/tickets.ts';
import { openNodePhone } from '#tests/shared/node-phone.ts';
import { testOnBoth as it, testOnSqlite, testOnce as test } from '#tests/support/both.ts';
import { callOk, demoEvent, findSeats } from '#tests/support/make.ts';
import { makeSold, soldOf, tryMove } from '#tests/support/move.ts';
import { proofOf } from '#tests/support/door/proof.ts';
import { verdictOf } from '#tests/support/scripted-line.ts';
import { type TestServer } from '#tests/support/server.ts';

/** A phone of the evening; it ends with the test. */
async function openPhone(server: TestServer, name: string, event_id = demoEvent): Promise<Core> {
  const { ctx } = server.house;
  const token = await pairingToken(ctx, { name, gate: null, event_ids: [event_id] });
  const phone = await openNodePhone(server, { now: server.clock.now }, token);
  onTestFinished(() => phone[Symbol.dispose]());
  return phone.core;
}

const read = (core: Core, code: string, event_id = demoEvent) =>
  verdictOf(core, code, { event_id });

test('once a phone has heard of a move, old paper and new code are one guest, also of one who came in before and without a line', async (server, office) => {
  const sold = await makeSold(server, { count: 2 });
  const core = await openPhone(server, 'Luca');
  expect(await read(core, sold.codes[1]!)).toBe('admit');
  await core.syncOnce();
  const to = await findSeats(server, { count: 2, nth: 3 });
  expect((await tryMove(server, office, sold, to)).status).toBe(200);
  server.clock.advance(60_000);
  await core.syncOnce();
  core.setNoNetwork(true);
  const now = await soldOf(server, sold.order_id);
  const verdicts = [];
  for (const code of [...now.codes, ...sold.codes]) verdicts.push(await read(core, code));
  expect(verdicts).toEqual(['admit', 'already_in', 'just_read', 'already_in']);
});

const sera = 'sera';
const labels = ['A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'B1', 'B2', 'B3', 'B4', 'B5', 'B6', 'B7'];

/** A hall in which every kind of move has happened to a ticket of one order. */
async function openHall(server: TestServer, { heard = true } = {}) {
  const { ctx } = server.house;
  await addHall(ctx, { id: sera, places: labels.map((label) => ({ label, gate: null })) });
  await sellPlaces(ctx, sera, { places: labels.slice(0, 6) });
  const before = await openPhone(server, 'Luca', sera);
  const move = (from: string, to: string) => moveTicket(ctx, sera, { from, to });
  await move('A1', 'B1');
  for (const [from, to] of [
    ['A2', 'B2'],
    ['B2', 'B3'],
  ] as const)
    await move(from, to);
  await move('A3', 'B4');
  await renameTicket(ctx, sera, { place: 'B4', holder: 'Bea Rossi' });
  await move('A4', 'B5');
  await changeTicket(ctx, sera, { place: 'B5', state: 'refunded' });
  for (const [from, to] of [
    ['A5', 'B6'],
    ['B6', 'A5'],
  ] as const)
    await move(from, to);
  await renameTicket(ctx, sera, { place: 'A6', holder: 'Ada Neri' });
  await move('A6', 'B7');
  if (heard) await before.syncOnce();
  const codes = (await findEvent(ctx.db, sera))!;
  const code = (place: string, revision = 1) =>
    codeOf(codes, { place, revision, earlier_codes: 0 });
  return { before, fresh: await openPhone(server, 'Mara', sera), codes, code };
}

/** What each paper says, and the place where it counts. */
const papers = [
  ['A1', 1, 'moved', 'B1'],
  ['B1', 1, 'admit', 'B1'],
  ['A2', 1, 'moved', 'B3'],
  ['B2', 1, 'moved', 'B3'],
  // A new holder, a refund and a code that was replaced before the move end the old paper.
  ['A3', 1, 'replaced', 'A3'],
  ['B4', 1, 'replaced', 'B4'],
  ['A4', 1, 'replaced', 'B5'],
  ['B5', 1, 'refunded', 'B5'],
  // Back on its first seat, the first paper is right again.
  ['A5', 1, 'admit', 'A5'],
  ['B6', 1, 'moved', 'A5'],
  ['A6', 1, 'replaced', 'A6'],
  ['A6', 2, 'moved', 'B7'],
] as const;

testOnSqlite(
  'an old paper says where its guest sits now, by the whole list, by its changes and at the desk',
  async (server, office) => {
    const { before, fresh, code } = await openHall(server);
    for (const core of [before, fresh]) core.setNoNetwork(true);
    for (const [place, revision, verdict, present] of papers) {
      const said = [place, revision, verdict];
      for (const core of [before, fresh]) {
        const found = await core.recognise(sera, code(place, revision));
        const view = await core.lookUp(sera, found);
        expect([place, revision, view.verdict, view.place?.place]).toEqual([...said, present]);
      }
      const ticketId = code(place, revision);
      const desk = await callOk(server, readAdmission, { params: { ticketId } }, office);
      expect([place, revision, desk.verdict]).toEqual(said);
    }
  },
);

it('an old paper is let in once, on the new place, and the server checks that the two are one ticket', async (server) => {
  const { ctx } = server.house;
  const { before, fresh, codes, code } = await openHall(server);
  expect(await read(before, code('A2'), sera)).toBe('moved');
  await before.syncOnce();
  const stored = () =>
    ctx
      .db('admissions')
      .where({ event_id: sera })
      .orderBy('received_at')
      .select('place', 'revision', 'code_place', 'code_check', 'counts', 'doubt');
  const proved = { code_place: 'A2', code_check: 'proved', counts: 1, doubt: null };
  expect(await stored()).toEqual([{ place: 'B3', revision: 1, ...proved }]);
  server.clock.advance(60_000);
  await fresh.syncOnce();
  fresh.setNoNetwork(true);
  for (const old of [code('A2'), code('B2'), code('B3')])
    expect(await read(fresh, old, sera)).toBe('already_in');
  // Whoever has one paper has no other seat: a place of another ticket, or of a later revision.
  const { headers } = await pairBare(ctx, { name: 'Ladro', event_ids: [sera] });
  const lies = [
    ['B1', 'A2'],
    ['B4', 'A3'],
    ['A5', 'A6'],
  ] as const;
  const now = new Date(server.clock.now()).toISOString();
  const items = lies.map(([place, from], seq) => {
    const scan: ScanSent = {
      admission_id: `bugia-${seq}-0123456789abcdef`,
      seq,
      event_id: sera,
      place,
      revision: place === 'B4' ? 2 : 1,
      read: null,
      direction: 'in',
      gate: null,
      verdict: 'moved',
      counts: true,
      override: null,
      scanned_at: now,
      corrected_at: now,
      offline: true,
      means: 'code',
    };
    return { ...scan, code_read: proofOf(codes, scan, { place: from, revision: 1 }) };
  });
  await callOk(server, sendAdmissions, { query: {}, body: { items } }, headers);
  const doubts = await ctx.db('admissions').where({ verdict: 'moved', counts: 0 }).pluck('doubt');
  expect(doubts).toEqual(['no_proof', 'no_proof', 'no_proof']);
});

test('where the event says no, an old paper goes in only by a supervisor', async (server) => {
  const { before, code } = await openHall(server);
  await changeEvent(server.house.ctx, sera, { moved_policy: 'ask' });
  await before.syncOnce();
  const recognised = await before.recognise(sera, code('A1'));
  const ask = { event_id: sera, recognised, direction: 'in', means: 'code', note: null } as const;
  expect(await before.admit({ ...ask, override: null })).toMatchObject({
    verdict: 'moved',
    counts: false,
    left: 'Platea, fila A, posto 1',
  });
  expect(await before.admit({ ...ask, override: 'visto' })).toMatchObject({
    verdict: 'admit',
    overridden: true,
    place: { place: 'B1', revision: 1 },
  });
});

test('an old paper is its own guest’s at the desk, also where the place was sold again and moved from', async (server, office) => {
  const { ctx } = server.house;
  const { code } = await openHall(server);
  await renameTicket(ctx, sera, { place: 'A5', holder: 'Prima Guest' });
  await changeTicket(ctx, sera, { place: 'A5', state: 'refunded' });
  await sellPlaces(ctx, sera, { places: ['A5'] });
  await moveTicket(ctx, sera, { from: 'A5', to: 'A1' });
  const asked = { params: { ticketId: code('A5', 3) } };
  const { holder } = await callOk(server, readAdmission, asked, office);
  expect(holder).toBe('Prima Guest');
});

test('who came in by the old paper at a phone that had not heard goes out and comes back by it as one guest', async (server, office) => {
  const { before, code } = await openHall(server, { heard: false });
  before.setNoNetwork(true);
  expect(await read(before, code('A2'), sera)).toBe('admit');
  before.setNoNetwork(false);
  await before.syncOnce();
  for (const direction of ['out', 'in'] as const) {
    server.clock.advance(60_000);
    const verdict = await verdictOf(before, code('A2'), { event_id: sera, direction });
    expect(verdict).toBe(direction === 'in' ? 'moved' : 'out');
    await before.syncOnce();
  }
  expect((await callOk(server, listConflicts, { query: {} }, office)).open).toBe(0);
});

testOnSqlite(
  'guests who came in by old papers of places that others have now are counted one by one, by the office and on each phone',
  async (server, office) => {
    const { ctx } = server.house;
    await addHall(ctx, { id: sera, places: labels.map((label) => ({ label, gate: null })) });
    await sellPlaces(ctx, sera, { places: ['A1', 'A2', 'A3'] });
    const codes = (await findEvent(ctx.db, sera))!;
    const code = (place: string, revision = 1) =>
      codeOf(codes, { place, revision, earlier_codes: 0 });
    const deaf = await openPhone(server, 'Luca', sera);
    deaf.setNoNetwork(true);
    for (const place of ['A1', 'A2', 'A3'])
      expect(await read(deaf, code(place), sera)).toBe('admit');
    for (const [from, to] of [
      ['A2', 'B1'],
      ['A1', 'A2'],
      ['A3', 'B2'],
    ] as const)
      await moveTicket(ctx, sera, { from, to });
    const counted = async () => {
      server.clock.advance(60_000);
      await deaf.syncOnce();
      const fresh = await openPhone(server, `Nina ${server.clock.now()}`, sera);
      const asked = { params: { eventId: sera } };
      const { inside, entered } = await callOk(server, readPresence, asked, office);
      const figures = [deaf, fresh].map((core) => core.presence(sera));
      return [{ inside, entered }, ...figures].map((one) => [one.inside, one.entered]);
    };
    deaf.setNoNetwork(false);
    expect(await counted()).toEqual(Array.from({ length: 3 }, () => [3, 3]));
    // The guest who came to A2 has no ticket in the list any more, and counts where the paper was read.
    await sellPlaces(ctx, sera, { places: ['B1'] });
    expect(await counted()).toEqual(Array.from({ length: 3 }, () => [3, 3]));
  },
);

testOnSqlite(
  'a guest who stands against another one who sits elsewhere now is inside, also when that one has left',
  async (server, office) => {
    const { ctx } = server.house;
    await addHall(ctx, { id: sera, places: labels.map((label) => ({ label, gate: null })) });
    await sellPlaces(ctx, sera, { places: ['A1', 'A2'] });
    const codes = (await findEvent(ctx.db, sera))!;
    const code = (place: string, revision: number) =>
      codeOf(codes, { place, revision, earlier_codes: 0 });
    const deaf = await openPhone(server, 'Luca', sera);
    deaf.setNoNetwork(true);
    expect(await read(deaf, code('A2', 1), sera)).toBe('admit');
    await moveTicket(ctx, sera, { from: 'A2', to: 'B1' });
    await moveTicket(ctx, sera, { from: 'A1', to: 'A2' });
    const heard = await openPhone(server, 'Mara', sera);
    server.clock.advance(60_000);
    expect(await read(heard, code('A2', 3), sera)).toBe('admit');
    const counted = async () => {
      for (const core of [heard, deaf, heard]) await core.syncOnce();
      const { inside } = await callOk(server, readPresence, { params: { eventId: sera } }, office);
      return [inside, ...[heard, deaf].map((core) => core.presence(sera).inside)];
    };
    deaf.setNoNetwork(false);
    expect(await counted()).toEqual([2, 2, 2]);
    expect((await callOk(server, listConflicts, { query: {} }, office)).open).toBe(1);
    server.clock.advance(60_000);
    const left = await verdictOf(heard, code('B1', 1), { event_id: sera, direction: 'out' });
    expect(left).toBe('out');
    expect(await counted()).toEqual([1, 1, 1]);
  },
);

/** A hall in which guests were let in by old papers at a phone that had not heard of two moves and a new holder. */
async function openHallOfOldPapers(server: TestServer, office: Parameters<typeof callOk>[3]) {
  const { ctx } = server.house;
  await addHall(ctx, { id: sera, places: labels.map((label) => ({ label, gate: null })) });
  await sellPlaces(ctx, sera, { places: ['A1', 'A2', 'A3'] });
  const codes = (await findEvent(ctx.db, sera))!;
  const code = (place: string, revision: number) =>
    codeOf(codes, { place, revision, earlier_codes: 0 });
  const deaf = await openPhone(server, 'Luca', sera);
  deaf.setNoNetwork(true);
  await moveTicket(ctx, sera, { from: 'A1', to: 'B1' });
  await moveTicket(ctx, sera, { from: 'B1', to: 'B2' });
  await moveTicket(ctx, sera, { from: 'A2', to: 'B3' });
  await renameTicket(ctx, sera, { place: 'A3', holder: 'Bea Rossi' });
  for (const place of ['A1', 'A2', 'A3'])
    expect(await read(deaf, code(place, 1), sera)).toBe('admit');
  deaf.setNoNetwork(false);
  /** Inside and entered: at the office, at one that reads all anew, on the phone that hears of changes, and on one with a whole new list. */
  const counted = async () => {
    server.clock.advance(60_000);
    await deaf.syncOnce();
    const fresh = await openPhone(server, `Nina ${server.clock.now()}`, sera);
    const asked = { params: { eventId: sera } };
    const told = await callOk(server, readPresence, asked, office);
    const anew = await presenceOf({ ...ctx, memory: {} }, sera);
    const figures = [told, anew, ...[deaf, fresh].map((core) => core.presence(sera))];
    return figures.map(({ inside, entered }) => `${inside}/${entered}`);
  };
  const endAndSellAgain = async (places: readonly string[]) => {
    for (const place of places) await changeTicket(ctx, sera, { place, state: 'void' });
    await sellPlaces(ctx, sera, { places });
  };
  const leave = async (core: Core, paper: string) => {
    server.clock.advance(60_000);
    const verdict = await verdictOf(core, paper, { event_id: sera, direction: 'out' });
    await core.syncOnce();
    return verdict;
  };
  return { deaf, code, counted, endAndSellAgain, leave };
}

const all = (figure: string) => Array.from({ length: 4 }, () => figure);

testOnSqlite(
  'a guest who came in by an old paper and went out is out, also when the ticket has ended and the place is sold again',
  async (server, office) => {
    const { deaf, code, counted, endAndSellAgain, leave } = await openHallOfOldPapers(
      server,
      office,
    );
    expect(await counted()).toEqual(all('3/3'));
    for (const paper of [code('A1', 1), code('A2', 1), code('A3', 1)])
      expect(await leave(deaf, paper)).toBe('out');
    expect(await counted()).toEqual(all('0/3'));
    await endAndSellAgain(['B2', 'B3', 'A3']);
    expect(await counted()).toEqual(all('0/3'));
  },
);

testOnSqlite(
  'a guest whose ticket has ended and whose place is sold again goes out by the paper of any of its codes',
  async (server, office) => {
    const { deaf, code, counted, endAndSellAgain, leave } = await openHallOfOldPapers(
      server,
      office,
    );
    await deaf.syncOnce();
    await endAndSellAgain(['B2', 'B3', 'A3']);
    expect(await counted()).toEqual(all('3/3'));
    // One phone hears of the changes, the other one gets them with its whole list.
    const fresh = await openPhone(server, 'Mara', sera);
    expect(await leave(deaf, code('B2', 1))).toBe('out');
    expect(await counted()).toEqual(all('2/3'));
    expect(await leave(fresh, code('B3', 1))).toBe('out');
    expect(await leave(fresh, code('A3', 2))).toBe('out');
    expect(await counted()).toEqual(all('0/3'));
    // The guests of the tickets that have the places now are others.
    expect(await read(fresh, code('B2', 2), sera)).toBe('admit');
    await fresh.syncOnce();
    expect(await counted()).toEqual(all('1/4'));
  },
);

testOnSqlite(
  'a paper from before a move or a change of holder is SOSTITUITO on a phone and at the desk, also after the place was let go and sold again',
  async (server, office) => {
    const { ctx } = server.house;
    await addHall(ctx, { id: sera, places: labels.map((label) => ({ label, gate: null })) });
    await sellPlaces(ctx, sera, { places: ['A1', 'A2'] });
    await moveTicket(ctx, sera, { from: 'A2', to: 'B1' });
    await renameTicket(ctx, sera, { place: 'A1', holder: 'Bea Rossi' });
    const let_go_at = ctx.now();
    await ctx.db('tickets').where({ event_id: sera }).update({ let_go_minutes: 15, let_go_at });
    await sellPlaces(ctx, sera, { places: ['A1', 'B1'] });
    const phone = await openPhone(server, 'Luca', sera);
    const codes = (await findEvent(ctx.db, sera))!;
    const said = [];
    for (const paper of ['A1/1', 'A1/2', 'A1/3', 'A2/1', 'B1/1', 'B1/2']) {
      const [place, revision] = [paper.slice(0, 2), Number(paper.slice(3))];
      const ticketId = codeOf(codes, { place, revision, earlier_codes: 0 });
      const desk = await callOk(server, readAdmission, { params: { ticketId } }, office);
      said.push([paper, await read(phone, ticketId, sera), desk.verdict]);
    }
    expect(said).toEqual([
      ['A1/1', 'replaced', 'replaced'],
      ['A1/2', 'cancelled', 'cancelled'],
      ['A1/3', 'admit', 'admit'],
      ['A2/1', 'replaced', 'replaced'],
      ['B1/1', 'cancelled', 'cancelled'],
      ['B1/2', 'admit', 'admit'],
    ]);
  },
);
