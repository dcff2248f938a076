/** The office fetches its other screens ahead, but not for a person who saves data. */
import { expect } from 'vitest';
import { see, testOffice as test } from './office.ts';

test('the other screens are fetched once the first one stands, unless the browser saves data', async (office) => {
  const context = await office.browser.newContext({ baseURL: office.server.url });
  const [name = '', value = ''] = office.admin.cookie.split('=');
  await context.addCookies([{ name, value, url: office.server.url }]);
  const countScripts = async (saveData: boolean) => {
    const page = await context.newPage();
    await page.clock.install();
    await page.addInitScript((saves) => {
      const { connection } = navigator as unknown as { connection: object };
      Object.defineProperty(connection, 'saveData', { value: saves });
    }, saveData);
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('.js')) asked.push(request.url());
    });
    await page.goto('/admin/account');
    await see(page.getByRole('heading', { level: 1 })).toBeVisible();
    const first = asked.length;
    await page.clock.runFor(3_000);
    return { page, later: () => asked.length - first };
  };
  const generous = await countScripts(false);
  await expect.poll(generous.later).toBeGreaterThan(40);
  await generous.page.close();
  const sparing = await countScripts(true);
  await sparing.page.evaluate(() => fetch('/healthz'));
  expect(sparing.later()).toBe(0);
});
