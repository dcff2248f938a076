/** What a doorman does beside scanning: the rest of the order, taking back, looking, searching, the queue; without a line too. */
import type { Browser, Locator, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { addLinks, openChain } from '#apps/admin/phone/queue-chain.ts';
import { readQueueFile, type QueueFile } from '#apps/admin/phone/queue-file.ts';
import { signals } from '#apps/scanner/device/signals.ts';
import { importAdmissions, listRecentAdmissions } from '#server/contract/door/admissions.ts';
import { makePhone } from '#server/contract/door/phones.ts';
import { callOk, makeAdmin } from '#tests/support/make.ts';
import { hide, show } from '#tests/support/door/camera.ts';
import { fillHall } from '#tests/support/door/door-hall.ts';
import {
  closeVerdict,
  enterCode,
  openWindow,
  readScans,
  readTable,
  startScanning,
  typeCode,
  verdictAfter,
  waitForList,
  waitForQueue,
  wake,
} from '#tests/support/door/phone.ts';
import { startServer } from '#tests/support/server.ts';
import { readCode, startRehearsal, type Rehearsed } from '#tests/support/door/rehearsal.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
}, 60_000);
afterAll(() => browser.close());

const slow = { timeout: 90_000 };
/** Something that takes its time: asked again until it is so. */
const patiently = { timeout: 15_000, interval: 100 };

async function closePanel(page: Page): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: 'Indietro' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

async function insideOf(page: Page): Promise<number> {
  return Number(await page.locator('[data-inside]').getAttribute('data-inside'));
}

test('a list on a slow line says how much of it has come', slow, async () => {
  await using server = await startServer({ worker: true });
  const hall = await fillHall(server.house.ctx.db, { places: 4_000, phones: 1 });
  const admin = await makeAdmin(server);
  const body = { name: 'Luca', gate: null, event_ids: [hall.event_id] };
  const { pairing_url } = await callOk(server, makePhone, { body }, admin);
  await using phone = await openWindow(browser);
  const { page, context } = phone;
  await page.goto(`${server.url}/scanner/`);
  const cdp = await context.newCDPSession(page);
  const slowness = {
    offline: false,
    latency: 20,
    downloadThroughput: 60_000,
    uploadThroughput: 60_000,
  };
  await cdp.send('Network.emulateNetworkConditions', slowness);
  await page.goto(`${server.url}/scanner/${new URL(pairing_url).hash}`);
  const bar = page.getByRole('progressbar', { name: 'Scarico l’elenco' });
  const shares = new Set<number>();
  await expect
    .poll(
      async () => {
        const share = await bar.getAttribute('value', { timeout: 1_000 }).catch(() => null);
        shares.add(Number(share ?? 0));
        return [...shares].filter((part) => part > 0 && part < 1).length;
      },
      { timeout: 30_000, interval: 30 },
    )
    .toBeGreaterThan(2);
  await cdp.send('Network.emulateNetworkConditions', { ...slowness, downloadThroughput: -1 });
  await waitForList(page);
  await bar.waitFor({ state: 'detached' });
});

/** Takes the last way in back, with a reason: two taps. */
async function takeBack(page: Page, reason: string, more?: string): Promise<void> {
  await page.getByRole('button', { name: 'Annulla ultimo ingresso' }).click();
  const dialog = page.getByRole('alertdialog');
  if (more) await dialog.getByRole('button', { name: more }).click();
  await dialog.getByRole('button', { name: reason }).click();
  await page.locator('[data-verdict=undone]').waitFor();
}

