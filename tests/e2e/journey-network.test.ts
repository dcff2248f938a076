/** The network goes while booking and while paying: nobody knows what happened, the visitor asks again, and there is one order and one payment. */
import type { Route } from 'playwright';
import { see } from '#tests/support/browsers/see.ts';
import { expect } from 'vitest';
import { fillCard, testVisit as test } from '#tests/support/browsers/start-visit.ts';
import { sessionsAtStripe } from '#tests/support/stripe-desk.ts';
import { eventPage, within } from '#tests/support/visit.ts';
import { chooseTwoSeats, pressPay } from '#tests/support/visitor.ts';

const oops = 'Oops... si è verificato un problema. Riprova...\n\n';
const noLine = `${oops}Manca la connessione a Internet.`;
const noAnswer = `${oops}Il sito non risponde: controlla la connessione.`;

/** The server does its work, and its answer is lost. */
async function lose(route: Route): Promise<void> {
  await route.fetch();
  await route.abort('internetdisconnected');
}

test('the booking does not leave, then its answer is lost twice, then that to the payment: each is said, the seats stay chosen, and there is one order that is paid once', async (at) => {
  const { page, server, alerts } = at;
  const ordersNow = () => server.house.ctx.db('orders').pluck<string[]>('state');
  const book = page.locator('.event-seats-selection-summary_button');
  const isFree = () => see(book).toHaveAttribute('aria-disabled', 'false');
  const isStillChosen = () =>
    see(page.getByRole('status', { name: 'Posti scelti' })).toContainText('2 posti · 64,00');
  await page.goto(eventPage);
  await chooseTwoSeats(page);
  await page.context().setOffline(true);
  await book.click();
  await expect.poll(() => alerts, within).toEqual([noLine]);
  await isStillChosen();
  expect(await ordersNow()).toEqual([]);
  await page.context().setOffline(false);
  await isFree();

  await page.route(/\/book$/, lose, { times: 2 });
  for (const told of [2, 3]) {
    await book.click();
    await expect.poll(() => alerts.length, within).toBe(told);
    await isFree();
  }
  // The chart has let the booked seats go.
  await see(page.getByRole('button', { name: /Fila C, posto 1,.*occupato/ })).toBeVisible();
  await isStillChosen();
  await pressPay(page);
  expect([await ordersNow(), (await sessionsAtStripe(server)).length, alerts]).toEqual([
    ['awaiting_payment'],
    1,
    [noLine, noAnswer, noAnswer],
  ]);

  await fillCard(page);
  await page.route('**/payment_pages/*/confirm', lose, { times: 1 });
  const pay = page.getByRole('button', { name: /^Paga 64,00/ });
  await pay.click();
  // Whatever the hosted page does by itself, the visitor's own next step is the same button or the way back.
  await see(async () => {
    if (/\/orders\//.test(page.url())) return;
    await pay.click({ timeout: 1_000 });
    expect(page.url()).toMatch(/\/orders\//);
  }).toPass();
  await see(page.getByRole('heading', { name: 'Ordine confermato!' })).toBeVisible();
  const [session, ...others] = await sessionsAtStripe(server);
  expect([others, session!.payment_status, await ordersNow()]).toEqual([[], 'paid', ['confirmed']]);
}, 90_000);
