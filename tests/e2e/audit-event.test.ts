/** The event page in every state in which something can be bought: two accessibility engines and the validator find nothing, in both themes, narrow and wide. */
import { see } from '#tests/support/browsers/see.ts';
import { expect } from 'vitest';
import { expectNoFaults } from '#tests/support/faults.ts';
import { testVisit as test } from '#tests/support/browsers/start-visit.ts';
import { eventPage, within } from '#tests/support/visit.ts';
import { openRow, takeSeats } from '#tests/support/visitor.ts';

const minute = 60_000;

test('while seats are looked for, chosen and held, until their time is over', async (at) => {
  const { page, server, alerts } = at;
  await page.goto(eventPage);
  await page.getByRole('button', { name: /Scegli da un elenco/ }).waitFor(within);
  await page.getByRole('button', { name: 'Procedi al pagamento', exact: true }).click();
  await expect.poll(() => alerts).toEqual(['Seleziona prima i posti...']);
  await expectNoFaults(page, 'asked to pay with nothing chosen');

  await page.getByRole('button', { name: /Leggi tutto/ }).click();
  await see(page.getByRole('dialog', { name: 'La locandiera' })).toBeVisible();
  await expectNoFaults(page, 'the description in its drawer');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Info | Contatti | Privacy Policy' }).click();
  await see(
    page
      .getByRole('dialog', { name: 'Info e contatti' })
      .getByRole('heading', { name: 'Privacy Policy' }),
  ).toBeVisible();
  await expectNoFaults(page, 'the drawer with contacts and legal texts');
  await page.keyboard.press('Escape');

  await openRow(page, 'D');
  await page.getByRole('button', { name: /Fila D, posto 2,.*libero/ }).click();
  await see(page.getByRole('dialog').getByRole('button', { name: /Intero/ })).toBeVisible();
  await expectNoFaults(page, 'the choice of a ticket type');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Intero/ })
    .click();
  await see(
    page.getByRole('status', { name: 'Avviso' }).getByText('Così resterebbe un posto isolato'),
  ).toBeVisible();
  await expectNoFaults(page, 'a seat left alone');

  await page.getByRole('button', { name: /^Togli / }).click();
  await page
    .getByRole('button', { name: /^Fila C/ })
    .first()
    .click();
  await takeSeats(page, { row: 'C', seats: ['1', '2'] });
  await see(page.locator('.event-book-button_bubble')).toBeVisible();
  const fail = Promise.withResolvers<void>();
  await page.route('**/book', async (route) => {
    await fail.promise;
    await route.abort();
  });
  const asked = page.waitForRequest('**/book');
  await page.getByRole('button', { name: /^Paga / }).click();
  await asked;
  await expectNoFaults(page, 'asked for the order, no answer yet');
  fail.resolve();
  await expect
    .poll(() => alerts.join())
    .toContain('Oops... si è verificato un problema. Riprova...');
  await see(page.locator('.event-seats-selection-summary_warning')).not.toBeEmpty();
  await see(page.getByRole('button', { name: /^Paga / })).toHaveAttribute('aria-busy', 'false');
  await page.unroute('**/book');
  await page.evaluate(() => sessionStorage.removeItem('botteghino.booking.1'));

  // The same session goes on after a reload, with what is left of its time.
  server.clock.advance(13.5 * minute);
  await page.reload();
  await see(page.getByRole('button', { name: 'Ho bisogno di più tempo' })).toBeVisible();
  await see(page.locator('.event-hold-clock_soon')).toBeVisible();
  await expectNoFaults(page, 'the end of the hold is near');

  await page.route('**/prolong', (route) => route.abort());
  await page.getByRole('button', { name: 'Ho bisogno di più tempo' }).click();
  await see(page.getByRole('alertdialog', { name: /^Errore: / })).toBeVisible();
  await see(page.getByRole('button', { name: 'Ho bisogno di più tempo' })).toHaveAttribute(
    'aria-busy',
    'false',
  );
  await expectNoFaults(page, 'a button whose work failed');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Chiudi', exact: true }).click();

  server.clock.advance(2 * minute);
  await page.reload();
  await see(page.getByText('Nessun posto scelto')).toBeVisible();
  await page.getByRole('button', { name: /Scegli da un elenco/ }).waitFor(within);
});
