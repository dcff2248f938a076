/**
 * A steward's and a supervisor's phone in front of each other: each camera reads the other's
 * screen.
 */
import type { Page } from 'playwright';
import { hide, show } from './camera.ts';
import { readQr } from './qr.ts';
import type { Phone } from './phone.ts';
import type { Rehearsed } from './rehearsal.ts';
import { until } from '#tests/support/make.ts';

type Timed = <T>(work: () => Promise<T>) => Promise<T>;

/** Adds up how long the phones took, from piece to piece. */
export function makeStopwatch(): { timed: Timed; readMs: () => number } {
  let ms = 0;
  return {
    async timed(work) {
      const began = performance.now();
      const done = await work();
      ms += performance.now() - began;
      return done;
    },
    readMs: () => ms,
  };
}

/** The supervisor's phone is paired first, so that the steward's phone knows its key. */
export async function openTwoPhones(
  rehearsal: Rehearsed,
): Promise<{ supervisor: Phone; steward: Phone }> {
  const { db } = rehearsal.server.house.ctx;
  const supervisor = await rehearsal.phone({ name: 'Capo', role: 'supervisor' });
  await until(async () => (await db('phone_keys')).length === 1);
  return { supervisor, steward: await rehearsal.phone({ name: 'Marta' }) };
}

/** The code that the steward's phone shows to a supervisor. */
export async function readQuestionOf(page: Page): Promise<string> {
  return readQr(page.getByRole('img', { name: 'Richiesta per il responsabile' }));
}

/**
 * The supervisor's phone reads the question, asks for the PIN if necessary, and shows the answer.
 */
async function answerOn(page: Page, question: string, pin: string | null): Promise<string> {
  await showUntil(page, question, '[role=alertdialog]');
  return giveAnswer(page, pin);
}

/**
 * Shows a text until the phone reacts, because a text that is not a ticket is reported at its
 * second sighting.
 */
export async function showUntil(page: Page, text: string, selector: string): Promise<void> {
  await show(page, text);
  await page.locator(selector).waitFor();
  await hide(page);
}

/**
 * Answers a question that is already on the supervisor's screen; `timed` wraps the phone's work
 * without our reading of its screen.
 */
export async function giveAnswer(
  page: Page,
  pin: string | null,
  timed: Timed = (work) => work(),
): Promise<string> {
  const dialog = page.getByRole('alertdialog', { name: 'Dai il consenso?' });
  const image = page.getByRole('img', { name: 'Consenso del responsabile' });
  if (pin !== null) await dialog.getByLabel('PIN del responsabile').fill(pin);
  await timed(async () => {
    await dialog.getByRole('button', { name: 'Dai il consenso' }).click();
    await image.waitFor();
  });
  const answer = await readQr(image);
  await page.getByRole('button', { name: 'Fatto' }).click();
  return answer;
}

/** The whole exchange; then the steward's phone does what it asked for. */
export async function consent(
  { steward, supervisor }: { steward: Page; supervisor: Page },
  pin: string | null,
): Promise<void> {
  const answer = await answerOn(supervisor, await readQuestionOf(steward), pin);
  await show(steward, answer);
  await steward.getByRole('alertdialog', { name: 'Serve il responsabile' }).waitFor({
    state: 'detached',
  });
  await hide(steward);
}