test('the rest of the order, or as many as came, goes in with one tap, also when its ticket is read again, each its own scan; what passed by mistake is taken back together or alone', async () => {
  await using rehearsal = await startRehearsal(browser);
  const { page, context } = await rehearsal.phone();
  await context.setOffline(true);
  const [first, second, third] = rehearsal.codes('group') as [string, string, string];
  const before = await insideOf(page);
  expect(await readCode(page, first)).toBe('admit');
  await closeVerdict(page);
  expect(await readCode(page, first)).toMatch(/just_read|already_in/);
  const word = page.locator('[data-verdict=group] .screens-scan-verdict-verdict_word');
  await page.getByRole('button', { name: 'Non ci sono tutti: dimmi quanti' }).click();
  const numbers = page.getByRole('dialog', { name: 'In quanti sono?' });
  expect(await numbers.getByRole('button', { name: / di 3/ }).allInnerTexts()).toEqual([
    expect.stringMatching(/^2 di 3\s+un altro$/),
    expect.stringMatching(/^3 di 3\s+altri 2$/),
  ]);
  await numbers.getByRole('button', { name: '2 di 3' }).click();
  await word.waitFor();
  expect(await word.innerText()).toMatch(/^ENTRATI\s2 DI 3$/);
  await closeVerdict(page);
  await takeBack(page, 'Non è entrato');
  await closeVerdict(page);
  expect(await readCode(page, first)).toMatch(/just_read|already_in/);
  await page.getByRole('button', { name: 'Altri 2 biglietti: entra tutto l’ordine' }).click();
  await page.locator('[data-verdict=group][data-counts=true]').waitFor();
  expect(await word.innerText()).toMatch(/^ENTRATI\s3 DI 3$/);
  expect(await page.locator('[data-companion=admit]').count()).toBe(2);
  const rows = (await readScans(page)).filter(({ counts }) => counts);
  expect(rows.map(({ verdict, means, offline }) => [verdict, means, offline])).toEqual([
    ['admit', 'code', true],
    ['admit', 'group', true],
    ['admit', 'group', true],
    ['admit', 'group', true],
  ]);
  // The green summary goes by itself.
  await page.locator('[data-verdict]').waitFor({ state: 'detached' });
  expect(await readCode(page, second)).toMatch(/just_read|already_in/);

  await closeVerdict(page);
  await takeBack(page, 'Non è entrato', 'Anche l’altro passato insieme');
  await page.locator(`[data-inside="${before + 1}"]`).waitFor({ state: 'attached' });
  const undone = { verdict: 'undone', note: 'Non è entrato', counts: false };
  expect((await readScans(page)).slice(-2)).toMatchObject([undone, undone]);
  await closeVerdict(page);
  // What the dialog decides is not decided anew by the code that is still held before the camera.
  await page.getByRole('button', { name: 'Annulla ultimo ingresso' }).click();
  await show(page, first);
  await page.getByRole('alertdialog').getByRole('button', { name: 'Letto per sbaglio' }).click();
  await page.locator('[data-verdict=undone]').waitFor();
  await page.locator(`[data-inside="${before}"]`).waitFor({ state: 'attached' });
  await page.locator('[data-verdict]').waitFor({ state: 'detached' });
  expect((await readScans(page)).slice(-3).map(({ verdict }) => verdict)).toEqual(
    Array(3).fill('undone'),
  );
  await hide(page);
  expect(await page.locator('.screens-parts_undo').count()).toBe(0);

  expect(await readCode(page, third)).toBe('admit');
  await closeVerdict(page);
  // Under a reader it is meant, whenever it comes.
  expect(await readCode(page, first)).toBe('admit');
  // A tap on the rest that comes while the next guest is being decided does not hide his verdict.
  const [void_] = rehearsal.codes('void');
  await page.locator('.screens-scan-verdict-verdict_action').waitFor();
  expect(
    await verdictAfter(page, () => typeCode(page, void_!, '.screens-scan-verdict-verdict_action')),
  ).toBe('cancelled');
  await page.locator('[data-verdict=cancelled]').waitFor();
  expect((await readScans(page)).at(-1)).toMatchObject({ verdict: 'cancelled', means: 'code' });
  // Beside a refusal there is nothing to take back, though an entry of before could be.
  await closeVerdict(page);
  const undo = page.getByRole('button', { name: 'Annulla ultimo ingresso' });
  expect(await undo.count()).toBe(0);
  expect(await readCode(page, first)).toMatch(/just_read|already_in/);
  await closeVerdict(page);
  expect(await undo.count()).toBe(1);
  await context.setOffline(false);
  await waitForQueue(page, 0);
}, 90_000);

