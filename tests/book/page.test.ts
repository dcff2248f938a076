/** The page that checks a book, opened from a disk: a whole book is said to be whole, a touched one is not, and nobody is asked for anything. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { fingerprintOf } from '#server/domain/book/chain.ts';
import { fromBase64url } from '#server/domain/book/sha256.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { makeSigner } from './make-book.ts';
import { bookFolder, books, signer, verifyPage } from './open-page.ts';

test('a book is judged from the disk by one file that asks nobody, names the touched row, adds up, and tells a strange key', async () => {
  const html = readFileSync(fileURLToPath(verifyPage), 'utf8');
  expect(html).not.toMatch(/\ssrc=|\shref=|import\(|fetch\(|XMLHttpRequest/);
  await using folder = await bookFolder(books);
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(verifyPage);
    await page.setInputFiles('#file', fileURLToPath(verifyPage));
    await page.getByText('Questo file non è un libro').waitFor();
    await page.setInputFiles('#file', folder.at('toccato.json.gz'));
    const verdict = (text: string) => page.locator('.verdict h2', { hasText: text }).waitFor();
    await verdict('Il libro non è quello scritto dall’organizzatore');
    await page.getByText('La riga 4 del libro è stata cambiata.').waitFor();
    await page.setInputFiles('#file', folder.at('intero.json.gz'));
    await verdict('Il libro è integro');
    await page.getByText('resta da sapere di chi è la chiave').waitFor();
    const totals = page.getByRole('table', { name: 'Totali' });
    await totals.getByRole('row', { name: 'Biglietti validi 20', exact: true }).waitFor();
    await totals.getByRole('row', { name: /^Incassato 300,00/ }).waitFor();
    const field = page.getByLabel('Impronta della chiave di firma');
    await field.fill(fingerprintOf(fromBase64url(signer.key)!));
    await field.blur();
    await page.getByText('La chiave è quella di cui hai l’impronta.').waitFor();
    await field.fill(fingerprintOf(fromBase64url(makeSigner().key)!));
    await field.blur();
    await page.getByText('questo libro lo ha firmato qualcun altro').waitFor();
    await page.getByLabel('Impronte del giorno che conosci').fill(`20/11/2026: ${'A'.repeat(43)}`);
    await page.getByLabel('Impronte del giorno che conosci').blur();
    await page.getByText('per quel giorno ne ha un’altra: è stato riscritto').waitFor();
    expect(asked).toEqual([verifyPage]);
  } finally {
    await browser.close();
  }
});
