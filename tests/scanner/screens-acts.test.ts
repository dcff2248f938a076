/** What a doorman does beside scanning: the rest of the order, taking back, looking, searching, the queue; without a line too. */
import type { Browser, Page } from 'playwright';
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
  phoneScreen,
  readTable,
  typeCode,
  verdictAfter,
  waitForList,
  waitForQueue,
} from '#tests/support/door/phone.ts';
import { startServer } from '#tests/support/server.ts';
import { readCode, startRehearsal } from '#tests/support/door/rehearsal.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
}, 60_000);
afterAll(() => browser.close());

const slow = { timeout: 90_000 };
/** Something that takes its time: asked again until it is so. */
const patiently = { timeout: 15_000, interval: 100 };

async function scansOf(page: Page) {
  return (await readTable(page, 'queue')).toSorted((a, b) => Number(a['seq']) - Number(b['seq']));
}

async function closePanel(page: Page): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: 'Indietro' }).click();
}

test('a list on a slow line says how much of it has come', slow, async () => {
  await using server = await startServer({ worker: true });
  const hall = await fillHall(server.house.ctx.db, { places: 4_000, phones: 1 });
  const admin = await makeAdmin(server);
  const { pairing_url } = await callOk(
    server,
    makePhone,
    { body: { name: 'Luca', gate: null, event_ids: [hall.event_id] } },
    admin,
  );
  await using context = await browser.newContext({ ...phoneScreen, serviceWorkers: 'block' });
  const page = await context.newPage();
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
        shares.add(
          Number((await bar.getAttribute('value', { timeout: 1_000 }).catch(() => null)) ?? 0),
        );
        return [...shares].filter((share) => share > 0 && share < 1).length;
      },
      { timeout: 30_000, interval: 30 },
    )
    .toBeGreaterThan(2);
  await cdp.send('Network.emulateNetworkConditions', { ...slowness, downloadThroughput: -1 });
  await waitForList(page);
  await bar.waitFor({ state: 'detached' });
});

test(
  'the rest of the order goes in with one tap, each its own scan, and taking one back with a reason lets its ticket in again',
  slow,
  async () => {
    await using rehearsal = await startRehearsal(browser);
    const { page, context } = await rehearsal.phone();
    await context.setOffline(true);
    const [first, second, third] = rehearsal.codes('group');
    expect(await readCode(page, first!)).toBe('admit');
    await page.getByRole('button', { name: 'Altri 2 biglietti: entra tutto l’ordine' }).click();
    await page.locator('[data-verdict=group][data-counts=true]').waitFor();
    expect(await page.locator('.screens-scan-verdict_word').innerText()).toMatch(
      /^ENTRATI\s2 DI 2$/,
    );
    expect(await page.locator('[data-companion=admit]').count()).toBe(2);
    expect(
      (await scansOf(page)).map(({ verdict, means, offline }) => [verdict, means, offline]),
    ).toEqual([
      ['admit', 'code', true],
      ['admit', 'group', true],
      ['admit', 'group', true],
    ]);
    // The green summary goes by itself.
    await page.locator('[data-verdict]').waitFor({ state: 'detached' });
    expect(await readCode(page, second!)).toMatch(/just_read|already_in/);

    await closeVerdict(page);
    const inside = Number(await page.locator('[data-inside]').getAttribute('data-inside'));
    await page.getByRole('button', { name: 'Annulla ultimo ingresso' }).click();
    const dialog = page.getByRole('alertdialog');
    // Two taps: the button and the reason, which stands under the question and the seat.
    await dialog.getByRole('button', { name: 'Non è entrato' }).click();
    await page.locator('[data-verdict=undone]').waitFor();
    await page.locator(`[data-inside="${inside - 1}"]`).waitFor({ state: 'attached' });
    const taken = (await scansOf(page)).at(-1)!;
    expect([taken['verdict'], taken['note'], taken['counts']]).toEqual([
      'undone',
      'Non è entrato',
      false,
    ]);
    expect(await readCode(page, third!)).toBe('admit');
    await context.setOffline(false);
    await waitForQueue(page, 0);
  },
);

