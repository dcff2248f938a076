/** The office in a real browser: somebody who is logged in, before a screen. */
import type { Browser, Page } from 'playwright';
import type { TestServer } from '#tests/support/server.ts';

/** A busy machine needs its time; used as the options of an expectation. */
export const within = { timeout: 60_000 };

export const desk = { width: 1280, height: 900 };
export const phone = { width: 390, height: 844 };

/** `path` inside the office, as "/orders"; closing the page's context is the caller's. */
export async function openDesk(
  browser: Browser,
  server: TestServer,
  person: { cookie: string },
  { path, size = desk }: { path: string; size?: typeof desk },
): Promise<Page> {
  const context = await browser.newContext({
    viewport: size,
    locale: 'it-IT',
    reducedMotion: 'reduce',
  });
  const [name = '', value = ''] = person.cookie.split('=');
  await context.addCookies([{ name, value, url: server.url }]);
  const page = await context.newPage();
  await page.goto(`${server.url}/admin${path}`);
  return page;
}
