/** The event page in a real browser, at the width of a phone and of a desk: RULES W4, O10, O11, S1, and what the server's first HTML promises. */
import type { Page } from 'playwright';
import { expect as see } from 'playwright/test';
import { expect, test } from 'vitest';
import { startVisit, untilTakenOver } from '#tests/support/browsers/start-visit.ts';
import { eventPage, screens, within } from '#tests/support/visit.ts';
import { chooseTwoSeats } from '#tests/support/visitor.ts';

/** What the browser complains about from here on, and requests that leave our origin. */
function hearComplaints(page: Page, url: string): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('data:'))
      complaints.push(`outside: ${request.url()}`);
  });
  return complaints;
}

test(
  '§2, §4, §5: from the first frame to the checkout, without a complaint, a jump or a request to anybody else',
  { timeout: 60_000 },
  async () => {
    await using at = await startVisit();
    const { page, server, alerts } = at;
    const complaints = hearComplaints(page, server.url);
    await page.addInitScript(() => {
      const shifts = window as unknown as { shift: number };
      shifts.shift = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as unknown as {
          value: number;
          hadRecentInput: boolean;
        }[])
          if (!entry.hadRecentInput) shifts.shift += entry.value;
      }).observe({ type: 'layout-shift', buffered: true });
    });
    for (const viewport of screens.toReversed()) {
      await page.setViewportSize(viewport);
      await page.goto(eventPage);
      await see(page.getByRole('button', { name: /Scegli da un elenco/ })).toBeVisible(within);
      const [shift, sideways] = await page.evaluate(() => [
        (window as unknown as { shift: number }).shift,
        document.documentElement.scrollWidth - innerWidth,
      ]);
      expect(shift).toBeLessThanOrEqual(0.01);
      expect(sideways).toBeLessThanOrEqual(0);
    }
    await see(page).toHaveTitle('La locandiera · Botteghino');
    const place = page.getByRole('link', { name: /Teatro Goldoni/ });
    expect([await place.getAttribute('target'), await place.getAttribute('rel')]).toEqual([
      '_blank',
      'noopener noreferrer',
    ]);

    // §5: nothing selected, nothing sent. §2: the round button is hidden.
    const round = page.locator('.event-book-button_button');
    await see(round).toBeHidden();
    await page.getByRole('button', { name: 'Procedi al pagamento', exact: true }).click();
    await expect.poll(() => alerts).toEqual(['Seleziona prima i posti...']);
    expect(at.countCalls(/\/book$/)).toBe(0);

    // §2: badge, pop-up; the summary names seats, types, prices, total and the law; the last button names the sum.
    await chooseTwoSeats(page);
    await see(round).toBeVisible();
    await see(page.locator('.event-book-button_badge')).toHaveText('2');
    await see(page.locator('.event-book-button_bubble')).toHaveText('Procedi al pagamento');
    const summary = page.getByRole('region', { name: 'I tuoi posti' });
    for (const words of [
      'Platea, fila C, posto 1',
      'Intero',
      'Totale (IVA inclusa)',
      'ordine con obbligo di pagare 64,00',
      'art. 59',
    ])
      await see(summary).toContainText(words);
    await see(page.getByRole('timer')).toContainText('I posti sono tuoi per');

    // §4, §9: two clicks are one booking, the order is kept, the browser leaves for the checkout.
    await page.getByRole('button', { name: /^Paga 64,00\s€$/ }).dblclick();
    await page.waitForURL(/\/c\/pay\//, within);
    expect(at.countCalls(/\/book$/)).toBe(1);
    expect(complaints.filter((text) => !text.includes('stream'))).toEqual([]);
  },
);

test('an event that is not there keeps its page when the app takes over, and the way home works; colours follow the system until the visitor chooses, and his choice holds from the first frame of the next page', async () => {
  await using at = await startVisit({ colorScheme: 'dark' });
  const { page, server } = at;
  const complaints = hearComplaints(page, server.url);
  const answer = await page.goto('/event/niente');
  expect(answer?.status()).toBe(404);
  await untilTakenOver(page);
  await see(
    page.getByText('Oops... Si è verificato un errore :( Riprova più tardi...'),
  ).toBeVisible();
  const home = page.getByRole('link', { name: 'Guarda gli spettacoli in programma' });
  const [first, second] = await Promise.all(
    [home, page.getByRole('button', { name: 'Riprova' })].map((way) => way.boundingBox()),
  );
  expect(first!.y).toBeLessThan(second!.y);
  await home.click();
  await see(page.getByRole('heading', { name: 'La locandiera' })).toBeVisible();
  expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);

  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const [dark, light] = ['rgb(13, 17, 23)', 'rgb(246, 247, 250)'];
  expect(await ground()).toBe(dark);
  await page.emulateMedia({ colorScheme: 'light' });
  expect(await ground()).toBe(light);
  await page.getByRole('button', { name: 'Passa ai colori scuri' }).click();
  expect(await ground()).toBe(dark);
  await page.route('**/assets/*.js', (route) => route.abort());
  await page.goto(eventPage);
  expect(await ground()).toBe(dark);
});
