/** The question about services of others (RULES L2): nothing starts before a yes, a no is as near, both are kept and can be taken back. */
import { see } from '#tests/support/browsers/see.ts';
import { expect, test } from 'vitest';
import { expectNoFaults } from '#tests/support/faults.ts';
import { startVisit } from '#tests/support/browsers/start-visit.ts';
import { eventPage, screens, within } from '#tests/support/visit.ts';

const env = {
  RUM_HOST: 'https://misure.example',
  RUM_CLIENT_KEY: 'chiave',
  SENTRY_DSN: 'https://abc@errori.example/7',
  ANALYTICS_URL: 'https://numeri.example/script.js',
  ANALYTICS_SITE_KEY: 'teatro',
};

test('nothing of others is asked before the answer; a no is kept and brings nothing; a yes starts what it names at once and on the next page, and is taken back on the cookie page', async () => {
  await using at = await startVisit({}, { env });
  const { page } = at;
  const asked = new Set<string>();
  await page.context().route(/\.example\//, (route) => {
    asked.add(new URL(route.request().url()).hostname);
    const headers = { 'access-control-allow-origin': '*' };
    return route.fulfill({ status: 200, headers, body: '' });
  });
  const banner = page.getByRole('region', { name: 'Ci permetti di misurare?' });
  const press = (name: string) => banner.getByRole('button', { name, exact: true }).click(within);
  const fetched = (files: RegExp) =>
    page.evaluate(
      `performance.getEntriesByType('resource').some(({ name }) => ${files}.test(name))`,
    );
  const nothingIsAsked = async (path: string) => {
    await page.goto(path);
    await see(page.getByRole('contentinfo')).toBeVisible();
    await page.waitForLoadState('networkidle');
    expect([[...asked], await banner.count()]).toEqual([[], 0]);
  };
  await page.goto(eventPage);
  await see(banner).toBeVisible();
  await press('Personalizza');
  await expectNoFaults(page, 'the question, one by one');
  for (const viewport of screens) {
    await page.setViewportSize(viewport);
    const [no, yes] = await Promise.all(
      ['Rifiuta', 'Accetta'].map(
        async (name) => (await banner.getByRole('button', { name, exact: true }).boundingBox())!,
      ),
    );
    expect([no!.height, no!.y]).toEqual([yes!.height, yes!.y]);
  }
  await press('Rifiuta');
  await see(banner).toHaveCount(0);
  await nothingIsAsked('/cookie');
  expect(await fetched(/error-reports|web-vitals/)).toBe(false);
  await see(page.getByText('partono soltanto se li accetti')).toBeVisible();

  const again = page.getByRole('button', { name: 'Rivedi le tue scelte' });
  await again.click();
  await press('Personalizza');
  await banner.getByRole('checkbox', { name: /^Misure di velocità/ }).check();
  await press('Salva le scelte');
  await page
    .getByRole('banner')
    .getByRole('link', { name: /tutti gli spettacoli/ })
    .click();
  await see.poll(() => [...asked], within).toEqual(['misure.example']);
  await page.getByRole('contentinfo').getByRole('link', { name: 'Cookie' }).click();
  await again.click(within);
  await see(banner).toBeFocused();
  await press('Accetta');
  await see.poll(() => fetched(/error-reports/), within).toBe(true);

  await again.click();
  const reloaded = page.waitForEvent('load');
  await press('Chiudi e rifiuta');
  await reloaded;
  asked.clear();
  await nothingIsAsked('/');
}, 90_000);
