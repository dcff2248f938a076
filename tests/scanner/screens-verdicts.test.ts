/** The verdict on the screen: each of its own word, drawing, sound and pulse, readable in the dark and in the sun. */
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verdictWords } from '#apps/shared/verdict-words.ts';
import { signals, type Signal } from '#apps/scanner/device/signals.ts';
import { verdicts } from '#server/domain/door/admission.ts';
import { cardPlans } from '#server/domain/door/rehearsal.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { closeVerdict, phoneScreen } from '#tests/support/door/phone.ts';
import { readCode, startRehearsal } from '#tests/support/door/rehearsal.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
}, 60_000);
afterAll(() => browser.close());

test('no two verdicts share their word, their drawing, their sound or their pulse', () => {
  const all = Object.values(signals);
  const melody = ({ wave, notes }: Signal) => JSON.stringify([wave, notes]);
  expect(Object.keys(signals)).toEqual(expect.arrayContaining([...verdicts]));
  for (const kinds of [
    verdicts.map((verdict) => verdictWords[verdict].big),
    verdicts.map((verdict) => verdictWords[verdict].icon),
    all.map(melody),
    all.map(({ pulse }) => pulse.join()),
  ]) {
    expect(new Set(kinds).size, kinds.join('\n')).toBe(kinds.length);
  }
});

test('a sound and a pulse are over before the next guest, and a refusal never sounds like a welcome', () => {
  for (const [heard, { wave, notes, pulse }] of Object.entries(signals)) {
    expect([
      heard,
      Math.max(...notes.map(({ at, length }) => at + length)) <= 1,
      pulse.reduce((sum, ms) => sum + ms, 0) <= 1_000,
    ]).toEqual([heard, true, true]);
    expect([heard, wave]).toEqual([
      heard,
      heard === 'not_saved'
        ? 'sawtooth'
        : heard === 'busy' || heard === 'conflict'
          ? 'triangle'
          : { good: 'sine', info: 'sine', warn: 'triangle', bad: 'square' }[
              heard in verdictWords ? verdictWords[heard as keyof typeof verdictWords].tone : 'good'
            ],
    ]);
  }
});

interface SeenVerdict {
  hue: number;
  least: number;
  word: string | null;
  icon: string | null;
  sideways: boolean;
  hasRehearsal: boolean;
}

/** Reads every verdict as it appears, in the page: a green one closes by itself, perhaps before a test comes to ask. */
function watchVerdicts(page: Page) {
  return page.evaluate(() => {
    const light = (colour: string) => {
      const [r, g, b] = colour
        .match(/[\d.]+/g)!
        .map((part) => Number(part) / 255)
        .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
    };
    const hueOf = (colour: string) => {
      const [r, g, b] = colour.match(/[\d.]+/g)!.map(Number) as [number, number, number];
      return ((Math.atan2(Math.sqrt(3) * (g - b), 2 * r - g - b) * 180) / Math.PI + 360) % 360;
    };
    const look = () => {
      const frame = document.querySelector('[data-verdict]');
      const word = frame?.querySelector('.screens-scan-verdict_word');
      if (!frame || !word) return;
      const colour = getComputedStyle(frame).backgroundColor;
      const ground = light(colour);
      const ratios = [
        ...frame.querySelectorAll<HTMLElement>(
          'p, .screens-scan-verdict_hint, .screens-scan-verdict_overrule',
        ),
      ]
        .map((text) => light(getComputedStyle(text).color))
        .map((ink) => (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05));
      const seen: SeenVerdict = {
        hue: hueOf(colour),
        least: Math.min(...ratios),
        word: word.textContent,
        icon: frame.querySelector('.screens-scan-verdict_icon path')!.getAttribute('d'),
        sideways: frame.scrollWidth > frame.clientWidth,
        hasRehearsal:
          frame.querySelector('.screens-scan-verdict_rehearsal')?.textContent === 'PROVA',
      };
      Object.assign(window, { seen });
    };
    new MutationObserver(look).observe(document.body, {
      childList: true,
      subtree: true,
      attributes: true,
    });
  });
}

