/** RULES W4, the header of the event page: pictures, title, description with its drawer, place and time. */
import type { Browser } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { lastSundayOf, nextYear, numberOf, weekdayOf } from '#tests/support/calendar.ts';
import { demoEvent } from '#tests/support/make.ts';
import { setPolicy } from '#tests/support/refunds.ts';
import { startServer } from '#tests/support/server.ts';
import { eventPage, screens, visit, within } from '#tests/support/visit.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

for (const viewport of screens) {
  test(`§2: the header has a banner, the logo, event_ball_image, band_ball_image and the title (${viewport.width} px)`, async () => {
    await using server = await startServer();
    await setPolicy(server, { banner_image: '/images/concerto-natale.svg' }, demoEvent);
    await using visitor = await visit(browser, server.url, { viewport });
    const { page } = visitor;
    await page.goto(eventPage);
    const header = page.getByRole('banner');
    const shown: Record<string, string> = {
      banner: '.event-header_picture',
      logo: '.shell-brand_brand img',
      event: '.event-header_ball',
      band: '.event-header_band',
    };
    const files = {
      banner: '/images/concerto-natale.svg',
      logo: '/images/logo.svg',
      event: '/images/locandiera.svg',
      band: '/images/locandiera-band.svg',
    };
    for (const [name, file] of Object.entries(files)) {
      const picture = header.locator(shown[name]!);
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
    const boxOf = async (name: string) => (await header.locator(shown[name]!).boundingBox())!;
    // The banner is behind everything, from edge to edge; the two other pictures are circles, the band's smaller than the event's.
    expect(await boxOf('banner')).toMatchObject({ x: 0, y: 0, width: viewport.width });
    const [event, band] = [await boxOf('event'), await boxOf('band')];
    for (const name of ['event', 'band']) {
      const { width, height } = await boxOf(name);
      expect(width).toBeCloseTo(height, 1);
      await see(header.locator(shown[name]!)).toHaveCSS('border-radius', '50%');
    }
    expect(band.width).toBeLessThan(event.width);
    await see(header.getByRole('heading', { level: 1 })).toHaveText('La locandiera');
    await see(header.getByRole('heading', { level: 1 })).toBeInViewport();
  });

  test(`§2, §9: the description preview is clipped to 6.4em, and a click opens a bottom drawer with the full description (${viewport.width} px)`, async () => {
    await using server = await startServer();
    await setPolicy(
      server,
      {
        description: `${'<p>Una sera d’autunno, a teatro, con parole di altri tempi.</p>'.repeat(40)}<p>Qui finisce.</p>`,
      },
      demoEvent,
    );
    await using visitor = await visit(browser, server.url, { viewport });
    const { page } = visitor;
    await page.goto(eventPage);
    const preview = page.locator('.event-header_description');
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
    const end = page.getByText('Qui finisce.');
    await see(end).not.toBeInViewport();

    const drawer = page.getByRole('dialog', { name: 'La locandiera' });
    await see(async () => {
      const { x, y, width } = (await preview.boundingBox())!;
      await page.mouse.click(x + width / 2, y + 12);
      await see(drawer).toBeVisible({ timeout: 1_000 });
    }).toPass(within);
    const box = (await drawer.boundingBox())!;
    expect(box.y + box.height).toBeCloseTo(viewport.height, 0);
    expect(box.y).toBeGreaterThan(0);
    await see(drawer.locator('p')).toHaveCount(41);
    // The text is longer than the drawer: it scrolls in it, by the keyboard too, and the page behind does not.
    await drawer.getByRole('region', { name: 'La locandiera' }).focus();
    await page.keyboard.press('End');
    await see(drawer.getByText('Qui finisce.')).toBeInViewport();
    expect(await page.evaluate(() => scrollY)).toBe(0);
    await drawer.getByRole('button', { name: 'Chiudi il pannello' }).click();
    await see(drawer).toHaveCount(0);
    await see(page.getByRole('button', { name: /^Leggi tutto/ })).toBeFocused();
  });

  test(`§2: the venue is a link in a new tab if venue_href exists, and plain text if not; without pictures and text the title stays readable (${viewport.width} px)`, async () => {
    await using server = await startServer();
    await setPolicy(
      server,
      { venue_title: 'Sala degli Specchi', venue_href: `${server.url}/privacy` },
      demoEvent,
    );
    await using visitor = await visit(browser, server.url, { viewport });
    const { page } = visitor;
    await page.goto(eventPage);
    const opened = page.context().waitForEvent('page');
    await page.getByRole('link', { name: /^Sala degli Specchi/ }).click();
    const tab = await opened;
    await tab.waitForURL('**/privacy');
    expect(await tab.evaluate(() => window.opener)).toBe(null);
    expect(new URL(page.url()).pathname).toBe(eventPage);

    await setPolicy(
      server,
      { venue_href: null, event_ball_image: null, band_ball_image: null, description: '' },
      demoEvent,
    );
    await page.reload();
    await see(page.getByRole('banner').getByText('Sala degli Specchi')).toBeVisible();
    await see(page.getByRole('link', { name: /Sala degli Specchi/ })).toHaveCount(0);
    await see(page.locator('.event-header_balls, .event-header_about')).toHaveCount(0);
    // A long title is read below the banner, beside or under the round button and never behind it.
    await setPolicy(
      server,
      { title: 'Così fan tutte, ossia La scuola degli amanti: opera buffa in due atti' },
      demoEvent,
    );
    await page.reload();
    const lines = await page.getByRole('heading', { level: 1 }).evaluate((title) => {
      const text = document.createRange();
      text.selectNodeContents(title);
      const [button, banner] = [
        document.querySelector('.event-book-button_book')!,
        document.querySelector('.event-header_banner')!,
      ].map((element) => element.getBoundingClientRect());
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
    expect(visitor.troubles).toEqual([]);
  });
}

const [july, january, nextDay] = [`${nextYear}-07-03`, `${nextYear}-01-09`, `${nextYear}-01-10`];
const spring = lastSundayOf(3);

/** Summer and winter time, and the hour after midnight. */
const starts: [iso: string, said: string][] = [
  [`${july}T19:00:00.000Z`, `${weekdayOf(july)} 3 luglio ${nextYear}, ore 21:00`],
  [`${january}T23:05:00.000Z`, `${weekdayOf(nextDay)} 10 gennaio ${nextYear}, ore 00:05`],
  [`${spring}T01:30:00.000Z`, `domenica ${numberOf(spring)} marzo ${nextYear}, ore 03:30`],
];

for (const [locale, timezoneId] of [
  ['en-US', 'America/Los_Angeles'],
  ['ja-JP', 'Asia/Tokyo'],
] as const) {
  test(`§2: the start time is Italian with the long month name, 24-hour, Europe/Rome, also for a browser in ${timezoneId} that speaks ${locale}`, async () => {
    await using server = await startServer();
    await using visitor = await visit(browser, server.url, { locale, timezoneId });
    const { page } = visitor;
    for (const [iso, said] of starts) {
      await setPolicy(
        server,
        { starts_at: Date.parse(iso), doors_at: Date.parse(iso) - 3_600_000 },
        demoEvent,
      );
      // As the server draws it, once the app has taken over, and as the browser says it by itself.
      await page.goto(eventPage);
      await see(page.getByRole('banner').locator('time')).toHaveText(said);
      await see(page.getByRole('button', { name: /Scegli da un elenco/ })).toBeVisible(within);
      await see(page.getByRole('banner').locator('time')).toHaveText(said);
      await page.getByRole('link', { name: /tutti gli spettacoli/ }).click();
      await page.getByRole('link', { name: /La locandiera/ }).click();
      await see(page.getByRole('banner').locator('time')).toHaveText(said);
      await see(page.getByRole('banner').locator('time')).toHaveAttribute('datetime', iso);
    }
    expect(visitor.troubles).toEqual([]);
  });
}
