/** Fiscal seals beside a recognised system: a file looked at, taken in, shown wherever the ticket is, and taken back. */
import { expect } from 'vitest';
import { readAttention } from '#server/contract/office.ts';
import { readSeals, undoSeals } from '#server/contract/papers.ts';
import { listOrderTickets } from '#server/contract/order/orders.ts';
import { previewSeals } from '#server/services/papers/seals.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { addressFor, ask, callOk, demoEvent, makeAdmin } from '#tests/support/make.ts';
import { readPdf } from '#tests/support/pdf.ts';
import type { TestServer } from '#tests/support/server.ts';

const params = { eventId: demoEvent };
const events = `/api/admin/events/${demoEvent}`;
type Office = { cookie: string };

interface Preview {
  digest: string;
  counts: Record<'new' | 'replaces' | 'same' | 'wrong', number>;
  still_missing: number;
  columns: { column: string }[];
  ignored: string[];
  lines: { line: number; seat: string | null; outcome: string; problem: string | null }[];
  code?: string;
  detail?: { reason: string; line: number | null };
  seals?: number;
  import_id: string;
}

async function hand(
  server: TestServer,
  office: Office,
  csv: string | Uint8Array<ArrayBuffer>,
  digest?: string,
): Promise<{ status: number; body: Preview }> {
  const form = new FormData();
  if (digest !== undefined) form.append('digest', digest);
  form.append('file', new Blob([csv], { type: 'text/csv' }), 'sigilli.csv');
  const path = digest === undefined ? `${events}/seals/preview` : `${events}/seals`;
  const response = await fetch(server.url + path, {
    method: 'POST',
    body: form,
    headers: { ...office, 'x-requested-with': 'fetch', connection: 'close' },
  });
  return { status: response.status, body: (await response.json()) as Preview };
}

/** Looked at, then taken in. */
async function takeIn(server: TestServer, office: Office, csv: string | Uint8Array<ArrayBuffer>) {
  const { body } = await hand(server, office, csv);
  return hand(server, office, csv, body.digest);
}

async function beside(server: TestServer) {
  const admin = await makeAdmin(server);
  const { db } = server.house.ctx;
  await db('events').where({ id: demoEvent }).update({ regime: 'external' });
  const order = await makePaidOrder(server, { email: 'eva@example.it', name: 'Eva Neri' });
  const { items } = await callOk(
    server,
    listOrderTickets,
    { params: { orderId: order.order_id } },
    admin,
  );
  const seals = async () => (await db('ticket_seals').whereNull('replaced_by')).length;
  const read = () => callOk(server, readSeals, { params }, admin);
  return { admin, db, order, tickets: items, seals, read };
}

test('a screen that asks again reads no ticket again, until one of them or an import has changed', async (server) => {
  const { admin, db, tickets, read } = await beside(server);
  const before = await read();
  // Behind everybody's back: nobody is told that it has changed.
  await db('tickets').where({ id: tickets[1]!.ticket_id }).update({ state: 'void' });
  expect(await read()).toEqual(before);
  await makePaidOrder(server, { email: null }, { count: 1, nth: 2 });
  expect(await read()).toMatchObject({ tickets: 2, sealed: 0, missing: 2 });
  await takeIn(server, admin, `Posto;Sigillo fiscale\n${tickets[0]!.seat};A1B2C3D4E5F60718`);
  expect(await read()).toMatchObject({ tickets: 2, sealed: 1, missing: 1 });
});

