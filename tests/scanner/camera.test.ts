/** The scanner's camera in a real browser, whole product behind it: what it reads off pictures, and what it does when the camera does not. */
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import {
  addCamera,
  breakCamera,
  hide,
  readCamera,
  setCodeHeight,
  show,
  showPicture,
  takeCamera,
} from '#tests/support/door/camera.ts';
import { makeAdmin } from '#tests/support/make.ts';
import {
  closeVerdict,
  openPhone,
  pairingLink,
  phoneScreen,
  readTable,
  sellTickets,
  startScanning,
  verdictAfter,
  waitForFrames,
  waitForList,
} from '#tests/support/door/phone.ts';
import { conditions, makePicture } from '#tests/support/door/qr-pictures.ts';
import { startServer } from '#tests/support/server.ts';
import { maskTicketCode } from '#server/domain/door/ticket-code.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
}, 60_000);
afterAll(() => browser.close());

/** The product with so many sold tickets. */
async function openHall(count: number) {
  const server = await startServer({ worker: true });
  const admin = await makeAdmin(server);
  const tickets = await sellTickets(server, { count });
  return {
    server,
    tickets,
    link: () => pairingLink(server, admin, { name: 'Luca' }),
    [Symbol.asyncDispose]: () => server.close(),
  };
}

/** A phone before its first look at the camera, so that a test may arrange what that will be. */
async function openBeforeStart(link: string) {
  const context = await browser.newContext({ ...phoneScreen, serviceWorkers: 'block' });
  context.setDefaultTimeout(12_000);
  await addCamera(context);
  const page = await context.newPage();
  await page.goto(link);
  await waitForList(page);
  return { context, page, [Symbol.asyncDispose]: () => context.close() };
}

/** Its scans so far, in order. */
async function verdictsOf(page: Page): Promise<unknown[]> {
  return (await readTable(page, 'queue'))
    .toSorted((a, b) => Number(a['seq']) - Number(b['seq']))
    .map(({ verdict }) => verdict);
}

/** Waits until the browser has drawn so often. */
async function waitForPictures(page: Page, count: number): Promise<void> {
  await page.evaluate(
    (wanted) =>
      new Promise<void>((resolve) => {
        const next = (left: number) =>
          left === 0 ? resolve() : void requestAnimationFrame(() => next(left - 1));
        next(wanted);
      }),
    count,
  );
}

const running = '[data-camera-state=running]';

test(
  'tickets are read off clean, turned, dim, blurred, inverted and cracked screens, by our own decoder',
  { timeout: 120_000 },
  async () => {
    const hard = ['tilt', 'dark', 'low_light', 'defocus', 'cracked', 'moire', 'covered'] as const;
    await using hall = await openHall(6);
    await using phone = await openPhone(browser, await hall.link());
    const { page } = phone;
    expect(
      await verdictAfter(page, async () => {
        await show(page, hall.tickets[0]!.code);
      }),
    ).toBe('admit');
    expect(await page.locator('[data-camera]').getAttribute('data-decoder')).toBe('zxing-wasm');
    await hide(page);
    await closeVerdict(page);
    // Somebody else's code: seen twice, it is refused.
    expect(
      await verdictAfter(page, async () => {
        await show(page, '812');
      }),
    ).toBe('invalid');
    await hide(page);
    for (const condition of hard) {
      await closeVerdict(page);
      // Other tickets than this evening's, so they are refused, each by what is kept of its text.
      const picture = await makePicture({ condition, kind: 'ticket', n: 0, seed: 5 });
      expect([condition, await verdictAfter(page, () => showPicture(page, picture.jpeg))]).toEqual([
        condition,
        'invalid',
      ]);
      const last = (await readTable(page, 'queue')).toSorted(
        (a, b) => Number(b['seq']) - Number(a['seq']),
      )[0]!;
      expect([condition, last['read']]).toEqual([condition, maskTicketCode(picture.text!)]);
      await showPicture(page, null);
    }
    expect(hard.every((condition) => conditions.includes(condition))).toBe(true);
  },
);

test(
  'on a phone’s narrow screen a code of 8 % of the picture’s height is read, because the whole frame is looked at',
  { timeout: 60_000 },
  async () => {
    await using hall = await openHall(1);
    await using phone = await openPhone(browser, await hall.link());
    const { page } = phone;
    // Quiet zone included: two pixels a module, where the picture on the screen is 390 wide.
    await setCodeHeight(page, 0.0925);
    expect(
      await verdictAfter(page, async () => {
        await show(page, hall.tickets[0]!.code);
      }),
    ).toBe('admit');
  },
);

