/** A supervisor's phone tells of a guest who is inside with a ticket that has ended, until the office has decided. */
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect } from 'vitest';
import { settleEntryAgainst } from '#server/contract/door/against.ts';
import { makePhone } from '#server/contract/door/phones.ts';
import { testOnce as test } from '#tests/support/both.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { makeEvening } from '#tests/support/door/door-evening.ts';
import { openPhone, wake } from '#tests/support/door/phone.ts';
import { callOk, demoEvent } from '#tests/support/make.ts';
import { refundByOffice } from '#tests/support/refunds.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** Counts what a selector finds after the phone has called the server once more. */
const countAfterCall = (page: Page, selector: string) =>
  expect.poll(
    async () => {
      await wake(page);
      return page.locator(selector).count();
    },
    { interval: 500 },
  );

test('a supervisor’s phone shows who is inside without a valid ticket, with seat, gate, time and order; when the office has decided it is gone', async (server, admin) => {
  const { tickets, one, admit, scanOf } = await makeEvening(server, admin);
  const ticket = tickets[0]!;
  const { db } = server.house.ctx;
  const { order_id } = await db('tickets').where({ id: ticket.ticket_id }).first('order_id');
  const { number } = await db('orders').where({ id: order_id }).first('number');
  await refundByOffice(server, admin, { order_id }, { ticket_ids: [ticket.ticket_id] });
  await server.runDue();
  const body = { name: 'Capo', gate: null, event_ids: [demoEvent], role: 'supervisor' as const };
  const { pairing_url } = await callOk(server, makePhone, { body }, admin);
  await using boss = await openPhone(browser, `${server.url}/scanner/${new URL(pairing_url).hash}`);
  const { page } = boss;
  const late = scanOf(one, ticket, { ago: -4, offline: true });
  server.clock.advance(5 * 60_000);
  await admit(one, ticket, { ...late });

  await countAfterCall(page, '[data-conflicts="1"]').toBe(1);
  await page.getByRole('alert').getByText(`${ticket.seat}: senza biglietto valido`).click();
  const card = page.locator('[data-guest]');
  await card.waitFor();
  expect(await card.innerText()).toMatch(
    new RegExp(`${ticket.seat}[^]*Entrato[^]*Varco A[^]*Rimborsato alle[^]*${number}`),
  );
  const { id: admissionId } = await db('admissions').whereNotNull('against').first('id');
  const settled = { params: { admissionId }, body: { as: 'stays' } } as const;
  await callOk(server, settleEntryAgainst, settled, admin);
  await countAfterCall(page, '[data-guest]').toBe(0);
});