test('a file is looked at before anything is written, taken in at once, and taken back whole', async (server) => {
  const { admin, db, tickets, seals, read } = await beside(server);
  const [first, second] = tickets;
  expect(await read()).toMatchObject({ regime: 'external', tickets: 2, sealed: 0, missing: 2 });
  // As Italian Excel writes it, one ticket by its code, one by its seat; then what is wrong.
  const csv = [
    '\uFEFFCodice biglietto;Posto;Sigillo fiscale;Progressivo;Carta di attivazione;Note',
    `${first!.code_for_people.toLowerCase()};;A1B2C3D4E5F60718;000123;P0012345;=2+2`,
    `;${second!.seat};B1B2C3D4E5F60718;000124;P0012345;`,
    `;${second!.seat};C1B2C3D4E5F60718;000125;P0012345;`,
    ';Platea, fila Z, posto 99;D1B2C3D4E5F60718;1;P;',
    `${first!.code_for_people};${second!.seat};E1B2C3D4E5F60718;1;P;`,
    ';;F1B2C3D4E5F60718;1;P;',
    '',
  ].join('\r\n');
  const preview = await hand(server, admin, csv);
  expect(preview.body).toMatchObject({
    counts: { new: 2, replaces: 0, same: 0, wrong: 4 },
    still_missing: 0,
    ignored: ['Note'],
  });
  expect(preview.body.lines.map(({ line, problem }) => [line, problem])).toEqual([
    [4, 'ticket_twice'],
    [5, 'seat_unknown'],
    [6, 'mismatch'],
    [7, 'no_key'],
    [2, null],
    [3, null],
  ]);
  expect(await seals()).toBe(0);

  const done = await hand(server, admin, csv, preview.body.digest);
  expect([done.status, done.body.seals, await seals()]).toEqual([200, 2, 2]);
  expect(await read()).toMatchObject({
    sealed: 2,
    missing: 0,
    imports: [{ seals: 2, left_out: 4 }],
  });
  // The same file again changes nothing, and says so.
  const again = await hand(server, admin, csv);
  expect(again.body.counts).toEqual({ new: 0, replaces: 0, same: 2, wrong: 4 });
  expect((await hand(server, admin, csv, again.body.digest)).body.code).toBe('nothing_to_import');

  const undo = { params: { ...params, importId: done.body.import_id } };
  await callOk(server, undoSeals, undo, admin);
  expect([await seals(), (await read()).missing]).toEqual([0, 2]);
  const twice = await ask(server, 'DELETE', `${events}/seals/${done.body.import_id}`, {
    headers: admin,
  });
  expect([twice.status, (twice.body as Preview).code]).toEqual([409, 'seal_import_stays']);
  const actions = await db('audit').where({ subject: demoEvent }).pluck('action');
  expect(actions).toEqual(expect.arrayContaining(['seals_imported', 'seals_import_undone']));
  expect(server.logged).toEqual([]);
});

test('a corrected file replaces seals, and is taken back before the one that it corrects', async (server) => {
  const { admin, db, order, tickets, seals, read } = await beside(server);
  const number = (await db('orders').where({ id: order.order_id }).first()).number;
  const [first, second] = tickets.map(({ seat }) => seat.replaceAll(',', ''));
  const file = (...those: string[]) => ['ordine,posto,sigillo', ...those].join('\n');
  const one = await takeIn(
    server,
    admin,
    file(`${number},${first},AAAA`, `${number.replace('-', '')},${second},BBBB`),
  );
  expect(one.body.seals).toBe(2);
  // The seals of the two were mixed up.
  const swapped = file(`${number},${first},BBBB`);
  expect((await hand(server, admin, swapped)).body.lines[0]!.problem).toBe('seal_taken');
  const corrected = file(`${number},${first},CCCC`);
  expect((await hand(server, admin, corrected)).body.counts).toMatchObject({ replaces: 1 });
  const two = await takeIn(server, admin, corrected);
  expect([two.body.seals, await seals()]).toEqual([1, 2]);
  const undo = (id: string) => ask(server, 'DELETE', `${events}/seals/${id}`, { headers: admin });
  expect((await undo(one.body.import_id)).status).toBe(409);
  expect(await seals()).toBe(2);
  expect((await undo(two.body.import_id)).status).toBe(204);
  const live = await db('ticket_seals').whereNull('replaced_by').orderBy('seal').pluck('seal');
  expect(live).toEqual(['AAAA', 'BBBB']);
  // A title is for a seat: whoever gets another one needs another title.
  await db('ticket_seals').where({ seal: 'AAAA' }).update({ place: 'elsewhere' });
  expect(await read()).toMatchObject({ sealed: 1, missing: 1 });
  expect((await undo('none')).status).toBe(404);
});

test('a seal stands on the order, in the office, on paper and in the files, and only beside a recognised system', async (server) => {
  const { admin, db, order, tickets } = await beside(server);
  const seat = tickets[0]!.seat.replace(/fila |posto /g, '').replaceAll(', ', '\t');
  const titled = `\uFEFFSigilli\t\r\nSettore\tFila\tPosto\tSigillo\tProgressivo\r\n${seat}\tFEDCBA9876543210\t77`;
  // As Excel's «Testo Unicode».
  const csv = new Uint8Array(Buffer.from(titled, 'utf16le'));
  expect((await takeIn(server, admin, csv)).body.seals).toBe(1);
  const page = await ask(server, 'GET', `/api/orders/${order.order_id}`);
  expect(
    (page.body as { tickets: { fiscal: object | null }[] }).tickets.map(({ fiscal }) => fiscal),
  ).toEqual([{ seal: 'FEDCBA9876543210', progressive: '77', card: null }, null]);
  const pdf = await fetch(await addressFor(server, `/api/orders/${order.order_id}/tickets.pdf`));
  const text = readPdf(Buffer.from(await pdf.arrayBuffer())).pages.map(({ lines }) =>
    lines.join('\n'),
  );
  expect(text[0]).toContain('Sigillo fiscale FEDCBA9876543210 · progressivo 77');
  expect(text[1]).not.toContain('Sigillo fiscale FE');
  const guests = await ask(server, 'GET', `${events}/guests.csv?format=plain`, {
    headers: admin,
  });
  expect(String(guests.body)).toMatch(/,FEDCBA9876543210,77,\r\n/);
  const orders = await ask(server, 'GET', '/api/admin/orders/export.csv?format=plain', {
    headers: admin,
  });
  expect(String(orders.body)).toMatch(/,FEDCBA9876543210,,0\.00,/);
  await db('events').where({ id: demoEvent }).update({ regime: 'exempt' });
  const exempt = await ask(server, 'GET', `/api/orders/${order.order_id}`);
  expect(JSON.stringify(exempt.body)).not.toContain('FEDCBA');
});

