/** The event page around its sale: what an order of this tab says, what cannot be bought, what could not be loaded; nothing for two accessibility engines and the validator to find. */
import type { Browser, Page } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, test } from 'vitest';
import { ProviderUnavailable } from '#server/adapters/provider.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { makePaidOrder, payAs } from '#tests/support/buyer.ts';
import { expectNoFaults, followLink, openPage } from '#tests/support/faults.ts';
import { demoEvent, makeOrder } from '#tests/support/make.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

const within = { timeout: 20_000 };
const path = `/event/${demoEvent}`;
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** The tab in which the order was begun comes back to the event. */
async function comeBackWith(page: Page, { order_id }: { order_id: string }): Promise<void> {
  await page.goto(path);
  await page.evaluate(
    (id) => sessionStorage.setItem('botteghino.orders.1', JSON.stringify([{ id }])),
    order_id,
  );
  await page.reload();
}

async function setEvent(server: TestServer, changes: object): Promise<void> {
  await server.house.ctx.db('events').where({ id: demoEvent }).update(changes);
}

test('each state of the order overlay (RULES O10)', { timeout: 120_000 }, async () => {
  await using server = await startServer();
  const { ctx } = server.house;
  await using visitor = await openPage(browser, server.url);
  const { page } = visitor;

  const open = await makeOrder(server);
  await comeBackWith(page, open);
  await see(page.getByRole('alertdialog', { name: 'Hai un ordine in sospeso' })).toBeVisible(
    within,
  );
  await expectNoFaults(page, 'an order that waits for its payment');

  await page.route('**/checkout_session', () => {});
  await page.getByRole('button', { name: 'Annulla' }).click();
  await see(page.getByText('Libero i tuoi posti…')).toBeVisible();
  await expectNoFaults(page, 'an order that is being cancelled');
  await page.unroute('**/checkout_session');

  await ctx
    .db('orders')
    .where({ id: open.order_id })
    .update({ state: 'deleted', deleted_at: server.clock.now(), session_status: 'expired' });
  await page.reload();
  await see(page.getByRole('alertdialog', { name: 'Sessione di pagamento scaduta.' })).toBeVisible(
    within,
  );
  await expectNoFaults(page, 'an order whose session has expired');

  const complete = await makeOrder(server, { nth: 1 });
  await payAs(server, complete);
  const { payments } = ctx;
  ctx.payments = {
    ...payments,
    read: () => Promise.reject(new ProviderUnavailable('Stripe', 'no answer', null)),
  };
  await ctx.db('orders').where({ id: complete.order_id }).update({ session_status: 'complete' });
  await comeBackWith(page, complete);
  await see(
    page.getByRole('alertdialog', { name: 'Sessione di pagamento completata!' }),
  ).toBeVisible(within);
  await expectNoFaults(page, 'an order whose payment is being checked');
  ctx.payments = payments;

  await comeBackWith(page, await makePaidOrder(server, {}, { nth: 2 }));
  await see(page.getByRole('alertdialog', { name: 'Ordine confermato!' })).toBeVisible(within);
  await expectNoFaults(page, 'an order that is confirmed');
});

test('each state of the sale in which nothing can be bought', { timeout: 120_000 }, async () => {
  await using server = await startServer();
  await using visitor = await openPage(browser, server.url);
  const { page } = visitor;
  const { now } = server.clock;

  await setEvent(server, { sales_opens_at: now() + 3_600_000 });
  await page.goto(path);
  await see(page.getByRole('heading', { name: /^In vendita dal/ })).toBeVisible(within);
  await page.locator('.event-seats-seat-chart_chart canvas').first().waitFor(within);
  await expectNoFaults(page, 'not yet on sale');

  await setEvent(server, { sales_opens_at: null, sales_closes_at: now() - 1_000 });
  await page.goto(path);
  await see(page.getByRole('heading', { name: 'Vendita chiusa' })).toBeVisible(within);
  await expectNoFaults(page, 'no longer on sale');

  await setEvent(server, { sales_closes_at: null, starts_at: now() - 24 * 3_600_000 });
  await page.goto(path);
  await see(page.getByRole('heading', { name: 'Spettacolo concluso' })).toBeVisible(within);
  await expectNoFaults(page, 'over');

  await setEvent(server, {
    starts_at: now() + 24 * 3_600_000,
    status: 'cancelled',
    cancelled_at: now(),
  });
  await page.goto(path);
  await see(page.getByRole('heading', { name: 'Evento annullato' })).toBeVisible(within);
  await expectNoFaults(page, 'cancelled');

  await setEvent(server, { status: 'published', cancelled_at: null });
  await sellOut(server);
  await page.goto(path);
  await see(page.getByText('Esaurito')).toBeVisible(within);
  await page.getByRole('button', { name: /Scegli da un elenco/ }).waitFor(within);
  await expectNoFaults(page, 'sold out');
  await page.goto('/');
  await see(page.getByText('Esaurito')).toBeVisible(within);
  await expectNoFaults(page, 'sold out, on the home page');
});

/** Every place is in somebody's order. */
async function sellOut(server: TestServer): Promise<void> {
  const { db } = server.house.ctx;
  const { order_id } = await makeOrder(server);
  const lines = await db('order_lines').where({ order_id });
  const taken = new Set(lines.map(({ place }: { place: string }) => place));
  const places: string[] = await db('places')
    .where({ event_id: demoEvent })
    .orderBy('place')
    .pluck('place');
  const others = places
    .filter((place) => !taken.has(place))
    .map((place, index) => ({ ...lines[0], id: `line-${index}`, place, position: index + 3 }));
  await db.batchInsert('order_lines', others, 30);
  server.clock.advance(2_000);
}

test('what could not be loaded', { timeout: 120_000 }, async () => {
  await using server = await startServer();
  await using visitor = await openPage(browser, server.url);
  const { page } = visitor;

  await page.goto('/');
  await page.route('**/api/event/**', (route) => route.abort());
  await followLink(page.getByRole('link', { name: /La locandiera/ }));
  await see(
    page.getByText('Oops... Si è verificato un errore :( Riprova più tardi...'),
  ).toBeVisible(within);
  await see(page.getByRole('button', { name: 'Riprova' })).toHaveAttribute('aria-busy', 'false');
  await expectNoFaults(page, 'the event');
  await page.unroute('**/api/event/**');

  await page.goto('/');
  await page.route('**/api/event/**', () => {});
  await followLink(page.getByRole('link', { name: /La locandiera/ }));
  await see(page.locator('.ui-spinner-full')).toBeVisible(within);
  await expectNoFaults(page, 'the event, still on its way');
  await page.unroute('**/api/event/**');

  await page.goto('/event/niente');
  await see(page.getByText('Questo spettacolo non esiste o non è in vendita.')).toBeVisible(within);
  await expectNoFaults(page, 'an event that is not there');

  await page.route('**/chart.js*', (route) => route.abort());
  await page.goto(path);
  await see(page.getByText('La pianta dei posti non si è caricata.')).toBeVisible(within);
  await expectNoFaults(page, 'the chart');
});
