/** Codes and conventions in a real browser of the office: made, listed, printed, tried, ended. */
import { expect, test } from 'vitest';
import type { Page } from 'playwright';
import { demoEvent } from '#tests/support/make.ts';
import { expectGood, goTo, see, startOffice } from './office.ts';

async function shot(page: Page, name: string) {
  if (process.env['SHOTS'] === undefined) return;
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await page.screenshot({ path: `${process.env['SHOTS']}/${name}-${width}.png`, fullPage: true });
  }
  await page.setViewportSize({ width: 1280, height: 900 });
}

/** Fills the dialog for a new rule of this kind, up to its sentence. */
async function typeRule(page: Page, { kind, name }: { kind: string; name: string }) {
  await page.getByRole('button', { name: 'Aggiungi una regola' }).click();
  const dialog = page.getByRole('dialog', { name: 'Aggiungi una regola' });
  await dialog.getByLabel(kind, { exact: false }).first().check();
  await dialog.getByLabel('Nome').fill(name);
  return dialog;
}

test('a rule opened by codes gets one typed code and personal ones, which are found, printed and closed', async () => {
  await using office = await startOffice();
  const { server } = office;
  const page = await office.open(`/events/${demoEvent}/rules`);
  const dialog = await typeRule(page, { kind: 'Codice', name: 'Under 26' });
  await dialog.getByRole('button', { name: 'Solo online' }).click();
  await dialog.getByLabel('Si somma alle altre riduzioni').check();
  await see(dialog.locator('output')).toContainText(
    '10 % in meno con il codice, solo online, si somma alle altre riduzioni.',
  );
  await see(dialog.getByLabel('Solo con un codice')).toHaveCount(0);
  await expectGood(page, [1280, 390]);
  await shot(page, 'rule-code');
  await dialog.getByRole('button', { name: 'Aggiungi la regola' }).click();
  await see(dialog).toHaveCount(0);

  await page.getByText('Codici della regola Under 26').click();
  const codes = page.getByRole('region', { name: 'Codici di Under 26' });
  await see(codes.getByText('Nessun codice ancora')).toBeVisible();
  await codes.getByRole('button', { name: 'Aggiungi un codice' }).click();
  const one = page.getByRole('dialog', { name: 'Aggiungi un codice' });
  await one.getByLabel('Codice').fill('under 26');
  await one.getByLabel('Acquisti in tutto').fill('0');
  await see(one.getByText('Un limite è un numero da 1 a 100.000.')).toBeVisible();
  await one.getByLabel('Acquisti in tutto').fill('10');
  await one.getByLabel('Acquisti per indirizzo').fill('1');
  await expectGood(page, [1280, 390]);
  await shot(page, 'code-add');
  await one.getByRole('button', { name: 'Aggiungi il codice' }).click();
  const row = codes.getByRole('row', { name: /UNDER26/ });
  await see(row).toContainText('10 acquisti in tutto, 1 acquisto per indirizzo');
  await see(row).toContainText('Mai usato');

  await codes.getByRole('button', { name: 'Fai codici personali' }).click();
  const many = page.getByRole('dialog', { name: 'Fai codici personali' });
  await many.getByLabel('Nomi, uno per riga').fill('Anna Bianchi\n\nBruno Verdi\n');
  await many.getByRole('button', { name: 'Fai 2 codici' }).click();
  await see(many).toHaveCount(0);
  await see(codes.getByRole('row')).toHaveCount(4);
  await see(codes.getByRole('row', { name: /Anna Bianchi/ })).toContainText('1 acquisto in tutto');
  await expectGood(page, [1280, 390]);
  await shot(page, 'codes');

  await codes.getByRole('searchbox').fill('verdi');
  await see(codes.getByRole('row')).toHaveCount(2);
  await codes.getByRole('searchbox').fill('');
  await see(codes.getByRole('row')).toHaveCount(4);

  await row.getByRole('button', { name: /^Chiudi/ }).click();
  const question = page.getByRole('alertdialog', { name: 'Chiudere il codice UNDER26?' });
  await question.getByRole('button', { name: 'Chiudi il codice' }).click();
  await see(row).toContainText('Chiuso');
  await see(codes.getByRole('link', { name: 'Codici in CSV' })).toHaveAttribute(
    'href',
    /\/codes\.csv/,
  );

  // The print has the codes that still open the rule.
  await page.evaluate(() => {
    window.print = () => {};
  });
  await codes.getByRole('button', { name: /Stampa con i QR/ }).click();
  await page.emulateMedia({ media: 'print' });
  await see(page.getByRole('img', { name: /^Link del codice/ })).toHaveCount(2);
  await see(page.getByText('Anna Bianchi').last()).toBeVisible();
  if (process.env['SHOTS'] !== undefined)
    await page.screenshot({ path: `${process.env['SHOTS']}/codes-print.png` });
  await page.emulateMedia({ media: 'screen' });
  const rows = await server.house.ctx.db('price_codes').whereNull('ended_at');
  expect(rows).toHaveLength(2);
}, 240_000);

test('a convention is one sentence, and the trial box reckons with it once it is chosen', async () => {
  await using office = await startOffice();
  const page = await office.open('/');
  await goTo(page, `/events/${demoEvent}/rules`);
  const dialog = await typeRule(page, { kind: 'Convenzione', name: 'Soci FAI' });
  await dialog.getByRole('button', { name: 'Una somma a biglietto' }).click();
  await dialog.getByLabel('Sconto a biglietto, in euro').fill('3');
  await see(dialog.locator('output')).toContainText(
    '3,00 € in meno a biglietto, mostrando la tessera.',
  );
  await dialog.getByRole('button', { name: 'Aggiungi la regola' }).click();
  await see(page.getByRole('list', { name: 'Regole di prezzo' })).toContainText(
    'chi compra legge «Soci FAI: 3,00 € in meno, mostra la tessera»',
  );
  await page.getByRole('button', { name: 'Calcola' }).click();
  const outcome = page.locator('main output');
  await see(outcome).toContainText('Totale 96,00 €, il listino');
  await page.getByRole('checkbox', { name: 'Soci FAI' }).check();
  await page.getByRole('button', { name: 'Calcola' }).click();
  await see(outcome).toContainText('Totale 87,00 € invece di 96,00 €: 9,00 € in meno.');
  await expectGood(page, [1280, 390]);
  await shot(page, 'convention-office');
}, 240_000);