/** The last verdict that was on the screen: contrast of its texts with their ground, its signs, and whether it fits. */
function readVerdict(page: Page) {
  return page.evaluate(() => (window as unknown as { seen: SeenVerdict }).seen);
}

for (const theme of ['dark', 'sun']) {
  test(
    `every card of a rehearsal is said with its word, at least 7 : 1, PROVA beside it (${theme})`,
    { timeout: 120_000 },
    async () => {
      await using rehearsal = await startRehearsal(browser);
      const { page } = await rehearsal.phone({ gate: 'Varco A', scans: false });
      if (theme === 'sun') await page.getByRole('button', { name: 'Schermo per il sole' }).click();
      await page.setViewportSize({ ...phoneScreen.viewport, width: 360 });
      await page.evaluate(() => {
        const felt: string[] = [];
        Object.assign(window, { felt });
        navigator.vibrate = (pulse) => felt.push([pulse].flat().join()) > 0;
      });
      await page.getByRole('button', { name: 'Inizia' }).click();
      await page.getByText('Uscita').waitFor();
      await watchVerdicts(page);
      const heard: string[] = [];
      const hues = new Map<string, number>();
      // What the office must turn for all cards at once is not a matter of the screen.
      for (const { key, verdict } of cardPlans.filter(
        ({ verdict: planned }) => planned !== 'not_yet' && planned !== 'too_late',
      )) {
        const [code] = rehearsal.codes(key);
        if (verdict === 'just_read') expect(await readCode(page, code!)).toBe('admit');
        if (verdict === 'out') {
          await closeVerdict(page);
          await page.getByText('Uscita').click();
        }
        expect([key, await readCode(page, code!)]).toEqual([key, verdict]);
        const seen = await readVerdict(page);
        expect([key, seen.word, seen.icon, seen.sideways, seen.hasRehearsal]).toEqual([
          key,
          verdictWords[verdict].big,
          verdictWords[verdict].icon,
          false,
          true,
        ]);
        expect(seen.least, key).toBeGreaterThanOrEqual(7);
        heard.push(verdict);
        hues.set(verdict, seen.hue);
        if (verdict === 'out') {
          await closeVerdict(page);
          await page.getByText('Entrata').click();
        }
      }
      // VERIFICA is told at a glance from every other colour, from the amber ones of its tone most of all.
      for (const [other, hue] of hues) {
        const apart = Math.abs(hue - hues.get('verify')!);
        if (verdictWords[other as keyof typeof verdictWords].tone !== 'info' && other !== 'verify')
          expect([other, Math.min(apart, 360 - apart) > 60]).toEqual([other, true]);
      }
      const felt = await page.evaluate(() => (window as unknown as { felt: string[] }).felt);
      expect(
        new Set(heard.map((verdict) => signals[verdict as keyof typeof signals].pulse.join())),
      ).toEqual(new Set(felt));
    },
  );
}

test(
  'a phone that was left on “Uscita” says so at a guest who never came in, and waits for a tap',
  { timeout: 60_000 },
  async () => {
    await using rehearsal = await startRehearsal(browser);
    const { page } = await rehearsal.phone();
    await page.getByText('Uscita').click();
    expect(await readCode(page, rehearsal.codes('single')[0]!)).toBe('out');
    const verdict = page.locator('[data-verdict=out]');
    // Amber and dashed, as every doubt.
    expect(await verdict.getAttribute('class')).toContain('verdict_warn');
    expect(await verdict.innerText()).toMatch(
      /Non risultava entrato: sei su «Uscita»\?[^]*Tocca per continuare/,
    );
    expect(await verdict.locator('.screens-scan-verdict_timer').count()).toBe(0);
    // Who is inside leaves as ever.
    expect(await readCode(page, rehearsal.codes('out')[0]!)).toBe('out');
    expect(await verdict.innerText()).toContain('può rientrare');
    expect(await verdict.getAttribute('class')).not.toContain('verdict_warn');
    expect(await verdict.locator('.screens-scan-verdict_timer').count()).toBe(1);
  },
);
