/** The door in a real browser against the whole product: without a line, over a bad one, killed, revoked, and two phones at once. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signals } from '#apps/scanner/device/signals.ts';
import { changePhone, revokePhone } from '#server/contract/door/phones.ts';
import { startBadLine } from '#tests/support/bad-line.ts';
import { launchBrowser, launchProfile } from '#tests/support/browsers/browser.ts';
import { addCamera, breakCamera, hide, show } from '#tests/support/door/camera.ts';
import { killProcessesOf } from '#tests/support/browsers/kill-browser.ts';
import { makeFilm } from '#tests/support/door/film.ts';
import { callOk, demoEvent, findSeats, makeAdmin, until } from '#tests/support/make.ts';
import {
  closeVerdict,
  codeOfPlace,
  enterCode,
  openPhone,
  pairingLink,
  phoneScreen,
  readTable,
  scanCode,
  sellTickets,
  startScanning,
  typeCode,
  verdictAfter,
  verdictText,
  waitForFrames,
  waitForList,
  waitForQueue,
  waitUntilInstalled,
  wake,
  writeTable,
} from '#tests/support/door/phone.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
}, 60_000);
afterAll(() => browser.close());

/** Something that goes on in another process: asked again until it is so. */
const patiently = { timeout: 15_000, interval: 250 };

/** The product, its first admin, and a line that can be made bad. */
async function startDoor() {
  let server: TestServer | undefined;
  const line = await startBadLine(() => server!.url);
  server = await startServer({ worker: true });
  const admin = await makeAdmin(server);
  const door = {
    server,
    line,
    admin,
    link: (name: string, gate: string | null = null) =>
      pairingLink(server, admin, { name, gate, origin: line.url }),
  };
  return {
    ...door,
    async [Symbol.asyncDispose]() {
      await line[Symbol.asyncDispose]();
      await server.close();
    },
  };
}

async function admissionsOf(server: TestServer) {
  return server.house.ctx.db('admissions').orderBy('seq');
}

test('a phone decides alone after a reload without a line, and everything it read goes up when the line is back', async () => {
  await using door = await startDoor();
  const [first, second] = await sellTickets(door.server, { count: 2 });
  const [reduced] = await sellTickets(door.server, { count: 1, nth: 1, ticket_type: 'ridotto' });
  await using phone = await openPhone(browser, await door.link('Luca', 'Varco A'), {
    installed: true,
  });
  const { page, context } = phone;
  expect(page.url()).toBe(`${door.line.url}/scanner/`);

  await context.setOffline(true);
  await page.reload();
  await startScanning(page);
  expect(await scanCode(page, first!.code)).toBe('admit');
  expect(await enterCode(page, first!.code.toLowerCase().replace(/(.{4})/g, '$1-'))).toBe(
    'just_read',
  );
  expect(await scanCode(page, second!.code)).toBe('admit');
  expect(await scanCode(page, reduced!.code)).toBe('admit');
  expect(await verdictText(page)).toContain('controlla il documento');
  expect(await scanCode(page, 'HTTPS://EXAMPLE.COM')).toBe('invalid');
  const [unsold] = await findSeats(door.server, { count: 1, nth: 5 });
  expect(await scanCode(page, await codeOfPlace(door.server, unsold!, 1))).toBe('verify');
  expect(
    await scanCode(page, await codeOfPlace(door.server, unsold!, 1, 'concerto-di-natale')),
  ).toBe('wrong_event');
  expect(await verdictText(page)).toContain('Concerto di Natale');
  expect(await page.locator('[data-obstacle]').innerText()).toMatch(
    /Sei offline: puoi continuare.*7 ingressi da inviare/s,
  );
  expect(await admissionsOf(door.server)).toEqual([]);

  await context.setOffline(false);
  await waitForQueue(page, 0);
  const stored = await admissionsOf(door.server);
  expect(stored.map(({ seq, verdict, counts }) => [seq, verdict, counts])).toEqual([
    [0, 'admit', 1],
    [1, 'just_read', 0],
    [2, 'admit', 1],
    [3, 'admit', 1],
    [4, 'invalid', 0],
    [5, 'verify', 0],
    [6, 'wrong_event', 0],
  ]);
  expect(stored.slice(0, 4).map(({ ticket_id }) => ticket_id)).toEqual([
    first!.ticket_id,
    first!.ticket_id,
    second!.ticket_id,
    reduced!.ticket_id,
  ]);
  expect(stored.every(({ offline, gate }) => offline === 1 && gate === 'Varco A')).toBe(true);
  expect(await page.locator('[data-camera]').getAttribute('data-decoder')).toBe('zxing-wasm');
  await page.reload();
  await startScanning(page);
  expect(await page.locator('.screens-scan-scan_last').innerText()).toContain('ENTRA');
});

