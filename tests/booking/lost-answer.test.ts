/** A booking whose answer does not arrive, in a real browser against the whole product: the visitor keeps his own seats. */
import type { Page } from 'playwright';
import { see } from '#tests/support/browsers/see.ts';
import { expect } from 'vitest';
import { testVisit as test } from '#tests/support/browsers/start-visit.ts';
import { eventPage, within } from '#tests/support/visit.ts';
import { chooseTwoSeats } from '#tests/support/visitor.ts';

const booking = /\/book$/;
const payButton = (page: Page) =>
  page.getByRole('button', { name: /^Procedi al pagamento/ }).last();
const orderWaits = (page: Page) =>
  see(page.getByRole('alertdialog', { name: 'Hai un ordine in sospeso' })).toBeVisible();

test('a page that is not ours in place of the answer changes nothing, and the keyboard stays where it was; after a lost answer a reload asks for the same order again', async (at) => {
  const { page, alerts } = at;
  await page.goto(eventPage);
  await chooseTwoSeats(page);
  await page.route(
    booking,
    (route) =>
      route.fulfill({ status: 200, contentType: 'text/html', body: '<h1>Wi-Fi dell’hotel</h1>' }),
    { times: 1 },
  );
  const button = payButton(page);
  await button.focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => alerts.length, within).toBe(1);
  expect(alerts[0]).toContain('Il sito non ha risposto come previsto.');
  await see(page.getByText('2 posti · 64,00').first()).toBeVisible();
  await see(button).toBeFocused();
  await see(button).toHaveAttribute('aria-disabled', 'false');

  // The server answers, the visitor does not hear it.
  await page.route(
    booking,
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await page.keyboard.press('Enter');
  await expect.poll(() => alerts.length, within).toBe(2);
  expect(alerts[1]).toContain('Il sito non risponde: controlla la connessione.');
  await page.reload();
  await orderWaits(page);
  expect(await at.server.house.ctx.db('orders').pluck('state')).toEqual(['awaiting_payment']);
});

test('an order that the server could not finish is remembered, and watched until it can be paid', async (at) => {
  const { page, alerts } = at;
  await page.goto(eventPage);
  await chooseTwoSeats(page);
  // What the server says while the payment provider is silent, with the order that it has stored by then.
  await page.route(
    booking,
    async (route) => {
      const { order_id } = (await (await route.fetch()).json()) as { order_id: string };
      const message = 'Riprova tra poco.';
      await route.fulfill({
        status: 503,
        json: { status: 503, code: 'provider_silent', message, detail: { order_id } },
      });
    },
    { times: 1 },
  );
  let early = true;
  await page.route(/\/api\/orders\/[^/]+\/status$/, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({
      response: answer,
      json: early
        ? { ...(await answer.json()), checkout_session_status: null, checkout_url: null }
        : await answer.json(),
    });
    early = false;
  });
  await payButton(page).click();
  await orderWaits(page);
  expect(alerts[0]).toContain('Riprova tra poco.');
});