test(
  'a code held still is one scan; two and a half seconds out of sight make it a new one',
  { timeout: 60_000 },
  async () => {
    await using hall = await openHall(2);
    await using phone = await openPhone(browser, await hall.link());
    const { page } = phone;
    expect(
      await verdictAfter(page, async () => {
        await show(page, hall.tickets[0]!.code);
      }),
    ).toBe('admit');
    await waitForFrames(page, 30);
    expect(await verdictsOf(page)).toEqual(['admit']);
    // Two tickets in turn, the first of them still known.
    expect(
      await verdictAfter(page, async () => {
        await show(page, hall.tickets[1]!.code);
      }),
    ).toBe('admit');
    await show(page, hall.tickets[0]!.code);
    await waitForFrames(page, 4);
    expect(await verdictsOf(page)).toEqual(['admit', 'admit']);
    await hide(page);
    // Thirty in a second at full pace.
    await waitForFrames(page, 100);
    await closeVerdict(page);
    await verdictAfter(page, async () => {
      await show(page, hall.tickets[0]!.code);
    });
    expect(await verdictsOf(page)).toHaveLength(3);
  },
);

test(
  'a camera that is forbidden, missing, busy or broken is named in words, and works again as soon as it can',
  { timeout: 90_000 },
  async () => {
    await using hall = await openHall(1);
    await using phone = await openBeforeStart(await hall.link());
    const { page } = phone;
    const words = {
      NotAllowedError: 'Fotocamera bloccata',
      NotFoundError: 'Nessuna fotocamera',
      NotReadableError: 'Fotocamera occupata',
      TypeError: 'La fotocamera non parte',
    } as const;
    await breakCamera(page, 'NotAllowedError');
    await page.getByRole('button', { name: 'Inizia' }).click();
    for (const [error, title] of Object.entries(words)) {
      await breakCamera(page, error);
      await page.getByRole('button', { name: 'Riprova' }).click();
      await page.getByRole('heading', { name: title }).waitFor();
    }
    // The last one mends itself: nobody has to touch the phone.
    await breakCamera(page, null);
    await page.locator(running).waitFor();
    expect(
      await verdictAfter(page, async () => {
        await show(page, hall.tickets[0]!.code);
      }),
    ).toBe('admit');

    // A phone whose only camera was unplugged hears of the next one.
    await breakCamera(page, 'NotFoundError');
    await takeCamera(page);
    await page.getByRole('heading', { name: words.NotFoundError }).waitFor();
    await breakCamera(page, null);
    await page.evaluate(() => navigator.mediaDevices.dispatchEvent(new Event('devicechange')));
    await page.locator(running).waitFor();
  },
);

test(
  'a camera that another app takes away comes back by itself and reads on',
  { timeout: 60_000 },
  async () => {
    await using hall = await openHall(1);
    await using phone = await openPhone(browser, await hall.link());
    const { page } = phone;
    await takeCamera(page);
    await page.getByRole('heading', { name: 'Fotocamera occupata' }).waitFor();
    await page.locator(running).waitFor();
    expect(
      await verdictAfter(page, async () => {
        await show(page, hall.tickets[0]!.code);
      }),
    ).toBe('admit');
  },
);

test(
  'the back camera looks until somebody chooses another; a choice that is gone falls back to it',
  { timeout: 60_000 },
  async () => {
    await using hall = await openHall(1);
    await using phone = await openBeforeStart(await hall.link());
    const { page } = phone;
    await startScanning(page);
    expect((await readCamera(page)).asked).toMatchObject({
      facingMode: 'environment',
      width: { ideal: 1280 },
      height: { ideal: 720 },
    });
    // What the sharp picture needs is asked of the lens at once.
    await expect
      .poll(async () => (await readCamera(page)).lens)
      .toEqual({ focusMode: 'continuous' });

    await page.getByRole('button', { name: 'Cambia fotocamera' }).click();
    await page.getByRole('button', { name: 'Anteriore' }).click();
    await expect
      .poll(async () => (await readCamera(page)).asked)
      .toMatchObject({ deviceId: { exact: 'front' } });
    await page.reload();
    await startScanning(page);
    expect((await readCamera(page)).asked).toMatchObject({ deviceId: { exact: 'front' } });

    await page.evaluate(() => localStorage.setItem('scanner.camera', 'lost'));
    await page.reload();
    await startScanning(page);
    expect((await readCamera(page)).asked).toMatchObject({ facingMode: 'environment' });
    expect(
      await verdictAfter(page, async () => {
        await show(page, hall.tickets[0]!.code);
      }),
    ).toBe('admit');
  },
);