test('at a nominative event the doorman reads the name, offline too, and the phone keeps none that could be read without the ticket', async () => {
  await using door = await startDoor();
  const { db } = door.server.house.ctx;
  await db('events').where({ id: demoEvent }).update({ nominative: 1 });
  const sold = await sellTickets(door.server, { count: 2 });
  await db('tickets').where({ id: sold[0]!.ticket_id }).update({ holder: 'Anna D’Amico' });
  await db('tickets').where({ id: sold[1]!.ticket_id }).update({ holder: 'Bruno Verdi' });
  const tickets = await db('tickets')
    .whereIn(
      'id',
      sold.map((ticket) => ticket.ticket_id),
    )
    .orderBy('holder');
  await using phone = await openPhone(browser, await door.link('Luca'), { installed: true });
  const { page, context } = phone;
  await context.setOffline(true);
  expect(await scanCode(page, await codeOfPlace(door.server, tickets[0].place, 1))).toBe('admit');
  expect(await verdictText(page)).toMatch(/Anna D’Amico/);
  const kept = await page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        const opening = indexedDB.open('botteghino-scanner');
        opening.addEventListener('success', () => {
          const names = [...opening.result.objectStoreNames];
          const reading = opening.result.transaction(names);
          const rows = names.map((name) => reading.objectStore(name).getAll());
          const asText = (_: string, value: unknown) =>
            value instanceof ArrayBuffer || ArrayBuffer.isView(value)
              ? new TextDecoder().decode(value)
              : value;
          reading.addEventListener('complete', () =>
            resolve(
              JSON.stringify(
                rows.map(({ result }) => result as unknown),
                asText,
              ),
            ),
          );
        });
      }),
  );
  // The list is there, and sealed as a whole: neither seats nor names can be read from the disk.
  expect([
    kept.includes('"sealed":"'),
    kept.includes('"n":0'),
    /Amico|Bruno|Verdi|fila/.test(kept.replace(/"seat":"[^"]*"/g, '')),
  ]).toEqual([true, true, false]);
});

test('who is in may go out and come in again, and a code that stays in view is one scan', async () => {
  await using door = await startDoor();
  const [ticket] = await sellTickets(door.server, { count: 1 });
  await using phone = await openPhone(browser, await door.link('Luca'));
  const { page } = phone;
  await show(page, ticket!.code);
  await page.locator('.screens-scan-scan_last[data-last-verdict=admit]').waitFor();
  // Longer than the green screen stays, and longer than a code is taken for the same without being seen again.
  await page.locator('[data-verdict]').waitFor({ state: 'detached' });
  await waitForFrames(page, 25);
  expect(await readTable(page, 'queue')).toHaveLength(1);
  await hide(page);
  await page.getByText('Uscita').click();
  expect(await enterCode(page, ticket!.code)).toBe('out');
  await closeVerdict(page);
  await page.getByText('Entrata').click();
  expect(await enterCode(page, ticket!.code)).toBe('admit');
});

test('a browser that is killed in the middle of the queue loses no scan and forgets nobody who is inside', async () => {
  await using door = await startDoor();
  const [first, second] = await sellTickets(door.server, { count: 2 });
  const profile = await mkdtemp(path.join(tmpdir(), 'phone-'));
  const open = async () => {
    const context = await launchProfile(profile, phoneScreen);
    await addCamera(context);
    return { context, page: context.pages()[0]! };
  };
  const before = await open();
  await before.page.goto(await door.link('Luca'));
  await waitForList(before.page);
  await waitUntilInstalled(before.page);
  await startScanning(before.page);
  door.line.faults.portal = 'all';
  expect(await scanCode(before.page, first!.code)).toBe('admit');
  expect(await scanCode(before.page, second!.code)).toBe('admit');
  await killProcessesOf(profile);

  const after = await open();
  await after.page.goto(`${door.line.url}/scanner/`);
  await startScanning(after.page);
  await waitForQueue(after.page, 2);
  expect(await enterCode(after.page, first!.code)).toMatch(/already_in|just_read/);
  door.line.faults.portal = false;
  await wake(after.page);
  await waitForQueue(after.page, 0);
  expect((await admissionsOf(door.server)).map(({ seq, counts }) => [seq, counts])).toEqual([
    [0, 1],
    [1, 1],
    [2, 0],
  ]);
  await after.context.close();
  await rm(profile, { recursive: true, force: true });
}, 60_000);

