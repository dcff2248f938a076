/** What a phone's system grants, refuses or gets wrong: the home screen, kept data, a lit screen, the clock, the battery. */
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { show } from '#tests/support/door/camera.ts';
import { openDoor, openWindow, startScanning, waitForList } from '#tests/support/door/phone.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
}, 60_000);
afterAll(() => browser.close());

const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 16_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.4 Mobile/15E148 Safari/604.1';
const android =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36';

const asInstalled = () => Object.assign(navigator, { standalone: true });
const asTab = () => Object.assign(navigator, { standalone: false });

test('a pairing link that an iPhone opens in Safari spends no code: the app on the home screen reads it with its own camera; who insists in Safari is paired with one tap', async () => {
  await using door = await openDoor(0);
  const link = await door.link();
  await using safari = await openWindow(browser, { userAgent: iphone, script: asTab });
  const { page } = safari;
  await page.goto(link);
  await page
    .getByText(
      'Prima aggiungi l’app alla schermata Home, poi aprila da lì e inquadra di nuovo il codice dell’ufficio.',
    )
    .waitFor();
  await page.getByText('In Safari tocca Condividi, poi «Aggiungi alla schermata Home»').waitFor();

  await using app = await openWindow(browser, { userAgent: iphone, script: asInstalled });
  await app.page.goto(`${door.server.url}/scanner/`);
  await app.page.getByRole('button', { name: 'Inquadra il codice' }).click();
  await app.page.locator('[data-camera-state=running]').waitFor();
  await show(app.page, link);
  await waitForList(app.page);
  // Spent now, and told so; another one is not.
  const insist = page.getByRole('button', { name: 'Abbina qui lo stesso' });
  await insist.click();
  await page.getByRole('alert').waitFor();
  await page.goto('about:blank');
  await page.goto(await door.link('Sara'));
  await insist.click();
  await waitForList(page);
}, 60_000);

/** One line of “Pronto per la porta”: how it stands and what it says. */
async function expectCheck(
  page: Page,
  name: string,
  mark: string,
  text: string | RegExp,
): Promise<void> {
  await page.locator(`[data-check=${name}][data-mark=${mark}]`).filter({ hasText: text }).waitFor();
}

/** The system’s word about our data; kept beside the page, so that it outlives a reload. */
const scriptedStorage = () => {
  Object.assign(navigator.storage, {
    persisted: async () => localStorage.getItem('system.persisted') === 'yes',
    async persist() {
      const asked = Number(localStorage.getItem('system.asked') ?? 0) + 1;
      localStorage.setItem('system.asked', String(asked));
      return localStorage.getItem('system.grants') === 'yes';
    },
  });
};

function answer(page: Page, name: 'persisted' | 'grants', word: 'yes' | 'no'): Promise<void> {
  return page.evaluate(([key, value]) => localStorage.setItem(`system.${key}`, value), [
    name,
    word,
  ] as const);
}

test('a link pairs at once where the data are kept; that they are is read from the system at each start, and asked for again when the app is installed and as an installed one', async () => {
  await using door = await openDoor(0);
  const kept = 'Il telefono non cancellerà i dati da solo';
  await using tab = await openWindow(browser, { userAgent: android, script: scriptedStorage });
  const { page } = tab;
  const asked = () => page.evaluate(() => localStorage.getItem('system.asked'));
  await page.goto(await door.link());
  const advice = 'Installa l’app: il telefono custodirà meglio i dati';
  await expectCheck(page, 'storage', 'warn', advice);
  await answer(page, 'persisted', 'yes');
  await page.reload();
  await expectCheck(page, 'storage', 'good', kept);
  // The system may change its mind; a start in the browser asks nobody.
  const before = await asked();
  await answer(page, 'persisted', 'no');
  await page.reload();
  await expectCheck(page, 'storage', 'warn', 'Installa l’app');
  expect(await asked()).toBe(before);
  await answer(page, 'grants', 'yes');
  await page.evaluate(() => dispatchEvent(new Event('appinstalled')));
  await expectCheck(page, 'storage', 'good', kept);

  const script = scriptedStorage;
  await using installed = await openWindow(browser, { userAgent: iphone, script });
  await installed.context.addInitScript(asInstalled);
  await installed.page.goto(await door.link('Sara'));
  await expectCheck(
    installed.page,
    'storage',
    'warn',
    'Il telefono non lo garantisce: non svuotare i dati del browser prima di aver inviato tutto',
  );
  await answer(installed.page, 'grants', 'yes');
  await installed.page.reload();
  await expectCheck(installed.page, 'storage', 'good', kept);
}, 60_000);

interface ScriptedWindow {
  lockGiven: boolean;
  lockAsked: number;
  takeLock(): void;
  battery: EventTarget;
}

