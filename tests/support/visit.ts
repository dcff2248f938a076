/** One visitor of the public site in a real browser: the page, its alerts, calls and errors. */
import type { Browser, BrowserContextOptions, Page, Request } from 'playwright';
import { demoEvent } from './make.ts';

/** The patience for a busy machine. */
export const within = { timeout: 60_000 };
export const eventPage = `/event/${demoEvent}`;
export const screens = [
  { width: 390, height: 844 },
  { width: 1280, height: 900 },
] as const;

export type Visit = Awaited<ReturnType<typeof visit>>;

export interface VisitOptions extends BrowserContextOptions {
  /** The test controls the page's clock, which runs until it is paused. */
  clock?: boolean;
}

export async function visit(
  browser: Browser,
  url: string,
  { clock = false, ...options }: VisitOptions = {},
) {
  const context = await browser.newContext({
    locale: 'it-IT',
    baseURL: url,
    reducedMotion: 'reduce',
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  if (clock) await page.clock.install();
  const [alerts, calls, troubles]: [string[], string[], string[]] = [[], [], []];
  page.on('dialog', (dialog) => {
    alerts.push(dialog.message());
    void dialog.accept();
  });
  page.on('request', (request: Request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/')) calls.push(`${request.method()} ${pathname}`);
  });
  page.on('pageerror', (error) => troubles.push(error.message));
  return {
    page,
    /** Alerts of the browser, accepted as they come. */
    alerts,
    /** Calls of the API in their order, as `POST /api/event/x/book`. */
    calls,
    /** Errors of the page's own scripts. */
    troubles,
    /** The number of matching calls so far. */
    countCalls: (call: RegExp) => calls.filter((made) => call.test(made)).length,
    [Symbol.asyncDispose]: () => context.close(),
  };
}

export function ordersOfTab(page: Page): Promise<{ id: string; discarded?: boolean }[]> {
  return page.evaluate(
    () =>
      JSON.parse(sessionStorage['botteghino.orders.1'] ?? '[]') as {
        id: string;
        discarded?: boolean;
      }[],
  );
}

/** Stops the page's clock, a little later than now, because the page continues meanwhile. */
export async function pauseClock(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 2_000);
}