test('a revoked phone has no ticket left, and hands in what it had read', async () => {
  await using door = await startDoor();
  const [ticket] = await sellTickets(door.server, { count: 1 });
  await using phone = await openPhone(browser, await door.link('Luca'));
  const { page, context } = phone;
  await context.setOffline(true);
  expect(await scanCode(page, ticket!.code)).toBe('admit');
  const [row] = await door.server.house.ctx.db('phones');
  await callOk(door.server, revokePhone, { params: { phoneId: row.id } }, door.admin);
  await context.setOffline(false);
  await page.getByRole('heading', { name: 'Questo telefono non è più autorizzato' }).waitFor();
  await waitForQueue(page, 0);
  expect((await admissionsOf(door.server)).map(({ counts }) => counts)).toEqual([1]);
  for (const table of ['events', 'parts']) expect(await readTable(page, table), table).toEqual([]);
  expect(JSON.stringify(await readTable(page, 'meta'))).toContain('"device_token":""');
  // What was handed in names seats: it goes too.
  expect(await readTable(page, 'queue')).toEqual([]);
  expect(await page.getByRole('button', { name: 'Mostra QR' }).count()).toBe(0);

  // What the server could not read stays, and can leave by hand.
  await writeTable(page, 'queue', [
    {
      admission_id: 'spoiled',
      phone_id: row.id,
      seq: 9,
      event_id: demoEvent,
      place: null,
      revision: null,
      read: 'X',
      direction: 'in',
      gate: null,
      verdict: 'invalid',
      counts: false,
      override: null,
      scanned_at: Date.now(),
      corrected_at: Date.now(),
      offline: true,
      means: 'code',
      note: null,
      annuls: null,
      fate: 'unreadable',
      answered_at: Date.now(),
      seat: null,
    },
  ]);
  await page.reload();
  await page.locator('[data-revoked]').waitFor();
  expect(await page.locator('[data-revoked] [role=status]').innerText()).toContain(
    'tranne 1 che il server non ha capito',
  );
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Salva file' }).click();
  const saved = Buffer.concat(
    await (await downloading).createReadStream().then((stream) => stream.toArray()),
  ).toString();
  expect(JSON.parse(saved)).toMatchObject({
    phone_id: row.id,
    items: [{ admission_id: 'spoiled' }],
  });
  await page.getByRole('button', { name: 'Mostra QR' }).click();
  await page.getByRole('img', { name: 'Codice 1 di 1' }).waitFor();
});

test('a phone keeps the event with which it has begun, whatever the calendar says meanwhile, and stops with a word when the office takes it away', async () => {
  await using door = await startDoor();
  const [first, second] = await sellTickets(door.server, { count: 2 });
  const { db } = door.server.house.ctx;
  const next = 'concerto-di-natale';
  const { starts_at } = await db('events').where({ id: demoEvent }).first();
  await db('events')
    .where({ id: next })
    .update({ starts_at: starts_at + 3 * 3_600_000 });
  const context = await browser.newContext({ ...phoneScreen, serviceWorkers: 'block' });
  await addCamera(context);
  const page = await context.newPage();
  await page.goto(
    await pairingLink(door.server, door.admin, {
      name: 'Luca',
      origin: door.line.url,
      event_ids: [demoEvent, next],
    }),
  );
  await waitForList(page);
  // Nobody has tapped an event: it is the nearest one.
  await startScanning(page);
  const later = starts_at + 2 * 3_600_000;
  await page.clock.setSystemTime(later);
  const drawn = () =>
    expect
      .poll(async () => {
        await page.evaluate(() => dispatchEvent(new Event('focus')));
        return (await readTable(page, 'events')).every(
          ({ updated_at }) => Number(updated_at) >= later,
        );
      }, patiently)
      .toBe(true);
  await drawn();
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('La locandiera');
  expect(await enterCode(page, first!.code)).toBe('admit');

  // The phone is started anew in the middle of it.
  await page.reload();
  await waitForList(page);
  await drawn();
  expect(await page.getByRole('radio', { name: /La locandiera/ }).isChecked()).toBe(true);
  await startScanning(page);
  expect(await enterCode(page, second!.code)).toBe('admit');

  const [row] = await db('phones');
  await callOk(
    door.server,
    changePhone,
    { params: { phoneId: row.id }, body: { event_ids: [next] } },
    door.admin,
  );
  await page.evaluate(() => dispatchEvent(new Event('focus')));
  await page.locator('[data-ended]').waitFor();
  expect(await page.locator('[data-ended]').innerText()).toBe(
    'L’ufficio ha tolto «La locandiera» da questo telefono: la lettura si è fermata.',
  );
  expect(await page.locator('.screens-scan-scan_last').count()).toBe(0);
  await startScanning(page);
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toContain('Concerto di Natale');
  await context.close();
}, 60_000);

