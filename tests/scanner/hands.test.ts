/** What only hands and the system do to a phone: two fingers on the picture, a sheet that shares, a sound that goes away. */
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { addCamera, readCamera } from '#tests/support/door/camera.ts';
import { makeAdmin } from '#tests/support/make.ts';
import {
  closeVerdict,
  openPhone,
  pairingLink,
  phoneScreen,
  scanCode,
  startScanning,
  waitForList,
} from '#tests/support/door/phone.ts';
import { startServer } from '#tests/support/server.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
}, 60_000);
afterAll(() => browser.close());

/** A phone at the door; `script` runs in the page before its own. */
async function openDoor(script: (() => void) | null = null) {
  const server = await startServer();
  const admin = await makeAdmin(server);
  const link = await pairingLink(server, admin, { name: 'Luca' });
  if (script === null) {
    const phone = await openPhone(browser, link);
    return {
      page: phone.page,
      context: phone.context,
      [Symbol.asyncDispose]: async () => {
        await phone.context.close();
        await server.close();
      },
    };
  }
  const context = await browser.newContext({ ...phoneScreen, serviceWorkers: 'block' });
  await addCamera(context);
  await context.addInitScript(script);
  const page = await context.newPage();
  await page.goto(link);
  await waitForList(page);
  await startScanning(page);
  return {
    page,
    context,
    [Symbol.asyncDispose]: async () => {
      await context.close();
      await server.close();
    },
  };
}

/** Fingers on the picture, one after the other, as [name, id, x]. */
function touch(page: Page, events: [name: string, id: number, x: number][]): Promise<void> {
  return page.locator('[data-camera]').evaluate((picture, all) => {
    for (const [name, pointerId, clientX] of all)
      picture.dispatchEvent(
        new PointerEvent(name, {
          pointerId,
          clientX,
          clientY: 300,
          pointerType: 'touch',
          bubbles: true,
        }),
      );
  }, events);
}

test(
  'two fingers move the lens: apart is nearer, together is wider, and never beyond what the lens can',
  { timeout: 60_000 },
  async () => {
    await using door = await openDoor();
    const { page } = door;
    const zoom = async () => (await readCamera(page)).lens['zoom'];
    await touch(page, [
      ['pointerdown', 1, 100],
      ['pointerdown', 2, 200],
      ['pointermove', 2, 300],
    ]);
    await expect.poll(zoom).toBe(2);
    await touch(page, [['pointermove', 2, 900]]);
    await expect.poll(zoom).toBe(5);
    // One finger alone moves nothing, and the next two begin where the lens is.
    await touch(page, [
      ['pointerup', 2, 900],
      ['pointermove', 1, 700],
      ['pointerdown', 2, 900],
    ]);
    expect(await zoom()).toBe(5);
    await touch(page, [['pointermove', 2, 800]]);
    await expect.poll(zoom).toBe(2.5);
    await expect.poll(() => page.getByRole('slider', { name: 'Zoom' }).inputValue()).toBe('2.5');
  },
);

test(
  'where the phone can share, the file goes to the sheet; closed by hand it is no fault, and what the sheet cannot do the download does',
  { timeout: 60_000 },
  async () => {
    await using door = await openDoor(() => {
      const page = window as unknown as {
        shared: { name: string; text: Promise<string> }[];
        sheetFails: string | null;
      };
      page.shared = [];
      page.sheetFails = null;
      navigator.canShare = () => true;
      navigator.share = async (data) => {
        if (page.sheetFails !== null) throw new DOMException('The test says so', page.sheetFails);
        page.shared.push(
          ...(data?.files ?? []).map((file) => ({ name: file.name, text: file.text() })),
        );
      };
    });
    const { page, context } = door;
    await context.setOffline(true);
    await scanCode(page, 'NON-UN-BIGLIETTO');
    await closeVerdict(page);
    await page.getByRole('button', { name: /^Letture di questo telefono/ }).click();
    const save = page.getByRole('button', { name: 'Salva file' });
    await save.click();
    const shared = () =>
      page.evaluate(async () =>
        Promise.all(
          (window as unknown as { shared: { name: string; text: Promise<string> }[] }).shared.map(
            async ({ name, text }) => ({
              name,
              items: (JSON.parse(await text) as { items: { read: string }[] }).items.map(
                ({ read }) => read,
              ),
            }),
          ),
        ),
      );
    await expect
      .poll(shared)
      .toEqual([{ name: expect.stringMatching(/\.json$/) as string, items: ['NON-UN-BIGLIETTO'] }]);

    const downloads: string[] = [];
    page.on('download', (download) => downloads.push(download.suggestedFilename()));
    const failWith = (name: string) =>
      page.evaluate((fault) => {
        (window as unknown as { sheetFails: string }).sheetFails = fault;
      }, name);
    await failWith('AbortError');
    await save.click();
    // Closed by the person: nothing follows, and the button works again.
    await expect.poll(() => save.isEnabled()).toBe(true);
    expect(await page.getByRole('alert').count()).toBe(0);
    await failWith('NotAllowedError');
    const downloading = page.waitForEvent('download');
    await save.click();
    await downloading;
    expect([downloads.length, (await shared()).length]).toEqual([1, 1]);
  },
);

test(
  'a sound that the system has taken is said, and any tap brings it back',
  { timeout: 60_000 },
  async () => {
    await using door = await openDoor(() => {
      const page = window as unknown as { ears: AudioContext[] };
      page.ears = [];
      window.AudioContext = class extends AudioContext {
        constructor() {
          super();
          page.ears.push(this);
        }
      };
    });
    const { page } = door;
    const states = () =>
      page.evaluate(() =>
        (window as unknown as { ears: AudioContext[] }).ears.map(({ state }) => state),
      );
    await expect.poll(states).toEqual(['running']);
    const sign = page.getByRole('button', { name: 'Audio spento' });
    expect(await sign.count()).toBe(0);
    await page.evaluate(() => (window as unknown as { ears: AudioContext[] }).ears[0]!.suspend());
    await sign.waitFor();
    await page.getByRole('heading', { level: 1 }).click();
    await sign.waitFor({ state: 'detached' });
    expect(await states()).toEqual(['running']);
  },
);
