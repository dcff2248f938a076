/** A seller's browser in tests: the office with their session, and the till when it is ready for keys. */
import type { Browser, BrowserContextOptions, Page } from 'playwright';
import { expect as see } from 'playwright/test';
import type { Seller } from '#tests/support/counter.ts';
import type { TestServer } from '#tests/support/server.ts';

export const within = { timeout: 20_000 };

export async function enterOffice(
  browser: Browser,
  server: TestServer,
  { path, seller, ...options }: BrowserContextOptions & { path: string; seller: Seller },
): Promise<Page> {
  const viewport = { width: 1280, height: 900 };
  const context = await browser.newContext({
    viewport,
    locale: 'it-IT',
    reducedMotion: 'reduce',
    ...options,
  });
  const [name = '', value = ''] = seller.cookie.split('=');
  await context.addCookies([{ name, value, url: server.url }]);
  const page = await context.newPage();
  // A headless browser takes no keys after it has printed.
  await page.addInitScript(() => {
    window.print = () => {};
  });
  await page.goto(`${server.url}/admin${path}`);
  return page;
}

/** The map stands and the line waits for seats. */
export async function tillIsReady(page: Page): Promise<void> {
  await see(page.locator('[class*="till_map"] canvas').first()).toBeVisible(within);
  await see(page.getByLabel('Posti', { exact: true })).toBeFocused(within);
}
