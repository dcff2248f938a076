/** What a phone's system grants, refuses or gets wrong: the home screen, kept data, a lit screen, the clock, the battery. */
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { addCamera, show } from '#tests/support/door/camera.ts';
import { makeAdmin } from '#tests/support/make.ts';
import { pairingLink, phoneScreen, startScanning, waitForList } from '#tests/support/door/phone.ts';
import { startServer } from '#tests/support/server.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
}, 60_000);
afterAll(() => browser.close());

const within = { timeout: 60_000 };
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 16_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.4 Mobile/15E148 Safari/604.1';

/** The product and a code of the office. */
async function openOffice() {
  const server = await startServer();
  const admin = await makeAdmin(server);
  return {
    server,
    link: await pairingLink(server, admin, { name: 'Luca' }),
    [Symbol.asyncDispose]: () => server.close(),
  };
}

/** A phone that nobody has paired yet; `script` runs in the page before its own. */
async function openNew({
  script = null,
  ...options
}: { script?: (() => void) | null; userAgent?: string } = {}) {
  const context = await browser.newContext({
    ...phoneScreen,
    ...options,
    serviceWorkers: 'block',
    hasTouch: true,
  });
  context.setDefaultTimeout(12_000);
  await addCamera(context);
  if (script) await context.addInitScript(script);
  return { context, page: await context.newPage(), [Symbol.asyncDispose]: () => context.close() };
}

const asInstalled = () => Object.assign(navigator, { standalone: true });
const asTab = () => Object.assign(navigator, { standalone: false });

test(
  'a pairing link that an iPhone opens in Safari spends no code: the app on the home screen reads the same one with its own camera',
  within,
  async () => {
    await using office = await openOffice();
    await using safari = await openNew({ userAgent: iphone, script: asTab });
    await safari.page.goto(office.link);
    await safari.page
      .getByText(
        'Prima aggiungi l’app alla schermata Home, poi aprila da lì e inquadra di nuovo il codice dell’ufficio.',
      )
      .waitFor();
    await safari.page
      .getByText('In Safari tocca Condividi, poi «Aggiungi alla schermata Home»')
      .waitFor();

    await using app = await openNew({ userAgent: iphone, script: asInstalled });
    await app.page.goto(`${office.server.url}/scanner/`);
    await app.page.getByRole('button', { name: 'Inquadra il codice' }).click();
    await app.page.locator('[data-camera-state=running]').waitFor();
    await show(app.page, office.link);
    await waitForList(app.page);
    // Spent now: whoever insists in Safari is told so.
    await safari.page.getByRole('button', { name: 'Abbina qui lo stesso' }).click();
    await safari.page.getByRole('alert').waitFor();
  },
);

test('who wants to scan in Safari all the same is paired with one tap', within, async () => {
  await using office = await openOffice();
  await using safari = await openNew({ userAgent: iphone, script: asTab });
  await safari.page.goto(office.link);
  await safari.page.getByRole('button', { name: 'Abbina qui lo stesso' }).click();
  await waitForList(safari.page);
});

test(
  'where a link opens in the place that keeps the data, it pairs at once: an installed iPhone, Android, a desktop',
  within,
  async () => {
    for (const phone of [
      { userAgent: iphone, script: asInstalled },
      {
        userAgent:
          'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36',
      },
      {},
    ]) {
      await using office = await openOffice();
      await using opened = await openNew(phone);
      await opened.page.goto(office.link);
      await waitForList(opened.page);
      expect(await opened.page.getByRole('button', { name: 'Inizia' }).isEnabled()).toBe(true);
    }
  },
);

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
      localStorage.setItem(
        'system.asked',
        String(Number(localStorage.getItem('system.asked') ?? 0) + 1),
      );
      return localStorage.getItem('system.grants') === 'yes';
    },
  });
};

test(
  'that the data are kept is read from the system at each start, and asked for again when the app is installed',
  within,
  async () => {
    await using office = await openOffice();
    await using phone = await openNew({ script: scriptedStorage });
    const { page } = phone;
    const asked = () => page.evaluate(() => localStorage.getItem('system.asked'));
    await page.goto(office.link);
    await expectCheck(
      page,
      'storage',
      'warn',
      'Installa l’app: il telefono custodirà meglio i dati',
    );
    await page.evaluate(() => localStorage.setItem('system.persisted', 'yes'));
    await page.reload();
    await expectCheck(page, 'storage', 'good', 'Il telefono non cancellerà i dati da solo');
    // The system may change its mind; a start in the browser asks nobody.
    const before = await asked();
    await page.evaluate(() => localStorage.setItem('system.persisted', 'no'));
    await page.reload();
    await expectCheck(page, 'storage', 'warn', 'Installa l’app');
    expect(await asked()).toBe(before);
    await page.evaluate(() => {
      localStorage.setItem('system.grants', 'yes');
      dispatchEvent(new Event('appinstalled'));
    });
    await expectCheck(page, 'storage', 'good', 'Il telefono non cancellerà i dati da solo');
  },
);