interface Senses {
  felt: string[];
  ears: AudioContext[];
}

/** Writes down what is felt, and what is heard. */
function feelAndHear(page: Page): Promise<void> {
  return page.evaluate(() => {
    const senses = Object.assign(window, { felt: [] as string[], ears: [] as AudioContext[] });
    navigator.vibrate = (pulse) => senses.felt.push([pulse].flat().join()) > 0;
    window.AudioContext = class extends AudioContext {
      constructor() {
        super();
        senses.ears.push(this);
      }
    };
  });
}

test('a code typed by hand says so as far as the office; the figures are one tap away, and a code under a reader while a panel is open is nobody’s turn, and is felt to be', async () => {
  await using rehearsal = await startRehearsal(browser);
  const { page } = await rehearsal.phone({ gate: 'Varco A', scans: false });
  await feelAndHear(page);
  await startScanning(page);
  const felt = () => page.evaluate(() => (window as unknown as Senses).felt.splice(0));
  const [code, other] = [rehearsal.codes('single')[0]!, rehearsal.codes('group')[0]!];
  const before = await insideOf(page);
  expect(await enterCode(page, code)).toBe('admit');
  await closeVerdict(page);
  expect(await felt()).toEqual([signals.admit.pulse.join()]);
  // Whoever types or aims a reader means it: the same code again is heard each time.
  for (const _ of [1, 2])
    expect(await verdictAfter(page, () => typeCode(page, code))).toMatch(/just_read|already_in/);
  expect(await felt()).toHaveLength(2);
  await closeVerdict(page);
  await page.locator(`[data-inside="${before + 1}"]`).waitFor({ state: 'attached' });
  const readUnderPanel = async (opener: Locator) => {
    await opener.click();
    await page.getByRole('dialog').waitFor();
    await typeCode(page, other);
    await expect.poll(felt, patiently).toEqual([signals.busy.pulse.join()]);
    expect(await page.locator('[data-verdict]').count()).toBe(0);
    expect(await page.getByRole('dialog').count()).toBe(1);
  };
  await readUnderPanel(page.getByRole('button', { name: /Letture di questo telefono/ }));
  await closePanel(page);
  await readUnderPanel(page.locator('[data-inside]'));
  const panel = page.getByRole('dialog', { name: 'Presenze' });
  expect(await panel.locator('[data-presence]').getAttribute('data-presence')).toBe(
    String(before + 1),
  );
  expect(await panel.getByRole('region', { name: 'Per varco' }).innerText()).toMatch(
    /Varco A\s+1\s+0\s+Varco di prova[^\n]*\s+0\s+di \d+\s+0/,
  );
  expect(await panel.getByRole('region', { name: 'Per settore' }).innerText()).toMatch(
    /Galleria\s+\d+ di \d+ post[oi] vendut[oi]\s+\d+ dentro/,
  );
  await closePanel(page);
  await waitForQueue(page, 0);
  expect(await readScans(page)).toHaveLength(3);
  const query = { event_id: rehearsal.event_id };
  const { server, admin } = rehearsal;
  const { items } = await callOk(server, listRecentAdmissions, { query }, admin);
  const own = items.filter(({ by, counts }) => by === 'Luca' && counts);
  expect(own.map(({ means, note }) => [means, note])).toEqual([['code', 'Codice scritto a mano']]);
  // What a reading does outlasts a look elsewhere.
  await page.getByText('Uscita').click();
  await page.locator('[data-inside]').click();
  await closePanel(page);
  expect(await enterCode(page, code)).toBe('out');
}, 90_000);

