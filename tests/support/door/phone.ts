/**
 * A phone of the door in a real browser: it is paired with the product and shown codes, and tests
 * read its screen and storage.
 */
import type { Browser, BrowserContext, Page } from 'playwright';
import { findEvent } from '#db/event/events.ts';
import { getOrder } from '#server/contract/order/orders.ts';
import { makePhone } from '#server/contract/door/phones.ts';
import { codeOf } from '#server/services/order/tickets.ts';
import { addCamera, hide, show } from './camera.ts';
import { callOk, demoEvent, makeAdmin, makeOrder, payOrder, until } from '#tests/support/make.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

/** Animations are off, because a pulsing dot would redraw the whole screen all the time. */
export const phoneScreen = {
  viewport: { width: 390, height: 844 },
  locale: 'it-IT',
  timezoneId: 'Europe/Rome',
  reducedMotion: 'reduce',
} as const;

/** A link as the office shows it, at the address that the phone reaches. */
export async function pairingLink(
  server: TestServer,
  admin: { cookie: string },
  {
    name,
    gate = null,
    origin = server.url,
    event_ids = [demoEvent],
  }: { name: string; gate?: string | null; origin?: string; event_ids?: string[] },
): Promise<string> {
  const made = await callOk(server, makePhone, { body: { name, gate, event_ids } }, admin);
  return `${origin}/scanner/${new URL(made.pairing_url).hash}`;
}

export interface Phone extends AsyncDisposable {
  context: BrowserContext;
  page: Page;
}

interface PhoneOptions {
  /** Waits until the service worker has stored the app, which takes time. */
  installed?: boolean;
  /** If false, the phone is paired and waits before its first use of the camera. */
  scans?: boolean;
  /** Runs in each of its pages before the page's own scripts. */
  script?: (() => void) | null;
  userAgent?: string;
}

/** A window of a phone with the scripted camera, without an address yet. */
export async function openWindow(
  browser: Browser,
  { installed = false, script = null, userAgent }: PhoneOptions = {},
): Promise<Phone> {
  const context = await browser.newContext({
    ...phoneScreen,
    ...(userAgent === undefined ? {} : { userAgent }),
    serviceWorkers: installed ? 'allow' : 'block',
    hasTouch: true,
  });
  // Shorter than a test's timeout, so that the failure names the line that hangs.
  context.setDefaultTimeout(12_000);
  await addCamera(context);
  if (script) await context.addInitScript(script);
  return { context, page: await context.newPage(), [Symbol.asyncDispose]: () => context.close() };
}

/** Resolves with a paired phone that has its list and a running camera. */
export async function openPhone(
  browser: Browser,
  link: string,
  { scans = true, ...options }: PhoneOptions = {},
): Promise<Phone> {
  const phone = await openWindow(browser, options);
  const { page } = phone;
  await page.goto(link);
  await waitForList(page);
  if (options.installed) await waitUntilInstalled(page);
  if (!scans) return phone;
  // A phone that has not kept the app must have its decoder before a test cuts the line.
  const decoder = options.installed
    ? null
    : page.waitForEvent('requestfinished', (request) => request.url().endsWith('.wasm'));
  await startScanning(page);
  await decoder;
  return phone;
}

/** Waits until the list of tickets is complete. */
export async function waitForList(page: Page): Promise<void> {
  await page.locator('[data-check=list]:not([data-mark=wait])').waitFor();
}

/** Waits until the app would open offline. */
export async function waitUntilInstalled(page: Page): Promise<void> {
  await page.locator('[data-check=offline][data-mark=good]').waitFor();
}

/** Makes the phone contact the server, as when a person returns to the app. */
export async function wake(page: Page): Promise<void> {
  await page.evaluate(() => dispatchEvent(new Event('focus')));
}

export async function startScanning(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Inizia' }).click();
  await page.locator('[data-camera-state=running]').waitFor();
}

/**
 * Shows the code to the camera and returns the verdict; a code that was just shown needs
 * `enterCode`.
 */
export async function scanCode(page: Page, code: string): Promise<string> {
  return verdictAfter(page, async () => {
    await show(page, code);
  }).finally(() => hide(page));
}

/** Types the code by hand: the same path without the camera. */
export async function enterCode(page: Page, code: string): Promise<string> {
  return verdictAfter(page, async () => {
    await closeVerdict(page);
    await page.getByRole('button', { name: 'Inserisci il codice' }).click();
    await page.getByLabel('Codice del biglietto').fill(code);
    await page.getByRole('button', { name: 'Controlla' }).click();
  });
}

/**
 * Types the code where the focus is, all at once, as a handheld reader does; then clicks the
 * element `then`.
 */
export function typeCode(page: Page, code: string, then?: string): Promise<void> {
  return page.evaluate(
    ([text, tapped]) => {
      // Made in one breath: a busy machine must not tear the burst apart.
      const keys = [...text!, 'Enter'].map(
        (key) => new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
      );
      for (const key of keys) (document.activeElement ?? document.body).dispatchEvent(key);
      if (tapped) document.querySelector<HTMLElement>(tapped)!.click();
    },
    [code, then],
  );
}