/** A screen that the system keeps lit or not, or that it knows nothing of, and a battery. */
const scriptedSystem = () => {
  const page = window as unknown as ScriptedWindow;
  const battery = Object.assign(new EventTarget(), { level: 0.8, charging: false });
  page.battery = battery;
  Object.assign(navigator, { getBattery: async () => battery });
  page.lockGiven = true;
  page.lockAsked = 0;
  const request = async () => {
    page.lockAsked += 1;
    if (!page.lockGiven) throw new DOMException('The test says so', 'NotAllowedError');
    const lock = Object.assign(new EventTarget(), {
      release: async () => {
        lock.dispatchEvent(new Event('release'));
      },
    });
    page.takeLock = () => lock.dispatchEvent(new Event('release'));
    return lock;
  };
  const isOld = location.protocol !== 'about:' && localStorage.getItem('system.old') === 'yes';
  Object.defineProperty(navigator, 'wakeLock', { value: isOld ? undefined : { request } });
};

test('a screen that goes dark is asked for again, now and then, and said where it is refused or never kept lit; the battery on the screen is the battery of now', async () => {
  const dark =
    'Questo telefono può spegnersi da solo: togli il blocco automatico nelle impostazioni.';
  await using door = await openDoor(0);
  await using phone = await openWindow(browser, { script: scriptedSystem });
  const { page } = phone;
  const lockAsked = () => page.evaluate(() => (window as unknown as ScriptedWindow).lockAsked);
  await page.clock.install();
  await page.goto(await door.link());
  await waitForList(page);
  expect(await page.locator('[data-check=awake]').count()).toBe(0);
  const first = await lockAsked();
  await page.evaluate(() => (window as unknown as ScriptedWindow).takeLock());
  expect(await lockAsked()).toBe(first);
  await page.clock.fastForward(6_000);
  expect(await lockAsked()).toBe(first + 1);
  await page.evaluate(() => {
    (window as unknown as ScriptedWindow).lockGiven = false;
    (window as unknown as ScriptedWindow).takeLock();
  });
  await page.clock.fastForward(6_000);
  await expectCheck(page, 'awake', 'warn', dark);
  // Refused, it is not asked for again and again, but when the page comes back to the front.
  await page.clock.fastForward(60_000);
  expect(await lockAsked()).toBe(first + 2);
  await page.evaluate(() => {
    (window as unknown as ScriptedWindow).lockGiven = true;
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await page.locator('[data-check=awake]').waitFor({ state: 'detached' });

  await expectCheck(page, 'battery', 'good', /80 %$/);
  const change = (state: object, event: string) =>
    page.evaluate(
      ([given, name]) => {
        const { battery } = window as unknown as ScriptedWindow;
        Object.assign(battery, given).dispatchEvent(new Event(name));
      },
      [state, event] as const,
    );
  await change({ level: 0.2 }, 'levelchange');
  await expectCheck(page, 'battery', 'warn', '20 %: tieni pronto un caricatore');
  await change({ charging: true }, 'chargingchange');
  await expectCheck(page, 'battery', 'good', '20 %, in carica');

  await page.evaluate(() => localStorage.setItem('system.old', 'yes'));
  await page.reload();
  await expectCheck(page, 'awake', 'warn', dark);
}, 60_000);

test('a clock that is wrong is said in minutes or hours before the doors and while scanning, with a line or without one; a list from the future is no fresh one', async () => {
  await using door = await openDoor(0);
  await using phone = await openWindow(browser);
  const { page } = phone;
  await page.clock.setSystemTime(Date.now() + 3 * 3_600_000);
  await page.goto(await door.link());
  await expectCheck(page, 'clock', 'warn', 'Sbaglia di 3 ore: imposta l’ora automatica');
  await startScanning(page);
  const line = page.locator('.screens-status-line_old');
  await line.getByText('Orologio sbagliato di 3 ore: controlla data e ora').waitFor();

  // Without a line nobody says how old the list is by a clock that was set back: not that it is fresh.
  await phone.context.setOffline(true);
  await page.clock.setSystemTime(Date.now() - 4 * 60_000);
  await page.clock.fastForward(10_000);
  await line.getByText('Dati forse vecchi: controlla data e ora').waitFor();
  await page.getByRole('button', { name: 'Torna alla preparazione' }).click();
  await page.locator('[data-check=list][data-mark=warn]').waitFor();

  // It was right, and is set wrong in mid-evening.
  await page.clock.setSystemTime(Date.now());
  await phone.context.setOffline(false);
  await page.reload();
  await waitForList(page);
  await startScanning(page);
  await page.locator('[data-obstacle]:not(.screens-status-line_old)').waitFor();
  await phone.context.setOffline(true);
  await page.clock.setSystemTime(Date.now() - 4 * 60_000);
  await page.clock.fastForward(10_000);
  await line.getByText('Orologio sbagliato di 4 min: controlla data e ora').waitFor();
}, 60_000);
