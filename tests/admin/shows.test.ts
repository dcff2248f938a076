/**
 * Shows in a real browser: a series from a rule, one change for all dates to come, a date that
 * moves, and what visitors see of it.
 */
import { expect } from 'vitest';
import { readEvent } from '#server/contract/event-desk.ts';
import { readShow } from '#server/contract/shows.ts';
import { addDays, lastSundayOf, nextYear, numberOf } from '#tests/support/calendar.ts';
import { callOk, demoEvent } from '#tests/support/make.ts';
import { feeEvent, makePaid } from '#tests/support/refunds.ts';
import { visit } from '#tests/support/visit.ts';
import { expectGood, see, testOffice as test } from './office.ts';

test('a rule becomes dates, one change reaches them all, and visitors find one card with the other dates behind it', async (office) => {
  const { server, admin } = office;
  // The clocks go forward that Sunday.
  const sunday = lastSundayOf(3);
  const nameOf = (day: string) => `dom ${numberOf(day)} mar · 16:30`;
  const page = await office.open('/shows');
  await page.getByRole('link', { name: 'La locandiera', exact: true }).click();
  await page.getByRole('link', { name: 'Aggiungi date' }).click();
  await page.getByLabel('ven', { exact: true }).check();
  await page.getByLabel('sab', { exact: true }).check();
  await page.getByRole('button', { name: 'Un altro orario' }).click();
  const second = page.getByRole('group', { name: 'Orario 2' });
  await second.getByLabel('dom').check();
  await second.getByLabel('alle').fill('16:30');
  await page.getByLabel('Dal giorno').fill(addDays(sunday, -9));
  await page.getByLabel('Al giorno, compreso').fill(sunday);
  await page
    .getByLabel(/^Giorni senza spettacolo/)
    .fill(`${numberOf(addDays(sunday, -2))}/3/${nextYear}`);
  await page.getByRole('button', { name: 'Mostra le date' }).click();
  await see(page.getByRole('heading', { name: '5 date nuove' })).toBeVisible();
  // Half past four stays half past four.
  await see(page.getByLabel(nameOf(sunday))).toBeChecked();
  await page.getByLabel(nameOf(addDays(sunday, -7))).uncheck();
  await expectGood(page);
  await page.getByRole('button', { name: 'Crea 4 date' }).click();
  await see(page.getByRole('row', { name: nameOf(sunday) })).toContainText('Bozza');

  await page.getByRole('link', { name: 'Cambia per tutte le date' }).click();
  await page.getByLabel('Titolo', { exact: true }).fill('La locandiera, nuovo allestimento');
  await page.getByRole('button', { name: 'Guarda che cosa cambia' }).click();
  const preview = page.getByRole('alertdialog', { name: 'Cambiare 5 date?' });
  await see(preview).toContainText('Cambia nello spettacolo: titolo.');
  await see(preview.getByRole('row')).toHaveCount(6);
  await preview.getByRole('button', { name: 'Salva' }).click();
  await see(page.getByRole('heading', { name: 'La locandiera, nuovo allestimento' })).toBeVisible();
  const show = await callOk(server, readShow, { params: { showId: demoEvent } }, admin);
  expect(new Set(show.dates.map((date) => date.title))).toEqual(new Set([show.title]));

  const { db } = server.house.ctx;
  const unready = db('events').where({ id: show.dates.at(-1)!.id });
  await unready.clone().update({ venue_title: '' });
  await page.getByRole('button', { name: 'Pubblica 4 bozze…' }).click();
  const together = page.getByRole('alertdialog', { name: 'Pubblica le bozze' });
  await see(together.getByText('Manca: il luogo.')).toBeVisible();
  await expectGood(page);
  await page.keyboard.press('Tab');
  await together.getByRole('button', { name: 'Pubblica 3 date' }).press('Enter');
  await see(together).toHaveCount(0);
  const states = await db('events')
    .where({ show_id: demoEvent })
    .orderBy('starts_at')
    .pluck('status');
  expect(states).toEqual([...Array(4).fill('published'), 'draft']);
  await unready.clone().update({ status: 'published', venue_title: 'Teatro' });
  await using visitor = await visit(office.browser, server.url);
  await visitor.page.goto('/');
  const cards = visitor.page.getByRole('main').getByRole('heading', { level: 3 });
  await see(cards).toHaveText(['La locandiera, nuovo allestimento', 'Concerto di Natale']);
  await see(visitor.page.getByText(/^5 date dal/)).toBeVisible();
  await cards.first().click();
  const others = visitor.page.getByRole('navigation', { name: 'Scegli la data' });
  await others.getByRole('link', { name: nameOf(sunday) }).click();
  await see(visitor.page).toHaveURL(new RegExp(`locandiera-${sunday}$`));
  await see(others.getByRole('link')).toHaveCount(5);
  expect(visitor.troubles).toEqual([]);
}, 120_000);

test('a sold date moves: the office sees what moves along, the buyer keeps the ticket or asks for the money', async (office) => {
  const { server, admin } = office;
  const bought = await makePaid(server, { count: 2 });
  const page = await office.open(`/events/${feeEvent}`);
  await page.getByRole('link', { name: 'Rinvia…' }).click();
  const setTime = async (label: string, date: string) => {
    const field = page.getByRole('group', { name: label, exact: true });
    await field.getByLabel(/: giorno$/).fill(date);
    await field.getByLabel(/: ora$/).fill('20:30');
  };
  const june = lastSundayOf(6);
  await setTime('Nuovo inizio', june);
  await setTime('Rispondono entro', addDays(june, 1));
  const moved = `domenica ${numberOf(june)} giugno ${nextYear}, ore 19:30`;
  await see(page.getByText(moved)).toBeVisible();
  const move = page.getByRole('button', { name: 'Rinvia e avvisa 1 acquirente' });
  await move.click();
  await see(page.getByRole('alert')).toContainText('Il termine viene prima della nuova data.');
  await setTime('Rispondono entro', addDays(june, -42));
  await expectGood(page);
  await move.click();
  const answers = page.getByRole('heading', { name: 'Risposte' }).locator('..');
  await see(answers).toContainText('Non hanno risposto1 ordine');
  expect(await callOk(server, readEvent, { params: { eventId: feeEvent } }, admin)).toMatchObject({
    starts_at: `${june}T18:30:00.000Z`,
  });

  await using visitor = await visit(office.browser, server.url);
  await visitor.page.goto(`/event/${feeEvent}`);
  await see(visitor.page.getByText(/^Rinviato: era/)).toBeVisible();
  await visitor.page.goto(`/orders/${bought.link_key}#rinvio`);
  const question = visitor.page.getByRole('region', { name: 'Spettacolo rinviato' });
  await question.getByRole('button', { name: 'Tieni il biglietto' }).click();
  await see(question).toContainText('Hai scelto di tenere il biglietto.');
  await see(visitor.page.getByRole('button', { name: 'Chiedi un rimborso' })).toHaveCount(0);
  await question.getByRole('button', { name: 'Chiedi il rimborso' }).click();
  const sure = visitor.page.getByRole('alertdialog', {
    name: 'Vuoi restituire tutti i biglietti?',
  });
  await see(sure).toContainText('Ti rimborsiamo 59,00 €, prevendita compresa.');
  await sure.getByRole('button', { name: 'Sì, chiedi il rimborso' }).click();
  await see(visitor.page.getByRole('heading', { name: 'Ordine rimborsato' })).toBeVisible();
  await page.reload();
  await see(answers).toContainText('Chiedono il rimborso1 ordine');
  expect(visitor.troubles).toEqual([]);
}, 120_000);
