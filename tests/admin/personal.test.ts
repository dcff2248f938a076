/** "Dati personali" in a real browser: what is held, a copy, the erasure with the address typed once more, the times, and the register on paper. */
import { unzipSync } from 'fflate';
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditPage } from '#tests/chart/audit.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { desk, openDesk, phone, within } from '#tests/support/door/desk.ts';
import { makeAdmin } from '#tests/support/make.ts';
import { startServer } from '#tests/support/server.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const email = 'eva.neri@example.it';

async function expectFit(page: Page): Promise<void> {
  // What stands at an edge of the window covers the rest while it is scrolled.
  await page.evaluate(() => window.scrollTo(0, 0));
  expect(await auditPage(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(
    true,
  );
}

for (const [where, size] of [
  ['at a desk', desk],
  ['on a phone', phone],
] as const) {
  test(`somebody's data is found, given out and erased, and what must wait is said before and after (${where})`, async () => {
    await using server = await startServer();
    const { ctx } = server.house;
    const admin = await makeAdmin(server);
    await makePaidOrder(server, { name: 'Eva Neri', email });
    await server.runDue();
    const { order_id } = await makePaidOrder(server, { name: 'Eva Neri', email }, { nth: 4 });
    await ctx.db('tickets').where({ order_id }).update({ state: 'void' });
    const page = await openDesk(browser, server, admin, { path: '/settings/personal', size });
    await see(page.getByText('Finora nessuna.')).toBeVisible(within);
    await page.getByLabel('E-mail della persona').fill('nessuno@example.it');
    await page.getByRole('button', { name: 'Mostra i dati' }).click();
    await see(page.getByText('Non c’è nessun dato con questo indirizzo.')).toBeVisible(within);
    await page.getByLabel('E-mail della persona').fill(email);
    await page.getByRole('button', { name: 'Mostra i dati' }).click();
    await see(page.getByRole('row', { name: /^Pagamenti/ })).toBeVisible(within);
    await expectFit(page);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Scarica una copia (ZIP)' }).click(),
    ]);
    const zip = unzipSync(new Uint8Array(readFileSync(await download.path())));
    expect(Object.keys(zip)).toEqual(['dati.json', 'dati.html']);

    await page.getByRole('button', { name: 'Cancella i suoi dati…' }).click();
    const dialog = page.getByRole('dialog', { name: `Cancellare i dati di ${email}?` });
    await see(dialog.getByText('devono ancora aprire la porta')).toBeVisible(within);
    await see(dialog.getByText(/^pi_/).first()).toBeVisible();
    await see(dialog.getByRole('button', { name: 'Cancella i dati' })).toBeDisabled();
    await expectFit(page);
    await dialog.getByLabel('Per confermare scrivi il suo indirizzo').fill(email);
    await dialog.getByRole('button', { name: 'Cancella i dati' }).click();
    await see(page.getByText('Cancellato quello che si può.')).toBeVisible(within);
    await see(page.getByText('Un ordine aspetta ancora.')).toBeVisible(within);
    expect(await ctx.db('orders').whereNull('buyer_name').pluck('id')).toEqual([order_id]);
    await expectFit(page);

    await page.getByRole('link', { name: 'Tempi di conservazione' }).click();
    const letters = page.getByLabel(/^Testi dei messaggi sugli ordini/);
    await letters.fill('5');
    await page.getByRole('button', { name: 'Salva' }).click();
    await see(page.getByText('Un numero da 7 a 730.')).toBeVisible(within);
    await letters.fill('60');
    await page.getByRole('button', { name: 'Salva' }).click();
    await see(page.getByText('Salvato: si vede subito.')).toBeVisible(within);
    await expectFit(page);

    await page.getByRole('link', { name: 'Registro dei trattamenti' }).click();
    await see(page.getByText('60 giorni dall’invio')).toBeVisible(within);
    await see(page.getByText(/Non si inviano messaggi promozionali/)).toBeVisible();
    await expectFit(page);
    await page.emulateMedia({ media: 'print' });
    await see(page.getByRole('navigation').first()).toBeHidden();
    await see(page.getByRole('heading', { name: /^Registro delle attività/ })).toBeVisible();
    expect(server.logged).toEqual([]);
    await page.context().close();
  });
}