test(
  'the rest of the order is offered again when its ticket is read again, and a group let in by mistake is taken back one after the other',
  slow,
  async () => {
    await using rehearsal = await startRehearsal(browser);
    const { page } = await rehearsal.phone();
    const [first] = rehearsal.codes('group');
    const before = Number(await page.locator('[data-inside]').getAttribute('data-inside'));
    expect(await readCode(page, first!)).toBe('admit');
    await closeVerdict(page);
    expect(await readCode(page, first!)).toMatch(/just_read|already_in/);
    await page.getByRole('button', { name: 'Altri 2 biglietti: entra tutto l’ordine' }).click();
    await page.locator('[data-verdict=group][data-counts=true]').waitFor();
    for (const inside of [before + 2, before + 1, before]) {
      await closeVerdict(page);
      await page.getByRole('button', { name: 'Annulla ultimo ingresso' }).click();
      await page
        .getByRole('alertdialog')
        .getByRole('button', { name: 'Letto per sbaglio' })
        .click();
      await page.locator('[data-verdict=undone]').waitFor();
      await page.locator(`[data-inside="${inside}"]`).waitFor({ state: 'attached' });
    }
    await closeVerdict(page);
    expect(await page.locator('.screens-parts_undo').count()).toBe(0);
  },
);

test(
  'a code typed by hand says so as far as the office’s table; one under a reader while a panel is open is nobody’s turn, and is felt to be',
  slow,
  async () => {
    await using rehearsal = await startRehearsal(browser);
    const { page } = await rehearsal.phone();
    await page.evaluate(() => {
      const felt: string[] = [];
      Object.assign(window, { felt });
      navigator.vibrate = (pulse) => felt.push([pulse].flat().join()) > 0;
    });
    const felt = () =>
      page.evaluate(() => (window as unknown as { felt: string[] }).felt.splice(0));
    const [code, other] = [rehearsal.codes('single')[0]!, rehearsal.codes('group')[0]!];
    expect(await enterCode(page, code)).toBe('admit');
    await closeVerdict(page);
    expect(await felt()).toEqual([signals.admit.pulse.join()]);
    for (const open of [
      page.locator('[data-inside]'),
      page.getByRole('button', { name: /Letture di questo telefono/ }),
    ]) {
      await open.click();
      await page.getByRole('dialog').waitFor();
      await typeCode(page, other);
      await expect.poll(felt, patiently).toEqual([signals.busy.pulse.join()]);
      expect([
        await page.locator('[data-verdict]').count(),
        await page.getByRole('dialog').count(),
      ]).toEqual([0, 1]);
      await closePanel(page);
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    await waitForQueue(page, 0);
    expect((await scansOf(page)).map(({ verdict }) => verdict)).toEqual(['admit']);
    const { items } = await callOk(
      rehearsal.server,
      listRecentAdmissions,
      { query: { event_id: rehearsal.event_id } },
      rehearsal.admin,
    );
    expect(items.filter(({ by }) => by === 'Luca').map(({ means, note }) => [means, note])).toEqual(
      [['code', 'Codice scritto a mano']],
    );
    expect(await readCode(page, other)).toBe('admit');
  },
);

test(
  'a memory that takes no more of the list is said in the place of what is wrong, and the scans go up all the same',
  slow,
  async () => {
    await using rehearsal = await startRehearsal(browser);
    const { page } = await rehearsal.phone();
    await page.evaluate(() => {
      for (const name of ['put', 'add'] as const) {
        const write = IDBObjectStore.prototype[name];
        IDBObjectStore.prototype[name] = function (...given) {
          if (this.name === 'parts')
            throw new DOMException('The test says so', 'QuotaExceededError');
          return write.apply(this, given);
        };
      }
    });
    // The server tells of this scan, and that is what cannot be written.
    expect(await readCode(page, rehearsal.codes('single')[0]!)).toBe('admit');
    await closeVerdict(page);
    await page.locator('[data-obstacle=true][data-online=true]').waitFor({ timeout: 30_000 });
    expect(await page.locator('[data-obstacle]').innerText()).toMatch(
      /^Memoria del telefono piena o guasta: libera spazio/,
    );
    expect(await readCode(page, rehearsal.codes('group')[0]!)).toBe('admit');
    await closeVerdict(page);
    await waitForQueue(page, 0);
    expect((await scansOf(page)).map(({ fate }) => fate)).toEqual(['stored', 'stored']);
  },
);

test(
  'an event whose doors are closed to phones says so instead of downloading for ever, and the next one is as ready as ever',
  slow,
  async () => {
    await using rehearsal = await startRehearsal(browser);
    const { server, admin, event_id } = rehearsal;
    const { pairing_url } = await callOk(
      server,
      makePhone,
      { body: { name: 'Luca', gate: null, event_ids: [event_id, 'la-locandiera'] } },
      admin,
    );
    await using context = await browser.newContext({ ...phoneScreen, serviceWorkers: 'block' });
    const page = await context.newPage();
    await page.route('**/events/la-locandiera/{list,changes}*', (route) =>
      route.fulfill({
        status: 404,
        json: { status: 404, code: 'event_not_found', message: 'Questo evento non esiste.' },
      }),
    );
    await page.goto(`${server.url}/scanner/${new URL(pairing_url).hash}`);
    const words = 'Non disponibile: chiedi in ufficio';
    const cards = page.locator('.screens-ready-event-choice_card');
    const [closed, open] = [
      cards.filter({ hasNotText: 'Prova' }),
      cards.filter({ hasText: 'Prova' }),
    ];
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
  },
);

test(
  'what a dialog has decided is not decided anew by the code that is still held in front of the camera',
  slow,
  async () => {
    await using rehearsal = await startRehearsal(browser);
    const { page } = await rehearsal.phone();
    const code = rehearsal.codes('single')[0]!;
    expect(await readCode(page, code)).toBe('admit');
    await closeVerdict(page);
    await page.getByRole('button', { name: 'Annulla ultimo ingresso' }).click();
    const dialog = page.getByRole('alertdialog');
    await show(page, code);
    await dialog.getByRole('button', { name: 'Non è entrato' }).click();
    await page.locator('[data-verdict=undone]').waitFor();
    await page.locator('[data-verdict]').waitFor({ state: 'detached' });
    expect((await scansOf(page)).map(({ verdict }) => verdict)).toEqual(['admit', 'undone']);
    // Under a reader it is meant, whenever it comes.
    expect(await readCode(page, code)).toBe('admit');
  },
);

test(
  'with “Solo info” the camera tells and lets nobody in; one ticket after the other, and from there in with a tap',
  slow,
  async () => {
    await using rehearsal = await startRehearsal(browser);
    const { page } = await rehearsal.phone();
    const [single, [other], [void_]] = [
      rehearsal.codes('single')[0]!,
      rehearsal.codes('undo'),
      rehearsal.codes('void'),
    ];
    await page.getByText('Solo info').click();
    await show(page, void_!);
    await page.locator('[data-look=cancelled]').waitFor();
    await show(page, other!);
    await page.locator('[data-look=admit]').waitFor();
    await hide(page);
    expect(await page.getByRole('dialog').innerText()).toContain('nessuno è entrato');
    expect(await readTable(page, 'queue')).toEqual([]);
    await closePanel(page);
    await typeCode(page, single);
    await page.locator('[data-look=admit]').waitFor();
    expect(
      await verdictAfter(page, () =>
        page.getByRole('button', { name: 'Fai entrare', exact: true }).click(),
      ),
    ).toBe('admit');
    expect((await scansOf(page)).map(({ verdict, means }) => [verdict, means])).toEqual([
      ['admit', 'code'],
    ]);

    // Looked at again it says when, where and by whom.
    await closeVerdict(page);
    await typeCode(page, single);
    await page.locator('[data-look=just_read], [data-look=already_in]').waitFor();
    expect(await page.getByRole('region', { name: 'Passaggi' }).innerText()).toMatch(
      /Entrato alle \d\d:\d\d\s+Luca · /,
    );
  },
);

test(
  'a supervisor’s phone finds by name and by order number, accents and apostrophes forgiven; a reader’s code in the field is looked up',
  slow,
  async () => {
    await using rehearsal = await startRehearsal(browser);
    const { db } = rehearsal.server.house.ctx;
    const [ticket] = await db('tickets')
      .where({ event_id: rehearsal.event_id, state: 'valid' })
      .limit(1);
    await db('tickets').where({ id: ticket.id }).update({ holder: 'Nicolò D’Amico' });
    await db('events').where({ id: rehearsal.event_id }).update({ nominative: 1 });
    const { page } = await rehearsal.phone({ role: 'supervisor' });
    await page.getByRole('button', { name: 'Cerca' }).click();
    const box = page.getByRole('searchbox');
    await page.getByText('Scrivi almeno due caratteri, tre per nome e ordine.').waitFor();
    await box.fill('ni');
    await page.getByText('Per nome e ordine scrivi almeno tre caratteri.').waitFor();
    await box.fill('damico nic');
    const row = page
      .getByRole('dialog')
      .getByRole('listitem')
      .filter({ hasText: 'Nicolò D’Amico' });
    await row.waitFor();
    await row.click();
    await page.locator('[data-look]').waitFor();
    expect(await page.getByRole('dialog').innerText()).toContain('Nicolò D’Amico');
    await closePanel(page);
    // The words stand as they were.
    expect(await box.inputValue()).toBe('damico nic');
    // The reader types behind them.
    await box.fill(`damico${rehearsal.codes('void')[0]!}`);
    await box.press('Enter');
    await page.locator('[data-look=cancelled]').waitFor();
    // The next search is about somebody else.
    await closePanel(page);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Cerca' }).click();
    expect(await box.inputValue()).toBe('');
  },
);

test(
  'where guests are not named, a supervisor’s phone asks for seat or order number, and finds nobody by name',
  slow,
  async () => {
    await using rehearsal = await startRehearsal(browser);
    const { db } = rehearsal.server.house.ctx;
    const [ticket] = await db('tickets')
      .where({ event_id: rehearsal.event_id, state: 'valid' })
      .limit(1);
    await db('tickets').where({ id: ticket.id }).update({ holder: 'Nicolò D’Amico' });
    const { number } = await db('orders').where({ id: ticket.order_id }).first('number');
    const { page } = await rehearsal.phone({ role: 'supervisor' });
    await page.getByRole('button', { name: 'Cerca' }).click();
    const box = page.getByRole('searchbox', { name: 'Posto o numero d’ordine' });
    await page.getByText('Scrivi almeno due caratteri, tre per l’ordine.').waitFor();
    await box.fill('damico nic');
    await page.getByText('Nessun posto trovato.').waitFor();
    await box.fill(number);
    const row = page.getByRole('dialog').getByRole('listitem').filter({ hasText: 'N. D.' });
    await row.waitFor();
    await row.click();
    await page.locator('[data-look]').waitFor();
    const told = await page.getByRole('dialog').innerText();
    expect([told.includes(number), told.includes('Amico')]).toEqual([true, false]);
  },
);

test(
  'a ticket under a reader that types into an open question is no reason, whatever it ends with',
  slow,
  async () => {
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
          .map((key) =>
            field.dispatchEvent(
              new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
            ),
          )
          .at(-1),
      foreign,
    );
    expect(isSent).toBe(false);
    await page.getByText('qui va il motivo').waitFor();
    expect(await reason.inputValue()).toBe('Ha pagato ');
    // Too slow to be told by its pace, and sent off by a finger.
    await reason.fill(`Ha pagato ${code}`);
    await page.getByRole('button', { name: 'Conferma' }).click();
    await page.getByText('qui va il motivo').waitFor();
    expect((await scansOf(page)).map(({ verdict }) => verdict)).toEqual(['unpaid']);
    await reason.fill('Ha pagato alla cassa');
    expect(
      await verdictAfter(page, () => page.getByRole('button', { name: 'Conferma' }).click()),
    ).toBe('admit');
    expect((await scansOf(page)).map(({ override }) => override)).toEqual([
      null,
      'Ha pagato alla cassa',
    ]);
  },
);

