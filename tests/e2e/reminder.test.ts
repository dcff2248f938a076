/** "Avvisami" in a real browser: from the card on the home page to the yes behind the mail's link, and back off the list. */
import { see } from '#tests/support/browsers/see.ts';
import { expect, test } from 'vitest';
import { openDesk } from '#tests/support/door/desk.ts';
import { expectNoFaults } from '#tests/support/faults.ts';
import { demoEvent, makeAdmin } from '#tests/support/make.ts';
import { startVisit } from '#tests/support/browsers/start-visit.ts';
import { screens } from '#tests/support/visit.ts';

test('a visitor leaves an address, says yes by the mail’s link, sees so, and changes their mind', async () => {
  await using at = await startVisit({ viewport: screens[0] });
  const { page, server, browser } = at;
  const { db } = server.house.ctx;
  const sales_opens_at = server.clock.now() + 24 * 3_600_000;
  await db('events').where({ id: demoEvent }).update({ sales_opens_at });
  const asked = Promise.withResolvers<void>();
  const loads = Promise.withResolvers<void>();
  await page.route('**/after-chart-*.js', async (route) => {
    asked.resolve();
    await loads.promise;
    await route.continue();
  });
  await page.goto('/');
  await page
    .getByRole('link', { name: 'Avvisami quando apre la vendita dei biglietti per La locandiera' })
    .click();
  const field = page.getByLabel('Avvisami quando apre: la tua e-mail');
  await see(field).toBeFocused();
  await see(field).toBeInViewport();
  await see(page.getByText('Niente pubblicità.')).toBeVisible();
  // A part of the page that is still loading hides nothing.
  await asked.promise;
  await see(field).toBeFocused();
  loads.resolve();
  await field.press('Enter');
  await see(page.getByText('Scrivi il tuo indirizzo e-mail.')).toBeVisible();
  await field.fill('eva@example');
  // The button rests for a moment after each click.
  await see(async () => {
    await field.press('Enter');
    await see(page.getByText('Questo indirizzo non è completo.')).toBeVisible({ timeout: 500 });
  }).toPass();
  await field.fill('eva@example.it');
  await see(async () => {
    await page.getByRole('button', { name: 'Avvisami' }).click({ timeout: 1_000 });
    await see(page.getByText('apri il messaggio e conferma entro 48 ore')).toBeVisible({
      timeout: 2_000,
    });
  }).toPass();
  await expectNoFaults(page, 'an address was left');

  await server.runDue();
  const { text } = await db('mails').where({ kind: 'reminder', state: 'sent' }).first();
  const path = /\/avviso#[\w-]{22}/.exec(text)![0];
  await page.goto(path);
  await see(page.getByText('Vuoi un’e-mail quando apre la vendita')).toBeVisible();
  expect(await db('reminders').whereNotNull('confirmed_at')).toEqual([]);
  await expectNoFaults(page, 'asked for a yes');
  await page.getByRole('button', { name: 'Sì, avvisatemi' }).click();
  await see(page.getByText('Sei in elenco')).toBeVisible();
  const office = await openDesk(browser, server, await makeAdmin(server), {
    path: `/events/${demoEvent}`,
  });
  await see(office.getByText('1 persona')).toBeVisible();
  await office.context().close();

  await page.getByRole('button', { name: 'Non voglio più l’avviso' }).click();
  await see(page.getByText('il tuo indirizzo è cancellato')).toBeVisible();
  expect(await db('reminders')).toEqual([]);
  await page.reload();
  await see(page.getByText('Questo link non vale più')).toBeVisible();
  await page.goto('/avviso');
  await see(page.getByText('Questo link non vale più')).toBeVisible();
  expect(at.troubles).toEqual([]);
});