test(
  'an installed app whose data the system does not promise to keep says what not to do, and asks at its next start',
  within,
  async () => {
    await using office = await openOffice();
    await using phone = await openNew({ script: scriptedStorage });
    const { page, context } = phone;
    await context.addInitScript(asInstalled);
    await page.goto(office.link);
    await expectCheck(
      page,
      'storage',
      'warn',
      'Il telefono non lo garantisce: non svuotare i dati del browser prima di aver inviato tutto',
    );
    await page.evaluate(() => localStorage.setItem('system.grants', 'yes'));
    await page.reload();
    await expectCheck(page, 'storage', 'good', 'Il telefono non cancellerà i dati da solo');
  },
);

interface LitWindow {
  lockGiven: boolean;
  lockAsked: number;
  takeLock(): void;
}

/** A screen that the system keeps lit, or not. */
const scriptedLock = () => {
  const page = window as unknown as LitWindow;
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
  Object.defineProperty(navigator, 'wakeLock', { value: { request } });
};

const dark =
  'Questo telefono può spegnersi da solo: togli il blocco automatico nelle impostazioni.';

test(
  'a screen that the system lets go dark is asked for again, now and then, and said where it is refused',
  within,
  async () => {
    await using office = await openOffice();
    await using phone = await openNew({ script: scriptedLock });
    const { page } = phone;
    const lockAsked = () => page.evaluate(() => (window as unknown as LitWindow).lockAsked);
    await page.clock.install();
    await page.goto(office.link);
    await waitForList(page);
    expect(await page.locator('[data-check=awake]').count()).toBe(0);
    const first = await lockAsked();
    await page.evaluate(() => (window as unknown as LitWindow).takeLock());
    expect(await lockAsked()).toBe(first);
    await page.clock.fastForward(6_000);
    expect(await lockAsked()).toBe(first + 1);
    await page.evaluate(() => {
      (window as unknown as LitWindow).lockGiven = false;
      (window as unknown as LitWindow).takeLock();
    });
    await page.clock.fastForward(6_000);
    await expectCheck(page, 'awake', 'warn', dark);
    // Refused, it is not asked for again and again, but when the page comes back to the front.
    await page.clock.fastForward(60_000);
    expect(await lockAsked()).toBe(first + 2);
    await page.evaluate(() => {
      (window as unknown as LitWindow).lockGiven = true;
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await page.locator('[data-check=awake]').waitFor({ state: 'detached' });
  },
);

test(
  'a phone whose browser keeps no screen lit says so before the doors open',
  within,
  async () => {
    await using office = await openOffice();
    await using phone = await openNew({
      script: () => {
        Object.defineProperty(navigator, 'wakeLock', { value: undefined });
      },
    });
    await phone.page.goto(office.link);
    await expectCheck(phone.page, 'awake', 'warn', dark);
  },
);

test(
  'a clock that is wrong is said in minutes or hours before the doors and while scanning; a list from the future is no fresh one',
  within,
  async () => {
    await using office = await openOffice();
    await using phone = await openNew();
    const { page } = phone;
    await page.clock.setSystemTime(Date.now() + 3 * 3_600_000);
    await page.goto(office.link);
    await expectCheck(page, 'clock', 'warn', 'Sbaglia di 3 ore: imposta l’ora automatica');
    await startScanning(page);
    const line = page.locator('.screens-status-line_old');
    await line.getByText('Orologio sbagliato di 3 ore: controlla data e ora').waitFor();

    // Without a line nobody says how old the list is by a clock that was set back: not that it is fresh.
    await phone.context.setOffline(true);
    await page.clock.setSystemTime(Date.now() - 4 * 60_000);
    await line.getByText('Dati forse vecchi: controlla data e ora').waitFor();
    await page.getByRole('button', { name: 'Torna alla preparazione' }).click();
    await page.locator('[data-check=list][data-mark=warn]').waitFor();
  },
);

test(
  'a clock that is set wrong in mid-evening without a line is said on the screen of the scans',
  within,
  async () => {
    await using office = await openOffice();
    await using phone = await openNew();
    const { page } = phone;
    await page.goto(office.link);
    await waitForList(page);
    await startScanning(page);
    await page.locator('[data-obstacle]:not(.screens-status-line_old)').waitFor();
    await phone.context.setOffline(true);
    await page.clock.setSystemTime(Date.now() - 4 * 60_000);
    await page
      .locator('.screens-status-line_old')
      .getByText('Orologio sbagliato di 4 min: controlla data e ora')
      .waitFor();
  },
);

test('the battery on the screen is the battery of now', within, async () => {
  await using office = await openOffice();
  await using phone = await openNew({
    script: () => {
      const battery = Object.assign(new EventTarget(), { level: 0.8, charging: false });
      Object.assign(window, { battery });
      Object.assign(navigator, { getBattery: async () => battery });
    },
  });
  const { page } = phone;
  await page.goto(office.link);
  await expectCheck(page, 'battery', 'good', /80 %$/);
  const change = (state: object, event: string) =>
    page.evaluate(
      ([given, name]) => {
        const { battery } = window as unknown as { battery: EventTarget };
        Object.assign(battery, given).dispatchEvent(new Event(name));
      },
      [state, event] as const,
    );
  await change({ level: 0.2 }, 'levelchange');
  await expectCheck(page, 'battery', 'warn', '20 %: tieni pronto un caricatore');
  await change({ charging: true }, 'chargingchange');
  await expectCheck(page, 'battery', 'good', '20 %, in carica');
});
