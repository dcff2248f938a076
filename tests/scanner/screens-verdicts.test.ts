/** The verdict on the screen: each of its own word, drawing, sound and pulse, readable in the dark and in the sun, and clear of everything else on every phone. */
import type { Page } from 'playwright';
import { expect, onTestFinished, test } from 'vitest';
import { verdictWords } from '#apps/shared/verdict-words.ts';
import { signals, type Signal } from '#apps/scanner/device/signals.ts';
import { verdicts, type Verdict } from '#server/domain/door/admission.ts';
import { cardPlans } from '#server/domain/door/rehearsal.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { boxesOf, onPicture, outside, overlapsIn, phoneSizes } from '#tests/support/door/boxes.ts';
import { allVisions, contrastOf } from '#tests/support/door/colour-vision.ts';
import { closeVerdict, startScanning } from '#tests/support/door/phone.ts';
import { readCode, startRehearsal } from '#tests/support/door/rehearsal.ts';

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
  /** By theme: the ground's colour and hue, and the colours of the texts on it. */
  ground: Record<string, string>;
  hue: Record<string, number>;
  inks: Record<string, string[]>;
  word: string | null;
  icon: string | null;
  sideways: boolean;
  hasRehearsal: boolean;
}

/** Reads every verdict as it appears, in both themes: a green one closes by itself, perhaps before a test comes to ask. */
function watchVerdicts(page: Page) {
  return page.evaluate(() => {
    const hueOf = (colour: string) => {
      const [r, g, b] = colour.match(/[\d.]+/g)!.map(Number) as [number, number, number];
      return ((Math.atan2(Math.sqrt(3) * (g - b), 2 * r - g - b) * 180) / Math.PI + 360) % 360;
    };
    const look = () => {
      const frame = document.querySelector('[data-verdict]');
      const word = frame?.querySelector('.screens-scan-verdict-verdict_word');
      if (!frame || !word) return;
      const seen: SeenVerdict = {
        ground: {},
        hue: {},
        inks: {},
        word: word.textContent,
        icon: frame.querySelector('.screens-scan-verdict-verdict_icon path')!.getAttribute('d'),
        sideways: frame.scrollWidth > frame.clientWidth,
        hasRehearsal:
          frame.querySelector('.screens-scan-verdict-verdict_rehearsal')?.textContent === 'PROVA',
      };
      const { dataset } = document.documentElement;
      for (const theme of ['sun', 'dark']) {
        dataset['theme'] = theme;
        const colour = getComputedStyle(frame).backgroundColor;
        seen.ground[theme] = colour;
        seen.hue[theme] = hueOf(colour);
        seen.inks[theme] = [
          ...frame.querySelectorAll<HTMLElement>(
            'p, .screens-scan-verdict-verdict_hint, .screens-scan-verdict-verdict_overrule',
          ),
        ].map((text) => getComputedStyle(text).color);
      }
      Object.assign(window, { seen });
    };
    new MutationObserver(look).observe(document.body, {
      childList: true,
      subtree: true,
      attributes: true,
    });
    const felt: string[] = [];
    Object.assign(window, { felt });
    navigator.vibrate = (pulse) => felt.push([pulse].flat().join()) > 0;
  });
}

const onVerdict = [
  '.screens-scan-verdict-verdict_icon',
  '.screens-scan-verdict-verdict_word',
  '.screens-scan-verdict-verdict_seat',
  '.screens-scan-verdict-verdict_name',
  '.screens-scan-verdict-verdict_detail',
  '.screens-scan-verdict-verdict_notice',
  '.screens-scan-verdict-verdict_reason',
  '.screens-scan-verdict-verdict_foot',
];
/** The bars over the edges of a doubt or a refusal, by their height in the sheet. */
function stripeOf(page: Page): Promise<number> {
  return page.locator('[data-verdict]').evaluate((frame) => {
    const height = getComputedStyle(frame, '::after').height;
    return height === 'auto' ? 0 : Number.parseFloat(height);
  });
}

/** Words and buttons stand clear of each other and of the stripes; `again` reads a code whose verdict has gone meanwhile. */
async function expectClear(page: Page, verdict: string, again: () => Promise<string>) {
  for (const size of phoneSizes) {
    await page.setViewportSize(size);
    if ((await page.locator('[data-verdict]').count()) === 0) await again();
    const at = `${verdict} at ${size.width} × ${size.height}`;
    const stripe = await stripeOf(page);
    const boxes = await boxesOf(page, onVerdict);
    expect([at, ...overlapsIn(boxes)]).toEqual([at]);
    const buttons = await boxesOf(page, ['.screens-scan-verdict-verdict_action']);
    const words = boxes.filter(({ name }) => /word|icon/.test(name));
    for (const { name, top, bottom } of [...buttons, ...words])
      expect([at, name, top >= stripe, bottom <= size.height - stripe]).toEqual([
        at,
        name,
        true,
        true,
      ]);
    if (verdict !== 'unpaid') continue;
    expect(buttons).toHaveLength(1);
    // It can be tapped, not only seen.
    await page.getByRole('button', { name: 'Fai entrare lo stesso' }).click({ trial: true });
  }
  await page.setViewportSize(phoneSizes[0]);
}

