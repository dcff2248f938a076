/** A visitor buys a table for eight of its ten, and gives a guest the link of one ticket, which opens at a door without signal. */
import { see } from '#tests/support/browsers/see.ts';
import { expect } from 'vitest';
import { publishEvent } from '#server/contract/event-desk.ts';
import { fillCard, testVisit as test } from '#tests/support/browsers/start-visit.ts';
import { makeDraft, makeForm, nameSeller } from '#tests/support/event-desk.ts';
import { callOk, makeAdmin } from '#tests/support/make.ts';
import { pressPay } from '#tests/support/visitor.ts';
import { within } from '#tests/support/visit.ts';

test('a table is bought for eight of ten: map, cart, hosted page and order say so; its tickets are handed on one by one', async (at) => {
  const { page, server } = at;
  const admin = await makeAdmin(server);
  await nameSeller(server, admin);
  const [stalls] = (await makeForm(server)).seat_pricing;
  const { ticketTypes } = stalls!;
  const sectors = ['Posto al tavolo', 'Tavolo d’onore', 'Séparé', 'Bancone', 'In piedi'];
  const { id, version } = await makeDraft(server, admin, {
    id: 'gala',
    chart_key: 'sala-delle-feste',
    seat_pricing: sectors.map((category) => ({ category, ticketTypes })),
    whole_terms: {
      tables: { mode: 'INHERIT' },
      categories: { 2: { minimum: 6 }, 3: { places: 4, price_per: 'object' } },
    },
  });
  await callOk(server, publishEvent, { params: { eventId: id }, body: { version } }, admin);
  await page.goto('/event/gala');
  const prices = page.getByRole('region', { name: 'Prezzi' });
  await see(prices.getByText('Intero, a posto')).toBeVisible();
  await see(prices.getByText('Intero, per tutti i 4 posti')).toBeVisible();
  await page.getByRole('button', { name: /Scegli da un elenco/ }).click(within);
  for (const said of [
    /^Sala\s*296 posti liberi/,
    /^Séparé S1 libero, 20,00\s€\s*Si compra intero: 4 posti, un prezzo per tutti/,
  ])
    await see(page.getByRole('button', { name: said })).toBeVisible();
  await page
    .getByRole('button', { name: /^Tavolo O1 tavolo intero, 10 posti, libero, 200,00/ })
    .click();
  const cart = page.getByRole('region', { name: 'I tuoi posti' });
  await see(cart.getByText('Tavolo O1, intero: 10 posti')).toBeVisible();
  for (let fewer = 0; fewer < 5; fewer += 1)
    await cart.getByRole('button', { name: 'Uno in meno, Tavolo O1' }).click();
  await see(cart.getByText(/^Si pagano almeno 6 posti, anche se venite in 5/)).toBeVisible();
  await see(cart.getByText('Tavolo O1, intero: 6 di 10 posti')).toBeVisible();
  for (let more = 0; more < 3; more += 1)
    await cart.getByRole('button', { name: 'Uno in più, Tavolo O1' }).click();
  await see(cart.getByText('Tavolo O1, intero: 8 di 10 posti')).toBeVisible();
  await pressPay(page);
  await see(page.getByText(/– Tavolo O1, intero: 8 di 10 posti\. Totale 160,00/)).toBeVisible();
  await fillCard(page);
  await page.getByRole('button', { name: /^Paga/ }).click();
  await see(page.getByRole('heading', { name: 'Ordine confermato!' })).toBeVisible();
  await see(page.getByText('Tavolo O1, intero: 8 di 10 posti')).toBeVisible();
  expect(await page.getByRole('img', { name: /^Codice QR/ }).count()).toBe(8);

  await page
    .getByRole('button', { name: 'Dallo a chi viene con te Tavolo O1, posto 3 di 10' })
    .click();
  await see(page.getByText('Link già dato: apre solo questo biglietto.')).toHaveCount(1);
  await page.reload();
  await see(page.getByText('Link già dato: apre solo questo biglietto.')).toHaveCount(1);
  const ticket = await server.house.ctx.db('tickets').where({ place: 'O1#3' }).first();
  await page.goto(`/orders/${ticket.handed_link}.${ticket.id}`);
  const code = page.getByRole('img', {
    name: 'Codice QR del biglietto 1 di 1: Tavolo O1, posto 3 di 10',
  });
  await see(code).toBeVisible();
  for (const word of ['160,00', '20,00', 'rimborso', 'posto 4'])
    await see(page.getByText(word)).toHaveCount(0);
  await expect
    .poll(
      () => page.evaluate(async () => (await caches.match('/orders/frame')) !== undefined),
      within,
    )
    .toBe(true);
  await page.reload();
  await see(code).toBeVisible();
  await page.context().setOffline(true);
  await page.reload();
  await see(page.getByText(/Sei offline/)).toBeVisible();
  await see(code).toBeVisible();
  await page.context().setOffline(false);
  await server.house.ctx.db('tickets').where({ id: ticket.id }).update({ state: 'void' });
  await page.reload();
  await see(page.getByRole('heading', { name: 'Link non più valido' })).toBeVisible();
});
