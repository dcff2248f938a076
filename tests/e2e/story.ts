/**
 * The whole way once: a visitor picks two seats and pays, the office makes a phone, and the door
 * lets in without signal.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright';
import { see } from '#tests/support/browsers/see.ts';
import { expect, inject } from 'vitest';
import { addCamera, hide, show } from '#tests/support/door/camera.ts';
import { launchBrowser, launchProfile } from '#tests/support/browsers/browser.ts';
import { makeData, startProduct } from '#tests/support/product.ts';
import type { DatabaseKind } from '#tests/support/server.ts';
import { chooseTwoSeats } from '#tests/support/visitor.ts';

const phoneScreen = { viewport: { width: 390, height: 844 }, hasTouch: true };
const deskScreen = { viewport: { width: 1280, height: 900 } };
const within = { timeout: 20_000 };

export async function tellStory(database: DatabaseKind): Promise<void> {
  const data = await makeData(database, inject('postgresUrl'));
  const profile = await mkdtemp(join(tmpdir(), 'botteghino-phone-'));
  const browser = await launchBrowser();
  try {
    await using product = await startProduct(data);

    const visitor = await (
      await browser.newContext({ ...phoneScreen, locale: 'it-IT', baseURL: product.url })
    ).newPage();
    const strangers = watchOutside(visitor, product.url);
    const codes = await buyTwoSeats(visitor);

    const office = await (
      await browser.newContext({ ...deskScreen, locale: 'it-IT', baseURL: product.url })
    ).newPage();
    await becomeAdmin(office, product.invite);
    await findTheOrder(office);
    const pairingLink = await makePhone(office);

    const door = await launchProfile(profile, { ...phoneScreen, locale: 'it-IT' });
    const speed = await checkTicketsOffline(door, pairingLink, codes);
    console.log(
      `    ${database}: QR in front of the camera -> verdict painted: ${speed.map((ms) => Math.round(ms)).join(', ')} ms; the product started in ${Math.round(product.startedIn)} ms`,
    );

    await signalReturns(door, office, codes);
    expect(strangers).toEqual([]);
    expect(product.lines).toHaveLength(3);
    await door.close();
  } catch (error) {
    await keepPictures(browser, database);
    throw error;
  } finally {
    await browser.close();
    await data.clean();
    await rm(profile, { recursive: true, force: true });
  }
}

/** What was on the screens when the story broke off: tests/.out/. */
async function keepPictures(browser: Browser, name: string): Promise<void> {
  const pages = browser.contexts().flatMap((context) => context.pages());
  for (const [index, page] of pages.entries())
    await page
      .screenshot({ path: join(import.meta.dirname, `../.out/${name}-${index}.png`) })
      .catch(() => {});
}

/** Whatever a page asks of another origin. */
function watchOutside(page: Page, own: string): string[] {
  const strangers: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(own) && !/^(data|blob):/.test(request.url()))
      strangers.push(request.url());
  });
  return strangers;
}

/** From the home page to two tickets on the screen; gives back their codes. */
async function buyTwoSeats(page: Page): Promise<string[]> {
  await page.goto('/');
  await page
    .getByRole('link', { name: /La locandiera/ })
    .first()
    .click();
  await see(page.getByRole('heading', { level: 1, name: 'La locandiera' })).toBeVisible();

  await chooseTwoSeats(page);
  await page
    .getByRole('button', { name: /^Procedi al pagamento/ })
    .last()
    .click();

  await page.waitForURL(/\/standins\/stripe\/c\/pay\/cs_test_/, within);
  await see(page.getByText('Ambiente di prova')).toBeVisible();
  await page.getByLabel('E-mail').fill('mirandolina@example.it');
  await page.getByLabel('Nome e cognome').fill('Mirandolina Fiorentini');
  await page.getByLabel('Numero della carta').fill('4242 4242 4242 4242');
  await page.getByLabel('Scadenza').fill('12/34');
  await page.getByLabel('CVC').fill('123');
  await page.getByLabel('Nome sulla carta').fill('Mirandolina Fiorentini');
  await page.getByRole('button', { name: /^Paga 64,00/ }).click();

  await page.waitForURL(/\/orders\/[\w-]{22}\/from_stripe_cs\/complete$/, within);
  await see(page.getByRole('heading', { name: 'Ordine confermato!' })).toBeVisible();
  const tickets = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('img', { name: /Codice QR/ }) });
  await see(tickets).toHaveCount(2);
  const letters = await tickets.locator('.order-ticket-ticket-card_letters').allTextContents();
  expect(letters.every((code) => /^[0-9A-Z]{4}(-[0-9A-Z]{1,4}){7}$/.test(code))).toBe(true);
  return letters.map((code) => code.replaceAll('-', ''));
}

/** The one-time link makes the first admin, once. */
async function becomeAdmin(page: Page, invite: string): Promise<void> {
  await page.goto(invite);
  await page.getByLabel('Nome e cognome').fill('Ada Bottega');
  await page.getByLabel('E-mail').fill('ada@teatro.example');
  await page.getByLabel('Password', { exact: true }).fill('una-platea-piena-di-luce');
  await page.getByLabel('Ripeti la password').fill('una-platea-piena-di-luce');
  await page.getByRole('button', { name: 'Crea l’accesso ed entra' }).click();
  await see(page.getByRole('link', { name: 'Ordini' }).first()).toBeVisible();
  expect(page.url()).not.toContain('#');
}

