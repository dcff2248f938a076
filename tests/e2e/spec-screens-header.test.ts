/** RULES W4, the header of the event page: pictures, title, description with its drawer, place and time. */
import { see } from '#tests/support/browsers/see.ts';
import { expect, test } from 'vitest';
import { lastSundayOf, nextYear, numberOf, weekdayOf } from '#tests/support/calendar.ts';
import { followLink } from '#tests/support/faults.ts';
import { demoEvent } from '#tests/support/make.ts';
import { setPolicy } from '#tests/support/refunds.ts';
import { startVisit } from '#tests/support/browsers/start-visit.ts';
import { eventPage, screens, within } from '#tests/support/visit.ts';

const shown = {
  banner: ['.event-header_picture', '/images/concerto-natale.svg'],
  logo: ['.shell-brand_brand img', '/images/logo.svg'],
  event: ['.event-header_ball', '/images/locandiera.svg'],
  band: ['.event-header_band', '/images/locandiera-band.svg'],
} as const;

test('§2, §9: the header has a banner, the logo, event_ball_image, band_ball_image and the title; the description preview is clipped to 6.4em, and a click opens a bottom drawer with all of it', async () => {
  await using at = await startVisit({ viewport: screens[0] });
  const { page, server } = at;
  const changes = {
    banner_image: '/images/concerto-natale.svg',
    description: `${'<p>Una sera d’autunno, a teatro, con parole di altri tempi.</p>'.repeat(40)}<p>Qui finisce.</p>`,
    demo: 0 as const,
  };
  await setPolicy(server, changes, demoEvent);
  await page.goto(eventPage);
  const header = page.getByRole('banner');
  const preview = page.locator('.event-header_description');
  const end = page.getByText('Qui finisce.');
  const drawer = page.getByRole('dialog', { name: 'La locandiera' });
  for (const viewport of screens) {
    await page.setViewportSize(viewport);
    for (const [selector, file] of Object.values(shown)) {
      const picture = header.locator(selector);
      await see(picture).toBeInViewport();
      // Really painted: the file came and is a picture.
      await see
        .poll(
          () =>
            picture.evaluate((image: HTMLImageElement) => [
              new URL(image.currentSrc).pathname,
              image.complete && image.naturalWidth > 0,
            ]),
          within,
        )
        .toEqual([file, true]);
    }
    const boxOf = async (name: keyof typeof shown) =>
      (await header.locator(shown[name][0]).boundingBox())!;
    // The banner is behind everything, from edge to edge; the two other pictures are circles, the
    // band's smaller than the event's.
    expect(await boxOf('banner')).toMatchObject({ x: 0, y: 0, width: viewport.width });
    for (const name of ['event', 'band'] as const) {
      const { width, height } = await boxOf(name);
      expect(width).toBeCloseTo(height, 1);
      await see(header.locator(shown[name][0])).toHaveCSS('border-radius', '50%');
    }
    expect((await boxOf('band')).width).toBeLessThan((await boxOf('event')).width);
    await see(header.getByRole('heading', { level: 1 })).toHaveText('La locandiera');
    await see(header.getByRole('heading', { level: 1 })).toBeInViewport();

    const measured = await preview.evaluate((element) => {
      const { fontSize, maxHeight, overflow } = getComputedStyle(element);
      return {
        em: Number.parseFloat(maxHeight) / Number.parseFloat(fontSize),
        overflow,
        height: element.getBoundingClientRect().height,
        most: 6.4 * Number.parseFloat(fontSize),
      };
    });
    expect(measured).toMatchObject({
      em: expect.closeTo(6.4, 3),
      overflow: 'hidden',
      height: expect.closeTo(measured.most, 0),
    });
    await see(end).not.toBeInViewport();

    await see(async () => {
      const { x, y, width } = (await preview.boundingBox())!;
      await page.mouse.click(x + width / 2, y + 12);
      await see(drawer).toBeVisible({ timeout: 1_000 });
    }).toPass();
    const box = (await drawer.boundingBox())!;
    expect(box.y + box.height).toBeCloseTo(viewport.height, 0);
    expect(box.y).toBeGreaterThan(0);
    await see(drawer.locator('p')).toHaveCount(41);
    // The text is longer than the drawer: it scrolls in it, by the keyboard too, and the page
    // behind does not.
    await drawer.getByRole('region', { name: 'La locandiera' }).focus();
    await page.keyboard.press('End');
    await see(drawer.getByText('Qui finisce.')).toBeInViewport();
    expect(await page.evaluate(() => scrollY)).toBe(0);
    await drawer.getByRole('button', { name: 'Chiudi il pannello' }).click();
    await see(drawer).toHaveCount(0);
    await see(page.getByRole('button', { name: /^Leggi tutto/ })).toBeFocused();
    await page.evaluate(() => scrollTo(0, 0));
  }
  expect(at.troubles).toEqual([]);
});

