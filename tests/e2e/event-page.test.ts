/** The event page in a real browser, at the width of a phone and of a desk: RULES W4, O10, O11, S1, and what the server's first HTML promises. */
import type { Browser, BrowserContextOptions, Page } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { demoEvent } from '#tests/support/make.ts';
import { startServer } from '#tests/support/server.ts';
import { chooseTwoSeats } from '#tests/support/visitor.ts';

const screens = [
  { width: 390, height: 844 },
  { width: 1280, height: 900 },
];
const within = { timeout: 20_000 };
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

interface Opened extends AsyncDisposable {
  page: Page;
  /** What the browser complained about, and requests that left our origin. */ complaints: string[];
}

async function open(url: string, options: BrowserContextOptions = {}): Promise<Opened> {
  const context = await browser.newContext({ locale: 'it-IT', baseURL: url, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('data:'))
      complaints.push(`outside: ${request.url()}`);
  });
  return { page, complaints, [Symbol.asyncDispose]: () => context.close() };
}

test('without any script the page says what it is about, and that seats need script', async () => {
  await using server = await startServer();
  await using visitor = await open(server.url, { javaScriptEnabled: false });
  await visitor.page.goto(`/event/${demoEvent}`);
  await see(visitor.page.getByRole('heading', { level: 1 })).toHaveText('La locandiera');
  await see(visitor.page.getByText('ore 21:00')).toBeVisible();
  await see(visitor.page.getByText('32,00').first()).toBeVisible();
});

for (const viewport of screens) {
  test(
    `§2, §4, §5: from the first frame to the checkout, without a complaint, a jump or a request to anybody else (${viewport.width} px)`,
    { timeout: 60_000 },
    async () => {
      await using server = await startServer();
      await using visitor = await open(server.url, { viewport });
      const { page, complaints } = visitor;
      await page.addInitScript(() => {
        const shifts = window as unknown as { shift: number };
        shifts.shift = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as unknown as {
            value: number;
            hadRecentInput: boolean;
          }[])
            if (!entry.hadRecentInput) shifts.shift += entry.value;
        }).observe({ type: 'layout-shift', buffered: true });
      });
      await page.goto(`/event/${demoEvent}`);
      await see(page.getByRole('button', { name: /Scegli da un elenco/ })).toBeVisible(within);
      expect(
        await page.evaluate(() => (window as unknown as { shift: number }).shift),
      ).toBeLessThanOrEqual(0.01);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      ).toBeLessThanOrEqual(0);
      await see(page).toHaveTitle('La locandiera · Botteghino');

      // §2: content at most 900 px wide; the preview clipped to 6.4em; a click on it opens the drawer with all of it.
      const boxes = await page.evaluate(() => ({
        content: document.querySelector('main')!.getBoundingClientRect().width,
        preview: document.querySelector('.event-header_description')!.getBoundingClientRect()
          .height,
      }));
      expect(boxes.content).toBeLessThanOrEqual(900);
      expect(boxes.preview).toBeCloseTo(6.4 * 16, 0);
      const preview = (await page.locator('.event-header_description').boundingBox())!;
      await page.mouse.click(preview.x + preview.width / 2, preview.y + 10);
      const drawer = page.getByRole('dialog');
      await see(drawer).toContainText('Consigliata dai 10 anni');
      await page.keyboard.press('Escape');
      await see(drawer).toHaveCount(0);
      const place = page.getByRole('link', { name: /Teatro Goldoni/ });
      expect([await place.getAttribute('target'), await place.getAttribute('rel')]).toEqual([
        '_blank',
        'noopener noreferrer',
      ]);

      // §5: nothing selected, nothing sent. §2: the round button is hidden.
      const round = page.locator('.event-book-button_button');
      await see(round).toBeHidden();
      const alerts: string[] = [];
      page.on('dialog', (dialog) => {
        alerts.push(dialog.message());
        void dialog.accept();
      });
      let bookings = 0;
      page.on('request', (request) => {
        if (request.url().endsWith('/book')) bookings += 1;
      });
      await page.getByRole('button', { name: 'Procedi al pagamento', exact: true }).click();
      await expect.poll(() => alerts).toEqual(['Seleziona prima i posti...']);
      expect(bookings).toBe(0);

      // §2: badge, pop-up; the summary names seats, types, prices, total and the law; the last button names the sum.
      await chooseTwoSeats(page);
      await see(round).toBeVisible();
      await see(page.locator('.event-book-button_badge')).toHaveText('2');
      await see(page.locator('.event-book-button_bubble')).toHaveText('Procedi al pagamento');
      const summary = page.getByRole('region', { name: 'I tuoi posti' });
      for (const words of [
        'Platea, fila C, posto 1',
        'Intero',
        'Totale (IVA inclusa)',
        'ordine con obbligo di pagare 64,00',
        'art. 59',
      ])
        await see(summary).toContainText(words);
      await see(page.getByRole('timer')).toContainText('I posti sono tuoi per');
      const pay = page.getByRole('button', { name: /^Paga 64,00\s€$/ });

      // §4, §9: two clicks are one booking, the order is kept, the browser leaves for the checkout.
      await pay.dblclick();
      await page.waitForURL(/\/c\/pay\//, within);
      expect(bookings).toBe(1);
      expect(complaints.filter((text) => !text.includes('stream'))).toEqual([]);
    },
  );
}

test('colours follow the system until the visitor chooses, and his choice holds from the first frame of the next page', async () => {
  await using server = await startServer();
  const groundOf = (page: Page) =>
    page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const [dark, light] = ['rgb(13, 17, 23)', 'rgb(246, 247, 250)'];
  for (const [colorScheme, ground, other] of [
    ['dark', dark, light],
    ['light', light, dark],
  ] as const) {
    await using visitor = await open(server.url, { colorScheme });
    const { page } = visitor;
    await page.goto('/');
    expect(await groundOf(page)).toBe(ground);
    await page
      .getByRole('button', {
        name: colorScheme === 'dark' ? 'Passa ai colori chiari' : 'Passa ai colori scuri',
      })
      .click();
    expect(await groundOf(page)).toBe(other);
    await page.route('**/assets/*.js', (route) => route.abort());
    await page.goto(`/event/${demoEvent}`);
    expect(await groundOf(page)).toBe(other);
  }
});

test('an event that is not there keeps its page when the app takes over, and the way home works', async () => {
  await using server = await startServer();
  await using visitor = await open(server.url);
  const { page, complaints } = visitor;
  const answer = await page.goto('/event/niente');
  expect(answer?.status()).toBe(404);
  await page.waitForFunction(() =>
    Object.keys(document.getElementById('root')!).some((key) => key.startsWith('__reactContainer')),
  );
  await see(
    page.getByText('Oops... Si è verificato un errore :( Riprova più tardi...'),
  ).toBeVisible();
  const home = page.getByRole('link', { name: 'Guarda gli spettacoli in programma' });
  const [first, second] = await Promise.all(
    [home, page.getByRole('button', { name: 'Riprova' })].map((way) => way.boundingBox()),
  );
  expect(first!.y).toBeLessThan(second!.y);
  await home.click();
  await see(page.getByRole('heading', { name: 'La locandiera' })).toBeVisible();
  expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);
});
