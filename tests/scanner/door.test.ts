/** The door in a real browser against the whole product: without a line, over a bad one, killed, revoked, and two phones at once. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signals } from '#apps/scanner/device/signals.ts';
import { admitTicket } from '#server/contract/door/admissions.ts';
import { changePhone, pairPhone, revokePhone } from '#server/contract/door/phones.ts';
import { testOnce as it } from '#tests/support/both.ts';
import { startBadLine } from '#tests/support/bad-line.ts';
import { launchBrowser, launchShellProfile } from '#tests/support/browsers/browser.ts';
import { addCamera } from '#tests/support/door/camera.ts';
import { killProcessesOf } from '#tests/support/browsers/kill-browser.ts';
import { makeFilm } from '#tests/support/door/film.ts';
import { callOk, demoEvent, findSeats, until } from '#tests/support/make.ts';
import {
  closeVerdict,
  codeOfPlace,
  enterCode,
  openDoor,
  openPhone,
  openWindow,
  phoneScreen,
  readScans,
  readTable,
  scanCode,
  sellTickets,
  startScanning,
  typeCode,
  verdictAfter,
  verdictText,
  waitForList,
  waitForQueue,
  waitUntilInstalled,
  wake,
  writeTable,
  type SoldTicket,
} from '#tests/support/door/phone.ts';
import { setPolicy } from '#tests/support/refunds.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
}, 60_000);
afterAll(() => browser.close());

/** Something that goes on in another process: asked again until it is so. */
const patiently = { timeout: 15_000, interval: 250 };
const hourMs = 3_600_000;

test('a phone decides alone after a reload without a line, everything it read goes up when the line is back, and two days after the evening its tickets go by its own clock', async () => {
  await using door = await openDoor(2);
  const { server, db } = door;
  const [first, second] = door.tickets;
  const [reduced] = await sellTickets(server, { count: 1, nth: 1, ticket_type: 'ridotto' });
  await db('events').where({ id: demoEvent }).update({ nominative: 1 });
  const named = db('tickets').where({ id: first!.ticket_id });
  await named.update({ holder: 'Anna D’Amico' });
  const link = await door.link('Luca', { gate: 'Varco A' });
  await using phone = await openPhone(browser, link, { installed: true });
  const { page, context } = phone;
  expect(page.url()).toBe(`${server.url}/scanner/`);

  await context.setOffline(true);
  await page.reload();
  await startScanning(page);
  expect(await scanCode(page, first!.code)).toBe('admit');
  expect(await verdictText(page)).toMatch(/Anna D’Amico/);
  const spelled = first!.code.toLowerCase().replace(/(.{4})/g, '$1-');
  expect(await enterCode(page, spelled)).toBe('just_read');
  expect(await scanCode(page, second!.code)).toBe('admit');
  expect(await scanCode(page, reduced!.code)).toBe('admit');
  expect(await verdictText(page)).toContain('controlla il documento');
  expect(await scanCode(page, 'HTTPS://EXAMPLE.COM')).toBe('invalid');
  const [unsold] = await findSeats(server, { count: 1, nth: 5 });
  expect(await scanCode(page, await codeOfPlace(server, unsold!, 1))).toBe('verify');
  const elsewhere = await codeOfPlace(server, unsold!, 1, 'concerto-di-natale');
  expect(await scanCode(page, elsewhere)).toBe('wrong_event');
  expect(await verdictText(page)).toContain('Concerto di Natale');
  expect(await page.locator('[data-obstacle]').innerText()).toMatch(
    /Sei offline: puoi continuare.*7 letture da inviare, 3 ingressi/s,
  );
  expect(await door.admissions()).toEqual([]);

  await context.setOffline(false);
  await waitForQueue(page, 0);
  const stored = await door.admissions();
  expect(stored.map(({ seq, verdict, counts }) => [seq, verdict, counts])).toEqual([
    [0, 'admit', 1],
    [1, 'just_read', 0],
    [2, 'admit', 1],
    [3, 'admit', 1],
    [4, 'invalid', 0],
    [5, 'verify', 0],
    [6, 'wrong_event', 0],
  ]);
  expect(stored.slice(0, 4).map(({ ticket_id }) => ticket_id)).toEqual(
    [first, first, second, reduced].map((ticket) => ticket!.ticket_id),
  );
  expect(stored.every(({ offline, gate }) => offline === 1 && gate === 'Varco A')).toBe(true);

  await page.reload();
  await startScanning(page);
  expect(await page.locator('.screens-scan-scan_last').innerText()).toContain('ENTRA');
  await context.setOffline(true);
  const { starts_at } = await db('events').where({ id: demoEvent }).first();
  await page.clock.setSystemTime(starts_at + 49 * hourMs);
  await wake(page);
  await page.getByText('L’evento è concluso').waitFor();
  for (const table of ['events', 'parts']) expect(await readTable(page, table), table).toEqual([]);
});