test(
  'the lamp and the zoom are asked of the lens together, and the zoom stays within what the lens can',
  { timeout: 60_000 },
  async () => {
    await using hall = await openHall(1);
    await using phone = await openPhone(browser, await hall.link());
    const { page } = phone;
    const lens = async () => (await readCamera(page)).lens;
    await page.getByRole('slider', { name: 'Zoom' }).fill('2.5');
    await expect.poll(lens).toEqual({ focusMode: 'continuous', zoom: 2.5 });
    await page.getByRole('button', { name: 'Torcia' }).click();
    await expect.poll(lens).toEqual({ focusMode: 'continuous', zoom: 2.5, torch: true });
    await page.getByRole('slider', { name: 'Zoom' }).press('End');
    await expect.poll(lens).toEqual({ focusMode: 'continuous', zoom: 5, torch: true });
  },
);

test(
  'after two minutes in which nobody comes the camera rests, and a tap wakes it',
  { timeout: 60_000 },
  async () => {
    await using hall = await openHall(1);
    await using phone = await openBeforeStart(await hall.link());
    const { page } = phone;
    await page.clock.install();
    await startScanning(page);
    await page.clock.fastForward(100_000);
    // A tap anywhere says that somebody is there.
    await page.mouse.click(200, 20);
    await page.clock.fastForward(100_000);
    await page.locator(running).waitFor();
    await page.clock.fastForward(30_000);
    await page.locator('[data-camera-state=resting]').waitFor();
    expect(await page.locator('[data-camera] video').count()).toBe(0);
    await page.locator('[data-camera]').click();
    await page.locator(running).waitFor();
    expect(
      await verdictAfter(page, async () => {
        await show(page, hall.tickets[0]!.code);
      }),
    ).toBe('admit');
  },
);

test(
  'a camera that is no longer wanted before its first picture is given back, and does not call itself running',
  { timeout: 60_000 },
  async () => {
    await using hall = await openHall(1);
    await using phone = await openBeforeStart(await hall.link());
    const { page } = phone;
    // Granted, but the film does not start: a slow driver, a phone that saves its battery.
    await page.evaluate(() => {
      const { play } = HTMLMediaElement.prototype;
      Object.assign(window, {
        letPlay: () => {
          HTMLMediaElement.prototype.play = play;
        },
      });
      HTMLMediaElement.prototype.play = () => new Promise(() => {});
    });
    await page.getByRole('button', { name: 'Inizia' }).click();
    await page.waitForFunction(
      () => document.querySelector<HTMLVideoElement>('[data-camera] video')?.srcObject,
    );
    await page.evaluate(() =>
      Object.assign(window, {
        given: (
          document.querySelector<HTMLVideoElement>('[data-camera] video')!.srcObject as MediaStream
        ).getVideoTracks()[0],
      }),
    );
    await waitForPictures(page, 10);
    expect(await page.locator('[data-camera]').getAttribute('data-camera-state')).toBe('starting');
    await page.getByRole('button', { name: 'Torna alla preparazione' }).click();
    await expect
      .poll(
        () =>
          page.evaluate(() => (window as unknown as { given: MediaStreamTrack }).given.readyState),
        { timeout: 10_000 },
      )
      .toBe('ended');

    await page.evaluate(() => (window as unknown as { letPlay(): void }).letPlay());
    await startScanning(page);
    expect(
      await verdictAfter(page, async () => {
        await show(page, hall.tickets[0]!.code);
      }),
    ).toBe('admit');
  },
);

test(
  'a code that is held while a dialog is open is read when the dialog is closed',
  { timeout: 60_000 },
  async () => {
    await using hall = await openHall(1);
    await using phone = await openPhone(browser, await hall.link());
    const { page } = phone;
    await page.getByRole('button', { name: 'Inserisci il codice' }).click();
    await show(page, hall.tickets[0]!.code);
    await waitForFrames(page, 20);
    expect(await verdictsOf(page)).toEqual([]);
    expect(await verdictAfter(page, () => page.keyboard.press('Escape'))).toBe('admit');
    // What was decided before a dialog is not decided again after it.
    await closeVerdict(page);
    await page.getByRole('button', { name: 'Inserisci il codice' }).click();
    await waitForFrames(page, 20);
    await page.keyboard.press('Escape');
    await waitForFrames(page, 20);
    expect(await verdictsOf(page)).toEqual(['admit']);
  },
);