const [july, january, nextDay] = [`${nextYear}-07-03`, `${nextYear}-01-09`, `${nextYear}-01-10`];
const spring = lastSundayOf(3);

/** Summer and winter time, and the hour after midnight. */
const starts: [iso: string, said: string][] = [
  [`${july}T19:00:00.000Z`, `${weekdayOf(july)} 3 luglio ${nextYear}, ore 21:00`],
  [`${january}T23:05:00.000Z`, `${weekdayOf(nextDay)} 10 gennaio ${nextYear}, ore 00:05`],
  [`${spring}T01:30:00.000Z`, `domenica ${numberOf(spring)} marzo ${nextYear}, ore 03:30`],
];

test('§2: the start time is Italian with the long month name, 24-hour, Europe/Rome, also for a browser far away that speaks another language; the venue is a link in a new tab if venue_href exists, and plain text if not; without pictures and text a long title stays readable', async () => {
  await using at = await startVisit({
    viewport: screens[0],
    locale: 'en-US',
    timezoneId: 'America/Los_Angeles',
  });
  const { page, server } = at;
  const time = page.getByRole('banner').locator('time');
  for (const [iso, said] of starts) {
    const starts_at = Date.parse(iso);
    await setPolicy(server, { starts_at, doors_at: starts_at - 3_600_000 }, demoEvent);
    // As the server draws it, and as the browser says it by itself.
    expect(await (await fetch(server.url + eventPage)).text()).toContain(`>${said}</time>`);
    await page.goto('/');
    await followLink(page.getByRole('link', { name: /La locandiera/ }));
    await see(time).toHaveText(said);
    await see(time).toHaveAttribute('datetime', iso);
  }

  const venue_title = 'Sala degli Specchi';
  await setPolicy(server, { venue_title, venue_href: `${server.url}/privacy` }, demoEvent);
  await page.goto(eventPage);
  const opened = page.context().waitForEvent('page');
  await page.getByRole('link', { name: /^Sala degli Specchi/ }).click();
  const tab = await opened;
  await tab.waitForURL('**/privacy');
  expect(await tab.evaluate(() => window.opener)).toBe(null);
  expect(new URL(page.url()).pathname).toBe(eventPage);
  await tab.close();

  const bare = {
    venue_href: null,
    event_ball_image: null,
    band_ball_image: null,
    description: '',
    demo: 0 as const,
  };
  const title = 'Così fan tutte, ossia La scuola degli amanti: opera buffa in due atti';
  await setPolicy(server, { ...bare, title }, demoEvent);
  await page.reload();
  await see(page.getByRole('banner').getByText(venue_title)).toBeVisible();
  await see(page.getByRole('link', { name: /Sala degli Specchi/ })).toHaveCount(0);
  await see(page.locator('.event-header_balls, .event-header_about')).toHaveCount(0);
  // The title is read below the banner, beside or under the round button and never behind it.
  for (const viewport of screens) {
    await page.setViewportSize(viewport);
    const lines = await page.getByRole('heading', { level: 1 }).evaluate((heading) => {
      const text = document.createRange();
      text.selectNodeContents(heading);
      const [button, banner] = ['.event-book-button_book', '.event-header_banner'].map((selector) =>
        document.querySelector(selector)!.getBoundingClientRect(),
      );
      return [...text.getClientRects()].map(({ left, right, top, bottom }) => ({
        behind:
          left < button!.right &&
          right > button!.left &&
          top < button!.bottom &&
          bottom > button!.top,
        below: top >= banner!.bottom - 48,
      }));
    });
    expect(lines.length).toBeGreaterThan(1);
    expect(lines).toEqual(lines.map(() => ({ behind: false, below: true })));
  }
  expect(at.troubles).toEqual([]);
});