test('a browser that is killed in the middle of the queue loses no scan and forgets nobody who is inside', async () => {
  await using door = await openDoor(2);
  await using line = await startBadLine(() => door.server.url);
  const [first, second] = door.tickets;
  const profile = await mkdtemp(path.join(tmpdir(), 'phone-'));
  const open = async () => {
    const context = await launchShellProfile(profile, phoneScreen);
    await addCamera(context);
    return { context, page: context.pages()[0]! };
  };
  const before = await open();
  await before.page.goto(await door.link('Luca', { origin: line.url }));
  await waitForList(before.page);
  await waitUntilInstalled(before.page);
  await startScanning(before.page);
  line.faults.portal = 'all';
  expect(await scanCode(before.page, first!.code)).toBe('admit');
  expect(await scanCode(before.page, second!.code)).toBe('admit');
  await killProcessesOf(profile);

  const after = await open();
  await after.page.goto(`${line.url}/scanner/`);
  await startScanning(after.page);
  await waitForQueue(after.page, 2);
  expect(await enterCode(after.page, first!.code)).toMatch(/already_in|just_read/);
  line.faults.portal = false;
  await wake(after.page);
  await waitForQueue(after.page, 0);
  expect((await door.admissions()).map(({ seq, counts }) => [seq, counts])).toEqual([
    [0, 1],
    [1, 1],
    [2, 0],
  ]);
  await after.context.close();
  await rm(profile, { recursive: true, force: true });
}, 60_000);