test(
  'a code that could not be saved is tried again as soon as its screen is closed, without leaving the picture',
  { timeout: 60_000 },
  async () => {
    await using hall = await openHall(1);
    await using phone = await openPhone(browser, await hall.link());
    const { page } = phone;
    await page.evaluate(() => {
      const { add } = IDBObjectStore.prototype;
      Object.assign(window, {
        letSave: () => {
          IDBObjectStore.prototype.add = add;
        },
      });
      IDBObjectStore.prototype.add = function (...given) {
        if (this.name === 'queue') throw new DOMException('The test says so', 'QuotaExceededError');
        return add.apply(this, given);
      };
    });
    await show(page, hall.tickets[0]!.code);
    await page.locator('[data-verdict=not_saved]').waitFor();
    // Not again and again while its screen stands.
    await waitForFrames(page, 20);
    await page.evaluate(() => (window as unknown as { letSave(): void }).letSave());
    await waitForFrames(page, 20);
    await page.locator('[data-verdict=not_saved]').waitFor();
    expect(
      await verdictAfter(page, () => page.locator('.screens-scan-verdict_close').click()),
    ).toBe('admit');
  },
);

test(
  'the lamp that was on is lit again when the camera comes back',
  { timeout: 60_000 },
  async () => {
    await using hall = await openHall(1);
    await using phone = await openPhone(browser, await hall.link());
    const { page } = phone;
    const lens = async () => (await readCamera(page)).lens;
    const button = page.getByRole('button', { name: 'Torcia' });
    await button.click();
    await expect.poll(lens).toEqual({ focusMode: 'continuous', torch: true });
    await takeCamera(page);
    await page.getByRole('heading', { name: 'Fotocamera occupata' }).waitFor();
    await page.evaluate(() => {
      (window as unknown as { cameraLens: object }).cameraLens = {};
    });
    await page.locator(running).waitFor();
    await expect.poll(lens, { timeout: 10_000 }).toEqual({ focusMode: 'continuous', torch: true });
    expect(await button.getAttribute('aria-pressed')).toBe('true');
    await button.click();
    await expect.poll(lens).toEqual({ focusMode: 'continuous', torch: false });
  },
);

test(
  'what is wrong with the camera is said once, however often it is tried again',
  { timeout: 60_000 },
  async () => {
    await using hall = await openHall(1);
    await using phone = await openPhone(browser, await hall.link());
    const { page } = phone;
    await page.evaluate(() => {
      const original = navigator.mediaDevices.getUserMedia;
      const counted = Object.assign(window, { tries: 0 });
      navigator.mediaDevices.getUserMedia = (asked) => {
        counted.tries += 1;
        return original(asked);
      };
    });
    await breakCamera(page, 'NotReadableError');
    await takeCamera(page);
    const alert = page.locator('[data-camera] [role=alert]');
    await alert.waitFor();
    await alert.evaluate((element) => {
      element.dataset['mark'] = 'the same';
    });
    await expect
      .poll(() => page.evaluate(() => (window as unknown as { tries: number }).tries), {
        timeout: 20_000,
      })
      .toBeGreaterThanOrEqual(3);
    expect(await alert.getAttribute('data-mark')).toBe('the same');
    await breakCamera(page, null);
    await page.locator(running).waitFor();
  },
);

test(
  'the camera for the pairing code rests too, says so, and wakes with a tap',
  { timeout: 60_000 },
  async () => {
    await using server = await startServer();
    const context = await browser.newContext({ ...phoneScreen, serviceWorkers: 'block' });
    await addCamera(context);
    const page = await context.newPage();
    await page.clock.install();
    await page.goto(`${server.url}/scanner/`);
    await page.getByRole('button', { name: 'Inquadra il codice' }).click();
    await page.locator(running).waitFor();
    await page.clock.fastForward(125_000);
    await page.getByRole('button', { name: 'Tocca per riaccendere' }).click();
    await page.locator(running).waitFor();
    await context.close();
  },
);