test('a sound that the system has taken is said, and any tap brings it back; a full memory is said and scans go up all the same; a very bright screen is remembered', async () => {
  await using rehearsal = await startRehearsal(browser);
  const { page } = await rehearsal.phone({ scans: false });
  await feelAndHear(page);
  await startScanning(page);
  const states = () =>
    page.evaluate(() => (window as unknown as Senses).ears.map(({ state }) => state));
  await expect.poll(states).toEqual(['running']);
  const sign = page.getByRole('button', { name: 'Audio spento' });
  expect(await sign.count()).toBe(0);
  await page.evaluate(() => (window as unknown as Senses).ears[0]!.suspend());
  await sign.waitFor();
  await page.getByRole('heading', { level: 1 }).click();
  await sign.waitFor({ state: 'detached' });
  expect(await states()).toEqual(['running']);

  await page.evaluate(() => {
    for (const name of ['put', 'add'] as const) {
      const write = IDBObjectStore.prototype[name];
      IDBObjectStore.prototype[name] = function (...given) {
        if (this.name === 'parts') throw new DOMException('The test says so', 'QuotaExceededError');
        return write.apply(this, given);
      };
    }
  });
  // The server tells of this scan, and that is what cannot be written.
  expect(await readCode(page, rehearsal.codes('single')[0]!)).toBe('admit');
  await closeVerdict(page);
  await page.locator('[data-obstacle=true][data-online=true]').waitFor({ timeout: 30_000 });
  expect(await page.locator('[data-obstacle]').innerText()).toMatch(
    /^Memoria del telefono piena: libera spazio/,
  );
  expect(await readCode(page, rehearsal.codes('group')[0]!)).toBe('admit');
  await closeVerdict(page);
  await waitForQueue(page, 0);
  expect((await readScans(page)).map(({ fate }) => fate)).toEqual(['stored', 'stored']);

  await page.getByRole('button', { name: 'Schermo per il sole' }).click();
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(
    'rgb(255, 255, 255)',
  );
  await page.reload();
  await page.getByRole('button', { name: 'Schermo scuro' }).waitFor();
  expect(await page.locator('html').getAttribute('data-theme')).toBe('sun');
}, 90_000);

test('an event whose doors are closed to phones says so instead of downloading for ever; a network taken away in a rehearsal is missed at a real event without calling it a rehearsal', async () => {
  await using rehearsal = await startRehearsal(browser);
  const { server, admin, event_id } = rehearsal;
  const real = 'la-locandiera';
  const body = { name: 'Luca', gate: null, event_ids: [event_id, real] };
  const { pairing_url } = await callOk(server, makePhone, { body }, admin);
  await using phone = await openWindow(browser);
  const { page } = phone;
  const lists = `**/events/${real}/{list,changes}*`;
  await page.route(lists, (route) =>
    route.fulfill({
      status: 404,
      json: { status: 404, code: 'event_not_found', message: 'Questo evento non esiste.' },
    }),
  );
  await page.goto(`${server.url}/scanner/${new URL(pairing_url).hash}`);
  const words = 'Non disponibile: chiedi in ufficio';
  const cards = page.locator('.screens-ready-event-choice_card');
  const closed = cards.filter({ hasNotText: 'Prova' });
  const open = cards.filter({ hasText: 'Prova' });
  await closed.getByText(words).waitFor();
  await closed.getByRole('radio').check();
  await page.locator('.screens-parts_note').getByText(words).waitFor();
  expect([
    await page.getByText(/Scarico/).count(),
    await page.getByRole('button', { name: 'Niente da controllare' }).isDisabled(),
  ]).toEqual([0, true]);
  await open.getByRole('radio').check();
  await waitForList(page);
  expect([
    await open.getByText(words).count(),
    await page.getByRole('button', { name: 'Inizia' }).isEnabled(),
  ]).toEqual([0, true]);

  // The office opens its doors.
  await page.unroute(lists);
  await wake(page);
  await closed.getByText(words).waitFor({ state: 'detached' });
  await closed.getByRole('radio').check();
  await waitForList(page);
  await open.getByRole('radio').check();
  await page.locator('[data-rehearsal=true]').waitFor();
  await page.getByRole('button', { name: 'Senza rete' }).click();
  await closed.getByRole('radio').check();
  const ribbon = page.locator('[data-rehearsal=false][data-no-network=true]');
  await ribbon.waitFor();
  expect(await ribbon.innerText()).toMatch(/^Rete staccata\s+Senza rete$/);
}, 90_000);