test('where nobody comes in twice, who has left is told to have left, and cannot leave again', async () => {
  await using door = await startDoor();
  const [ticket] = await sellTickets(door.server, { count: 1 });
  await door.server.house.ctx.db('events').where({ id: demoEvent }).update({ reentry: 0 });
  await using luca = await openPhone(browser, await door.link('Luca'));
  await using sara = await openPhone(browser, await door.link('Sara'));
  expect(await enterCode(luca.page, ticket!.code)).toBe('admit');
  await waitForQueue(luca.page, 0);

  // A ticket that is being looked at is shown as it is now: the other phone lets its holder out meanwhile.
  const { page } = sara;
  await page.locator('[data-inside="1"]').waitFor();
  await page.getByText('Solo info').click();
  await typeCode(page, ticket!.code);
  await page.locator('[data-look=already_in]').waitFor();
  const panel = page.getByRole('dialog');
  const letOut = panel.getByRole('button', { name: 'Segna che esce' });
  await letOut.waitFor();
  await closeVerdict(luca.page);
  await luca.page.getByText('Uscita').click();
  expect(await enterCode(luca.page, ticket!.code)).toBe('out');
  await panel.getByText(/È uscito alle \d\d:\d\d: non può rientrare/).waitFor();
  expect(await letOut.count()).toBe(0);

  await panel.getByRole('button', { name: 'Indietro' }).click();
  await page.getByText('Entrata').click();
  expect(await enterCode(page, ticket!.code)).toBe('already_in');
  expect(await verdictText(page)).toMatch(/È uscito alle \d\d:\d\d: non può rientrare/);
});

test('“entra tutto l’ordine” asks for the documents of reduced tickets one by one, and waits until they were seen', async () => {
  await using door = await startDoor();
  const tickets = await sellTickets(door.server, { count: 3, ticket_type: 'ridotto' });
  await door.server.house.ctx
    .db('tickets')
    .where({ id: tickets[1]!.ticket_id })
    .update({ holder: 'Anna Verdi' });
  await using phone = await openPhone(browser, await door.link('Luca'));
  const { page } = phone;
  expect(await enterCode(page, tickets[0]!.code)).toBe('admit');
  await page.getByRole('button', { name: 'Altri 2 biglietti: entra tutto l’ordine' }).click();
  const group = page.locator('[data-verdict=group]');
  await group.waitFor();
  expect(await group.getByText(/: controlla il documento$/).count()).toBe(2);
  expect(await group.locator('.screens-scan-verdict_group-who').allInnerTexts()).toEqual(['A. V.']);
  expect([
    await group.locator('.screens-scan-verdict_timer').count(),
    await group.locator('.screens-scan-verdict_hint').count(),
  ]).toEqual([0, 1]);
});

test('on the scanning screen a pairing that is void and a server’s own trouble are said, not taken for a missing signal', async () => {
  await using door = await startDoor();
  const [ticket] = await sellTickets(door.server, { count: 1 });
  await using phone = await openPhone(browser, await door.link('Luca'));
  const { page } = phone;
  const line = page.locator('[data-obstacle]');
  const refuse = (status: number, code: string, message: string) =>
    page.route('**/api/scanner/**', (route) =>
      route.fulfill({ status, json: { status, code, message } }),
    );
  const now = () => page.evaluate(() => dispatchEvent(new Event('focus')));
  await refuse(503, 'busy', 'Il server è in manutenzione.');
  await now();
  await line.getByText('Puoi continuare. Il server è in manutenzione').waitFor();
  expect(await line.innerText()).not.toContain('Sei offline');
  await page.unroute('**/api/scanner/**');
  await now();
  await page.locator('[data-online=true][data-obstacle=false]').waitFor();
  await refuse(401, 'not_logged_in', 'Accedi.');
  await now();
  await line
    .getByText('L’abbinamento non vale più: abbina di nuovo il telefono in ufficio')
    .waitFor();
  // It goes on deciding by what it has.
  expect(await enterCode(page, ticket!.code)).toBe('admit');
});

