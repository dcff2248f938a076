/** Phones of the door where tickets have moved: to other seats, and with the whole evening to another hall, which one has heard of and one never has. */
import { expect, onTestFinished, test } from 'vitest';
import type { Core } from '#apps/scanner/scan/core.ts';
import { listConflicts } from '#server/contract/door/conflicts.ts';
import { proposeRehousing, startRehousing } from '#server/contract/rehousings.ts';
import { callOffMs } from '#server/domain/seat/rehousing.ts';
import { pairingToken } from '#tests/shared/door-hall.ts';
import { openNodePhone } from '#tests/shared/node-phone.ts';
import { testOnBoth as it } from '#tests/support/both.ts';
import { callOk, demoEvent, findSeats, makeAdmin } from '#tests/support/make.ts';
import { makeSold, soldOf, tryMove, type Office } from '#tests/support/move.ts';
import { expectSoundBooks } from '#tests/support/refunds.ts';
import { verdictOf } from '#tests/support/scripted-line.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

const params = { eventId: demoEvent };

/** A phone of the evening; it ends with the test. */
async function openPhone(server: TestServer, name: string): Promise<Core> {
  const { ctx } = server.house;
  const token = await pairingToken(ctx, { name, gate: null, event_ids: [demoEvent] });
  const phone = await openNodePhone(server, { now: server.clock.now }, token);
  onTestFinished(() => phone[Symbol.dispose]());
  return phone.core;
}

const read = (core: Core, code: string) => verdictOf(core, code, { event_id: demoEvent });

async function moveHouse(server: TestServer, office: Office): Promise<void> {
  const body = { chart_key: 'sala-nera' };
  const { version, counts } = await callOk(server, proposeRehousing, { params, body }, office);
  const started = { version, refunds: false, mails: counts.mails, lost: counts.lost_without };
  await callOk(server, startRehousing, { params, body: started }, office);
  await server.runDue();
  server.clock.advance(callOffMs + 1_000);
  for (let at = 0; at < 3; at += 1) await server.runDue();
}

it('after a change of hall a phone that has heard refuses the old codes also without a line, and what one let in that never heard is a conflict', async (server) => {
  const office = await makeAdmin(server);
  const { ctx } = server.house;
  const pair = await makeSold(server, { count: 2 });
  const [heard, deaf] = [await openPhone(server, 'Luca'), await openPhone(server, 'Mara')];
  for (const core of [heard, deaf]) core.setNoNetwork(true);
  await moveHouse(server, office);
  expect(await ctx.db('rehousings').pluck('state')).toEqual(['done']);
  const now = await soldOf(server, pair.order_id);

  // It knows no better.
  expect(await read(deaf, pair.codes[0]!)).toBe('admit');
  expect(await read(deaf, now.codes[1]!)).not.toBe('admit');

  heard.setNoNetwork(false);
  await heard.syncOnce();
  heard.setNoNetwork(true);
  expect(await read(heard, pair.codes[0]!)).toBe('replaced');
  expect(await read(heard, now.codes[0]!)).toBe('admit');
  expect(await read(heard, now.codes[1]!)).toBe('admit');

  const fresh = await openPhone(server, 'Nina');
  fresh.setNoNetwork(true);
  expect(await read(fresh, pair.codes[1]!)).toBe('replaced');

  server.clock.advance(1_000);
  for (const core of [heard, deaf]) {
    core.setNoNetwork(false);
    await core.syncOnce();
  }
  const conflicts = await callOk(server, listConflicts, { query: {} }, office);
  expect(conflicts.items).toMatchObject([{ ticket_id: pair.tickets[0] }]);
  expect(conflicts.open).toBe(1);
  // Now it has heard, too.
  expect(await read(deaf, pair.codes[1]!)).toBe('replaced');
  expect(server.logged).toEqual([]);
  await expectSoundBooks(server);
});

test('once a phone has heard of a move, it refuses the old codes, admits the new one and knows who has come in before, also without a line', async () => {
  await using server = await startServer();
  const office = await makeAdmin(server);
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
  expect(verdicts).toEqual(['admit', 'already_in', 'replaced', 'replaced']);
});
