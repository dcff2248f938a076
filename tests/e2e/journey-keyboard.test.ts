/**
 * A whole purchase with the keyboard alone, found by the names that a screen reader says: from the
 * first frame of the event page through the checkout to the QR codes.
 */
import type { Locator, Page } from 'playwright';
import { see } from '#tests/support/browsers/see.ts';
import { expect, test } from 'vitest';
import { hearComplaints, startVisit } from '#tests/support/browsers/start-visit.ts';
import { eventPage, screens, within } from '#tests/support/visit.ts';

/** Presses the key until the control has the focus, and sees to it that the focus can be seen. */
async function moveTo(page: Page, key: string, control: Locator): Promise<void> {
  await see(control).toBeVisible();
  const isThere = () => control.evaluate((element) => element === document.activeElement);
  for (let pressed = 0; !(await isThere()); pressed += 1) {
    if (pressed === 40) throw new Error(`${key} does not lead to ${control}`);
    await page.keyboard.press(key);
  }
  await see(control).toBeInViewport();
  expect(await control.evaluate((element) => element.matches(':focus-visible'))).toBe(true);
}

test('§2, §4, §5: a whole purchase with Tab, Enter, Space and arrows, by the names of a screen reader, and to the checkout without a complaint, a jump or a request to anybody else', async () => {
  await using at = await startVisit({ viewport: screens[1] });
  const { page } = at;
  const complaints = hearComplaints(page, at.server.url);
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
  for (const viewport of screens) {
    await page.setViewportSize(viewport);
    await page.goto(eventPage);
    await see(page.getByRole('button', { name: /Scegli da un elenco/ })).toBeVisible();
    const [shift, sideways] = await page.evaluate(() => [
      (window as unknown as { shift: number }).shift,
      document.documentElement.scrollWidth - innerWidth,
    ]);
    expect(shift).toBeLessThanOrEqual(0.01);
    expect(sideways).toBeLessThanOrEqual(0);
  }
  await see(page).toHaveTitle('La locandiera · Botteghino');
  await see(page.getByRole('heading', { level: 1, name: 'La locandiera' })).toBeVisible();

  // The description: opened with Enter, closed with Esc, the focus is back where it was.
  const more = page.getByRole('button', { name: 'Leggi tutto su La locandiera' });
  await moveTo(page, 'Tab', more);
  await page.keyboard.press('Enter');
  await see(page.getByRole('dialog', { name: 'La locandiera' })).toBeVisible();
  await page.keyboard.press('Escape');
  await see(more).toBeFocused();

  // The list of seats beside the map: arrows within, Enter and Space to open and to choose.
  await moveTo(page, 'Tab', page.getByRole('button', { name: /Scegli da un elenco/ }));
  await page.keyboard.press('Enter');
  await moveTo(page, 'ArrowDown', page.getByRole('button', { name: /^Platea/ }));
  await page.keyboard.press('Enter');
  await moveTo(page, 'ArrowDown', page.getByRole('button', { name: /^Fila C/ }));
  await page.keyboard.press('Space');
  for (const [seat, key] of [
    ['1', 'Enter'],
    ['2', 'Space'],
  ] as const) {
    await moveTo(
      page,
      'ArrowRight',
      page.getByRole('button', { name: new RegExp(`Fila C, posto ${seat},.*libero`) }),
    );
    await page.keyboard.press(key);
    await moveTo(page, 'Tab', page.getByRole('dialog').getByRole('button', { name: /Intero/ }));
    await page.keyboard.press('Enter');
    await see(
      page.getByRole('button', { name: new RegExp(`Fila C, posto ${seat},.*scelto`) }),
    ).toBeFocused();
  }
  await see(page.getByRole('status', { name: 'Posti scelti' })).toContainText('2 posti · 64,00');
  const summary = page.getByRole('region', { name: 'I tuoi posti' });
  await see(summary.getByRole('listitem')).toHaveCount(2);
  for (const words of [
    'Platea, fila C, posto 1',
    'Intero',
    'Totale (IVA inclusa)',
    'ordine con obbligo di pagare 64,00',
    'art. 59',
  ])
    await see(summary).toContainText(words);
  await see(page.getByRole('timer')).toContainText('I posti sono tuoi per');

  // The last button names the sum.
  await moveTo(page, 'Tab', page.getByRole('button', { name: /^Paga 64,00\s€$/ }));
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/c\/pay\//, within);
  expect(complaints.filter((text) => !text.includes('stream'))).toEqual([]);

  const form: [name: string | RegExp, typed: string][] = [
    ['E-mail', 'mirandolina@example.it'],
    ['Nome e cognome', 'Mirandolina Fiorentini'],
    ['Numero della carta', '4242424242424242'],
    ['Scadenza', '1234'],
    ['CVC', '123'],
    ['Nome sulla carta', 'Mirandolina Fiorentini'],
  ];
  for (const [name, typed] of form) {
    await moveTo(page, 'Tab', page.getByRole('textbox', { name }));
    await page.keyboard.type(typed);
  }
  await page.keyboard.press('Enter');

  await page.waitForURL(/\/orders\/[\w-]+\/from_stripe_cs\/complete$/, within);
  await see(page.getByRole('heading', { level: 1, name: 'Ordine confermato!' })).toBeVisible();
  await see(page.getByRole('img', { name: /Codice QR/ })).toHaveCount(2);
  // A ticket large, the next one with an arrow key, and back.
  const large = page.getByRole('button', { name: 'Mostra a tutto schermo' }).first();
  await moveTo(page, 'Tab', large);
  await page.keyboard.press('Enter');
  await see(
    page
      .getByRole('dialog')
      .getByRole('img', { name: /Codice QR/ })
      .first(),
  ).toBeVisible();
  await page.keyboard.press('Escape');
  await see(large).toBeFocused();
  expect([at.troubles, at.alerts]).toEqual([[], []]);
});
