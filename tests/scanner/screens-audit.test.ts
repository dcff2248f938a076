/** Every screen of the door, in one theme at 360 px and in the other at 1280 px: two accessibility engines, the validator of HTML, targets for cold fingers, and text at twice its size at 390 and 320 px. */
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditPage } from '#tests/chart/audit.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { breakCamera } from '#tests/support/door/camera.ts';
import { htmlFaults, sidewaysFaults } from '#tests/support/faults.ts';
import { closeVerdict, openWindow, readScans, writeTable } from '#tests/support/door/phone.ts';
import { readCode, startRehearsal } from '#tests/support/door/rehearsal.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
}, 60_000);
afterAll(() => browser.close());

const slow = { timeout: 180_000 };
const narrow = { width: 360, height: 740 };
const wide = { width: 1280, height: 900 };
let seen = 0;

/** What a finger must hit is 48 px high and wide; a link within a sentence is none. */
function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const front = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body;
    return [
      ...front.querySelectorAll<HTMLElement>(
        'button, summary, label:has(input[type=radio]), input:not([type=radio], [type=hidden])',
      ),
    ]
      .filter((element) => element.closest('[inert]') === null && element.checkVisibility())
      .flatMap((element) => {
        const { width, height } = element.getBoundingClientRect();
        return width >= 47.5 && height >= 47.5
          ? []
          : [
              `${Math.round(width)} × ${Math.round(height)}: ${element.ariaLabel ?? element.innerText}`,
            ];
      });
  });
}

/** The contrasts of a page that was audited before, in the theme that it has now: nothing else of an audit follows from a theme. */
async function contrastFaults(page: Page): Promise<string[]> {
  const { violations } = await page.evaluate<{ violations: { nodes: { html: string }[] }[] }>(
    `axe.run(document, { runOnly: ['color-contrast'] })`,
  );
  return violations.flatMap(({ nodes }) => nodes.map(({ html }) => `contrast: ${html}`));
}

/** Looks at one state. Themes are the app's own, not the system's: it is put on the page as the switch does. Which theme is the narrow one, and which of both is audited whole, changes from state to state. */
async function faultsOf(page: Page, state: string): Promise<string[]> {
  const faults: string[] = [];
  const sizes = seen % 2 === 0 ? [narrow, wide] : [wide, narrow];
  const themes = seen % 4 < 2 ? ['dark', 'sun'] : ['sun', 'dark'];
  for (const [index, theme] of themes.entries()) {
    const size = sizes[index]!;
    await page.evaluate((name) => {
      document.documentElement.dataset['theme'] = name;
    }, theme);
    await page.setViewportSize(size);
    faults.push(
      ...[
        ...(index === 0 ? await auditPage(page) : await contrastFaults(page)),
        ...(await sidewaysFaults(page)),
        ...(await smallTargets(page)),
      ].map((fault) => `${theme}, ${size.width} px: ${fault}`),
    );
  }
  seen += 1;
  // html5-qrcode's video, which is not ours to write.
  const html = (await page.content()).replace('muted="true"', 'muted=""');
  faults.push(...(await htmlFaults(html, 'standing')));
  await page.setViewportSize(narrow);
  faults.push(...(await enlargedFaults(page)));
  return faults.map((fault) => `${state}, ${fault}`);
}

/** A phone of today and the smallest, where WCAG asks that nothing is lost (1.4.4 and 1.4.10). */
const enlargedSizes = [
  { width: 390, height: 844 },
  { width: 320, height: 568 },
];

/** With the system's text at twice its size words are whole, and a finger gets to each button. */
async function enlargedFaults(page: Page): Promise<string[]> {
  const faults: string[] = [];
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '32px';
  });
  for (const size of enlargedSizes) {
    await page.setViewportSize(size);
    faults.push(
      ...[
        ...(await sidewaysFaults(page)),
        ...(await cutWords(page)),
        ...(await unreachable(page)),
      ].map((fault) => `text at 200 %, ${size.width} px: ${fault}`),
    );
  }
  await page.evaluate(() => {
    document.documentElement.removeAttribute('style');
  });
  await page.setViewportSize(narrow);
  return faults;
}