test(
  'a browser whose frames cannot be handed over, are drawn in another shape or never come is read by pictures, and no frame stays open',
  { timeout: 90_000 },
  async () => {
    await using hall = await openHall(3);
    const hindrances = [
      // Made, and not to be transferred.
      () => {
        const page = window as unknown as { open: number; made: number };
        Object.assign(page, { open: 0, made: 0 });
        window.VideoFrame = class {
          displayWidth = 1280;
          displayHeight = 720;
          constructor() {
            page.open += 1;
            page.made += 1;
          }
          close() {
            page.open -= 1;
          }
        } as unknown as typeof VideoFrame;
      },
      // As a WebKit that forgets how the phone is held.
      () => {
        const page = window as unknown as { open: number; made: number };
        Object.assign(page, { open: 0, made: 0 });
        window.VideoFrame = class extends VideoFrame {
          constructor(source: HTMLVideoElement) {
            super(source);
            page.open += 1;
            page.made += 1;
          }
          override get displayWidth() {
            return 720;
          }
          override close() {
            page.open -= 1;
            super.close();
          }
        } as unknown as typeof VideoFrame;
      },
      () => {
        Object.assign(window, { open: 0, made: 1 });
        // @ts-expect-error -- an older browser
        delete HTMLVideoElement.prototype.requestVideoFrameCallback;
      },
    ];
    for (const [n, hindrance] of hindrances.entries()) {
      await using phone = await openBeforeStart(await hall.link());
      const { page } = phone;
      await page.addInitScript(hindrance);
      await page.goto(`${hall.server.url}/scanner/`);
      await startScanning(page);
      expect(
        await verdictAfter(page, async () => {
          await show(page, hall.tickets[n]!.code);
        }),
      ).toBe('admit');
      const { open, made } = await page.evaluate(() => ({
        open: (window as unknown as { open: number }).open,
        made: (window as unknown as { made: number }).made,
      }));
      expect([open, made > 0]).toEqual([0, true]);
    }
  },
);

test(
  'a sound that cannot be played stands between nobody and his verdict',
  { timeout: 60_000 },
  async () => {
    await using hall = await openHall(2);
    await using phone = await openBeforeStart(await hall.link());
    const { page } = phone;
    await page.addInitScript(() => {
      window.OscillatorNode = function broken() {
        throw new Error('The test says so');
      } as unknown as typeof OscillatorNode;
    });
    await page.goto(`${hall.server.url}/scanner/`);
    await startScanning(page);
    for (const { code } of hall.tickets) {
      expect(
        await verdictAfter(page, async () => {
          await show(page, code);
        }),
      ).toBe('admit');
      await hide(page);
      await closeVerdict(page);
    }
  },
);

test(
  'a decoder that does not start is said where the picture is, with a way out, and mends itself; the check before the doors finds it',
  { timeout: 90_000 },
  async () => {
    await using hall = await openHall(1);
    await using phone = await openBeforeStart(await hall.link());
    const { page, context } = phone;
    let isBroken = true;
    await context.route('**/*.wasm', (route) => (isBroken ? route.abort() : route.continue()));
    const check = page.locator('[data-check=camera]');
    await check.getByRole('button', { name: 'Prova' }).click();
    await page.locator('[data-check=camera][data-mark=warn]').waitFor();
    expect(await check.innerText()).toContain('La fotocamera funziona, ma non legge');

    await page.getByRole('button', { name: 'Inizia' }).click();
    await page.locator('[data-camera-state=blind]').waitFor();
    await page.getByRole('heading', { name: 'Il lettore dei codici non parte' }).waitFor();
    await page.getByRole('button', { name: 'Ricarica l’app' }).waitFor();
    isBroken = false;
    await page.locator(running).waitFor();
    expect(
      await verdictAfter(page, async () => {
        await show(page, hall.tickets[0]!.code);
      }),
    ).toBe('admit');

    await closeVerdict(page);
    await page.getByRole('button', { name: 'Torna alla preparazione' }).click();
    await check.getByRole('button', { name: 'Prova' }).click();
    await page.locator('[data-check=camera][data-mark=good]').waitFor();
    expect(await check.getByRole('button').count()).toBe(0);
    // Yesterday's answer is no answer.
    await page.clock.setSystemTime(Date.now() + 25 * 3_600_000);
    await page.reload();
    await page.locator('[data-check=camera][data-mark=wait]').waitFor();
    await check.getByRole('button', { name: 'Prova' }).waitFor();
  },
);

test(
  'a decoder whose engine cannot be loaded is started anew until it can',
  { timeout: 60_000 },
  async () => {
    await using hall = await openHall(1);
    await using phone = await openBeforeStart(await hall.link());
    const { page, context } = phone;
    let refused = 0;
    await context.route('**/*.wasm', (route) => {
      refused += 1;
      return refused <= 2 ? route.abort() : route.continue();
    });
    await startScanning(page);
    expect(
      await verdictAfter(page, async () => {
        await show(page, hall.tickets[0]!.code);
      }),
    ).toBe('admit');
    expect(refused).toBe(3);
  },
);
