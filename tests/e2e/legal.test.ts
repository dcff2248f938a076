/** Who sells, in a real browser: the footer of every page, its drawer, the legal pages, and the services that watch (RULES W4, W7, W8, L1). */
import type { Browser, Page, Request } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { startServer, type StartOptions, type TestServer } from '#tests/support/server.ts';
import { freePort } from '#tests/support/port.ts';
import { chooseTwoSeats } from '#tests/support/visitor.ts';

const within = { timeout: 20_000 };
const strip = 'Info | Contatti | Privacy Policy';
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

interface Visit extends AsyncDisposable {
  page: Page;
  server: TestServer;
  /** Requests to other hosts, and what was said on the console. */ foreign: Request[];
  troubles: string[];
}

/** `hosts`: foreign hosts that answer; all others must not be asked. */
async function visit(
  width: number,
  options: StartOptions = {},
  hosts: Record<string, string> = {},
): Promise<Visit> {
  const server = await startServer(options);
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    locale: 'it-IT',
    baseURL: server.url,
  });
  const page = await context.newPage();
  const [foreign, troubles]: [Request[], string[]] = [[], []];
  page.on('request', (request) => {
    if (!request.url().startsWith(server.url) && !/^(data|blob):/.test(request.url()))
      foreign.push(request);
  });
  page.on('console', (message) => {
    if (message.type() === 'error') troubles.push(message.text());
  });
  page.on('pageerror', (error) => troubles.push(error.message));
  for (const [host, body] of Object.entries(hosts))
    await context.route(`https://${host}/**`, (route) =>
      route.fulfill({
        status: 200,
        contentType: body === '' ? 'text/plain' : 'text/javascript',
        headers: { 'access-control-allow-origin': '*' },
        body,
      }),
    );
  return {
    page,
    server,
    foreign,
    troubles,
    async [Symbol.asyncDispose]() {
      await context.close();
      await server.close();
    },
  };
}

for (const width of [390, 1280]) {
  test(`RULES W4: the strip opens a drawer with mail, phone, terms and privacy policy (${width} px)`, async () => {
    await using at = await visit(width);
    const { page } = at;
    for (const path of ['/', '/event/la-locandiera', '/privacy', '/orders/nessuno']) {
      await page.goto(path);
      const drawer = page.getByRole('dialog', { name: 'Info e contatti' });
      await page.getByRole('button', { name: strip, exact: true }).click();
      await see(drawer).toBeVisible(within);
      await see(
        drawer.getByRole('link', { name: 'assistenza@botteghino.example' }).first(),
      ).toHaveAttribute('href', 'mailto:assistenza@botteghino.example', within);
      await see(drawer.getByRole('link', { name: '+39 041 000 0000' })).toHaveAttribute(
        'href',
        'tel:+390410000000',
      );
      await see(
        drawer.getByRole('heading', { level: 3, name: 'Condizioni di vendita' }),
      ).toBeVisible();
      await see(drawer.getByRole('heading', { level: 4, name: 'Rimborsi' })).toBeVisible();
      await see(drawer.getByRole('heading', { level: 3, name: 'Privacy Policy' })).toBeVisible();
      await see(drawer.getByText('Ultima modifica: 5 agosto 2024')).toBeVisible();
      await page.keyboard.press('Escape');
      await see(drawer).toBeHidden();
      await see(page.getByRole('contentinfo')).toContainText('P. IVA 12345678903');
    }
    expect(at.foreign).toEqual([]);
  });

  test(`the legal texts are pages of their own, drawn by the server and found from every foot (${width} px)`, async () => {
    await using at = await visit(width);
    const { page, server } = at;
    for (const [path, title, words] of [
      ['/condizioni', 'Condizioni di vendita', 'entro 10 giorni dall’acquisto'],
      ['/privacy', 'Privacy Policy', '5 agosto 2024'],
      ['/cookie', 'Cookie', 'nessun banner'],
      ['/accessibilita', 'Dichiarazione di accessibilità', 'WCAG 2.2'],
    ] as const) {
      const response = await fetch(server.url + path);
      expect([path, response.status, (await response.text()).includes(words)]).toEqual([
        path,
        200,
        true,
      ]);
      await page.goto('/');
      await page.getByRole('contentinfo').getByRole('link', { name: title }).click(within);
      await see(page.getByRole('heading', { level: 1, name: title })).toBeVisible(within);
      await see(page).toHaveTitle(`${title} · Botteghino`);
      expect(new URL(page.url()).pathname).toBe(path);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    }
    expect([at.foreign, at.troubles]).toEqual([[], []]);
  });
}

