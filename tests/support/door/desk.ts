/** The office in a real browser, with a person who is logged in. */
import type { Browser, Page } from 'playwright';
import type { TestServer } from '#tests/support/server.ts';

/** The timeout of expectations on a busy machine. */
export const within = { timeout: 60_000 };

export const desk = { width: 1280, height: 900 };
export const phone = { width: 390, height: 844 };

/** `path` is inside the office, such as "/orders"; the caller closes the page's context. */
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