test('a revoked phone has no ticket left, and hands in what it had read', async () => {
  await using door = await openDoor();
  await using phone = await openPhone(browser, await door.link());
  const { page, context } = phone;
  await context.setOffline(true);
  expect(await scanCode(page, door.tickets[0]!.code)).toBe('admit');
  const [kept] = await readScans(page);
  const [row] = await door.db('phones');
  await callOk(door.server, revokePhone, { params: { phoneId: row.id } }, door.admin);
  await context.setOffline(false);
  await page.getByRole('heading', { name: 'Questo telefono non è più autorizzato' }).waitFor();
  await waitForQueue(page, 0);
  expect((await door.admissions()).map(({ counts }) => counts)).toEqual([1]);
  for (const table of ['events', 'parts']) expect(await readTable(page, table), table).toEqual([]);
  expect(JSON.stringify(await readTable(page, 'meta'))).toContain('"device_token":""');
  // What was handed in names seats: it goes too.
  expect(await readTable(page, 'queue')).toEqual([]);
  expect(await page.getByRole('button', { name: 'Mostra QR' }).count()).toBe(0);

  // What the server could not read stays, and can leave by hand.
  await writeTable(page, 'queue', [{ ...kept, admission_id: 'spoiled', fate: 'unreadable' }]);
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

test('a used pairing link is refused in words and a pasted new one works; a phone keeps the event with which it has begun, whatever the calendar says meanwhile, and stops with a word when the office takes it away', async () => {
  await using door = await openDoor(2);
  const { server, db } = door;
  const [first, second] = door.tickets;
  const next = 'concerto-di-natale';
  const { starts_at } = await db('events').where({ id: demoEvent }).first();
  await db('events')
    .where({ id: next })
    .update({ starts_at: starts_at + 3 * hourMs });
  await using phone = await openWindow(browser);
  const { page } = phone;
  const used = await door.link();
  await callOk(server, pairPhone, { body: { token: used.split('#pair=')[1]! } });
  await page.goto(used);
  expect(await page.getByRole('alert').innerText()).toContain('non è più valido');
  const link = await door.link('Sara', { event_ids: [demoEvent, next] });
  await page.getByLabel(/incolla il link/).fill(link);
  await page.getByRole('button', { name: 'Abbina', exact: true }).click();
  await waitForList(page);
  // Nobody has tapped an event: it is the nearest one.
  await startScanning(page);
  const later = starts_at + 2 * hourMs;
  await page.clock.setSystemTime(later);
  const drawn = () =>
    expect
      .poll(async () => {
        await wake(page);
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

  const row = await db('phones').where({ name: 'Sara' }).first();
  await callOk(
    server,
    changePhone,
    { params: { phoneId: row.id }, body: { event_ids: [next] } },
    door.admin,
  );
  await wake(page);
  await page.locator('[data-ended]').waitFor();
  expect(await page.locator('[data-ended]').innerText()).toBe(
    'L’ufficio ha tolto «La locandiera» da questo telefono: la lettura si è fermata.',
  );
  expect(await page.locator('.screens-scan-scan_last').count()).toBe(0);
  await startScanning(page);
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toContain('Concerto di Natale');
}, 60_000);

test('where nobody comes in twice, who has left is told to have left, and cannot leave again; a void pairing and a server’s own trouble are not taken for a missing signal', async () => {
  await using door = await openDoor(2);
  await setPolicy(door.server, { reentry: 0 }, demoEvent);
  await using phone = await openPhone(browser, await door.link());
  const { page } = phone;
  const [{ ticket_id: ticketId, code }, other] = door.tickets as [SoldTicket, SoldTicket];
  const passDesk = (direction: 'in' | 'out') =>
    callOk(door.server, admitTicket, { params: { ticketId }, body: { direction } }, door.admin);
  await passDesk('in');
  // A ticket that is being looked at is shown as it is now: its holder leaves meanwhile.
  await page.locator('[data-inside="1"]').waitFor();
  await page.getByText('Solo info').click();
  await typeCode(page, code);
  await page.locator('[data-look=already_in]').waitFor();
  const panel = page.getByRole('dialog');
  const letOut = panel.getByRole('button', { name: 'Segna che esce' });
  await letOut.waitFor();
  await passDesk('out');
  await panel.getByText(/È uscito alle \d\d:\d\d: non può rientrare/).waitFor();
  expect(await letOut.count()).toBe(0);
  await panel.getByRole('button', { name: 'Indietro' }).click();
  await page.getByText('Entrata').click();
  expect(await enterCode(page, code)).toBe('already_in');
  expect(await verdictText(page)).toMatch(/È uscito alle \d\d:\d\d: non può rientrare/);

  await closeVerdict(page);
  const line = page.locator('[data-obstacle]');
  const refuse = (status: number, refusal: string, message: string) =>
    page.route('**/api/scanner/**', (route) =>
      route.fulfill({ status, json: { status, code: refusal, message } }),
    );
  await refuse(503, 'busy', 'Il server è in manutenzione.');
  await wake(page);
  await line.getByText('Puoi continuare. Il server è in manutenzione').waitFor();
  expect(await line.innerText()).not.toContain('Sei offline');
  await page.unroute('**/api/scanner/**');
  await wake(page);
  await page.locator('[data-online=true][data-obstacle=false]').waitFor();
  await refuse(401, 'not_logged_in', 'Accedi.');
  await wake(page);
  await line
    .getByText('L’abbinamento non vale più: abbina di nuovo il telefono in ufficio')
    .waitFor();
  // It goes on deciding by what it has.
  expect(await enterCode(page, other.code)).toBe('admit');
});

test('an override is for the guest about whom it was asked, a code read meanwhile is nobody’s turn; “entra tutto l’ordine” waits until each reduced ticket’s document was seen', async () => {
  await using door = await openDoor(2);
  const { server, db } = door;
  const [first, second] = door.tickets;
  const reduced = await sellTickets(server, { count: 3, nth: 1, ticket_type: 'ridotto' });
  await db('tickets').where({ id: reduced[1]!.ticket_id }).update({ holder: 'Anna Verdi' });
  const [unsold] = await findSeats(server, { count: 1, nth: 5 });
  const doubtful = await codeOfPlace(server, unsold!, 1);
  await using phone = await openPhone(browser, await door.link());
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
    await verdictAfter(page, () =>
      typeCode(page, first!.code, '.screens-scan-verdict-verdict_overrule'),
    ),
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
  const { place: sold } = await db('tickets').where({ id: first!.ticket_id }).first();
  const rows = await readScans(page);
  expect(rows.map(({ place, verdict, override }) => [place, verdict, override])).toEqual([
    [unsold, 'verify', null],
    [unsold, 'verify', null],
    [sold, 'admit', null],
    [unsold, 'verify', null],
    [unsold, 'admit', 'Deciso dal responsabile'],
  ]);

  expect(await enterCode(page, reduced[0]!.code)).toBe('admit');
  await page.getByRole('button', { name: 'Altri 2 biglietti: entra tutto l’ordine' }).click();
  const group = page.locator('[data-verdict=group]');
  await group.waitFor();
  expect(await group.getByText(/: controlla il documento$/).count()).toBe(2);
  expect(await group.locator('.screens-scan-verdict-verdict_group-who').allInnerTexts()).toEqual([
    'A. V.',
  ]);
  expect([
    await group.locator('.screens-scan-verdict-verdict_timer').count(),
    await group.locator('.screens-scan-verdict-verdict_hint').count(),
  ]).toEqual([0, 1]);
});

it('a phone whose memory does not open says what to do', async (server) => {
  const script = () => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('Internal error opening backing store', 'UnknownError');
    };
  };
  await using phone = await openWindow(browser, { script });
  const { page } = phone;
  await page.goto(`${server.url}/scanner/`);
  expect(await page.getByRole('alert').innerText()).toContain(
    'Il telefono non riesce ad aprire i suoi dati',
  );
  await page.getByRole('button', { name: 'Riprova' }).waitFor();
});

test('two phones without a line let in the same ticket: both say so afterwards, and a third look says where and by whom', async () => {
  await using door = await openDoor(2);
  const [ticket, other] = door.tickets;
  await using luca = await openPhone(browser, await door.link('Luca', { gate: 'Varco A' }));
  await using sara = await openPhone(browser, await door.link('Sara', { gate: 'Varco B' }));
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
  // It is still to be looked at after a full evening.
  const [sent] = await readScans(sara.page);
  const later = Array.from({ length: 230 }, (_, n) => ({
    ...sent,
    admission_id: `later-${n}`,
    seq: n + 10,
    scanned_at: Number(sent!['scanned_at']) + 1_000 * (n + 1),
    fate: 'stored',
  }));
  await writeTable(sara.page, 'queue', later);
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
}, 90_000);

test('a real camera stream is read: a film with two tickets, the second light on dark', async () => {
  await using door = await openDoor(2);
  const [ticket, other] = door.tickets;
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
  await page.goto(await door.link());
  await waitForList(page);
  await startScanning(page);
  await until(async () => {
    const admitted = (await readTable(page, 'queue')).filter(({ verdict }) => verdict === 'admit');
    return new Set(admitted.map(({ place }) => place)).size === 2;
  });
  await filmed.close();
  await rm(folder, { recursive: true, force: true });
});