test('switched off: nothing of the watching services is fetched, not even from us', async () => {
  await using at = await visit(1280, { env: { RUM_HOST: 'off' } });
  const own: string[] = [];
  at.page.on('request', (request) => own.push(new URL(request.url()).pathname));
  await at.page.goto('/event/la-locandiera');
  await at.page.getByRole('button', { name: /Leggi tutto/ }).click();
  await see(at.page.getByRole('dialog', { name: 'La locandiera' })).toBeVisible(within);
  await at.page.getByRole('button', { name: /Scegli da un elenco/ }).waitFor(within);
  expect([
    own.filter((path) => /monitoring|error-reports|web-vitals|\/api\/rum/.test(path)),
    at.foreign,
  ]).toEqual([[], []]);
});

test('our own counters need no setting, no consent and no cookie', async () => {
  await using at = await visit(1280);
  const { page, server } = at;
  await page.goto('/event/la-locandiera');
  await see
    .poll(async () => namesIn(await server.house.ctx.db('visit_counts')), within)
    .toContain('pageview');
  expect(await page.locator('.consent-host').count()).toBe(0);
  expect([await page.context().cookies(), at.foreign]).toEqual([[], []]);
});

test('RULES W8: our own host hears of pages, vitals and the four product events, and of no order', async () => {
  const port = String(await freePort());
  await using at = await visit(1280, {
    env: { PORT: port, RUM_HOST: `http://localhost:${port}`, RUM_CLIENT_KEY: 'chiave' },
  });
  const { page, server } = at;
  const sent: { page_url: string; events: { name: string }[] }[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/rum/events'))
      sent.push(request.postDataJSON() as (typeof sent)[number]);
  });
  await page.goto('/event/la-locandiera');
  await page.getByRole('button', { name: /Leggi tutto/ }).click();
  await see(page.getByRole('dialog', { name: 'La locandiera' })).toBeVisible(within);
  await page.keyboard.press('Escape');
  await chooseTwoSeats(page);
  await page.evaluate("setTimeout(() => { throw new Error('prova'); })");
  await see
    .poll(async () => namesIn(await server.house.ctx.db('visit_counts')), within)
    .toEqual(
      expect.arrayContaining(['pageview', 'description_opened', 'seats_selected', 'error', 'FID']),
    );
  await page.goto('/orders/un-segreto-lungo-123456');
  await see
    .poll(
      async () => namesIn(await server.house.ctx.db('visit_counts').where({ page: 'order' })),
      within,
    )
    .toContain('pageview');
  await page.goto('/event/la-locandiera');
  await page
    .getByRole('button', { name: /^Togli / })
    .last()
    .click(within);
  await page.getByRole('button', { name: /^Paga / }).click(within);
  await page.waitForURL(/\/standins\/stripe\//, within);
  // Leaving a page tells its vitals.
  await see
    .poll(async () => namesIn(await server.house.ctx.db('visit_counts')), within)
    .toEqual(
      expect.arrayContaining([
        'LCP',
        'CLS',
        'INP',
        'seats_deselected',
        'book_button_clicked',
        'checkout_session_started',
      ]),
    );
  expect(sent.length).toBeGreaterThan(0);
  expect(JSON.stringify(sent)).not.toContain('un-segreto');
  expect(server.logged).toEqual([]);
});

function namesIn(rows: { name: string }[]): string[] {
  return [...new Set(rows.map(({ name }) => name))];
}

