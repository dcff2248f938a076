/** Accrediti in a real browser: what is on its way, a payout line by line, and a difference that is named and leads to where it is settled. */
import type { Browser } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditPage } from '#tests/chart/audit.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { desk, openDesk, phone, within } from '#tests/support/door/desk.ts';
import { makeAdmin } from '#tests/support/make.ts';
import { makePaid, passTime } from '#tests/support/refunds.ts';
import { asRole } from '#tests/support/roles.ts';
import { startServer } from '#tests/support/server.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const hour = 3_600_000;
const day = 24 * hour;

for (const [where, size] of [
  ['at a desk', desk],
  ['on a phone', phone],
] as const)
  test(`payouts say whether they agree, and which line does not (${where})`, async () => {
    await using server = await startServer();
    const { db } = server.house.ctx;
    await makeAdmin(server);
    const order = await makePaid(server);
    const page = await openDesk(browser, server, await asRole(server, 'office'), {
      path: '/reports/payouts',
      size,
    });
    await see(page.getByText('Nessun accredito, finora.')).toBeVisible(within);
    await page.context().close();
    for (const wait of [hour, 8 * day, 2 * hour]) await passTime(server, wait);
    await makePaid(server, { nth: 1 });
    await passTime(server, hour);
    // Our own book says another sum than Stripe.
    await db('payments').where({ order_id: order.order_id }).update({ amount_cents: 5_800 });
    const later = await openDesk(browser, server, await asRole(server, 'office'), {
      path: '/reports/payouts',
      size,
    });
    await later.getByRole('button', { name: 'Rileggi da Stripe' }).click();
    await see(later.getByText(/Lettura avviata/)).toBeVisible(within);
    await server.runDue();
    await later.reload();
    await see(later.getByText('1 differenza')).toBeVisible(within);
    await see(later.getByText('57,86 € netti in 1 movimento')).toBeVisible();
    const audit = async () => {
      expect(await auditPage(later)).toEqual([]);
      const fits = () => document.documentElement.scrollWidth <= window.innerWidth;
      expect(await later.evaluate(fits)).toBe(true);
    };
    await audit();
    await later.getByRole('row').getByRole('link').first().click();
    await see(later.getByText(/59,00\s€ su Stripe, 58,00\s€ qui/)).toBeVisible(within);
    await see(later.getByText('Somma delle righe')).toBeVisible();
    await audit();
    await later.getByRole('link', { name: 'Sistema la differenza' }).click();
    await see(later.getByText('Un accredito di Stripe non quadra')).toBeVisible(within);
    await later.context().close();
  });
