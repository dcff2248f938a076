/** Pages of a browser that look at a stand-in; all of them end with it. */
import type { BrowserContextOptions, Page } from 'playwright';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import type { Standin } from './start.ts';

export async function openPages(standin: Standin, viewport: { width: number; height: number }) {
  const browser = await launchBrowser();
  const close = async () => {
    await browser.close();
    await standin.close();
  };
  return {
    browser,
    close,
    [Symbol.asyncDispose]: close,
    async newPage(wishes: BrowserContextOptions = {}): Promise<Page> {
      const context = await browser.newContext({ viewport, reducedMotion: 'reduce', ...wishes });
      return context.newPage();
    },
  };
}
