/** The question about services of others (RULES L2): nothing starts before a yes, a no is as near, both are kept and can be taken back. */
import type { Browser, BrowserContext, Page } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditPage } from '#tests/chart/audit.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

const within = { timeout: 20_000 };
const env = {
  RUM_HOST: 'https://misure.example',
  RUM_CLIENT_KEY: 'chiave',
  SENTRY_DSN: 'https://abc@errori.example/7',
  ANALYTICS_URL: 'https://numeri.example/script.js',
  ANALYTICS_SITE_KEY: 'teatro',
};
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

interface Visit extends AsyncDisposable {
  page: Page;
  context: BrowserContext;
  server: TestServer;
  /** Hosts that were asked. */ asked: Set<string>;
}

async function visit(width: number, colorScheme: 'dark' | 'light' = 'dark'): Promise<Visit> {
  const server = await startServer({ env });
  const context = await browser.newContext({
    viewport: { width, height: 844 },
    locale: 'it-IT',
    baseURL: server.url,
    colorScheme,
    reducedMotion: 'reduce',
  });
  const asked = new Set<string>();
  await context.route(/\.example\//, (route) => {
    asked.add(new URL(route.request().url()).hostname);
    return route.fulfill({
      status: 200,
      headers: { 'access-control-allow-origin': '*' },
      body: '',
    });
  });
  return {
    page: await context.newPage(),
    context,
    server,
    asked,
    async [Symbol.asyncDispose]() {
      await context.close();
      await server.close();
    },
  };
}

const banner = (page: Page) => page.getByRole('region', { name: 'Ci permetti di misurare?' });

for (const [width, colorScheme] of [
  [390, 'dark'],
  [1280, 'light'],
] as const) {
  test(
    `nothing of others is asked before the answer; a no is kept and brings nothing (${width} px)`,
    { timeout: 60_000 },
    async () => {
      await using at = await visit(width, colorScheme);
      const { page } = at;
      await page.goto('/event/la-locandiera');
      await see(banner(page)).toBeVisible(within);
      expect(await auditPage(page)).toEqual([]);
      await banner(page).getByRole('button', { name: 'Personalizza' }).click();
      expect(await auditPage(page)).toEqual([]);
      const [no, yes] = await Promise.all(
        ['Rifiuta', 'Accetta'].map(
          async (name) =>
            (await banner(page).getByRole('button', { name, exact: true }).boundingBox())!,
        ),
      );
      expect([no!.height, no!.y]).toEqual([yes!.height, yes!.y]);
      await banner(page).getByRole('button', { name: 'Rifiuta', exact: true }).click();
      await see(banner(page)).toHaveCount(0);
      for (const path of ['/', '/cookie']) {
        await page.goto(path);
        await page.waitForLoadState('networkidle');
        await see(banner(page)).toHaveCount(0);
      }
      expect([
        [...at.asked],
        await page.evaluate(
          "performance.getEntriesByType('resource').filter((entry) => /error-reports|web-vitals/.test(entry.name)).length",
        ),
      ]).toEqual([[], 0]);
      await see(page.getByText('partono soltanto se li accetti')).toBeVisible();
    },
  );
}

test(
  'a yes starts what it names at once and on the next page, and is taken back on the cookie page',
  { timeout: 90_000 },
  async () => {
    await using at = await visit(1280);
    const { page } = at;
    await page.goto('/');
    await banner(page).getByRole('button', { name: 'Personalizza' }).click(within);
    await banner(page)
      .getByRole('checkbox', { name: /^Misure di velocità/ })
      .check();
    await banner(page).getByRole('button', { name: 'Salva le scelte' }).click();
    await page.getByRole('contentinfo').getByRole('link', { name: 'Cookie' }).click();
    await see.poll(() => [...at.asked], within).toEqual(['misure.example']);

    await page.getByRole('button', { name: 'Rivedi le tue scelte' }).click(within);
    await see(banner(page)).toBeFocused(within);
    await banner(page).getByRole('button', { name: 'Accetta', exact: true }).click();
    await see
      .poll(
        () =>
          page.evaluate(
            "performance.getEntriesByType('resource').some((entry) => /error-reports/.test(entry.name))",
          ),
        within,
      )
      .toBe(true);

    await page.getByRole('button', { name: 'Rivedi le tue scelte' }).click();
    const reloaded = page.waitForEvent('load');
    await banner(page).getByRole('button', { name: 'Chiudi e rifiuta' }).click(within);
    await reloaded;
    at.asked.clear();
    await page.goto('/');
    await see(page.getByRole('contentinfo')).toBeVisible(within);
    await page.waitForLoadState('networkidle');
    expect([[...at.asked], await banner(page).count()]).toEqual([[], 0]);
  },
);