test('a phone that hears of its revocation while it writes its list keeps no ticket', async () => {
  await using door = await startDoor();
  const context = await browser.newContext({ ...phoneScreen, serviceWorkers: 'block' });
  const page = await context.newPage();
  const firstStep = Promise.withResolvers<void>();
  await page.exposeBinding('tellOfStep', () => firstStep.resolve());
  // Writing takes its time, as on an old phone: the news comes between two of its steps.
  await page.addInitScript(() => {
    const original = IDBDatabase.prototype.transaction;
    IDBDatabase.prototype.transaction = function (stores, mode, options) {
      const names = [stores].flat() as string[];
      if (mode === 'readwrite' && names.includes('parts') && !names.includes('meta')) {
        (window as unknown as { tellOfStep(): void }).tellOfStep();
        for (const end = performance.now() + 80; performance.now() < end;);
      }
      return original.call(this, stores, mode, options);
    };
  });
  await page.route('**/api/scanner/heartbeat', async (route) => {
    await firstStep.promise;
    await route.fulfill({
      status: 401,
      json: { status: 401, code: 'phone_revoked', message: 'Questo telefono è stato revocato.' },
    });
  });
  await page.goto(await door.link('Luca'));
  await page.locator('[data-revoked]').waitFor();
  // The cycle has ended when the token is given up.
  await expect
    .poll(() => readTable(page, 'meta').then((rows) => JSON.stringify(rows)), patiently)
    .toContain('"device_token":""');
  for (const table of ['events', 'parts']) expect(await readTable(page, table), table).toEqual([]);
  await context.close();
});

test('an override is for the guest about whom it was asked; a code read meanwhile is nobody’s turn', async () => {
  await using door = await startDoor();
  const [first, second] = await sellTickets(door.server, { count: 2 });
  const [unsold] = await findSeats(door.server, { count: 1, nth: 5 });
  const doubtful = await codeOfPlace(door.server, unsold!, 1);
  await using phone = await openPhone(browser, await door.link('Luca'));
  const { page } = phone;
  expect(await enterCode(page, doubtful)).toBe('verify');
  // Who is hidden by the verdict is not reached by the keyboard either.
  const reached: unknown[] = [];
  for (let i = 0; i < 4; i += 1) {
    await page.keyboard.press('Tab');
    reached.push(await page.evaluate(() => document.activeElement!.closest('main') === null));
  }
  expect(reached).toEqual([true, true, true, true]);
  await page.keyboard.press('Escape');
  await page.locator('[data-verdict]').waitFor({ state: 'detached' });

  expect(await enterCode(page, doubtful)).toBe('verify');
  // The tap comes while the next guest's code is being decided: his verdict comes first.
  expect(
    await verdictAfter(page, () => typeCode(page, first!.code, '.screens-scan-verdict_overrule')),
  ).toBe('admit');
  expect(await page.getByRole('alertdialog').count()).toBe(0);

  expect(await enterCode(page, doubtful)).toBe('verify');
  await page.getByRole('button', { name: 'Fai entrare lo stesso' }).click();
  await page.getByRole('alertdialog').waitFor();
  await typeCode(page, second!.code);
  expect(
    await verdictAfter(page, () =>
      page.getByRole('button', { name: 'Deciso dal responsabile' }).click(),
    ),
  ).toBe('admit');
  const rows = (await readTable(page, 'queue')).toSorted(
    (a, b) => Number(a['seq']) - Number(b['seq']),
  );
  const sold = (await door.server.house.ctx.db('tickets').where({ id: first!.ticket_id }).first())
    .place;
  expect(rows.map(({ place, verdict, override }) => [place, verdict, override])).toEqual([
    [unsold, 'verify', null],
    [unsold, 'verify', null],
    [sold, 'admit', null],
    [unsold, 'verify', null],
    [unsold, 'admit', 'Deciso dal responsabile'],
  ]);
});