/** What a finger cannot hit, even after scrolling up or down to it; scrolls back. */
function unreachable(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const front = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body;
    const faults = [
      ...front.querySelectorAll<HTMLElement>(
        'button, summary, a, label:has(input), input:not([type=radio], [type=hidden], [type=file])',
      ),
    ]
      .filter(
        (element) =>
          element.closest('[inert]') === null &&
          element.checkVisibility() &&
          !element.matches('.screens-scan-verdict-verdict_close, :disabled'),
      )
      .flatMap((element) => {
        element.scrollIntoView({ block: 'center', inline: 'nearest' });
        const { left, top, right, bottom } = element.getBoundingClientRect();
        const name = element.ariaLabel ?? element.innerText;
        const isWhole =
          left >= -1 && top >= -1 && right <= innerWidth + 1 && bottom <= innerHeight + 1;
        const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        return [
          ...(isWhole ? [] : [`off the screen: ${name}`]),
          ...(hit !== null && element.contains(hit) ? [] : [`covered: ${name}`]),
        ];
      });
    const scrolled = [...document.querySelectorAll('*')].filter(
      ({ scrollLeft, scrollTop }) => scrollLeft !== 0 || scrollTop !== 0,
    );
    faults.push(
      ...scrolled
        .filter(({ scrollLeft }) => scrollLeft !== 0)
        .map(({ className }) => `moves sideways: ${className}`),
    );
    for (const element of scrolled) element.scrollTo({ left: 0, top: 0, behavior: 'instant' });
    return faults;
  });
}

/** Buttons whose words do not fit into them. */
function cutWords(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [
      ...document.querySelectorAll<HTMLElement>(
        'button, .screens-scan-mode-switch_choice, .screens-scan-verdict-verdict_word',
      ),
    ]
      .filter(
        (element) =>
          element.checkVisibility() &&
          !element.matches('.screens-scan-verdict-verdict_close') &&
          // Ink of the huge word may stand out of its line.
          (element.scrollWidth > element.clientWidth + 2 ||
            (element.scrollHeight > element.clientHeight + 2 &&
              !element.matches('.screens-scan-verdict-verdict_word'))),
      )
      .map((element) => `cut: ${element.ariaLabel ?? element.innerText}`),
  );
}

