/** Pages of a browser that look at a stand-in; all of them end with it. */
import type { Browser, BrowserContextOptions, Page } from 'playwright';
import type { Standin } from './start.ts';

export function openPages(
  browser: Browser,
  standin: Standin,
  viewport: { width: number; height: number },
) {
  const contexts: { close: () => Promise<void> }[] = [];
  const close = async () => {
    for (const context of contexts) await context.close();
    await standin.close();
  };
  return {
    close,
    [Symbol.asyncDispose]: close,
    async newPage(wishes: BrowserContextOptions = {}): Promise<Page> {
      const context = await browser.newContext({ viewport, reducedMotion: 'reduce', ...wishes });
      contexts.push(context);
      return context.newPage();
    },
  };
}
