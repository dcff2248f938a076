/** Tickets as a hard evening shows them, before the scanner's camera in a real browser; camera.test.ts has one of them. */
import { expect, onTestFinished, test } from 'vitest';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { showPicture } from '#tests/support/door/camera.ts';
import { openDoor, openPhone, readScans, verdictAfter } from '#tests/support/door/phone.ts';
import { makePicture } from '#tests/support/door/qr-pictures.ts';
import { maskTicketCode } from '#server/domain/door/ticket-code.ts';

test('tickets are read off turned, inverted, dim, blurred, cracked, patterned and half covered screens', async () => {
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  await using door = await openDoor(0);
  await using phone = await openPhone(browser, await door.link());
  const { page } = phone;
  const hard = ['tilt', 'dark', 'low_light', 'defocus', 'cracked', 'moire', 'covered'] as const;
  for (const condition of hard) {
    // Other tickets than this evening's, so they are refused, each by what is kept of its text.
    const picture = await makePicture({ condition, kind: 'ticket', n: 0, seed: 5 });
    expect([condition, await verdictAfter(page, () => showPicture(page, picture.jpeg))]).toEqual([
      condition,
      'invalid',
    ]);
    const last = (await readScans(page)).at(-1)!;
    expect([condition, last['read']]).toEqual([condition, maskTicketCode(picture.text!)]);
    await showPicture(page, null);
  }
});