test('a scan goes up at once while a list hangs, and one event’s trouble does not keep the next from its list', async () => {
  await using door = await startDoor();
  const [ticket] = await sellTickets(door.server, { count: 1 });
  const context = await browser.newContext({ ...phoneScreen, serviceWorkers: 'block' });
  await addCamera(context);
  const page = await context.newPage();
  const [broken, healthy] = ['concerto-di-natale', demoEvent];
  await page.route(`**/events/${broken}/{list,changes}*`, (route) =>
    route.fulfill({ status: 500, json: { status: 500, code: 'internal', message: 'Errore' } }),
  );
  await page.goto(
    await pairingLink(door.server, door.admin, {
      name: 'Luca',
      origin: door.line.url,
      event_ids: [broken, healthy],
    }),
  );
  await page.getByText('La locandiera').click();
  await waitForList(page);
  await startScanning(page);

  const hanging = Promise.withResolvers<void>();
  await page.unroute(`**/events/${broken}/{list,changes}*`);
  await page.route('**/{list,changes}*', () => hanging.resolve());
  await wake(page);
  await hanging.promise;
  expect(await enterCode(page, ticket!.code)).toBe('admit');
  await expect
    .poll(() => admissionsOf(door.server).then((rows) => rows.length), {
      timeout: 4_000,
      interval: 100,
    })
    .toBe(1);

  // A conflict of this morning is still to be looked at after a full evening.
  const [sent] = await readTable(page, 'queue');
  const old = Array.from({ length: 230 }, (_, i) => ({
    ...sent,
    admission_id: `old-${i}`,
    seq: i + 10,
    scanned_at: Number(sent!['scanned_at']) - 1_000 * (230 - i),
    fate: i === 0 ? 'conflict' : 'stored',
  }));
  await writeTable(page, 'queue', old);
  await closeVerdict(page);
  await page.getByRole('button', { name: /Letture di questo telefono/ }).click();
  await page.getByRole('region', { name: 'Da guardare' }).locator('[data-fate=conflict]').waitFor();
  await context.close();
});

test('a camera that the system takes away is missed, and comes back without a tap', async () => {
  await using door = await startDoor();
  await using phone = await openPhone(browser, await door.link('Luca'));
  const { page } = phone;
  await breakCamera(page, 'NotReadableError');
  await page.evaluate(() => {
    const [track] = (
      document.querySelector<HTMLVideoElement>('[data-camera] video')!.srcObject as MediaStream
    ).getVideoTracks();
    track!.stop();
    track!.dispatchEvent(new Event('ended'));
  });
  await page.getByRole('heading', { name: 'Fotocamera occupata' }).waitFor();
  await breakCamera(page, null);
  await page.locator('[data-camera-state=running]').waitFor();
});

test('a phone whose memory does not open says what to do', async () => {
  await using server = await startServer();
  const context = await browser.newContext({ ...phoneScreen, serviceWorkers: 'block' });
  await context.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('Internal error opening backing store', 'UnknownError');
    };
  });
  const page = await context.newPage();
  await page.goto(`${server.url}/scanner/`);
  expect(await page.getByRole('alert').innerText()).toContain(
    'Il telefono non riesce ad aprire i suoi dati',
  );
  await page.getByRole('button', { name: 'Riprova' }).waitFor();
  await context.close();
});

test('two days after the evening the phone wipes its tickets by its own clock, without a line, and keeps what it has to send', async () => {
  await using door = await startDoor();
  const [ticket] = await sellTickets(door.server, { count: 1 });
  await using phone = await openPhone(browser, await door.link('Luca'));
  const { page, context } = phone;
  await context.setOffline(true);
  expect(await scanCode(page, ticket!.code)).toBe('admit');
  const { starts_at } = await door.server.house.ctx.db('events').where({ id: demoEvent }).first();
  await page.clock.setSystemTime(starts_at + 47 * 3_600_000);
  await wake(page);
  await page.getByText('Uscita').click();
  expect(await enterCode(page, ticket!.code)).toBe('out');
  await page.clock.setSystemTime(starts_at + 49 * 3_600_000);
  await wake(page);
  await page.getByText('L’evento è concluso').waitFor();
  for (const table of ['events', 'parts']) expect(await readTable(page, table), table).toEqual([]);
  await context.setOffline(false);
  await expect
    .poll(async () => {
      await wake(page);
      return (await admissionsOf(door.server)).length;
    }, patiently)
    .toBe(2);
  expect(await readTable(page, 'parts')).toEqual([]);
});

