/**
 * The start of most browser tests: a server of its own, and one visitor on a page of the worker's
 * browser.
 */
import { testWith } from '#tests/support/test-with.ts';
import type { Browser, Page } from 'playwright';
import { launchBrowser } from './browser.ts';
import { startServer, type StartOptions, type TestServer } from '#tests/support/server.ts';
import { visit, type Visit, type VisitOptions } from '#tests/support/visit.ts';

export interface ServedVisit extends Visit {
  server: TestServer;
  browser: Browser;
}

export async function startVisit(
  options: VisitOptions = {},
  served: StartOptions = {},
): Promise<ServedVisit> {
  const server = await startServer(served);
  const browser = await launchBrowser();
  return {
    ...(await visit(browser, server.url, options)),
    server,
    browser,
    async [Symbol.asyncDispose]() {
      await browser.close();
      await server.close();
    },
  };
}

/** The orders that this tab has begun before, oldest first, for the next page that is opened. */
export async function rememberOrders(
  page: Page,
  ...orders: { id: string; discarded?: boolean }[]
): Promise<void> {
  await page.addInitScript((list) => {
    sessionStorage['botteghino.orders.1'] ??= JSON.stringify(list);
  }, orders);
}

/** Calls of the page that match wait until the test releases them. */
export async function holdCalls(page: Page, calls: string | RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(calls, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

/** Waits until the app has hydrated, so that its links no longer load a page. */
export async function untilTakenOver(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    Object.keys(document.getElementById('root')!).some((key) => key.startsWith('__reactContainer')),
  );
}

/** Fills the fields of the hosted payment page, as a buyer does. */
export async function fillCard(page: Page): Promise<void> {
  for (const [name, typed] of [
    ['E-mail', 'eva@example.it'],
    ['Nome e cognome', 'Eva Neri'],
    ['Numero della carta', '4242 4242 4242 4242'],
    ['Scadenza', '12/34'],
    ['CVC', '123'],
    ['Nome sulla carta', 'Eva Neri'],
  ] as const)
    await page.getByLabel(name).fill(typed);
}

/** Collects browser errors from here on, and requests to other origins. */
export function hearComplaints(page: Page, url: string): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('data:'))
      complaints.push(`outside: ${request.url()}`);
  });
  return complaints;
}

export const testVisit = testWith(() => startVisit());