const themes = ['dark', 'sun'];

/** Nobody takes a verdict for one of another group, however that person sees colours. */
function expectApart(grounds: ReadonlyMap<Verdict, Pick<SeenVerdict, 'ground' | 'hue'>>) {
  for (const theme of themes)
    for (const [one, a] of grounds)
      for (const [other, b] of grounds) {
        const [group, another] = [verdictWords[one].tone, verdictWords[other].tone];
        const faint = allVisions.filter(
          (vision) =>
            group !== another && contrastOf(a.ground[theme]!, b.ground[theme]!, vision) < 2,
        );
        expect([theme, one, other, ...faint]).toEqual([theme, one, other]);
        // VERIFICA shares the lightness of the amber ones, and is told from all by its hue.
        if (one !== 'verify' || other === 'verify' || another === 'info') continue;
        const turned = Math.abs(a.hue[theme]! - b.hue[theme]!);
        expect([theme, other, Math.min(turned, 360 - turned) > 60]).toEqual([theme, other, true]);
      }
}

test('every verdict is said with its word, at least 7 : 1 in both themes, its ground apart from those of other groups for every eye, PROVA beside it, clear of everything else on each phone; an exit of a guest who never came in is doubted and waits for a tap', async () => {
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  await using rehearsal = await startRehearsal(browser);
  const { page } = await rehearsal.phone({ gate: 'Varco A', scans: false });
  await page.setViewportSize(phoneSizes[0]);
  await watchVerdicts(page);
  await startScanning(page);
  const heard: string[] = [];
  const grounds = new Map<Verdict, Pick<SeenVerdict, 'ground' | 'hue'>>();
  const shown = page.locator('[data-verdict]');
  const timer = shown.locator('.screens-scan-verdict-verdict_timer');
  for (const { key, verdict } of cardPlans) {
    // What the office must turn for all cards at once is not a matter of the screen.
    if (grounds.has(verdict) || verdict === 'not_yet' || verdict === 'too_late') continue;
    const code = rehearsal.codes(key)[0]!;
    const again = () => readCode(page, code);
    if (verdict === 'just_read') expect(await again()).toBe('admit');
    if (verdict === 'out') {
      await closeVerdict(page);
      await page.getByText('Uscita').click();
    }
    expect([key, await again()]).toEqual([key, verdict]);
    if (verdict === 'out') {
      expect(await shown.innerText()).toContain('può rientrare');
      expect(await shown.getAttribute('class')).not.toContain('verdict_warn');
      expect(await timer.count()).toBe(1);
    }
    const seen = await page.evaluate(() => (window as unknown as { seen: SeenVerdict }).seen);
    const { big, icon } = verdictWords[verdict];
    expect([key, seen.word, seen.icon, seen.sideways, seen.hasRehearsal]).toEqual([
      key,
      big,
      icon,
      false,
      true,
    ]);
    for (const theme of themes)
      for (const ink of seen.inks[theme]!)
        expect(contrastOf(ink, seen.ground[theme]!), key).toBeGreaterThanOrEqual(7);
    heard.push(verdict);
    grounds.set(verdict, seen);
    await expectClear(page, verdict, again);
    if (verdict !== 'out') continue;
    // A phone that was left on “Uscita” says so. Amber and dashed, as every doubt.
    expect(await readCode(page, rehearsal.codes('undo')[0]!)).toBe('out');
    expect(await shown.getAttribute('class')).toContain('verdict_warn');
    expect(await shown.innerText()).toMatch(
      /Non risultava entrato: sei su «Uscita»\?[^]*Tocca per continuare/,
    );
    expect(await timer.count()).toBe(0);
    await closeVerdict(page);
    await page.getByText('Entrata').click();
  }
  expect(grounds.size).toBeGreaterThan(8);
  expectApart(grounds);
  const felt = await page.evaluate(() => (window as unknown as { felt: string[] }).felt);
  const pulses = heard.map((verdict) => signals[verdict as keyof typeof signals].pulse.join());
  expect(new Set(pulses)).toEqual(new Set(felt));

  // What lies on the camera's picture lies on nothing else, and in and out are a thumb apart.
  await closeVerdict(page);
  for (const size of phoneSizes) {
    await page.setViewportSize(size);
    for (const mode of ['Entrata', 'Uscita', 'Solo info']) {
      await page.getByText(mode, { exact: true }).click();
      const boxes = await boxesOf(page, onPicture);
      const at = `${mode} at ${size.width} px`;
      expect(boxes.some(({ name }) => name.endsWith('aim p'))).toBe(true);
      expect([at, ...overlapsIn(boxes), ...outside(boxes, size)]).toEqual([at]);
    }
    const boxOf = async (word: string) =>
      (await page.locator('label', { hasText: word }).boundingBox())!;
    const [entry, exit] = [await boxOf('Entrata'), await boxOf('Uscita')];
    expect(exit.x - (entry.x + entry.width)).toBeGreaterThanOrEqual(72);
  }
});