test('the screens of a phone at work have no faults; with the keyboard alone a code is entered, its verdict closed, a panel opened and left, and the focus comes back', async () => {
  const faults: string[] = [];
  await using rehearsal = await startRehearsal(browser, { pin: '4711' });
  const { page } = await rehearsal.phone({ gate: 'Varco A', scans: false });
  await page.getByText('Come si fa la prova').click();
  faults.push(...(await faultsOf(page, 'ready')));
  await page.getByRole('button', { name: 'Presenze' }).click();
  faults.push(...(await faultsOf(page, 'presence')));
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Inizia' }).click();
  await page.locator('[data-camera-state=running]').waitFor();
  const search = page.getByRole('button', { name: 'Cerca' });
  await search.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.type('platea');
  await page.locator('[data-found]:not([data-found="0"])').waitFor();
  // The first Esc empties the field.
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await search.evaluate((button) => button === document.activeElement)).toBe(true);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.keyboard.type(rehearsal.codes('undo')[0]!, { delay: 5 });
  await page.keyboard.press('Enter');
  await page.locator('.screens-scan-scan_last[data-last-verdict=admit]').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('[data-verdict]').waitFor({ state: 'detached' });
  faults.push(...(await faultsOf(page, 'scan')));
  await page.getByText('Solo info').click();
  faults.push(...(await faultsOf(page, 'scan, information only')));
  await page.getByText('Entrata').click();

  await readCode(page, rehearsal.codes('group')[0]!);
  faults.push(...(await enlargedFaults(page)));
  await page.getByRole('button', { name: 'Non ci sono tutti' }).click();
  faults.push(...(await enlargedFaults(page)));
  await page.keyboard.press('Escape');
  await readCode(page, rehearsal.codes('stranger')[0]!);
  faults.push(...(await faultsOf(page, 'a refusal')));
  await closeVerdict(page);
  await readCode(page, rehearsal.codes('unpaid')[0]!);
  faults.push(...(await faultsOf(page, 'a doubt')));
  await page.getByRole('button', { name: 'Fai entrare lo stesso' }).click();
  faults.push(...(await faultsOf(page, 'a question to a supervisor')));
  await page.keyboard.press('Escape');
  await closeVerdict(page);

  await page.getByRole('button', { name: 'Cerca' }).click();
  faults.push(...(await faultsOf(page, 'search, empty')));
  await page.getByRole('searchbox').fill('platea');
  await page.locator('[data-found]:not([data-found="0"])').waitFor();
  faults.push(...(await faultsOf(page, 'search, found')));
  await page.getByRole('searchbox').fill('nessuno si chiama così');
  await page.locator('[data-found="0"]').waitFor();
  await page.getByRole('searchbox').fill('platea');
  await page.getByRole('dialog').getByRole('listitem').first().click();
  await page.locator('[data-look]').waitFor();
  faults.push(...(await faultsOf(page, 'information')));
  // Back to the words that were searched for; there the first Esc empties the field.
  for (let i = 0; i < 3; i += 1) await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'Senza rete' }).click();
  await readCode(page, rehearsal.codes('single')[0]!);
  await closeVerdict(page);
  faults.push(...(await faultsOf(page, 'scan, offline, something to take back')));
  await page.getByRole('button', { name: 'Annulla ultimo ingresso' }).click();
  faults.push(...(await faultsOf(page, 'taking back')));
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Inserisci il codice' }).click();
  faults.push(...(await faultsOf(page, 'a code by hand')));
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /Letture di questo telefono/ }).click();
  faults.push(...(await faultsOf(page, 'queue')));
  await page.keyboard.press('Escape');
  const [scan] = (await readScans(page)).filter(({ place }) => place !== null);
  await writeTable(page, 'queue', [{ ...scan, fate: 'conflict' }]);
  await page.getByRole('button', { name: /Letture di questo telefono/ }).click();
  await page.locator('[data-fate=conflict]').first().waitFor();
  faults.push(...(await enlargedFaults(page)));
  await page.getByRole('button', { name: 'Mostra QR' }).click();
  await page.locator('[data-chain]').waitFor();
  faults.push(...(await faultsOf(page, 'chain of codes')));
  expect(faults).toEqual([]);
}, 180_000);

test('the first screens, a blocked camera and a finished phone have no faults', slow, async () => {
  const faults: string[] = [];
  await using rehearsal = await startRehearsal(browser);
  await using newcomer = await openWindow(browser);
  const { page } = newcomer;
  await page.goto(`${rehearsal.server.url}/scanner/`);
  await page.getByRole('heading', { name: 'Abbina questo telefono' }).waitFor();
  faults.push(...(await faultsOf(page, 'setup')));
  await page.getByLabel(/incolla il link/).fill('niente');
  await page.getByRole('button', { name: 'Abbina', exact: true }).click();
  await page.getByRole('alert').waitFor();
  faults.push(...(await faultsOf(page, 'setup, not a link')));

  const phone = await rehearsal.phone({ scans: false });
  await phone.context.route('**/*.wasm', (route) => route.abort());
  await breakCamera(phone.page, 'NotAllowedError');
  await phone.page.getByRole('button', { name: 'Inizia' }).click();
  await phone.page.getByRole('heading', { name: 'Fotocamera bloccata' }).waitFor();
  faults.push(...(await faultsOf(phone.page, 'scan, camera blocked')));
  await breakCamera(phone.page, null);
  await phone.page.getByRole('button', { name: 'Riprova' }).click();
  await phone.page.locator('[data-camera-state=blind]').waitFor();
  faults.push(...(await faultsOf(phone.page, 'scan, no decoder')));
  expect(faults).toEqual([]);
});
