/** The app in a browser that drops its database, and links opened on a phone that is paired already. */
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { blindCamera } from '#tests/support/door/camera.ts';
import {
  closeVerdict,
  enterCode,
  openDoor,
  openPhone,
  readScans,
  typeCode,
  verdictText,
  waitForQueue,
} from '#tests/support/door/phone.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** As WebKit after its network process has ended: this page never gets its database back. */
function dropDatabase(page: Page): Promise<void> {
  return page.evaluate(() => {
    const lost = () =>
      new DOMException('Connection to Indexed Database server lost', 'UnknownError');
    IDBTransaction.prototype.objectStore = () => {
      throw new DOMException('The database connection is closing', 'InvalidStateError');
    };
    IDBFactory.prototype.open = () => {
      const request = new EventTarget() as IDBOpenDBRequest;
      Object.defineProperty(request, 'error', { value: lost() });
      queueMicrotask(() => {
        const event = new Event('error');
        Object.defineProperty(event, 'target', { value: request });
        request.onerror?.call(request, event);
      });
      return request;
    };
  });
}

test('a scan that meets a dropped database comes back after one reload to the same screen with its verdict, once, and a database that stays lost is said without advice about space', async () => {
  await using door = await openDoor(3);
  await using phone = await openPhone(browser, await door.link(), { scans: false });
  const { page } = phone;
  await page.getByRole('button', { name: 'Inizia' }).click();
  const [first, second, third] = door.tickets.map(({ code }) => code) as [string, string, string];
  expect(await enterCode(page, first)).toBe('admit');
  await closeVerdict(page);
  await dropDatabase(page);
  await typeCode(page, second);
  await page.locator('[data-verdict=admit]').waitFor();
  await waitForQueue(page, 0);
  expect((await readScans(page)).map(({ verdict, seq }) => [verdict, seq])).toEqual([
    ['admit', 0],
    ['admit', 1],
  ]);
  await expect
    .poll(async () => (await door.admissions()).map(({ counts }) => counts))
    .toEqual([1, 1]);
  expect(await page.evaluate(() => Object.values(sessionStorage).join())).not.toContain(second);

  // Now the next page finds it lost, too: one reload, then words.
  await closeVerdict(page);
  await page.addInitScript(() => {
    if (sessionStorage.getItem('scanner.restarted') !== null)
      IDBObjectStore.prototype.add = () => {
        throw new DOMException('Connection to Indexed Database server lost', 'UnknownError');
      };
  });
  await dropDatabase(page);
  await typeCode(page, third);
  await page.locator('[data-verdict=not_saved]').waitFor();
  const words = await verdictText(page);
  expect(words).toContain('chiudi e riapri l’app');
  expect(words).not.toContain('spazio');
});

test('a phone’s own link says that it is this phone already and changes nothing; another link asks first, and the readings go on with either', async () => {
  await using door = await openDoor(2);
  const link = await door.link('Luca', { gate: 'Varco A' });
  await using phone = await openPhone(browser, link, { scans: false });
  const { page, context } = phone;
  await page.getByRole('button', { name: 'Inizia' }).click();
  await context.setOffline(true);
  expect(await enterCode(page, door.tickets[0]!.code)).toBe('admit');
  await waitForQueue(page, 1);
  const hash = new URL(link).hash;
  const tap = (fragment: string) =>
    page.evaluate((next) => {
      location.hash = next;
    }, fragment);
  await tap(hash);
  await page.locator('[data-link=own]').waitFor();
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(
    'Questo telefono è già «Luca»',
  );
  await page.getByRole('button', { name: 'Continua' }).click();
  await waitForQueue(page, 1);

  const other = new URL(await door.link('Sara')).hash;
  await tap(other);
  await page.locator('[data-link=other]').waitFor();
  await page.getByRole('button', { name: 'Resta «Luca»' }).click();
  await waitForQueue(page, 1);
  await context.setOffline(false);
  await tap(other);
  await page.getByRole('button', { name: 'Abbina con il nuovo codice' }).click();
  await page.getByText('Sara').first().waitFor();
  await expect.poll(async () => (await door.admissions()).map(({ counts }) => counts)).toEqual([1]);
});

test('the check of the camera looks: a covered lens and a frozen picture are told, and what sees is good', async () => {
  await using door = await openDoor(0);
  await using phone = await openPhone(browser, await door.link(), { scans: false });
  const { page } = phone;
  const check = page.locator('[data-check=camera]');
  for (const [sight, words] of [
    ['covered', 'l’obiettivo è coperto'],
    ['frozen', 'L’immagine è ferma'],
  ] as const) {
    await blindCamera(page, sight);
    await check.getByRole('button', { name: 'Prova' }).click();
    await check.getByText(words).waitFor();
  }
  await blindCamera(page, null);
  await check.getByRole('button', { name: 'Prova' }).click();
  await page.locator('[data-check=camera][data-mark=good]').waitFor();
});