test('with “Solo info” the camera tells and lets nobody in; from there in with a tap, and out of it taken back, also on a phone whose clock is wrong', async () => {
  await using rehearsal = await startRehearsal(browser);
  const { page } = await rehearsal.phone();
  // Half an hour fast; the server's time is what scans carry.
  await page.clock.setSystemTime(Date.now() + 30 * 60_000);
  await expect
    .poll(async () => {
      await wake(page);
      const clock = (await readTable(page, 'meta')).find(({ key }) => key === 'clock')!;
      return (clock['value'] as { offset_ms: number }).offset_ms;
    }, patiently)
    .toBeLessThan(-25 * 60_000);
  const [single, other, void_] = ['single', 'undo', 'void'].map(
    (key) => rehearsal.codes(key)[0]!,
  ) as [string, string, string];
  await page.getByText('Solo info').click();
  await show(page, void_);
  await page.locator('[data-look=cancelled]').waitFor();
  await show(page, other);
  await page.locator('[data-look=admit]').waitFor();
  await hide(page);
  expect(await page.getByRole('dialog').innerText()).toContain('nessuno è entrato');
  expect(await readTable(page, 'queue')).toEqual([]);
  await closePanel(page);
  await typeCode(page, single);
  await page.locator('[data-look=admit]').waitFor();
  const letIn = page.getByRole('button', { name: 'Fai entrare', exact: true });
  expect(await verdictAfter(page, () => letIn.click())).toBe('admit');
  expect((await readScans(page)).map(({ verdict, means }) => [verdict, means])).toEqual([
    ['admit', 'code'],
  ]);

  // Looked at again it says when, where and by whom.
  await closeVerdict(page);
  await typeCode(page, single);
  await page.locator('[data-look=just_read], [data-look=already_in]').waitFor();
  const passages = page.getByRole('region', { name: 'Passaggi' });
  expect(await passages.innerText()).toMatch(/Entrato alle \d\d:\d\d[^]*Luca · [^]* second[oi] fa/);
  // Its own scan of a moment ago: no PIN, no supervisor.
  await passages.getByRole('button', { name: /^Annulla l’ingresso delle/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Letto per sbaglio' }).click();
  await page.locator('[data-verdict=undone]').waitFor();
  await page.locator('.screens-scan-scan_last[data-last-verdict=undone]').waitFor();
  expect(await page.locator('.screens-scan-scan_last').innerText()).not.toContain('ENTRA');
}, 90_000);

/** Of the rehearsal's first ticket: who has it, and its order's number. */
async function nameGuest({ server, event_id }: Rehearsed): Promise<string> {
  const { db } = server.house.ctx;
  const ticket = await db('tickets').where({ event_id, state: 'valid' }).first();
  await db('tickets').where({ id: ticket.id }).update({ holder: 'Nicolò D’Amico' });
  return (await db('orders').where({ id: ticket.order_id }).first('number')).number as string;
}

test('a supervisor’s phone finds by order number, and where guests are named by name too, accents and apostrophes forgiven; a reader’s code in the field is looked up', async () => {
  await using rehearsal = await startRehearsal(browser);
  const { db } = rehearsal.server.house.ctx;
  const number = await nameGuest(rehearsal);
  const { page } = await rehearsal.phone({ role: 'supervisor' });
  const search = page.getByRole('button', { name: 'Cerca' });
  const look = async (guest: string) => {
    const row = page.getByRole('dialog').getByRole('listitem').filter({ hasText: guest });
    await row.click();
    await page.locator('[data-look]').waitFor();
    return page.getByRole('dialog').innerText();
  };
  await search.click();
  const box = page.getByRole('searchbox', { name: 'Posto o numero d’ordine' });
  await page.getByText('Scrivi almeno due caratteri, tre per l’ordine.').waitFor();
  await box.fill('damico nic');
  await page.getByText('Nessun posto trovato.').waitFor();
  await box.fill(number);
  const told = await look('N. D.');
  expect([told.includes(number), told.includes('Amico')]).toEqual([true, false]);

  const event = db('events').where({ id: rehearsal.event_id });
  await event.update({ nominative: 1, feed_epoch: 'named' });
  await page.reload();
  await waitForList(page);
  const cursor = async () => (await readTable(page, 'events'))[0]!['cursor'];
  await wake(page);
  await expect.poll(cursor, patiently).toMatch(/^named\./);
  await startScanning(page);
  await search.click();
  const anything = page.getByRole('searchbox');
  await page.getByText('Scrivi almeno due caratteri, tre per nome e ordine.').waitFor();
  await anything.fill('ni');
  await page.getByText('Per nome e ordine scrivi almeno tre caratteri.').waitFor();
  await anything.fill('damico nic');
  expect(await look('Nicolò D’Amico')).toContain('Nicolò D’Amico');
  const back = page.getByRole('dialog').getByRole('button', { name: 'Indietro' });
  await back.click();
  // The words stand as they were.
  expect(await anything.inputValue()).toBe('damico nic');
  // The reader types behind them.
  await anything.fill(`damico${rehearsal.codes('void')[0]!}`);
  await anything.press('Enter');
  await page.locator('[data-look=cancelled]').waitFor();
  // The next search is about somebody else.
  await closePanel(page);
  await search.click();
  expect(await anything.inputValue()).toBe('');
}, 90_000);

test('a ticket under a reader that types into an open question is no reason, whatever it ends with', async () => {
  await using rehearsal = await startRehearsal(browser);
  const { page } = await rehearsal.phone();
  const [code, unpaid] = [rehearsal.codes('single')[0]!, rehearsal.codes('unpaid')[0]!];
  expect(await readCode(page, unpaid)).toBe('unpaid');
  await page.getByRole('button', { name: 'Fai entrare lo stesso' }).click();
  await page.getByRole('button', { name: 'Altro…' }).click();
  const reason = page.getByLabel('Con parole tue');
  await reason.fill('Ha pagato ');
  await page.keyboard.type(code);
  await page.keyboard.press('Enter');
  await page.getByText('qui va il motivo').waitFor();
  expect(await reason.inputValue()).toBe('Ha pagato ');
  // A code that is not ours is told by its pace alone: the Enter behind it sends nothing off.
  const foreign = 'HTTPS://EXAMPLE.COM/1';
  await reason.fill(`Ha pagato ${foreign}`);
  const isSent = await reason.evaluate(
    (field, text) =>
      [...text, 'Enter']
        .map((key) => new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
        .map((press) => field.dispatchEvent(press))
        .at(-1),
    foreign,
  );
  expect(isSent).toBe(false);
  await page.getByText('qui va il motivo').waitFor();
  expect(await reason.inputValue()).toBe('Ha pagato ');
  // Too slow to be told by its pace, and sent off by a finger.
  const confirm = page.getByRole('button', { name: 'Conferma' });
  await reason.fill(`Ha pagato ${code}`);
  await confirm.click();
  await page.getByText('qui va il motivo').waitFor();
  expect((await readScans(page)).map(({ verdict }) => verdict)).toEqual(['unpaid']);
  await reason.fill('Ha pagato alla cassa');
  expect(await verdictAfter(page, () => confirm.click())).toBe('admit');
  expect((await readScans(page)).map(({ override }) => override)).toEqual([
    null,
    'Ha pagato alla cassa',
  ]);
}, 90_000);

/** A sheet that shares files, or fails by this name. */
function addShareSheet(page: Page): Promise<void> {
  return page.evaluate(() => {
    const sheet = Object.assign(window, { shared: [] as File[], sheetFails: null });
    navigator.canShare = () => true;
    navigator.share = async (data) => {
      if (sheet.sheetFails !== null) throw new DOMException('The test says so', sheet.sheetFails);
      sheet.shared.push(...(data?.files ?? []));
    };
  });
}

test('“Senza rete” of a rehearsal cuts this phone off and says so everywhere; the queue leaves by the sheet that shares, as a file where that cannot, and as codes', async () => {
  await using rehearsal = await startRehearsal(browser);
  const { page } = await rehearsal.phone();
  await page.getByRole('button', { name: 'Senza rete' }).click();
  await page.locator('[data-no-network=true]').first().waitFor();
  expect(await readCode(page, rehearsal.codes('offline')[0]!)).toBe('admit');
  await closeVerdict(page);
  expect(await page.locator('[data-obstacle]').innerText()).toContain(
    '1 lettura da inviare, 1 ingresso',
  );
  await page.getByRole('button', { name: /Letture di questo telefono/ }).click();
  expect(await page.getByRole('dialog').locator('[data-no-network=true]').count()).toBe(1);
  expect(await page.getByRole('dialog').innerText()).toContain('Parte da sola appena torna');

  await addShareSheet(page);
  const save = page.getByRole('button', { name: 'Salva file' });
  const shared = () =>
    page.evaluate(async () => {
      const files = (window as unknown as { shared: File[] }).shared;
      return Promise.all(files.map(async (file) => [file.name, await file.text()] as const));
    });
  const failWith = (name: string) =>
    page.evaluate((fault) => {
      (window as unknown as { sheetFails: string }).sheetFails = fault;
    }, name);
  await save.click();
  await expect.poll(async () => (await shared()).length).toBe(1);
  const [[name, text]] = (await shared()) as [[string, string]];
  expect(name).toMatch(/\.json$/);
  const downloads: string[] = [];
  page.on('download', (download) => downloads.push(download.suggestedFilename()));
  await failWith('AbortError');
  await save.click();
  // Closed by the person: nothing follows, and the button works again.
  await expect.poll(() => save.isEnabled()).toBe(true);
  expect(await page.getByRole('alert').count()).toBe(0);
  await failWith('NotAllowedError');
  const downloading = page.waitForEvent('download');
  await save.click();
  const stream = await (await downloading).createReadStream();
  const saved = JSON.parse(Buffer.concat(await stream.toArray()).toString()) as {
    items: { verdict: string; admission_id: string }[];
  };
  expect([downloads.length, (await shared()).length]).toEqual([1, 1]);
  expect([saved, JSON.parse(text)]).toEqual(
    Array(2).fill(expect.objectContaining({ items: saved.items })),
  );
  expect(saved.items.map(({ verdict }) => verdict)).toEqual(['admit']);

  await page.getByRole('button', { name: 'Mostra QR' }).click();
  await page.getByRole('img', { name: 'Codice 1 di 1' }).waitFor();
  const link = (await page.locator('[data-chain]').getAttribute('data-chain'))!;
  expect(link).toMatch(/^BTG1\/1\/1\/[0-9A-Z]+$/);
  // The office takes either, and what it took is not taken again when the line is back.
  const { server, admin } = rehearsal;
  expect(JSON.parse(await openChain(addLinks(null, link)!))).toEqual(saved);
  const file = readQueueFile(JSON.stringify(saved)) as QueueFile;
  expect(await callOk(server, importAdmissions, { body: file }, admin)).toMatchObject({
    phone_name: 'Luca',
    stored: 1,
    known: 0,
    unreadable: 0,
  });
  await page.keyboard.press('Escape');
  await page.getByRole('img', { name: 'Codice 1 di 1' }).waitFor({ state: 'detached' });
  await page.getByRole('dialog').getByRole('button', { name: 'Senza rete' }).click();
  await waitForQueue(page, 0);
  const ids = saved.items.map(({ admission_id }) => admission_id);
  expect(await server.house.ctx.db('admissions').whereIn('id', ids)).toHaveLength(1);
}, 90_000);
