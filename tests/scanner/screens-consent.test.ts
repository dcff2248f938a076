/** A supervisor's consent on two real phones without a line: asked on one screen, given on the other, and what happens where it is not. */
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { listRecentAdmissions } from '#server/contract/door/admissions.ts';
import { callOk } from '#tests/support/make.ts';
import { hide, show } from '#tests/support/door/camera.ts';
import { boxesOf, onPicture, outside, overlapsIn, phoneSizes } from '#tests/support/door/boxes.ts';
import {
  closeVerdict,
  phoneScreen,
  readScans,
  readTable,
  startScanning,
  typeCode,
  verdictAfter,
  verdictText,
  wake,
  waitForFrames,
  waitForQueue,
} from '#tests/support/door/phone.ts';
import { verdictWords } from '#apps/shared/verdict-words.ts';
import { readCode, startRehearsal } from '#tests/support/door/rehearsal.ts';
import {
  consent,
  giveAnswer,
  makeStopwatch,
  openTwoPhones,
  readQuestionOf,
  showUntil,
} from '#tests/support/door/two-phones.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
}, 60_000);
afterAll(() => browser.close());

/** What a doorman and his supervisor may wait for their phones, without their own hands. */
const longestMs = 4_000;
/** On a busy machine: so many times an ordinary reading of the same run. */
const longestReadings = 8;

const onQuestion = [
  '.screens-scan-supervisor-ask-supervisor_head',
  '.screens-scan-supervisor-asked-verdict_line',
  '.screens-scan-supervisor-ask-supervisor_what',
  '.screens-scan-supervisor-ask-supervisor_code',
  '[data-camera]',
];

