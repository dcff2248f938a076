/** "Prova di lettura" in a real browser: the office tries pictures of tickets with the door's own eye, without a line too. */
import sharp from 'sharp';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testOnce as it } from '#tests/support/both.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { modulesOf } from '#tests/support/door/camera.ts';
import { openDoor, openPhone, openWindow } from '#tests/support/door/phone.ts';
import { makePicture } from '#tests/support/door/qr-pictures.ts';
import { groupCode } from '#server/domain/door/ticket-code.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
}, 60_000);
afterAll(() => browser.close());

/** A code as a PNG of its bare modules in this grey level, on nothing. */
async function transparentCode(rows: boolean[][], level: number): Promise<Buffer> {
  const data = Buffer.alloc(rows.length * rows.length * 4, level);
  rows.flat().forEach((isDark, i) => {
    data[i * 4 + 3] = isDark ? 255 : 0;
  });
  return sharp(data, { raw: { width: rows.length, height: rows.length, channels: 4 } })
    .resize({ width: rows.length * 6, kernel: 'nearest' })
    .png()
    .toBuffer();
}

async function choose(page: Page, name: string, buffer: Buffer): Promise<void> {
  const file = { name, mimeType: 'image/jpeg', buffer };
  await page.locator('input[type=file]').setInputFiles(file);
}

test('without a line a chosen picture is read on the phone and said in words: a ticket, another code, none, or no picture', async () => {
  await using door = await openDoor(0);
  const { url } = door.server;
  const options = { installed: true, scans: false };
  await using phone = await openPhone(browser, await door.link(), options);
  const { page, context } = phone;
  await context.setOffline(true);
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !/^(?:blob|data):/.test(request.url()))
      elsewhere.push(request.url());
  });
  await page.goto(`${url}/scanner/decodifica.html`);
  const card = (kind: string, words: string) =>
    page.locator(`[data-reading=${kind}]`).filter({ hasText: words }).waitFor();

  const ticket = await makePicture({ condition: 'tilt', kind: 'ticket', n: 0, seed: 9 });
  await choose(page, 'biglietto.jpg', ticket.jpeg);
  await card('text', 'Codice di un biglietto, leggibile');
  expect(await page.locator('[data-reading]').innerText()).toContain(groupCode(ticket.text!));
  const address = await makePicture({ condition: 'small', kind: 'address', n: 1, seed: 9 });
  await choose(page, 'volantino.jpg', address.jpeg);
  await card('text', 'È un indirizzo web, non un biglietto');
  const none = await makePicture({ condition: 'none', kind: 'ticket', n: 0, seed: 9 });
  await choose(page, 'foglio.jpg', none.jpeg);
  await card('none', 'Nessun codice QR leggibile');
  await choose(page, 'nota.jpg', Buffer.from('not a picture'));
  await card('no_picture', 'non è un’immagine');
  for (const level of [0, 255]) {
    await choose(page, 'foglio.jpg', none.jpeg);
    await card('none', 'foglio.jpg');
    await choose(page, 'trasparente.png', await transparentCode(modulesOf(ticket.text!), level));
    await card('text', groupCode(ticket.text!));
  }

  const called = await page.evaluate(
    async ([...bytes]) => {
      const bitmap = await createImageBitmap(
        new Blob([Uint8Array.from(bytes)], { type: 'image/jpeg' }),
      );
      return (
        window as unknown as { decodeImage(source: ImageBitmap): Promise<string | null> }
      ).decodeImage(bitmap);
    },
    [...ticket.jpeg],
  );
  expect(called).toBe(ticket.text);
  expect(elsewhere).toEqual([]);
});

it('an engine that does not start is not taken for a picture without a code', async (server) => {
  await using phone = await openWindow(browser);
  const { page } = phone;
  await page.route('**/*.wasm', (route) => route.abort());
  await page.goto(`${server.url}/scanner/decodifica.html`);
  const ticket = await makePicture({ condition: 'tilt', kind: 'ticket', n: 0, seed: 9 });
  await choose(page, 'biglietto.jpg', ticket.jpeg);
  await page
    .locator('[data-reading=no_engine]')
    .filter({ hasText: 'Il lettore dei codici non parte: ricarica la pagina.' })
    .waitFor();
  expect(await page.getByText('Nessun codice').count()).toBe(0);
});