/** Waits until the decoder has got this many more camera pictures. */
export async function waitForFrames(page: Page, count: number): Promise<void> {
  await page.evaluate(
    (wanted) =>
      new Promise<void>((resolve) => {
        const original = Worker.prototype.postMessage;
        let left = wanted;
        Worker.prototype.postMessage = function (this: Worker, ...given: unknown[]) {
          left -= 1;
          if (left === 0) {
            Worker.prototype.postMessage = original;
            resolve();
          }
          return Reflect.apply(original, this, given);
        };
      }),
    count,
  );
}

/** The last line stays on the screen after a green verdict has closed. */
export async function verdictAfter(page: Page, act: () => Promise<void>): Promise<string> {
  const last = page.locator('.screens-scan-scan_last');
  const before = await last.getAttribute('data-last-admission');
  await act();
  await page.waitForFunction(
    (id) =>
      (document.querySelector('.screens-scan-scan_last')?.getAttribute('data-last-admission') ??
        null) !== id,
    before,
  );
  return (await last.getAttribute('data-last-verdict'))!;
}

/** The words of the verdict on the screen. */
export function verdictText(page: Page): Promise<string> {
  return page.locator('[data-verdict] [role=alert]').innerText();
}

export async function closeVerdict(page: Page): Promise<void> {
  await page.evaluate(() =>
    document.querySelector<HTMLButtonElement>('.screens-scan-verdict-verdict_close')?.click(),
  );
  await page.locator('[data-verdict]').waitFor({ state: 'detached' });
}

/** Waits until the phone shows that this many scans are still to be sent. */
export async function waitForQueue(page: Page, length: number): Promise<void> {
  await page.locator(`[data-queue="${length}"]`).first().waitFor({ state: 'attached' });
}

/** Writes rows into one of the phone's tables, behind the app's back. */
export async function writeTable(
  page: Page,
  table: string,
  rows: Record<string, unknown>[],
): Promise<void> {
  await askTable(page, table, rows);
}

/** The scans of the phone, in order. */
export async function readScans(page: Page): Promise<Record<string, unknown>[]> {
  return (await readTable(page, 'queue')).toSorted((a, b) => Number(a['seq']) - Number(b['seq']));
}

/** All rows of one of the phone's tables in IndexedDB. */
export function readTable(page: Page, table: string): Promise<Record<string, unknown>[]> {
  return askTable(page, table, []);
}

/** Writes the rows, then returns all rows of the table. */
function askTable(page: Page, table: string, rows: Record<string, unknown>[]) {
  return page.evaluate(
    ([name, given]) =>
      new Promise<Record<string, unknown>[]>((resolve, reject) => {
        const opening = indexedDB.open('botteghino-scanner');
        opening.addEventListener('error', () => reject(opening.error));
        opening.addEventListener('success', () => {
          const mode = given.length > 0 ? 'readwrite' : 'readonly';
          const store = opening.result.transaction(name, mode).objectStore(name);
          for (const row of given) store.put(row);
          const reading = store.getAll();
          store.transaction.addEventListener('complete', () => {
            opening.result.close();
            resolve(reading.result as Record<string, unknown>[]);
          });
        });
      }),
    [table, rows] as const,
  );
}

export interface SoldTicket {
  ticket_id: string;
  code: string;
  seat: string;
}

/** A paid and confirmed order of this many neighbours; needs a server with `worker: true`. */
export async function sellTickets(
  server: TestServer,
  options: { count?: number; nth?: number; ticket_type?: string } = {},
): Promise<SoldTicket[]> {
  const order = await makeOrder(server, options);
  await payOrder(server, order.checkout_url);
  await until(
    async () =>
      (await server.house.ctx.db('orders').where({ id: order.order_id }).first()).state ===
      'confirmed',
  );
  return (await callOk(server, getOrder, { params: { orderId: order.order_id } })).tickets;
}

/**
 * The product with its first admin and this many sold tickets; each link pairs one more phone.
 */
export async function openDoor(sold = 1) {
  const server = await startServer({ worker: true });
  const admin = await makeAdmin(server);
  return {
    server,
    admin,
    db: server.house.ctx.db,
    tickets: sold === 0 ? [] : await sellTickets(server, { count: sold }),
    link: (name = 'Luca', more: { gate?: string; origin?: string; event_ids?: string[] } = {}) =>
      pairingLink(server, admin, { name, ...more }),
    admissions: () => server.house.ctx.db('admissions').orderBy('seq'),
    [Symbol.asyncDispose]: () => server.close(),
  };
}

/** The code of any place and revision, sold or not. */
export async function codeOfPlace(
  server: TestServer,
  place: string,
  revision: number,
  event_id = demoEvent,
): Promise<string> {
  return codeOf((await findEvent(server.house.ctx.db, event_id))!, {
    place,
    revision,
    earlier_codes: 0,
  });
}
