/** The order page with tickets, in every state: two accessibility engines and the validator find nothing, in both themes, narrow and wide. */
import type { Browser, Page } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setHolder } from '#server/contract/order/holders.ts';
import { getOrder } from '#server/contract/order/orders.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { expectNoFaults, openPage } from '#tests/support/faults.ts';
import { callOk, demoEvent, makeAdmin } from '#tests/support/make.ts';
import { refundByOffice, setPolicy } from '#tests/support/refunds.ts';
import { startServer } from '#tests/support/server.ts';

const within = { timeout: 20_000 };
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** A button that has just been pressed rests for 200 ms, and looks like it. */
async function rested(page: Page): Promise<void> {
  await see(page.locator('[aria-busy=true]')).toHaveCount(0, within);
}

test('paid, shown at the door, asked back, refunded', { timeout: 180_000 }, async () => {
  await using server = await startServer();
  await setPolicy(server, { refund_request: 'office', refund_stop_days: 0 }, demoEvent);
  const { order_id } = await makePaidOrder(server);
  await using visitor = await openPage(browser, server.url);
  const { page } = visitor;
  await page.goto(`/orders/${order_id}`);
  await see(page.getByRole('heading', { name: 'Ordine confermato!' })).toBeVisible(within);
  await see(page.getByRole('button', { name: 'Chiedi un rimborso' })).toBeVisible(within);
  await expectNoFaults(page, 'paid');

  await page.getByRole('button', { name: 'Mostra a tutto schermo' }).first().click();
  await see(page.getByText('1 di 2').last()).toBeVisible();
  await expectNoFaults(page, 'a code on the whole screen');
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Chiedi un rimborso' }).click();
  await page.getByRole('checkbox').first().uncheck();
  await see(page.getByRole('button', { name: /^Chiedi il rimborso di/ })).toBeEnabled(within);
  await expectNoFaults(page, 'the choice of tickets to give back');
  await page.getByRole('checkbox').last().uncheck();
  await see(page.getByText('Scegli almeno un biglietto.')).toBeVisible();
  await expectNoFaults(page, 'no ticket to give back');
  await page.getByRole('checkbox').last().check();
  await page.getByRole('button', { name: /^Chiedi il rimborso di/ }).click(within);
  await see(page.getByRole('alertdialog', { name: 'Vuoi restituire 1 biglietto?' })).toBeVisible();
  await rested(page);
  await expectNoFaults(page, 'the last question before a refund');
  await page.getByRole('button', { name: /^Sì, chiedi/ }).click();
  await see(page.getByText(/^Hai chiesto il rimborso di/)).toBeVisible(within);
  await rested(page);
  await expectNoFaults(page, 'a refund was asked for');
  await page.getByRole('button', { name: 'Ritira la richiesta' }).click();
  await see(page.getByRole('alertdialog', { name: 'Vuoi ritirare la richiesta?' })).toBeVisible();
  await rested(page);
  await expectNoFaults(page, 'the question before the wish is taken back');
  await page.getByRole('button', { name: 'Sì, ritira' }).click();
  await see(page.getByText(/è stata ritirata/)).toBeVisible(within);

  const admin = await makeAdmin(server);
  const [first] = (await callOk(server, getOrder, { params: { orderId: order_id } })).tickets;
  await refundByOffice(server, admin, { order_id }, { ticket_ids: [first!.ticket_id] });
  await server.runDue();
  await page.reload();
  await see(page.getByText('Con questo biglietto non si entra più.')).toBeVisible(within);
  // The refunded one is the last.
  await see(page.getByRole('img', { name: /Codice QR del biglietto 1 di 2/ })).toBeVisible();
  await expectNoFaults(page, 'one of two refunded');
  await refundByOffice(server, admin, { order_id });
  await server.runDue();
  await page.reload();
  await see(page.getByRole('heading', { name: 'Ordine rimborsato' })).toBeVisible(within);
  await expectNoFaults(page, 'all refunded');
});

test('tickets with names', { timeout: 180_000 }, async () => {
  await using server = await startServer();
  await setPolicy(
    server,
    { nominative: 1, holder_change: 1, holder_changes_max: 1, holder_change_until_hours: 24 },
    demoEvent,
  );
  const { order_id } = await makePaidOrder(server);
  await using visitor = await openPage(browser, server.url);
  const { page } = visitor;
  await page.goto(`/orders/${order_id}`);
  await see(
    page.getByText('Intestatario mancante: il codice QR compare quando indichi il nome.'),
  ).toHaveCount(2, within);
  await expectNoFaults(page, 'names are missing');

  await page.getByRole('button', { name: 'Indica i nomi' }).click();
  await page.getByRole('button', { name: 'Salva e continua' }).click();
  await see(page.getByText('Scrivi il nome.')).toBeVisible();
  await rested(page);
  await expectNoFaults(page, 'a form with faults');
  await page.keyboard.press('Escape');

  const [first] = (await callOk(server, getOrder, { params: { orderId: order_id } })).tickets;
  await callOk(server, setHolder, {
    params: { orderId: order_id, ticketId: first!.ticket_id },
    body: { first_name: 'Anna', last_name: 'Bianchi' },
  });
  await page.reload();
  await page
    .getByRole('region', { name: 'Intestatari' })
    .getByRole('button', { name: /^Cambia/ })
    .click(within);
  await see(page.getByRole('dialog', { name: 'Cambia intestatario' })).toBeVisible();
  await expectNoFaults(page, 'the form for a change of holder');
});

test('tickets without signal', { timeout: 120_000 }, async () => {
  await using server = await startServer();
  const { order_id } = await makePaidOrder(server);
  await using visitor = await openPage(browser, server.url);
  const { page, context } = visitor;
  await page.goto(`/orders/${order_id}`);
  await see(page.getByRole('heading', { name: 'Ordine confermato!' })).toBeVisible(within);
  await expect
    .poll(
      () =>
        page.evaluate(
          async () =>
            (await caches.match('/orders/frame')) !== undefined &&
            (await navigator.serviceWorker.getRegistrations())[0]?.active?.state === 'activated',
        ),
      { timeout: 15_000 },
    )
    .toBe(true);
  await context.setOffline(true);
  await page.reload();
  await see(page.getByText(/questi sono i biglietti salvati/)).toBeVisible(within);
  await expectNoFaults(page, 'saved');
});
