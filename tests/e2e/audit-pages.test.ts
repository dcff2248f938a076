/** The other public screens, state by state: two accessibility engines and the validator find nothing, in both themes, narrow and wide. */
import { see } from '#tests/support/browsers/see.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { expectNoFaults, followLink } from '#tests/support/faults.ts';
import { demoEvent } from '#tests/support/make.ts';
import { testVisit as test } from '#tests/support/browsers/start-visit.ts';
import { within } from '#tests/support/visit.ts';

test('the home page: full, with what is over, empty, unreachable', async (at) => {
  const { page, server } = at;
  const { db } = server.house.ctx;
  const setDay = (days: number, id?: string) =>
    db('events')
      .where(id === undefined ? {} : { id })
      .update({ starts_at: server.clock.now() + days * 86_400_000, doors_at: null });

  await page.goto('/');
  await see(page.getByRole('heading', { name: 'La locandiera' })).toBeVisible();
  await setDay(-3, demoEvent);
  await page.goto('/');
  await page.getByText('1 spettacolo passato').click(within);
  await see(page.getByRole('heading', { name: 'La locandiera' })).toBeVisible();
  await expectNoFaults(page, 'one evening to come, one over');

  await setDay(-3);
  await page.goto('/');
  await see(page.getByText('Nessuno spettacolo in programma, per ora.')).toBeVisible();
  await page.getByText('2 spettacoli passati').click();
  await expectNoFaults(page, 'nothing to come, what is over unfolded');

  await page.goto('/privacy');
  await page.route('**/api/events/', (route) => route.abort());
  await followLink(page.getByRole('link', { name: /tutti gli spettacoli/ }));
  await see(
    page.getByText('Oops... Si è verificato un errore :( Riprova più tardi...'),
  ).toBeVisible();
  await expectNoFaults(page, 'no answer');
});

test('whoever has lost his links asks for them by mail in I miei biglietti: with faults, not sent, and sent', async (at) => {
  const { page, server } = at;
  await makePaidOrder(server, { email: 'eva@example.it' });
  await page.goto('/i-miei-biglietti');
  const send = page.getByRole('button', { name: 'Mandami i link' });
  const address = page.getByLabel('E-mail');
  const rested = () => see(send).toHaveAttribute('aria-busy', 'false');
  // What the server has drawn can be seen before it can be used.
  await see(async () => {
    await send.click();
    await see(page.getByText('Scrivi il tuo indirizzo e-mail.')).toBeVisible({ timeout: 500 });
  }).toPass();
  await rested();
  await address.fill('eva@');
  await send.click();
  await see(page.getByText('Questo indirizzo non è completo.')).toBeVisible();
  await rested();
  await expectNoFaults(page, 'half an address');
  await address.fill("d'angelo@città.it");
  await page.route('**/api/orders/find', (route) => route.abort(), { times: 1 });
  await send.click();
  const modal = page.getByRole('alertdialog', { name: /^Errore: / });
  await see(modal).toBeVisible();
  await rested();
  await expectNoFaults(page, 'not sent');
  await modal.getByRole('button', { name: 'Chiudi', exact: true }).click();
  await send.click();
  await see(page.getByRole('status', { name: 'Esito' })).toContainText(
    "Se con d'angelo@città.it sono stati fatti ordini",
  );
  await rested();
  await expectNoFaults(page, 'sent');
});
