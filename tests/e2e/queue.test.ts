/** The waiting room in a real browser, on the whole product: from the first sight of it to the seats, and what goes wrong on the way. */
import type { Locator, Page } from 'playwright';
import { see } from '#tests/support/browsers/see.ts';
import { expect, test } from 'vitest';
import { closeQueue, pauseQueue, setQueue, tellQueue } from '#server/contract/queue.ts';
import { auditPage } from '#tests/chart/audit.ts';
import { callOk, demoEvent, makeAdmin } from '#tests/support/make.ts';
import { entrants, openNow, openRoom, params, passTime, plainRoom } from '#tests/support/queue.ts';
import type { TestServer } from '#tests/support/server.ts';
import { startVisit } from '#tests/support/browsers/start-visit.ts';
import { eventPage, screens, within } from '#tests/support/visit.ts';
import { chooseSeats } from '#tests/support/visitor.ts';

const titled = (page: Page, name: string | RegExp) => page.getByRole('heading', { name });

/** The page looks again, as it does when somebody comes back to its tab, until it says so: what all are told may be two seconds old. */
async function lookFor(page: Page, what: Locator): Promise<void> {
  await see(async () => {
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await see(what).toBeVisible({ timeout: 5_000 });
  }).toPass();
}

async function saleIn(server: TestServer, hours: number): Promise<void> {
  const sales_opens_at = server.clock.now() + hours * 3_600_000;
  await server.house.ctx.db('events').where({ id: demoEvent }).update({ sales_opens_at });
}

test('a visitor enters before the opening, is drawn, told the number and the wait, goes in and books', async () => {
  await using at = await startVisit({ viewport: screens[0] });
  const { page, server } = at;
  const admin = await makeAdmin(server);
  await saleIn(server, 1);
  await openRoom(server, admin, { fixed_per_minute: 60 });
  await page.goto(eventPage);
  await see(titled(page, 'Si entra dalla sala d’attesa')).toBeVisible();
  expect(await auditPage(page)).toEqual([]);
  await page.getByRole('button', { name: 'Entra in sala d’attesa' }).click();
  await see(titled(page, 'Sei in sala d’attesa')).toBeVisible();
  expect(await page.title()).toMatch(/^In sala d’attesa · /);
  await page.getByText('Come si estrae l’ordine').click();
  expect(await auditPage(page)).toEqual([]);

  await page.reload();
  await see(titled(page, 'Sei in sala d’attesa')).toBeVisible();
  const second = await page.context().newPage();
  await second.goto(server.url + eventPage);
  await see(titled(second, 'Sei in sala d’attesa')).toBeVisible();
  await second.goto(`${server.url}${eventPage}/sorteggio`);
  await see(titled(second, 'L’ordine non è ancora estratto')).toBeVisible();
  await second.close();
  const { db } = server.house.ctx;
  expect(await db('queue_places')).toHaveLength(1);

  await page.getByLabel('Avvisami prima del turno').fill('eva@example.it');
  await page.getByRole('button', { name: 'Avvisami' }).click();
  await see(page.getByText('Ti scriviamo un’e-mail quando')).toBeVisible();
  await page.getByLabel('Suona quando tocca a me').check();

  await entrants(server, 60);
  server.clock.advance(3_600_000);
  await openNow(server);
  await lookFor(page, titled(page, /^Il tuo numero è \d+$/));
  expect(await auditPage(page)).toEqual([]);

  const number = /\d+/.exec(await titled(page, /^Il tuo numero è/).innerText())![0];
  await page.getByText('Come si estrae l’ordine').click();
  await page.getByRole('link', { name: 'Come è stato estratto l’ordine' }).click();
  await see(page.getByText(`Il tuo numero è ${number} di 61.`)).toBeVisible();
  await see(page.getByText('quello promesso prima dell’apertura')).toBeVisible();
  await see(page.getByText('aggiunto dal tuo browser')).toContainText('è nell’elenco');
  expect(await auditPage(page)).toEqual([]);
  await page.goBack();
  await see(titled(page, /^Il tuo numero è/)).toBeVisible();

  await callOk(
    server,
    tellQueue,
    { params, body: { message: 'Restano posti in galleria.' } },
    admin,
  );
  await callOk(server, pauseQueue, { params }, admin);
  await lookFor(page, titled(page, 'La sala d’attesa è in pausa'));
  await see(page.getByText('Restano posti in galleria.')).toBeVisible();
  await callOk(
    server,
    setQueue,
    { params, body: { ...plainRoom, fixed_per_minute: 6_000 } },
    admin,
  );
  await server.house.ctx.db('queues').update({ paused: 0 });
  await passTime(server, 2);
  await lookFor(page, titled(page, 'È il tuo turno'));
  expect(await page.title()).toMatch(/^È il tuo turno! · /);
  expect(await auditPage(page)).toEqual([]);

  await page.getByRole('button', { name: 'Entra e scegli i posti' }).click();
  await see(page.getByText('È il tuo turno: hai')).toBeVisible();
  await chooseSeats(page, { row: 'C', seats: ['1', '2'] });
  await page
    .getByRole('button', { name: /^(Paga|Procedi al pagamento)/ })
    .last()
    .click();
  await page.waitForURL(/\/pay\//, within);
  await page.goto(eventPage);
  await see(page.getByText('Hai un ordine in sospeso')).toBeVisible();
  expect(at.troubles).toEqual([]);
});

test('a code spares the wait, a turn that is over is begun anew, and a lost line and a closed room are told', async () => {
  await using at = await startVisit({ viewport: screens[0] });
  const { page, server } = at;
  const admin = await makeAdmin(server);
  await openRoom(server, admin, { code: 'SOCI-2026' });
  await openNow(server);
  await page.goto(eventPage);
  await page.getByText('Hai un codice?').click(within);
  const field = page.getByLabel('Codice per entrare subito');
  await field.fill('SOCI-1999');
  await field.press('Enter');
  await see(page.getByText('Questo codice non è valido.')).toBeVisible();
  await see(field).toBeFocused();
  // The button rests for a moment after each click.
  await see(async () => {
    await field.fill('soci-2026');
    await field.press('Enter');
    await see(page.getByText('È il tuo turno: hai')).toBeVisible({ timeout: 3_000 });
  }).toPass();
  await see(page.getByRole('button', { name: /Scegli da un elenco/ })).toBeVisible();

  server.clock.advance(11 * 60_000);
  await lookFor(page, titled(page, 'Il tuo turno è passato'));
  await see(page.getByText('Procedi al pagamento')).toHaveCount(0);
  await page.getByRole('button', { name: 'Rientra in sala d’attesa' }).click();
  await see(titled(page, 'Il tuo numero sta arrivando')).toBeVisible();

  await callOk(server, pauseQueue, { params }, admin);
  await passTime(server, 1);
  await lookFor(page, titled(page, 'La sala d’attesa è in pausa'));
  await page.context().setOffline(true);
  await lookFor(page, page.getByText('Non riusciamo ad aggiornare la pagina'));
  await page.context().setOffline(false);
  await callOk(server, closeQueue, { params }, admin);
  await lookFor(page, titled(page, 'La sala d’attesa è chiusa'));
  await see(page.getByText('Non riusciamo ad aggiornare la pagina')).toHaveCount(0);
  expect(await auditPage(page)).toEqual([]);
  expect(at.troubles).toEqual([]);
});
