/** The door's screens on a phone: whatever an organiser calls his evening, no screen is wider than the glass, and no panel than its frame. */
import type { Browser } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeRehearsal } from '#server/contract/door/rehearsals.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { openDesk, phone, within } from '#tests/support/door/desk.ts';
import { makeEvening } from '#tests/support/door/door-evening.ts';
import { callOk, demoEvent, makeAdmin } from '#tests/support/make.ts';
import { startServer } from '#tests/support/server.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

test('a title with a word longer than the screen is broken, and nothing has to be pushed aside', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  const { tickets, one, two, admit } = await makeEvening(server, admin);
  const word = 'Straordinariamenteprecipitevolissimevolmente';
  await server.house.ctx
    .db('events')
    .where({ id: demoEvent })
    .update({ title: `La locandiera: ${word}` });
  const { event_id } = await callOk(
    server,
    makeRehearsal,
    { body: { event_id: demoEvent } },
    admin,
  );
  await admit(one, tickets[0]!, { ago: 10 });
  await admit(two, tickets[0]!, { ago: 7 });
  const page = await openDesk(browser, server, admin, { path: '/door/rehearsals', size: phone });
  for (const path of [
    '/door/rehearsals',
    `/door/rehearsals/${event_id}`,
    '/door/conflicts',
    '/door/phones',
    '/door/presence',
    `/door/scans?ticket=${tickets[0]!.ticket_id}`,
  ]) {
    await page.goto(`${server.url}/admin${path}`);
    await see(page.getByText(word).first()).toBeAttached(within);
    const wider = await page.evaluate(() =>
      [...document.querySelectorAll('html, main, .kit-page-panel_panel')]
        .filter((box) => box.scrollWidth > box.clientWidth)
        .map((box) => box.className || box.tagName),
    );
    expect([path, wider]).toEqual([path, []]);
  }
  await page.context().close();
});
