/**
 * An event that is not there, and the colours of the site before and after somebody has chosen
 * them.
 */
import { see } from '#tests/support/browsers/see.ts';
import { expect, test } from 'vitest';
import { hearComplaints, startVisit, untilTakenOver } from '#tests/support/browsers/start-visit.ts';
import { eventPage } from '#tests/support/visit.ts';

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
