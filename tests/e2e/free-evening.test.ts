/** A visitor's free evening: chosen, booked with a name and an address, confirmed by a click in the mail, given back; no sentence speaks of paying. */
import { see } from '#tests/support/browsers/see.ts';
import { expect, test } from 'vitest';
import { startVisit } from '#tests/support/browsers/start-visit.ts';
import { demoEvent } from '#tests/support/make.ts';
import { sellGifts, setPolicy } from '#tests/support/refunds.ts';
import { eventPage } from '#tests/support/visit.ts';
import { openRow } from '#tests/support/visitor.ts';

const ofMoney = /pag(a|amento|are|hi)\b|Stripe|rimbors|addebit/i;

test('two free seats are booked on a phone, confirmed from the mail and given back again', async () => {
  await using at = await startVisit({ viewport: { width: 390, height: 844 } });
  const { page, server } = at;
  await sellGifts(server, 'Platea');
  await setPolicy(
    server,
    { free_confirm: 1, free_until_minutes: 15, ask_phone: 1, exchange: 0 },
    demoEvent,
  );
  const textOf = (selector: string) => page.locator(selector).first().innerText();
  await page.goto(eventPage);
  await openRow(page, 'C');
  for (const seat of ['1', '2'])
    await page.getByRole('button', { name: new RegExp(`Fila C, posto ${seat},.*libero`) }).click();
  await see(page.getByText('2 posti · Gratis').first()).toBeVisible();
  expect(await textOf('section:has(#selected-title)')).not.toMatch(ofMoney);
  await see(page.getByText(/si tengono fino alle 20:45: dopo possono/)).toBeVisible();
  await see(page.getByRole('button', { name: /^Prenota, 2 posti scelti, gratis$/ })).toBeVisible();

  const book = page.getByRole('button', { name: 'Prenota', exact: true });
  await book.first().click();
  const form = page.getByRole('dialog');
  await see(form.getByLabel('Nome e cognome')).toBeFocused();
  await form.getByRole('button', { name: 'Prenota' }).click();
  await see(form.getByText('Scrivi nome e cognome di chi prenota.')).toBeVisible();
  await form.getByLabel('Nome e cognome').fill('Eva Neri');
  await form.getByLabel(/^E-mail/).fill('eva@');
  await form.getByRole('button', { name: 'Prenota' }).click();
  await see(form.getByLabel(/^E-mail/)).toBeFocused();
  await see(form.getByText('Questo indirizzo non è completo.')).toBeVisible();
  await form.getByLabel(/^E-mail/).fill('eva@example.it');
  await form.getByRole('button', { name: 'Prenota' }).click();
  await see(form.getByText('Scrivi un numero di telefono')).toBeVisible();
  await form.getByLabel('Telefono').fill('347 5550123');
  await form.getByRole('button', { name: 'Prenota' }).click();

  await see(page.getByRole('heading', { name: 'Controlla la posta e conferma' })).toBeVisible();
  await see(page.getByText('eva@example.it')).toBeVisible();
  expect(await textOf('main')).not.toMatch(ofMoney);
  await page.getByRole('button', { name: 'Manda di nuovo' }).click();
  await see(page.getByText('posta indesiderata')).toBeVisible();
  await server.runDue();
  const mails = await server.house.ctx.db('mails').where({ kind: 'confirm_click' });
  expect(mails).toHaveLength(2);
  expect(mails[0].text).not.toMatch(ofMoney);
  const [link] = /http\S+#[\w-]{22}/.exec(mails[0].text)!;
  // Another window opens the mail; nothing is confirmed by opening it.
  await page.goto('about:blank');
  await page.goto(link);
  await see(page.getByRole('heading', { name: 'Conferma la prenotazione' })).toBeVisible();
  await page.getByRole('button', { name: 'Conferma la prenotazione' }).click();
  await see(page.getByRole('heading', { name: 'Ordine confermato!' })).toBeVisible();
  expect(page.url()).not.toContain('#');
  expect(await textOf('main')).not.toMatch(ofMoney);

  const back = page.getByRole('region', { name: 'Non vieni più?' });
  await back.scrollIntoViewIfNeeded();
  await back.getByRole('checkbox').first().uncheck();
  await back.getByRole('button', { name: 'Non vengo più: restituisci 1 biglietto' }).click();
  await page.getByRole('button', { name: 'Sì, restituisci 1 biglietto' }).click();
  await see(page.getByText('Annullato').first()).toBeVisible();
});
