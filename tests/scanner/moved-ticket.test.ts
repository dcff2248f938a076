/** A ticket that the office has moved, at a phone without a line: the old code is SOSTITUITO, the new one lets in. */
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import {
  enterCode,
  openPhone,
  pairingLink,
  readTable,
  scanCode,
  verdictText,
  wake,
} from '#tests/support/door/phone.ts';
import { demoEvent, findSeats, makeAdmin, until } from '#tests/support/make.ts';
import { makeSold, soldOf, tryMove } from '#tests/support/move.ts';
import { startServer } from '#tests/support/server.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
}, 60_000);
afterAll(() => browser.close());

test('once a phone has heard of a move, it refuses the old codes, admits the new one and knows who has come in before, also without a line', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  const sold = await makeSold(server, { count: 2 });
  await using phone = await openPhone(browser, await pairingLink(server, admin, { name: 'Luca' }));
  const { page, context } = phone;
  expect(await scanCode(page, sold.codes[1]!)).toBe('admit');
  const to = await findSeats(server, { count: 2, nth: 3 });
  await until(async () => (await server.house.ctx.db('admissions')).length === 1);
  expect((await tryMove(server, admin, sold, to)).status).toBe(200);
  const { feed_seq } = await server.house.ctx.db('events').where({ id: demoEvent }).first();
  await wake(page);
  await expect
    .poll(async () => JSON.stringify(await readTable(page, 'events')), { timeout: 20_000 })
    .toContain(`.${feed_seq}`);
  await context.setOffline(true);
  const now = await soldOf(server, sold.order_id);
  expect(await scanCode(page, now.codes[0]!)).toBe('admit');
  expect(await scanCode(page, now.codes[1]!)).toBe('already_in');
  expect(await verdictText(page)).toContain('GIÀ ENTRATO');
  expect(await scanCode(page, sold.codes[0]!)).toBe('replaced');
  // The camera has seen it already.
  expect(await enterCode(page, sold.codes[1]!)).toBe('replaced');
  expect(await verdictText(page)).toContain('SOSTITUITO');
}, 60_000);
