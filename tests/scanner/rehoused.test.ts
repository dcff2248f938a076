/** Phones of the door on an evening that has moved to another hall: one that has heard of it, one that never has, one that comes new. */
import { expect } from 'vitest';
import { listConflicts } from '#server/contract/door/conflicts.ts';
import { makePhone } from '#server/contract/door/phones.ts';
import { proposeRehousing, startRehousing } from '#server/contract/rehousings.ts';
import { callOffMs } from '#server/domain/seat/rehousing.ts';
import { openNodePhone } from '#tests/shared/node-phone.ts';
import { testOnBoth } from '#tests/support/both.ts';
import { callOk, demoEvent, makeAdmin } from '#tests/support/make.ts';
import { makeSold, soldOf, type Office } from '#tests/support/move.ts';
import { expectSoundBooks } from '#tests/support/refunds.ts';
import { scanText } from '#tests/support/scripted-line.ts';
import type { TestServer } from '#tests/support/server.ts';

const params = { eventId: demoEvent };

async function pairingToken(server: TestServer, office: Office, name: string): Promise<string> {
  const body = { name, gate: null, event_ids: [demoEvent] };
  const { pairing_url } = await callOk(server, makePhone, { body }, office);
  return new URL(pairing_url).hash.split('=')[1]!;
}

async function moveHouse(server: TestServer, office: Office): Promise<void> {
  const body = { chart_key: 'sala-nera' };
  const { version, counts } = await callOk(server, proposeRehousing, { params, body }, office);
  const started = { version, refunds: false, mails: counts.mails, lost: counts.lost_without };
  await callOk(server, startRehousing, { params, body: started }, office);
  await server.runDue();
  server.clock.advance(callOffMs + 1_000);
  for (let at = 0; at < 3; at += 1) await server.runDue();
}

testOnBoth(
  'after a change of hall a phone that has heard refuses the old codes also without a line, and what one let in that never heard is a conflict',
  async (server) => {
    const office = await makeAdmin(server);
    const { ctx } = server.house;
    const pair = await makeSold(server, { count: 2 });
    using phones = new DisposableStack();
    const open = async (name: string) => {
      const token = await pairingToken(server, office, name);
      return phones.use(await openNodePhone(server, { now: server.clock.now }, token)).core;
    };
    const [heard, deaf] = [await open('Luca'), await open('Mara')];
    const read = async (core: typeof heard, code: string) =>
      (await scanText(core, code, { event_id: demoEvent })).verdict;
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

    const fresh = await open('Nina');
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
  },
);
