/**
 * Who sells, in a real browser: the footer of every page, its drawer, the legal pages, and the
 * services that watch (RULES W4, W7, W8, L1, R1, R2, R3).
 */
import type { Page, Request } from 'playwright';
import { see } from '#tests/support/browsers/see.ts';
import { expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { freePort } from '#tests/support/port.ts';
import { startServer, type StartOptions } from '#tests/support/server.ts';
import { startVisit, type ServedVisit } from '#tests/support/browsers/start-visit.ts';
import { eventPage, screens, within } from '#tests/support/visit.ts';
import { chooseTwoSeats } from '#tests/support/visitor.ts';

interface WatchedVisit extends ServedVisit {
  /** Requests to other hosts. */
  foreign: Request[];
  /** What was said on the console. */
  said: string[];
}

/** `hosts`: foreign hosts that answer; all others must not be asked. */
async function watchVisit(
  served: StartOptions = {},
  hosts: readonly string[] = [],
): Promise<WatchedVisit> {
  const at = await startVisit({ viewport: screens[0] }, served);
  const [foreign, said]: [Request[], string[]] = [[], []];
  at.page.on('request', (request) => {
    if (!request.url().startsWith(at.server.url) && !/^(data|blob):/.test(request.url()))
      foreign.push(request);
  });
  at.page.on('console', (message) => {
    if (message.type() === 'error') said.push(message.text());
  });
  for (const host of hosts)
    await at.page.context().route(`https://${host}/**`, (route) =>
      route.fulfill({
        status: 200,
        contentType: 'text/plain',
        headers: { 'access-control-allow-origin': '*' },
        body: '',
      }),
    );
  return { ...at, foreign, said };
}

const isErrorReports = (page: Page) =>
  page.evaluate(
    "performance.getEntriesByType('resource').some((entry) => /error-reports/.test(entry.name))",
  );

function namesIn(rows: { name: string }[]): string[] {
  return [...new Set(rows.map(({ name }) => name))];
}

/** A visitor who has said yes before (consent.test.ts asks him). */
function agreed(services: string[]): string {
  return `localStorage.setItem('botteghino.consent.1', JSON.stringify({ at: Date.now(), asked: ${JSON.stringify(services)}, allowed: ${JSON.stringify(services)} }))`;
}

/**
 * The default sentences, one by one. On cancellation the fees go back as well: that is decided so,
 * because courts have struck down terms that keep them.
 */
const terms: Record<string, RegExp> = {
  'a refund within 10 days of purchase': /chiedere il rimborso entro 10 giorni dall’acquisto/,
  'provided the event is not past or imminent': /purché l’evento non sia già passato o imminente/,
  'tickets bought within 15 days before the event are not refundable':
    /biglietti acquistati nei 15 giorni che precedono l’evento non sono rimborsabili/,
  'sales fees and handling fees are never refunded':
    /le commissioni di vendita e di gestione non vengono restituite/,
  'the credit can take up to 10 working days': /fino a 10 giorni lavorativi/,
  'on cancellation the ticket price is refunded':
    /Se l’evento viene annullato rimborsiamo il prezzo del biglietto/,
  'entry is by QR code': /Si entra mostrando il codice QR/,
  '§6: tickets are personal and non-transferable': /I biglietti sono personali e non cedibili/,
};

function missingTerms(text: string): string[] {
  const plain = text.replace(/\s+/g, ' ');
  return Object.keys(terms).filter((sentence) => !terms[sentence]!.test(plain));
}

test('§9: the strip at the foot of every page opens a drawer with mail, phone, terms and privacy policy; each legal text is a page of its own, drawn by the server; our own counters need no setting, no consent and no cookie', async () => {
  await using at = await watchVisit();
  const { page, server } = at;
  const drawer = page.getByRole('dialog', { name: 'Info e contatti' });
  const strip = page.getByRole('button', {
    name: 'Info | Contatti | Privacy Policy',
    exact: true,
  });
  const link = (name: string) => drawer.getByRole('link', { name }).first();
  const mail = 'assistenza@botteghino.example';
  for (const path of ['/', '/orders/nessuno', eventPage]) {
    await page.goto(path);
    await strip.click();
    await see(drawer.getByRole('heading', { level: 4, name: 'Rimborsi' })).toBeVisible();
    await page.keyboard.press('Escape');
    await see(drawer).toBeHidden();
    await see(page.getByRole('contentinfo')).toContainText('P. IVA 12345678903');
  }
  await strip.click();
  await see(link(mail)).toHaveAttribute('href', `mailto:${mail}`);
  await see(link('+39 041 000 0000')).toHaveAttribute('href', 'tel:+390410000000');
  for (const name of ['Condizioni di vendita', 'Privacy Policy'])
    await see(drawer.getByRole('heading', { level: 3, name })).toBeVisible();
  expect(missingTerms(await drawer.innerText())).toEqual([]);
  for (const viewport of screens) {
    await page.setViewportSize(viewport);
    // A bottom drawer: in the middle of the lower edge, as wide as a phone, and all of it can be
    // read.
    const box = (await drawer.boundingBox())!;
    expect([box.y + box.height, box.x * 2 + box.width]).toEqual([viewport.height, viewport.width]);
    expect(box.width).toBeGreaterThanOrEqual(Math.min(viewport.width, 600));
    const date = drawer.getByText('Ultima modifica: 5 agosto 2024');
    await date.scrollIntoViewIfNeeded();
    await see(date).toBeInViewport();
    expect(
      await drawer.getByRole('region').evaluate((body) => body.scrollWidth - body.clientWidth),
    ).toBe(0);
  }
  await page.keyboard.press('Escape');

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
    await page.getByRole('contentinfo').getByRole('link', { name: title }).click(within);
    await see(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await see(page).toHaveTitle(`${title} · Botteghino`);
    expect(new URL(page.url()).pathname).toBe(path);
    if (path === '/condizioni')
      expect(missingTerms(await page.getByRole('main').innerText())).toEqual([]);
  }
  await see
    .poll(async () => namesIn(await server.house.ctx.db('visit_counts')), within)
    .toContain('pageview');
  expect([
    await page.locator('.consent-host').count(),
    await page.context().cookies(),
    at.foreign,
    at.said.filter((text) => !text.includes('404')),
  ]).toEqual([0, [], [], []]);
});

test('RULES W8: our own host hears of pages, vitals and the four product events, and of no order', async () => {
  const port = String(await freePort());
  await using at = await watchVisit({
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
  await see(page.getByRole('dialog', { name: 'La locandiera' })).toBeVisible();
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

test('RULES W8: with keys each service is asked once, and no order is told to any of them', async () => {
  const env = {
    RUM_HOST: 'https://misure.example',
    RUM_CLIENT_KEY: 'chiave',
    SENTRY_DSN: 'https://abc@errori.example/7',
    ANALYTICS_URL: 'https://numeri.example/script.js',
    ANALYTICS_SITE_KEY: 'teatro',
  };
  await using at = await watchVisit({ env }, [
    'misure.example',
    'errori.example',
    'numeri.example',
  ]);
  const { page, foreign } = at;
  await page.addInitScript(agreed(['errors', 'speed', 'statistics']));
  await page.goto('/orders/un-segreto-lungo-123456');
  const toHost = (host: string) =>
    foreign.filter((request) => new URL(request.url()).hostname === host);
  await see.poll(() => toHost('misure.example').length, within).toBeGreaterThan(0);
  // Errors that come within one second are one event.
  await see.poll(() => isErrorReports(page), within).toBe(true);
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
  expect(at.said.filter((trouble) => !/404|uno|due/.test(trouble))).toEqual([]);
});

test('RULES W8: the analytics script comes one second after the start, and not to whoever asks not to be followed', async () => {
  const port = String(await freePort());
  const url = `http://teatro.example:${port}`;
  await using server = await startServer({
    env: {
      PORT: port,
      PUBLIC_URL: url,
      BOTTEGHINO_DEMO: '1',
      ANALYTICS_URL: 'https://numeri.example/script.js',
      ANALYTICS_SITE_KEY: 'teatro',
    },
  });
  // To this browser the site is not localhost.
  const away = await launchBrowser(['--host-resolver-rules=MAP teatro.example 127.0.0.1']);
  try {
    const open = async (doNotTrack: string | null) => {
      const context = await away.newContext({ locale: 'it-IT', baseURL: url });
      await context.addInitScript(agreed(['statistics']));
      await context.addInitScript((wish) => {
        Object.assign(window, { began: performance.now() });
        Object.defineProperty(navigator, 'doNotTrack', { value: wish });
      }, doNotTrack);
      await context.route('https://numeri.example/**', (route) =>
        route.fulfill({
          contentType: 'text/javascript',
          body: 'window.counted = performance.now() - began; window.attributes = { ...document.currentScript.dataset };',
        }),
      );
      const page = await context.newPage();
      await page.goto('/privacy');
      return page;
    };
    const unfollowed = await open('1');
    const page = await open(null);
    await see.poll(() => page.evaluate('typeof window.counted'), within).toBe('number');
    expect(Number(await page.evaluate('counted'))).toBeGreaterThanOrEqual(1_000);
    expect(await page.evaluate('attributes')).toEqual({
      siteKey: 'teatro',
      mode: 'page-load',
      respectDnt: 'true',
      ignoreLocalhost: 'true',
      coreWebVitals: 'true',
    });
    // It was opened before the other: its second has passed, too.
    expect(await unfollowed.evaluate('window.counted')).toBe(undefined);
    expect(server.logged).toEqual([]);
  } finally {
    await away.close();
  }
});
