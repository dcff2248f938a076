/** What a buyer is told in time: names and documents, limited view, wheelchair places, the event's own rules; above the chart, beside the button that pays, on the hosted page, and in the drawer. */
import { see } from '#tests/support/browsers/see.ts';
import { expect } from 'vitest';
import { demoEvent } from '#tests/support/make.ts';
import { feeEvent, setPolicy } from '#tests/support/refunds.ts';
import { testVisit as test } from '#tests/support/browsers/start-visit.ts';
import { eventPage } from '#tests/support/visit.ts';
import { chooseSeats, pressPay } from '#tests/support/visitor.ts';

const names =
  'Biglietti nominativi: dopo il pagamento indichi nome e cognome di chi entra, e all’ingresso si chiede un documento d’identità.';
const wheelchair = 'Posto per persona in carrozzina: porta con te la certificazione.';
const companion = 'Posto per chi accompagna: vale insieme al posto per carrozzina accanto.';
const refunds = /Puoi chiedere il rimborso fino (al |all’)\d.* Ti rispondiamo /;

test('an event says what its hall has; names, documents, wheelchair places and its own rules are said before anything is paid', async (at) => {
  const { page, server } = at;
  await server.house.ctx
    .db('places')
    .where({ event_id: feeEvent })
    .update({ restricted_view: 0, accessible: 0, companion: 0 });
  await page.goto(`/event/${feeEvent}`);
  await see(page.getByText('Puoi scegliere al massimo 10 posti vicini tra loro.')).toBeVisible();
  // Here, that one part is standing.
  await see(page.locator('.event-sale-notice_notices').getByRole('listitem')).toHaveText([
    /posto unico/,
  ]);
  await see(page.getByText('Regole di questo spettacolo')).toHaveCount(0);

  await setPolicy(
    server,
    {
      nominative: 1,
      refund_days: 3,
      refund_stop_days: 1,
      terms: '<p>In sala <strong>niente foto</strong>.</p>',
    },
    demoEvent,
  );
  await page.goto(eventPage);
  const main = page.getByRole('main');
  for (const sentence of [
    names,
    'Alcuni posti hanno visibilità limitata: da lì una parte del palco non si vede.',
    'Ci sono posti per persone in carrozzina, ognuno con accanto quello per chi accompagna.',
  ])
    await see(main.getByText(sentence)).toBeVisible();

  await page.getByRole('button', { name: 'Info | Contatti | Privacy Policy' }).click();
  const drawer = page.getByRole('dialog', { name: 'Info e contatti' });
  await see(drawer.getByRole('heading', { name: 'Regole di questo spettacolo' })).toBeVisible();
  await see(drawer.getByText(refunds)).toBeVisible();
  await see(drawer.getByText('In sala niente foto.')).toBeVisible();
  await page.keyboard.press('Escape');

  const chosen = page.getByRole('region', { name: 'I tuoi posti' });
  await chooseSeats(page, { row: 'A', seats: ['1', '2'] });
  await see(chosen.getByRole('listitem').filter({ hasText: 'posto 1' })).toContainText(
    '(posto per carrozzina)',
  );
  for (const sentence of [names, wheelchair, companion, refunds])
    await see(chosen.getByText(sentence)).toBeVisible();
  await see(chosen.getByText('visibilità limitata')).toHaveCount(0);
  await chosen.getByText('Regole di questo spettacolo').click();
  await see(chosen.getByText('In sala niente foto.')).toBeVisible();

  await pressPay(page);
  for (const sentence of [names, wheelchair, companion, '(posto per carrozzina)'])
    await see(page.getByText(sentence)).toBeVisible();
  expect(at.troubles).toEqual([]);
});