test('a new list in the middle of the evening keeps the queue and who is inside', async () => {
  await using door = await startDoor();
  const [first, second] = await sellTickets(door.server, { count: 2 });
  await using phone = await openPhone(browser, await door.link('Luca'));
  const { page, context } = phone;
  expect(await scanCode(page, first!.code)).toBe('admit');
  await waitForQueue(page, 0);
  await context.setOffline(true);
  expect(await scanCode(page, second!.code)).toBe('admit');
  const [late] = await sellTickets(door.server, { count: 1, nth: 2 });
  // Another database behind the same address: the phone's cursor means nothing to it.
  await door.server.house.ctx
    .db('events')
    .where({ id: demoEvent })
    .update({ feed_epoch: 'another' });
  // Scans stay unsent: what the new list cannot know must survive it.
  door.line.faults.portal = 'hand_in';
  await context.setOffline(false);
  await expect
    .poll(() => readTable(page, 'events').then(([row]) => Number(row!['generation'])), patiently)
    .toBeGreaterThan(1);
  expect(await enterCode(page, second!.code)).toMatch(/already_in|just_read/);
  expect(await enterCode(page, first!.code)).toMatch(/already_in|just_read/);
  expect(await enterCode(page, late!.code)).toBe('admit');
  door.line.faults.portal = false;
  await wake(page);
  await waitForQueue(page, 0);
  expect((await admissionsOf(door.server)).map(({ seq, counts }) => [seq, counts])).toEqual([
    [0, 1],
    [1, 1],
    [2, 0],
    [3, 0],
    [4, 1],
  ]);
  // Nothing of the list before is left on the disk.
  const [row] = await readTable(page, 'events');
  expect(new Set((await readTable(page, 'parts')).map(({ generation }) => generation))).toEqual(
    new Set([row!['generation']]),
  );
});

test(
  'two phones without a line let in the same ticket: both say so afterwards, and a third look says where and by whom',
  { timeout: 90_000 },
  async () => {
    await using door = await startDoor();
    const [ticket, other] = await sellTickets(door.server, { count: 2 });
    await using luca = await openPhone(browser, await door.link('Luca', 'Varco A'));
    await using sara = await openPhone(browser, await door.link('Sara', 'Varco B'));
    await luca.context.setOffline(true);
    await sara.context.setOffline(true);
    expect(await scanCode(luca.page, ticket!.code)).toBe('admit');
    expect(await scanCode(sara.page, ticket!.code)).toBe('admit');
    await sara.page.evaluate(() => {
      const felt: string[] = [];
      Object.assign(window, { felt });
      navigator.vibrate = (pulse) => felt.push([pulse].flat().join()) > 0;
    });
    await sara.context.setOffline(false);
    await waitForQueue(sara.page, 0);
    await luca.context.setOffline(false);
    await waitForQueue(luca.page, 0);
    await expect
      .poll(async () => {
        await wake(sara.page);
        return (await readTable(sara.page, 'queue'))[0]!.fate;
      }, patiently)
      .toBe('conflict');
    expect((await readTable(luca.page, 'queue'))[0]!.fate).toBe('stored');
    await closeVerdict(sara.page);
    // It is felt once, stands on the scanning screen, and marks the button, until somebody has looked.
    const line = sara.page.getByRole('alert').getByText(/Doppio ingresso: Platea, fila/);
    await line.waitFor();
    expect(await sara.page.evaluate(() => (window as unknown as { felt: string[] }).felt)).toEqual([
      signals.conflict.pulse.join(),
    ]);
    await sara.page
      .getByRole('button', { name: /Letture di questo telefono.*1 doppio ingresso/ })
      .waitFor();
    await line.click();
    const card = sara.page
      .getByRole('region', { name: 'Da guardare' })
      .locator('[data-fate=conflict]');
    await card.getByText(/Varco A · Luca/).waitFor();
    expect(await card.innerText()).toMatch(
      /Platea, fila \w+, posto \d+[^]*Poi, qui[^]*\d\d:\d\d · Varco B[^]*minut/,
    );
    await sara.page.keyboard.press('Escape');
    await line.waitFor({ state: 'detached' });

    expect(await scanCode(luca.page, other!.code)).toBe('admit');
    await waitForQueue(luca.page, 0);
    await closeVerdict(sara.page);
    await sara.page.locator('[data-inside="2"]').waitFor();
    expect(await scanCode(sara.page, other!.code)).toBe('already_in');
    expect(await verdictText(sara.page)).toMatch(
      /alle \d\d:\d\d al Varco A, da Luca – (?:un secondo|\d+ secondi) fa/,
    );
  },
);