test('without a line a supervisor’s phone reads the steward’s code, asks for its PIN and is read back: in, with the supervisor’s name in the office; for five minutes it asks for no second PIN, by hand and taken back too, and what is cancelled leaves the verdict as it was', async () => {
  await using rehearsal = await startRehearsal(browser, { pin: '4711' });
  const { supervisor, steward } = await openTwoPhones(rehearsal);
  for (const { context } of [supervisor, steward]) await context.setOffline(true);
  const [page, chief] = [steward.page, supervisor.page];
  const ordinary = makeStopwatch();
  const unpaid = await ordinary.timed(() => readCode(page, rehearsal.codes('unpaid')[0]!));
  expect(unpaid).toBe('unpaid');
  await page.getByRole('button', { name: 'Fai entrare lo stesso' }).click();
  await page.getByText('Fai leggere questo codice al responsabile').waitFor();
  // It shares the screen with the camera, and can be read at each size.
  for (const size of phoneSizes) {
    await page.setViewportSize(size);
    const boxes = await boxesOf(page, onQuestion);
    expect(boxes).toHaveLength(onQuestion.length);
    expect([size, ...overlapsIn(boxes), ...outside(boxes, size)]).toEqual([size]);
    expect(overlapsIn(await boxesOf(page, onPicture))).toEqual([]);
    const camera = boxes.at(-1)!;
    expect(Math.min(camera.bottom - camera.top, camera.right - camera.left)).toBeGreaterThan(140);
    expect(await readQuestionOf(page)).toMatch(/^BTG\.ASK\|/);
  }
  await page.setViewportSize(phoneScreen.viewport);
  const question = await readQuestionOf(page);

  const { timed, readMs } = makeStopwatch();
  await timed(() => showUntil(chief, question, '[role=alertdialog]'));
  const dialog = chief.getByRole('alertdialog', { name: 'Dai il consenso?' });
  await dialog.getByText('Far entrare lo stesso').waitFor();
  expect(await dialog.locator('[data-overrules]').innerText()).toBe(verdictWords.unpaid.big);
  expect(await page.locator('[data-overrules=unpaid]').count()).toBe(1);
  expect(await dialog.innerText()).toMatch(/Platea|Galleria|Palc/);
  await dialog.getByLabel('PIN del responsabile').fill('1111');
  await dialog.getByRole('button', { name: 'Dai il consenso' }).click();
  await dialog.getByText('PIN sbagliato').waitFor();

  const answer = await giveAnswer(chief, '4711', timed);
  const verdict = timed(() => verdictAfter(page, async () => void (await show(page, answer))));
  expect(await verdict).toBe('admit');
  await hide(page);
  expect(readMs()).toBeLessThan(Math.max(longestMs, longestReadings * ordinary.readMs()));
  expect(await verdictText(page)).toContain('autorizzato dal responsabile: Capo');
  await closeVerdict(page);

  // The same answer again is nobody's, from a reader as from the camera.
  await typeCode(page, answer);
  await page.locator('[data-verdict=stray]').waitFor();
  await closeVerdict(page);

  await steward.context.setOffline(false);
  await wake(page);
  await waitForQueue(page, 0);
  const { server, admin, event_id } = rehearsal;
  const query = { event_id };
  const { items } = await callOk(server, listRecentAdmissions, { query }, admin);
  expect(items.find(({ override }) => override !== null)).toMatchObject({
    verdict: 'admit',
    override: 'Deciso dal responsabile',
    by: 'Marta',
    approved_by: 'Capo',
    approval_failed: false,
  });

  // For five minutes its supervisor gives no second PIN.
  await supervisor.context.setOffline(false);
  await chief.getByText(/Consensi senza PIN fino alle/).waitFor();
  const pages = { steward: page, supervisor: chief };
  const scanned = (await readScans(page)).length;
  await page.getByRole('button', { name: 'Cerca' }).click();
  await page.getByRole('searchbox').fill('galleria a 1');
  const found = page.getByRole('dialog').getByRole('listitem');
  await found
    .filter({ hasText: /posto 1\b(?!\d)/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Fai entrare', exact: true }).click();
  await page.getByRole('button', { name: 'Telefono scarico' }).click();
  expect(await readScans(page)).toHaveLength(scanned);
  expect(await verdictAfter(page, () => consent(pages, null))).toBe('admit');
  await closeVerdict(page);

  expect(await readCode(page, rehearsal.codes('unsold')[0]!)).toBe('verify');
  await page.getByRole('button', { name: 'Fai entrare lo stesso' }).click();
  // Whoever changes their mind is back at the verdict.
  await page.getByRole('button', { name: 'Annulla la richiesta' }).click();
  await page.locator('[data-verdict=verify]').waitFor();
  await page.getByRole('button', { name: 'Fai entrare lo stesso' }).click();
  expect(await verdictAfter(page, () => consent(pages, null))).toBe('admit');
  await closeVerdict(page);

  const code = rehearsal.codes('twice')[0]!;
  expect(await readCode(chief, code)).toBe('admit');
  await closeVerdict(chief);
  await waitForQueue(chief, 0);
  await page.getByText('Solo info').click();
  await typeCode(page, code);
  await page.locator('[data-look=already_in]').waitFor();
  await page.getByRole('button', { name: /^Annulla l’ingresso delle/ }).click();
  await page
    .getByRole('alertdialog', { name: 'Annulla l’ingresso?' })
    .getByRole('button', { name: 'Letto per sbaglio' })
    .click();
  await chief.getByRole('button', { name: /Consensi senza PIN/ }).click();
  await consent(pages, '4711');
  await page.locator('[data-verdict=undone]').waitFor();
  await closeVerdict(page);
  // Out by hand, too; for five seconds after the way in the ticket is APPENA LETTO.
  await page.getByRole('button', { name: 'Cerca' }).click();
  await page.getByRole('searchbox').fill('galleria a 1');
  const look = async () => {
    await found
      .filter({ hasText: /posto 1\b(?!\d)/ })
      .first()
      .click();
    await page.locator('[data-look]').waitFor();
    const told = await page.getByRole('dialog').innerText();
    if (!told.includes('Segna che esce'))
      await page.getByRole('button', { name: 'Indietro' }).click();
    return told;
  };
  await expect.poll(look, { timeout: 15_000, interval: 250 }).toContain('Segna che esce');
  await page.getByRole('button', { name: 'Segna che esce' }).click();
  expect(await verdictAfter(page, () => consent(pages, null))).toBe('out');
  await closeVerdict(page);
  await waitForQueue(page, 0);
  const sent = await server.house.ctx
    .db('admissions')
    .whereNotNull('approved_by')
    .orderBy('received_at');
  expect(sent.map(({ verdict, means, note }) => [verdict, means, note])).toEqual([
    ['admit', 'code', null],
    ['admit', 'search', 'Telefono scarico'],
    ['admit', 'code', null],
    ['undone', 'code', 'Letto per sbaglio'],
    ['out', 'search', 'Deciso dal responsabile'],
  ]);
}, 90_000);

test('where no supervisor’s phone is known, or the code is another phone’s, the screen says so; a reader’s ticket is no PIN', async () => {
  await using rehearsal = await startRehearsal(browser, { pin: '4711' });
  const { page } = await rehearsal.phone({ name: 'Marta', scans: false });
  await page.locator('[data-check=supervisors][data-mark=warn]').waitFor();
  await startScanning(page);
  const [code, unpaid] = [rehearsal.codes('single')[0]!, rehearsal.codes('unpaid')[0]!];
  expect(await readCode(page, unpaid)).toBe('unpaid');
  await page.getByRole('button', { name: 'Fai entrare lo stesso' }).click();
  await page.getByText('non conosce nessun telefono di responsabile').waitFor();
  await page.keyboard.press('Escape');
  await closeVerdict(page);
  expect((await readScans(page)).map(({ verdict }) => verdict)).toEqual(['unpaid']);

  const { supervisor, steward } = await openTwoPhones(rehearsal);
  expect(await readCode(steward.page, unpaid)).toBe('unpaid');
  await steward.page.getByRole('button', { name: 'Fai entrare lo stesso' }).click();
  const question = await readQuestionOf(steward.page);
  await showUntil(page, question, '[data-verdict=not_supervisor]');
  // A guest's ticket that is still in view is no answer.
  await show(steward.page, code);
  await waitForFrames(steward.page, 5);
  await hide(steward.page);

  const chief = supervisor.page;
  await showUntil(chief, question, '[role=alertdialog]');
  const pin = chief.getByLabel('PIN del responsabile');
  await pin.waitFor();
  const refused = chief
    .locator('[aria-live=assertive]')
    .getByText('il codice di un biglietto non conta');
  // In a burst, and over a slow radio link.
  for (const delay of [0, 110]) {
    await chief.keyboard.type(code, { delay });
    await chief.keyboard.press('Enter');
    await refused.waitFor();
    expect(await pin.inputValue()).toBe('');
  }
  // A foreign code of digits alone is told by its pace.
  await typeCode(chief, '8001234567890');
  await refused.waitFor();
  expect(await pin.inputValue()).toBe('');
  expect((await readTable(chief, 'meta')).some(({ key }) => key === 'pin_wrong')).toBe(false);
  expect((await readScans(steward.page)).map(({ verdict }) => verdict)).toEqual(['unpaid']);
}, 90_000);
