/** Papers around the ticket in a real browser: a buyer asks for an invoice on a phone, the office makes it, takes seals in from a file, and looks at the summaries. */
import type { Browser, BrowserContext } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditPage } from '#tests/chart/audit.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { demoEvent, makeAdmin } from '#tests/support/make.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

const within = { timeout: 20_000 };
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

async function openContext(
  width: number,
  server: TestServer,
  cookie?: string,
): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, locale: 'it-IT' });
  const [name = '', value = ''] = cookie?.split('=') ?? [];
  if (cookie !== undefined) await context.addCookies([{ name, value, url: server.url }]);
  return context;
}

test('a buyer asks for an invoice on a phone, is told what is wrong, and the office makes it', async () => {
  await using server = await startServer();
  const { cookie } = await makeAdmin(server);
  const { order_id } = await makePaidOrder(server, { email: 'eva@example.it' });
  const phone = await openContext(390, server);
  const page = await phone.newPage();
  await page.goto(`${server.url}/orders/${order_id}`);
  await page.getByRole('button', { name: 'Ho bisogno della fattura' }).click(within);
  const dialog = page.getByRole('dialog', { name: 'Dati per la fattura' });
  await dialog.getByRole('button', { name: 'Chiedi la fattura' }).click();
  await see(dialog.getByLabel('Denominazione')).toBeFocused();
  await see(dialog.getByText('Il CAP ha 5 cifre.')).toBeVisible();
  expect(await auditPage(page)).toEqual([]);
  const fields = {
    Denominazione: 'Bottega Verdi S.r.l.',
    'Via e numero civico': 'Calle Lunga 12',
    CAP: '30124',
    Comune: 'Venezia',
    Provincia: 've',
    'Partita IVA': '00905811007',
    'Codice destinatario': 'm5uxcr1',
  };
  for (const [label, text] of Object.entries(fields)) await dialog.getByLabel(label).fill(text);
  await dialog.getByRole('button', { name: 'Chiedi la fattura' }).click();
  await see(dialog.getByText('Questa partita IVA non esiste')).toBeVisible();
  await dialog.getByLabel('Partita IVA').fill('IT00905811006');
  await dialog.getByRole('button', { name: 'Chiedi la fattura' }).click();
  await see(page.getByText('Bottega Verdi S.r.l.')).toBeVisible(within);
  await see(page.getByRole('button', { name: 'Cambia i dati' })).toBeVisible();
  expect(await auditPage(page)).toEqual([]);
  await phone.close();

  const office = await openContext(1280, server, cookie);
  const desk = await office.newPage();
  await desk.goto(`${server.url}/admin/reports/invoices`);
  await desk.getByRole('button', { name: 'Segna come fatta…' }).click(within);
  const make = desk.getByRole('dialog', { name: 'Segna la fattura come fatta' });
  await make.getByLabel('Numero').fill('7/2026');
  await make.getByLabel('Data').fill('2026-11-27');
  await make.getByRole('button', { name: 'Segna come fatta' }).click();
  await see(desk.getByText('n. 7/2026 del 27/11/2026')).toBeVisible(within);
  expect(await auditPage(desk)).toEqual([]);
  await desk.setViewportSize({ width: 390, height: 900 });
  expect(await auditPage(desk)).toEqual([]);
  await office.close();
}, 120_000);

test('the office looks at a file of seals before it takes it in, takes it back, and reads the evening’s summary', async () => {
  await using server = await startServer();
  const { cookie } = await makeAdmin(server);
  const { db } = server.house.ctx;
  await makePaidOrder(server, { email: 'eva@example.it' });
  await db('events').where({ id: demoEvent }).update({ regime: 'external' });
  const office = await openContext(1280, server, cookie);
  const page = await office.newPage();
  await page.goto(`${server.url}/admin/events/${demoEvent}`);
  await page.getByRole('link', { name: 'Importa i sigilli' }).click(within);
  await see(page.getByRole('heading', { name: /Senza sigillo/ })).toContainText('2', within);
  const seat = await page.getByRole('table').first().getByRole('rowheader').first().innerText();
  await page.getByRole('button', { name: 'Importa i sigilli…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Importa i sigilli' });
  const choose = (csv: string) =>
    dialog
      .getByLabel(/Scegli il file/)
      .setInputFiles({ name: 'sigilli.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
  await choose('posto;progressivo\nA;1');
  await see(dialog.getByRole('alert')).toContainText('Manca la colonna «Sigillo fiscale»', within);
  await choose(`Posto;Sigillo fiscale\n${seat};A1B2C3D4E5F60718\nPlatea Z 9;B1B2C3D4E5F60718`);
  await see(dialog.getByText('Su questo posto non c’è un biglietto valido.')).toBeVisible(within);
  await see(dialog.getByRole('status')).toContainText('1 escluse');
  expect(await auditPage(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Importa 1 sigillo' }).click();
  await see(dialog.getByText('1 sigillo importato')).toBeVisible(within);
  await dialog.getByRole('button', { name: 'Chiudi' }).first().click();
  await see(page.getByRole('heading', { name: /Senza sigillo/ })).toContainText('1', within);
  await page.getByRole('button', { name: 'Annulla l’importazione…' }).click();
  await page.getByRole('button', { name: 'Sì, annulla l’importazione' }).click();
  await see(page.getByText(/annullata il/)).toBeVisible(within);
  expect(await auditPage(page)).toEqual([]);

  await page.goto(`${server.url}/admin/reports/summaries?event_id=${demoEvent}`);
  await see(page.getByRole('heading', { name: 'IVA per aliquota' })).toBeVisible(within);
  expect(await auditPage(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 900 });
  expect(await auditPage(page)).toEqual([]);
  await page.goto(`${server.url}/admin/reports/summaries?from=2020-01-01&to=2020-01-02`);
  await see(page.getByText('In questi giorni non è passato denaro.')).toBeVisible(within);
  await office.close();
});