test('tickets without a seal wait in the office from two days before the start, until they have one', async (server) => {
  const { admin, db, tickets } = await beside(server);
  const { now } = server.house.ctx;
  const hour = 3_600_000;
  const waiting = async () => {
    const inbox = await callOk(server, readAttention, {}, admin);
    return [inbox.counts.seals, inbox.items.filter(({ about }) => about === 'seals').length];
  };
  const startsIn = (hours: number) =>
    db('events')
      .where({ id: demoEvent })
      .update({ starts_at: now() + hours * hour });
  await startsIn(60);
  expect(await waiting()).toEqual([0, 0]);
  await startsIn(40);
  expect(await waiting()).toEqual([1, 1]);
  const [, seals] = await takeInAll();
  expect([seals, await waiting()]).toEqual([2, [0, 0]]);
  await db('ticket_seals').delete();
  await startsIn(-7);
  expect(await waiting()).toEqual([0, 0]);

  async function takeInAll() {
    const lines = tickets.map(({ code }, nth) => `${code},S${nth}`);
    const { status, body } = await takeIn(server, admin, ['codice,sigillo', ...lines].join('\n'));
    return [status, body.seals];
  }
});

test('what is no such file, has changed meanwhile, or comes from somebody without the right changes nothing', async (server) => {
  const { admin, db, tickets, seals } = await beside(server);
  const reasonOf = async (csv: string | Uint8Array<ArrayBuffer>) => {
    const { status, body } = await hand(server, admin, csv);
    return [status, body.code, body.detail?.reason];
  };
  const unreadable = (reason: string) => [422, 'seal_file_unreadable', reason];
  expect(await reasonOf('')).toEqual(unreadable('empty'));
  expect(await reasonOf('ciao')).toEqual(unreadable('not_a_table'));
  expect(await reasonOf('posto;progressivo\nA;1')).toEqual(unreadable('no_seal_column'));
  expect(await reasonOf('sigillo;progressivo\nA;1')).toEqual(unreadable('no_key_column'));
  expect(await reasonOf('posto;sigillo\n')).toEqual(unreadable('empty'));
  expect(await reasonOf(new Uint8Array([0, 1, 2, 255, 254]))).toEqual(unreadable('not_a_table'));
  // Read no further than it takes to refuse: what follows is not even looked at.
  const endless = `posto;sigillo\n${'A;1\n'.repeat(70_000)}"`;
  expect(await reasonOf(endless)).toEqual(unreadable('too_many'));
  // One quote too much would take all rows below it into one cell.
  const quoted = await hand(server, admin, 'Sala\n\nposto;sigillo\nA;1\n"B;2\nC;3\nD;4');
  expect([quoted.status, quoted.body.detail]).toEqual([422, { reason: 'open_quote', line: 5 }]);
  expect(await reasonOf('PK\u0003\u0004')).toEqual(unreadable('spreadsheet'));
  // Windows wrote it: «città» is no UTF-8.
  const old = new Uint8Array([...'posto;sigillo;citt'].map((one) => one.charCodeAt(0)));
  const bytes = new Uint8Array([...old, 0xe0, ...[...'\nx;y;z'].map((one) => one.charCodeAt(0))]);
  expect((await hand(server, admin, bytes)).body.ignored).toEqual(['città']);

  const csv = `codice;sigillo\n${tickets[0]!.code};AAAA`;
  const { digest } = (await hand(server, admin, csv)).body;
  await db('tickets').where({ id: tickets[0]!.ticket_id }).update({ state: 'refunded' });
  const late = await hand(server, admin, csv, digest);
  expect([late.status, late.body.code, await seals()]).toEqual([409, 'seals_changed', 0]);
  expect(server.logged).toEqual([]);
});

test('while a wide file of many lines is read, others get their turn', async (server) => {
  const lines = Array.from({ length: 5_000 }, (_, nth) => `A;S${nth}${';1'.repeat(100)}\n`);
  const bytes = new TextEncoder().encode(`posto;sigillo${';n'.repeat(100)}\n${lines.join('')}`);
  let turns = 0;
  const count = () => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  const reading = previewSeals(server.house.ctx, demoEvent, bytes);
  const { counts } = await reading.finally(() => clearImmediate(next));
  expect(counts.wrong).toBe(5_000);
  // One for each 16 KB, and one for each 500 lines that are looked up, planned and counted.
  expect(turns).toBeGreaterThan(60);
});
