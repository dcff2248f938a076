/**
 * An order that was begun and not paid: known in every tab, given back with words, and begun anew
 * with the same seats.
 */
import { asVisitor } from '#tests/support/make.ts';
import type { Page } from 'playwright';
import { see } from '#tests/support/browsers/see.ts';
import { expect } from 'vitest';
import { testVisit as test } from '#tests/support/browsers/start-visit.ts';
import { eventPage, within } from '#tests/support/visit.ts';
import { chooseTwoSeats, pressPay } from '#tests/support/visitor.ts';

const overlay = (page: Page) => page.getByRole('alertdialog');
const notice = (page: Page) => page.getByRole('region', { name: 'Ordine in sospeso' });

test('an order at the checkout is told in every other tab until it has ended there; "Riprendi gli stessi posti" chooses them again, from the overlay and, after the time to pay, from the order page', async (at) => {
  const { page, server } = at;
  await page.goto(eventPage);
  await chooseTwoSeats(page);
  const other = await page.context().newPage();
  const heading = other.getByRole('heading', { level: 1 });
  await other.goto('/');
  await see(heading).toBeVisible();
  await see(notice(other)).toHaveCount(0);
  await pressPay(page);
  // The open tab hears of it, a later one finds it.
  await see(notice(other)).toContainText('2 posti · 64,00');
  await see(notice(other).getByRole('link', { name: 'Prosegui' })).toHaveAttribute(
    'href',
    page.url(),
  );
  await other.goto(eventPage);
  await see(notice(other)).toBeVisible();
  await see(overlay(other)).toHaveCount(0);
  await notice(other).getByRole('link', { name: 'Vedi l’ordine' }).click();
  await see(heading).toHaveText('Il pagamento non è ancora concluso');
  await see(notice(other)).toHaveCount(0);
  await other.getByRole('button', { name: 'Annulla l’ordine' }).click();
  await other.getByRole('button', { name: 'Sì, annulla l’ordine' }).click();
  await see(heading).toHaveText('Ordine annullato.');
  await see(heading).toBeFocused();
  await other.goto('/');
  await see(heading).toBeVisible();
  await expect
    .poll(() => other.evaluate(() => localStorage['botteghino.open-order.1']))
    .toBeUndefined();
  await see(notice(other)).toHaveCount(0);
  await other.close();

  const again = (place: Page | ReturnType<typeof overlay>) =>
    place.getByRole('link', { name: 'Riprendi gli stessi posti' });
  const chosen = page.getByRole('region', { name: 'I tuoi posti' }).getByRole('listitem');
  await page.goto(eventPage);
  await again(overlay(page)).click(within);
  await see(overlay(page)).toHaveCount(0);
  await see(chosen).toHaveText([/posto 1.*Intero/, /posto 2.*Intero/]);

  await pressPay(page);
  const last = await server.house.ctx
    .db('orders')
    .where({ state: 'awaiting_payment' })
    .first<{ id: string }>();
  server.clock.advance(16 * 60_000);
  await server.runDue();
  await page.goto(await asVisitor(server, `/orders/${last!.id}`));
  await see(page.getByRole('heading', { name: 'Sessione di pagamento scaduta.' })).toBeVisible();
  await again(page).click(within);
  await page.waitForURL(`**${eventPage}`);
  await see(chosen).toHaveText([/posto 1.*Intero/, /posto 2.*Intero/]);
  await see(overlay(page)).toHaveCount(0);
  // Chosen once: a reload does not choose what was put back since.
  await page.getByRole('button', { name: /^Togli .*posto 1/ }).click();
  await see(chosen).toHaveCount(1);
  await page.reload();
  await see(chosen).toHaveText([/posto 2/]);
  expect(at.troubles).toEqual([]);
}, 90_000);