async function findTheOrder(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Ordini' }).first().click();
  const row = page.getByRole('row').filter({ hasText: 'Mirandolina' });
  await see(row).toContainText('64,00');
  await row.getByRole('link').first().click();
  await see(page.getByText('Platea, fila C, posto 1').first()).toBeVisible();
  await see(page.getByText('mirandolina@example.it').first()).toBeVisible();
}

/** Gives back the link that the pairing QR holds. */
async function makePhone(page: Page): Promise<string> {
  await page.getByRole('link', { name: 'Porta' }).first().click();
  await page.getByRole('link', { name: 'Telefoni' }).click();
  await page.getByRole('button', { name: 'Nuovo telefono' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Nome').fill('Ingresso principale');
  await form.getByLabel(/^Varco/).fill('Varco A');
  await form.getByRole('button', { name: 'Crea il codice' }).click();
  await see(page.getByRole('img', { name: /Codice per abbinare/ })).toBeVisible();
  return page.getByLabel('Link di abbinamento').inputValue();
}

/**
 * Paired and loaded with signal; then the signal goes, the app is reloaded, and three codes are
 * shown to the camera.
 */
async function checkTicketsOffline(
  door: BrowserContext,
  pairingLink: string,
  codes: string[],
): Promise<number[]> {
  await addCamera(door);
  const page = await door.newPage();
  await page.goto(pairingLink);
  await see(page.getByRole('heading', { name: 'Pronto per la porta' })).toBeVisible();
  await see(page.getByRole('button', { name: 'Inizia' })).toBeEnabled();
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null, undefined, within);

  await door.setOffline(true);
  await page.reload();
  await page.getByRole('button', { name: 'Inizia' }).click(within);
  await see(page.locator('[data-camera-state="running"]')).toBeVisible();

  const speed: number[] = [];
  const scan = async (code: string, verdict: string, word: string) => {
    // The verdict before may still be on the screen: what counts is a new one.
    const before = await page
      .locator('.screens-scan-scan_last')
      .getAttribute('data-last-admission');
    const shownAt = await show(page, code);
    await page.waitForFunction(
      (last) =>
        document.querySelector('.screens-scan-scan_last')?.getAttribute('data-last-admission') !==
        last,
      before,
      within,
    );
    await see(page.locator(`[data-verdict="${verdict}"]`)).toContainText(word);
    const painted = await page.waitForFunction(
      (since) =>
        Math.max(
          0,
          ((window as unknown as { verdictPaintedAt?: number }).verdictPaintedAt ?? 0) - since,
        ),
      shownAt,
      within,
    );
    speed.push(await painted.jsonValue());
    await hide(page);
  };
  await notePaint(page);
  await scan(codes[0]!, 'admit', 'ENTRA');
  const admittedAt = Date.now();
  await scan(codes[1]!, 'admit', 'ENTRA');
  await scan('0123456789ABCDEFGHJKMNPQRSTVWXY', 'invalid', 'NON VALIDO');
  // Within five seconds the same code would only be "just read".
  await page.waitForFunction((since) => Date.now() - since > 5_000, admittedAt);
  await scan(codes[0]!, 'already_in', 'GIÀ ENTRATO');
  await see(page.locator('[data-queue]')).toHaveAttribute('data-queue', '4');
  return speed;
}

/** Notes the first frame after each new verdict has come into the page. */
async function notePaint(page: Page): Promise<void> {
  await page.evaluate(() => {
    let last: Element | null = null;
    new MutationObserver(() => {
      const verdict = document.querySelector('[data-verdict]');
      if (verdict === null || verdict === last) return;
      last = verdict;
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          (window as unknown as { verdictPaintedAt: number }).verdictPaintedAt = performance.now();
        }),
      );
    }).observe(document.body, { childList: true, subtree: true });
  });
}

/**
 * The queue empties by itself, and the office sees the scans with the time at which they were made.
 */
async function signalReturns(door: BrowserContext, office: Page, codes: string[]): Promise<void> {
  const page = door.pages().at(-1)!;
  await door.setOffline(false);
  await see(page.locator('[data-queue]')).toHaveAttribute('data-queue', '0');

  await office.keyboard.press('Escape');
  await office.goto('/admin/door/scans');
  const rows = office.getByRole('row').filter({ hasText: 'Varco A' });
  await see(rows).toHaveCount(codes.length + 2);
  const first = rows
    .filter({ hasText: 'Platea, fila C, posto 1' })
    .filter({ hasText: 'ENTRA' })
    .first();
  await see(first).toContainText('Senza rete');
  const scannedAt = Date.parse((await first.locator('time').getAttribute('datetime'))!);
  expect(Math.abs(Date.now() - scannedAt)).toBeLessThan(120_000);
  await see(rows.filter({ hasText: 'NON VALIDO' })).toHaveCount(1);
}
