/**
 * The event page while nothing can be bought; nothing for two accessibility engines and the
 * validator to find.
 */
import { see } from '#tests/support/browsers/see.ts';
import { expectNoFaults } from '#tests/support/faults.ts';
import { demoEvent } from '#tests/support/make.ts';
import { setPolicy } from '#tests/support/refunds.ts';
import { testVisit as test } from '#tests/support/browsers/start-visit.ts';
import { eventPage, within } from '#tests/support/visit.ts';
import { keepPlaces } from './full-house.ts';

test('each state of the sale in which nothing can be bought', async (at) => {
  const { page, server } = at;
  const setEvent = (changes: object) => setPolicy(server, changes, demoEvent);
  const { now } = server.clock;

  await setEvent({ sales_opens_at: now() + 3_600_000 });
  await page.goto(eventPage);
  await see(page.getByRole('heading', { name: /^In vendita dal/ })).toBeVisible();
  await page.locator('.event-seats-seat-chart_chart canvas').first().waitFor(within);
  await expectNoFaults(page, 'not yet on sale');

  await setEvent({ sales_opens_at: null, sales_closes_at: now() - 1_000 });
  await page.goto(eventPage);
  await see(page.getByRole('heading', { name: 'Vendita chiusa' })).toBeVisible();

  await setEvent({ sales_closes_at: null, status: 'cancelled', cancelled_at: now() });
  await page.goto(eventPage);
  await see(page.getByRole('heading', { name: 'Evento annullato' })).toBeVisible();
  await expectNoFaults(page, 'cancelled');

  await setEvent({ status: 'published', cancelled_at: null });
  await keepPlaces(server, 0);
  await page.goto(eventPage);
  await see(page.getByText('Esaurito')).toBeVisible();
  await see(page.getByRole('heading', { name: 'Non ci sono più posti' })).toBeVisible();
  await expectNoFaults(page, 'sold out');
  await page.goto('/');
  await see(page.getByText('Esaurito')).toBeVisible();
  await expectNoFaults(page, 'sold out, on the home page');
});