test('lost answers, a captive portal and a spoiled scan lose nothing: each scan is on the server once, the spoiled one on the shelf', async () => {
  await using door = await startDoor();
  const tickets = await sellTickets(door.server, { count: 3 });
  await using phone = await openPhone(browser, await door.link('Luca'));
  const { page } = phone;
  door.line.faults.portal = 'all';
  expect(await scanCode(page, tickets[0]!.code)).toBe('admit');
  expect(await scanCode(page, tickets[1]!.code)).toBe('admit');
  expect(await scanCode(page, tickets[2]!.code)).toBe('admit');
  await page.locator('[data-online=false]').waitFor();
  expect(await readTable(page, 'queue')).toHaveLength(3);

  door.line.faults.loseAnswers = 2;
  door.line.faults.spoil = (scan) => (scan.seq === 1 ? { ...scan, direction: 'sideways' } : null);
  door.line.faults.portal = false;
  await expect
    .poll(async () => {
      await wake(page);
      return page.locator('[data-queue]').first().getAttribute('data-queue');
    }, patiently)
    .toBe('0');
  expect(door.line.batches()).toBeGreaterThanOrEqual(3);
  expect((await admissionsOf(door.server)).map(({ seq }) => seq)).toEqual([0, 2]);
  expect((await readTable(page, 'queue')).map(({ seq, fate }) => [seq, fate]).toSorted()).toEqual([
    [0, 'stored'],
    [1, 'unreadable'],
    [2, 'stored'],
  ]);
  await closeVerdict(page);
  await page.getByRole('button', { name: /Letture di questo telefono/ }).click();
  expect(await page.locator('[data-fate=unreadable]').first().innerText()).toContain('Illeggibile');
  // Nothing waits any more, and what lies on the shelf can still be carried to the office.
  await page
    .getByRole('region', { name: 'Esporta' })
    .getByRole('button', { name: 'Mostra QR' })
    .click();
  await page.getByRole('img', { name: 'Codice 1 di 1' }).waitFor();
});

test('without a camera codes come by hand and by a reader that types', async () => {
  await using door = await startDoor();
  const [first, second] = await sellTickets(door.server, { count: 2 });
  const context = await browser.newContext({ ...phoneScreen, serviceWorkers: 'block' });
  await addCamera(context);
  const page = await context.newPage();
  await page.goto(await door.link('Luca'));
  await waitForList(page);
  await breakCamera(page, 'NotAllowedError');
  await page.getByRole('button', { name: 'Inizia' }).click();
  await page.getByRole('heading', { name: 'Fotocamera bloccata' }).waitFor();
  expect(await enterCode(page, first!.code)).toBe('admit');
  await closeVerdict(page);
  const typed = await verdictAfter(page, () => typeCode(page, second!.code));
  expect(typed).toBe('admit');
  await breakCamera(page, null);
  await closeVerdict(page);
  await page.getByRole('button', { name: 'Riprova' }).click();
  await page.locator('[data-camera-state=running]').waitFor();
  await context.close();
});

test('a used pairing link is refused in words, and a pasted new one works', async () => {
  await using door = await startDoor();
  const link = await door.link('Luca');
  await using phone = await openPhone(browser, link);
  const context = await browser.newContext({ ...phoneScreen, serviceWorkers: 'block' });
  const page = await context.newPage();
  await page.goto(link);
  expect(await page.getByRole('alert').innerText()).toContain('non è più valido');
  await page.getByLabel(/incolla il link/).fill(await door.link('Sara'));
  await page.getByRole('button', { name: 'Abbina', exact: true }).click();
  await waitForList(page);
  await context.close();
  // The first phone has not lost its place to the second try.
  await wake(phone.page);
  await phone.page.locator('[data-online=true]').waitFor();
});

test('a real camera stream is read: a film with two tickets, the second light on dark', async () => {
  await using door = await startDoor();
  const [ticket, other] = await sellTickets(door.server, { count: 2 });
  const folder = await mkdtemp(path.join(tmpdir(), 'film-'));
  const film = path.join(folder, 'door.y4m');
  await makeFilm(
    film,
    [
      { text: null, ms: 300 },
      { text: ticket!.code, ms: 900 },
      { text: null, ms: 300 },
      { text: other!.code, ms: 900 },
    ],
    { inverted: true },
  );
  const filmed = await launchBrowser([`--use-file-for-fake-video-capture=${film}`]);
  const page = await (
    await filmed.newContext({ ...phoneScreen, serviceWorkers: 'block' })
  ).newPage();
  await page.goto(await door.link('Luca'));
  await waitForList(page);
  await startScanning(page);
  await until(async () => {
    const admitted = (await readTable(page, 'queue')).filter(({ verdict }) => verdict === 'admit');
    return new Set(admitted.map(({ place }) => place)).size === 2;
  });
  await filmed.close();
  await rm(folder, { recursive: true, force: true });
});