test('RULES W8: with keys each service is asked once, and no order is told to any of them', async () => {
  const env = {
    RUM_HOST: 'https://misure.example',
    RUM_CLIENT_KEY: 'chiave',
    SENTRY_DSN: 'https://abc@errori.example/7',
    ANALYTICS_URL: 'https://numeri.example/script.js',
    ANALYTICS_SITE_KEY: 'teatro',
  };
  await using at = await visit(
    1280,
    { env },
    { 'misure.example': '', 'errori.example': '', 'numeri.example': 'window.counted = true;' },
  );
  const { page, foreign } = at;
  await page.addInitScript(agreed(['errors', 'speed', 'statistics']));
  await page.goto('/orders/un-segreto-lungo-123456');
  const toHost = (host: string) =>
    foreign.filter((request) => new URL(request.url()).hostname === host);
  await see.poll(() => toHost('misure.example').length, within).toBeGreaterThan(0);
  // Errors that come within one second are one event.
  await see
    .poll(
      () =>
        page.evaluate(
          "performance.getEntriesByType('resource').some((entry) => /error-reports/.test(entry.name))",
        ),
      within,
    )
    .toBe(true);
  await see
    .poll(
      async () => {
        await page.evaluate(
          "setTimeout(() => { throw new Error('uno'); }); setTimeout(() => { throw new Error('due'); })",
        );
        return toHost('errori.example').filter((request) =>
          (request.postData() ?? '').includes('"exception"'),
        ).length;
      },
      { ...within, intervals: [1_500] },
    )
    .toBeGreaterThan(0);
  const errors = toHost('errori.example')
    .map((request) => request.postData() ?? '')
    .filter((body) => body.includes('"exception"'));
  expect(errors.some((body) => body.includes('"due"'))).toBe(false);
  const beacon = toHost('misure.example')[0]!;
  expect([beacon.url(), beacon.postDataJSON()]).toEqual([
    'https://misure.example/api/rum/events',
    {
      client_key: 'chiave',
      page_url: `${at.server.url}/orders/:orderId`,
      events: expect.arrayContaining([{ name: 'pageview' }]),
    },
  ]);
  for (const request of foreign)
    expect([
      request.url(),
      `${request.url()} ${request.postData() ?? ''}`.includes('un-segreto'),
    ]).toEqual([request.url(), false]);
  // This is localhost: analytics stay away.
  expect(toHost('numeri.example')).toEqual([]);
  expect(at.troubles.filter((trouble) => !/404|uno|due/.test(trouble))).toEqual([]);
});

for (const doNotTrack of [false, true]) {
  test(`RULES W8: the analytics script comes one second after the start${doNotTrack ? ', and not to whoever asks not to be followed' : ''}`, async () => {
    const port = String(await freePort());
    await using away = await launchAway();
    await using server = await startServer({
      env: {
        PORT: port,
        PUBLIC_URL: `http://teatro.example:${port}`,
        BOTTEGHINO_DEMO: '1',
        ANALYTICS_URL: 'https://numeri.example/script.js',
        ANALYTICS_SITE_KEY: 'teatro',
      },
    });
    const context = await away.browser.newContext({
      locale: 'it-IT',
      baseURL: `http://teatro.example:${port}`,
    });
    await context.addInitScript(agreed(['statistics']));
    await context.addInitScript(
      `window.began = performance.now(); Object.defineProperty(navigator, 'doNotTrack', { value: ${doNotTrack ? "'1'" : 'null'} });`,
    );
    await context.route('https://numeri.example/**', (route) =>
      route.fulfill({
        contentType: 'text/javascript',
        body: 'window.counted = performance.now() - began; window.attributes = { ...document.currentScript.dataset };',
      }),
    );
    const page = await context.newPage();
    await page.goto('/privacy');
    if (doNotTrack) {
      // Later than the script would come.
      await see
        .poll(() => page.evaluate('performance.now() - began'), within)
        .toBeGreaterThan(4_000);
      expect(await page.evaluate('window.counted')).toBe(undefined);
    } else {
      await see.poll(() => page.evaluate('typeof window.counted'), within).toBe('number');
      expect(Number(await page.evaluate('counted'))).toBeGreaterThanOrEqual(1_000);
      expect(await page.evaluate('attributes')).toEqual({
        siteKey: 'teatro',
        mode: 'page-load',
        respectDnt: 'true',
        ignoreLocalhost: 'true',
        coreWebVitals: 'true',
      });
    }
    expect(server.logged).toEqual([]);
  });
}

/** A visitor who has said yes before (consent.test.ts asks him). */
function agreed(services: string[]): string {
  return `localStorage.setItem('botteghino.consent.1', JSON.stringify({ at: Date.now(), asked: ${JSON.stringify(services)}, allowed: ${JSON.stringify(services)} }))`;
}

/** A browser to which the site is not localhost. */
async function launchAway(): Promise<AsyncDisposable & { browser: Browser }> {
  const away = await launchBrowser(['--host-resolver-rules=MAP teatro.example 127.0.0.1']);
  return { browser: away, [Symbol.asyncDispose]: () => away.close() };
}