test(
  'the last line says what is true after a scan was taken back, also on a phone whose clock is wrong',
  slow,
  async () => {
    await using rehearsal = await startRehearsal(browser);
    const { page } = await rehearsal.phone();
    // Half an hour fast; the server's time is what scans carry.
    await page.clock.setSystemTime(Date.now() + 30 * 60_000);
    await expect
      .poll(async () => {
        await page.evaluate(() => dispatchEvent(new Event('focus')));
        return Number(
          (
            (await readTable(page, 'meta')).find(({ key }) => key === 'clock')!['value'] as {
              offset_ms: number;
            }
          ).offset_ms,
        );
      }, patiently)
      .toBeLessThan(-25 * 60_000);
    const code = rehearsal.codes('single')[0]!;
    expect(await readCode(page, code)).toBe('admit');
    await closeVerdict(page);
    await page.getByText('Solo info').click();
    await typeCode(page, code);
    await page.locator('[data-look]').waitFor();
    const passages = page.getByRole('region', { name: 'Passaggi' });
    expect(await passages.innerText()).toMatch(/ second[oi] fa/);
    // Its own scan of a moment ago: no PIN, no supervisor.
    await passages.getByRole('button', { name: /^Annulla l’ingresso delle/ }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Letto per sbaglio' }).click();
    await page.locator('[data-verdict=undone]').waitFor();
    await page.locator('.screens-scan-scan_last[data-last-verdict=undone]').waitFor();
    expect(await page.locator('.screens-scan-scan_last').innerText()).not.toContain('ENTRA');
  },
);

test(
  'a network that was taken away in a rehearsal is missed at a real event without calling it a rehearsal',
  slow,
  async () => {
    await using rehearsal = await startRehearsal(browser);
    const { server, admin, event_id } = rehearsal;
    const { pairing_url } = await callOk(
      server,
      makePhone,
      { body: { name: 'Luca', gate: null, event_ids: [event_id, 'la-locandiera'] } },
      admin,
    );
    await using context = await browser.newContext({ ...phoneScreen, serviceWorkers: 'block' });
    const page = await context.newPage();
    await page.goto(`${server.url}/scanner/${new URL(pairing_url).hash}`);
    const cards = page.locator('.screens-ready-event-choice_card');
    const [real, practice] = [
      cards.filter({ hasNotText: 'Prova' }).getByRole('radio'),
      cards.filter({ hasText: 'Prova' }).getByRole('radio'),
    ];
    for (const radio of [real, practice]) {
      await radio.check();
      await waitForList(page);
    }
    await page.locator('[data-rehearsal=true]').waitFor();
    await page.getByRole('button', { name: 'Senza rete' }).click();
    await real.check();
    const ribbon = page.locator('[data-rehearsal=false][data-no-network=true]');
    await ribbon.waitFor();
    expect(await ribbon.innerText()).toMatch(/^Rete staccata\s+Senza rete$/);
  },
);

test(
  '“Senza rete” of a rehearsal cuts this phone off and says so everywhere; the queue leaves as a file and as codes',
  slow,
  async () => {
    await using rehearsal = await startRehearsal(browser);
    const { page } = await rehearsal.phone();
    await page.getByRole('button', { name: 'Senza rete' }).click();
    await page.locator('[data-no-network=true]').first().waitFor();
    expect(await readCode(page, rehearsal.codes('offline')[0]!)).toBe('admit');
    await closeVerdict(page);
    expect(await page.locator('[data-obstacle]').innerText()).toContain('1 ingresso da inviare');
    await page.getByRole('button', { name: /Letture di questo telefono/ }).click();
    expect(await page.getByRole('dialog').locator('[data-no-network=true]').count()).toBe(1);
    expect(await page.getByRole('dialog').innerText()).toContain('Parte da solo appena torna');

    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Salva file' }).click();
    const saved = JSON.parse(
      Buffer.concat(
        await (await downloading).createReadStream().then((stream) => stream.toArray()),
      ).toString(),
    ) as { items: { verdict: string; admission_id: string }[] };
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
    expect(
      await server.house.ctx
        .db('admissions')
        .where({ event_id: rehearsal.event_id, direction: 'in' })
        .whereIn(
          'id',
          saved.items.map(({ admission_id }) => admission_id),
        ),
    ).toHaveLength(1);
  },
);

test(
  'the figures of the evening stand per gate, sector and category, and one tap away',
  slow,
  async () => {
    await using rehearsal = await startRehearsal(browser);
    const { page } = await rehearsal.phone({ gate: 'Varco A' });
    const before = Number(await page.locator('[data-inside]').getAttribute('data-inside'));
    expect(await readCode(page, rehearsal.codes('single')[0]!)).toBe('admit');
    await closeVerdict(page);
    await page.locator(`[data-inside="${before + 1}"]`).click();
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
    // What a reading does outlasts a look elsewhere.
    await page.getByText('Uscita').click();
    await page.locator('[data-inside]').click();
    await closePanel(page);
    expect(await enterCode(page, rehearsal.codes('single')[0]!)).toBe('out');
  },
);

test(
  'a tap on the rest of the order that comes while the next guest is being decided does not hide his verdict',
  slow,
  async () => {
    await using rehearsal = await startRehearsal(browser);
    const { page } = await rehearsal.phone();
    expect(await readCode(page, rehearsal.codes('group')[0]!)).toBe('admit');
    await page.locator('.screens-scan-verdict_action').waitFor();
    expect(
      await verdictAfter(page, () =>
        typeCode(page, rehearsal.codes('void')[0]!, '.screens-scan-verdict_action'),
      ),
    ).toBe('cancelled');
    await page.locator('[data-verdict=cancelled]').waitFor();
    expect((await scansOf(page)).map(({ verdict, means }) => [verdict, means])).toEqual([
      ['admit', 'code'],
      ['cancelled', 'code'],
    ]);
  },
);

test(
  'an app that the server no longer speaks with says “aggiorna”, and old data stand in red; scans still go up',
  slow,
  async () => {
    await using rehearsal = await startRehearsal(browser);
    const { page, context } = await rehearsal.phone();
    await page.route('**/changes*', (route) =>
      route.fulfill({
        status: 426,
        json: { status: 426, code: 'update_required', message: 'Aggiorna l’app per continuare.' },
      }),
    );
    await page.route('**/live*', (route) => route.abort());
    await page.clock.setSystemTime(Date.now() + 6 * 60_000);
    await context.setOffline(true);
    await context.setOffline(false);
    await page
      .locator('.screens-status-line_old')
      .getByText(/Dati vecchi/)
      .waitFor();
    expect(await page.locator('[data-obstacle]').innerText()).toMatch(
      /App troppo vecchia: torna alla preparazione e aggiorna[^]*Dati vecchi di \d min/,
    );
    expect(await readCode(page, rehearsal.codes('single')[0]!)).toBe('admit');
    await closeVerdict(page);
    await waitForQueue(page, 0);
    await page.getByRole('button', { name: 'Torna alla preparazione' }).click();
    await page.locator('[data-update=required]').waitFor();
    expect(await page.locator('[data-update=required]').innerText()).toMatch(
      /troppo vecchia[^]*Aggiorna/,
    );
    // Nothing is installed here: what the button can do is to load the app again.
    await page.evaluate(() => {
      document.body.dataset['mark'] = 'before';
    });
    await page.getByRole('button', { name: 'Aggiorna' }).last().click();
    await expect
      .poll(
        () => page.evaluate(() => document.body.dataset['mark']).catch(() => 'between'),
        patiently,
      )
      .toBe(undefined);
  },
);

test('a very bright screen is remembered by the phone', slow, async () => {
  await using rehearsal = await startRehearsal(browser);
  const { page } = await rehearsal.phone();
  await page.getByRole('button', { name: 'Schermo per il sole' }).click();
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(
    'rgb(255, 255, 255)',
  );
  await page.reload();
  await page.getByRole('button', { name: 'Schermo scuro' }).waitFor();
  expect(await page.locator('html').getAttribute('data-theme')).toBe('sun');
});
