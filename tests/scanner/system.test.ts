/** What a phone's system grants, refuses or gets wrong: the home screen, kept data, a lit screen, the clock, the battery. */
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browser.ts';
import { addCamera, show } from '#tests/support/camera.ts';
import { makeAdmin } from '#tests/support/make.ts';
import { pairingLink, phoneScreen, waitForList } from '#tests/support/phone.ts';
import { startServer } from '#tests/support/server.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
}, 60_000);
afterAll(() => browser.close());

const within = { timeout: 60_000 };
const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 16_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.4 Mobile/15E148 Safari/604.1';

/** The product and a code of the office. */
async function openOffice() {
  const server = await startServer();
  const admin = await makeAdmin(server);
  return { server, link: await pairingLink(server, admin, { name: 'Luca' }), [Symbol.asyncDispose]: () => server.close() };
}

/** A phone that nobody has paired yet; `script` runs in the page before its own. */
async function openNew({ script = null, ...options }: { script?: (() => void) | null; userAgent?: string } = {}) {
  const context = await browser.newContext({ ...phoneScreen, ...options, serviceWorkers: 'block', hasTouch: true });
  context.setDefaultTimeout(12_000);
  await addCamera(context);
  if (script) await context.addInitScript(script);
  return { context, page: await context.newPage(), [Symbol.asyncDispose]: () => context.close() };
}

const asInstalled = () => Object.assign(navigator, { standalone: true });

test('a pairing link that an iPhone opens in Safari spends no code: the app on the home screen reads the same one with its own camera', within, async () => {
  await using office = await openOffice();
  await using safari = await openNew({ userAgent: iphone });
  await safari.page.goto(office.link);
  await safari.page.getByText('Prima aggiungi l’app alla schermata Home, poi aprila da lì e inquadra di nuovo il codice dell’ufficio.').waitFor();
  await safari.page.getByText('In Safari tocca Condividi, poi «Aggiungi alla schermata Home»').waitFor();

  await using app = await openNew({ userAgent: iphone, script: asInstalled });
  await app.page.goto(`${office.server.url}/scanner/`);
  await app.page.getByRole('button', { name: 'Inquadra il codice' }).click();
  await app.page.locator('[data-camera-state=running]').waitFor();
  await show(app.page, office.link);
  await waitForList(app.page);
  // Spent now: whoever insists in Safari is told so.
  await safari.page.getByRole('button', { name: 'Abbina qui lo stesso' }).click();
  await safari.page.getByRole('alert').waitFor();
});

test('who wants to scan in Safari all the same is paired with one tap', within, async () => {
  await using office = await openOffice();
  await using safari = await openNew({ userAgent: iphone });
  await safari.page.goto(office.link);
  await safari.page.getByRole('button', { name: 'Abbina qui lo stesso' }).click();
  await waitForList(safari.page);
});

test('where a link opens in the place that keeps the data, it pairs at once: an installed iPhone, Android, a desktop', within, async () => {
  for (const phone of [{ userAgent: iphone, script: asInstalled }, { userAgent: 'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36' }, {}]) {
    await using office = await openOffice();
    await using opened = await openNew(phone);
    await opened.page.goto(office.link);
    await waitForList(opened.page);
    expect(await opened.page.getByRole('button', { name: 'Inizia' }).isEnabled()).toBe(true);
  }
});
