/**
 * An office for one test: its server, its administrator, and screens in this worker's browser; with
 * the test all of it goes.
 */
import { testWith } from '#tests/support/test-with.ts';
import type { Browser, BrowserContextOptions, Page } from 'playwright';
import { expect } from 'vitest';
import { auditPage } from '#tests/chart/audit.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { see } from '#tests/support/browsers/see.ts';
import { desk, phone } from '#tests/support/door/desk.ts';
import { makeAdmin } from '#tests/support/make.ts';
import { startServer, type StartOptions, type TestServer } from '#tests/support/server.ts';

export { desk, phone, see };

type Person = { cookie: string };

interface PageOptions extends BrowserContextOptions {
  size?: typeof desk;
}

export interface Office extends AsyncDisposable {
  server: TestServer;
  admin: Person;
  browser: Browser;
  /** `path` inside the office, as "/orders"; the administrator's, if nobody else is named. */
  open: (path: string, options?: PageOptions & { as?: Person }) => Promise<Page>;
  /** Whoever has no session; `path` is of the whole site. */
  visit: (path: string, options?: PageOptions) => Promise<Page>;
}

export async function startOffice(options: StartOptions = {}): Promise<Office> {
  const server = await startServer(options);
  const admin = await makeAdmin(server);
  const browser = await launchBrowser();
  const open = async (path: string, { size = desk, ...options }: PageOptions, who?: Person) => {
    const context = await browser.newContext({
      viewport: size,
      locale: 'it-IT',
      reducedMotion: 'reduce',
      ...options,
    });
    const [name = '', value = ''] = who?.cookie.split('=') ?? [];
    if (who) await context.addCookies([{ name, value, url: server.url }]);
    const page = await context.newPage();
    // A headless browser takes no keys after it has printed.
    await page.addInitScript(() => {
      window.print = () => {};
    });
    await page.goto(server.url + path);
    return page;
  };
  return {
    server,
    admin,
    browser,
    open: (path, { as = admin, ...options } = {}) => open(`/admin${path}`, options, as),
    visit: (path, options = {}) => open(path, options),
    async [Symbol.asyncDispose]() {
      await browser.close();
      await server.close();
    },
  };
}

/**
 * As a click inside the office does it: another screen, without fetching the whole office again.
 * The screen that comes takes the focus.
 */
export async function goTo(page: Page, path: string): Promise<void> {
  await page.locator('main#content').waitFor({ state: 'attached' });
  await page.evaluate(
    (to) =>
      new Promise<void>((resolve) => {
        // A dialog that has just closed gives the focus back first.
        setTimeout(() => {
          const main = document.querySelector('main')!;
          main.blur();
          main.addEventListener('focus', () => resolve(), { once: true });
          const isHere = new URL(to, location.href).pathname === location.pathname;
          history.pushState({ idx: 0 }, '', to);
          dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
          if (isHere) resolve();
        });
      }),
    `/admin${path}`,
  );
}

/** As after a moment without a line: what is shown is asked for at once, not at its next turn. */
export async function lookAgain(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const line of ['offline', 'online']) dispatchEvent(new Event(line));
  });
}

/** Opens a question and answers it; what is under it takes no keys until it has gone. */
export async function confirm(page: Page, opener: string | RegExp, answer: string): Promise<void> {
  const question = page.getByRole('alertdialog');
  await page.getByRole('button', { name: opener }).click();
  await question.getByRole('button', { name: answer, exact: true }).click();
  await see(question).toHaveCount(0);
}

/** Nothing has to be pushed sideways; afterwards the window is as wide as it was. */
export async function expectFit(page: Page, widths: readonly number[] = [phone.width]) {
  const size = page.viewportSize()!;
  for (const width of [size.width, ...widths]) {
    await page.setViewportSize({ ...size, width });
    const wide = () => page.evaluate(() => document.documentElement.scrollWidth);
    await see.poll(wide, { message: `${width} px` }).toBeLessThanOrEqual(width);
  }
  await page.setViewportSize(size);
}

/**
 * Two accessibility engines find nothing on the screen as it stands, or in the dialog that is open
 * over it; and it fits a phone, too.
 */
export async function expectGood(page: Page, widths?: readonly number[]): Promise<void> {
  // What stands at an edge of the window covers the rest while it is scrolled.
  await page.evaluate(() => window.scrollTo(0, 0));
  const part = (await page.locator('dialog[open]').count()) > 0 ? 'dialog[open]' : ':root';
  expect(await auditPage(page, part)).toEqual([]);
  await expectFit(page, widths);
}

/** A test with an office of its own. */
export const testOffice = testWith(() => startOffice());
