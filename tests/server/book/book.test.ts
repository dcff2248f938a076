/** The book of an event: what happened stands in it in its order, both verifiers add up what our own tables say, and nothing written is ever changed, on both databases. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import type { PayoutRow } from '#db/rows.ts';
import { downloadBook, listBooks, openBookOrder } from '#server/contract/books.ts';
import { addressOf } from '#server/contract/endpoint.ts';
import { admitTicket, undoAdmission } from '#server/contract/door/admissions.ts';
import { getOrder } from '#server/contract/order/orders.ts';
import { reissueTickets } from '#server/contract/counter.ts';
import { closeShift, downloadShift } from '#server/contract/shifts.ts';
import { fingerprintOf, personHash } from '#server/domain/book/chain.ts';
import type { BookRow } from '#server/domain/book/rows.ts';
import { fromBase64url } from '#server/domain/book/sha256.ts';
import { judgeBook, type Verdict } from '#server/domain/book/verdict.ts';
import { keepBooks } from '#server/services/book/keep.ts';
import { readMoney } from '#server/services/reconcile/payouts.ts';
import { sealRegistry } from '#server/services/reconcile/registry-seals.ts';
import { checkWithNode } from '#tests/book/make-book.ts';
import { lookInto } from '#tests/book/second-verifier.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import { openDrawer, sellAtCounter } from '#tests/support/counter.ts';
import { ask, callOk, comeAgain, demoEvent, makeAdmin } from '#tests/support/make.ts';
import { readPdf } from '#tests/support/pdf.ts';
import { feeEvent, makePaid, passTime } from '#tests/support/refunds.ts';
import { refundTickets, sellTo } from '#tests/support/till.ts';
import type { TestServer } from '#tests/support/server.ts';

const never = new AbortController().signal;
const minute = 60_000;
const day = 24 * 60 * minute;

/** As the schedule would do it. */
async function keep(server: TestServer): Promise<void> {
  server.clock.advance(minute);
  await sealRegistry(server.house.ctx, never);
  await keepBooks(server.house.ctx, never);
}

interface Book extends Verdict {
  bytes: Buffer;
}

async function fetchBook(
  server: TestServer,
  { cookie }: { cookie: string },
  heads = '',
  event = demoEvent,
): Promise<Book> {
  const address = addressOf(downloadBook, { eventId: event });
  const answer = await fetch(server.url + address, { headers: { cookie, connection: 'close' } });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/gzip']);
  expect(answer.headers.get('content-disposition')).toContain(`bordero-${event}.json.gz`);
  const bytes = gunzipSync(Buffer.from(await answer.arrayBuffer()));
  const { fingerprint } = await callOk(server, listBooks, {}, { cookie });
  return { bytes, ...(await judgeBook(bytes, { fingerprint, heads }, checkWithNode)) };
}

/** Without the heads of days, which come when a day ends. */
const kindsOf = ({ rows }: { rows: readonly BookRow[] }) =>
  rows.map(({ kind }) => kind).filter((kind) => kind !== 'head');

test('an evening with everything in it: sold, fee, changed, let in, taken back, refunded, a shift closed', async (server, admin) => {
  const bought = await sellTo(server, { name: 'Èva Neri', email: 'Eva@example.it' });
  const { shift_id } = await openDrawer(server, admin);
  const sale = await sellAtCounter(server, admin, { nth: 1 });
  await keep(server);
  const begun = await fetchBook(server, admin);
  expect(kindsOf(begun).join(' ')).toBe(
    'event order ticket ticket payment fee order ticket ticket payment',
  );

  const { tickets } = await callOk(server, getOrder, { params: { orderId: bought.order_id } });
  const params = { ticketId: tickets[0]!.ticket_id };
  await callOk(server, admitTicket, { params, body: {} }, admin);
  await keep(server);
  const { id: admission_id } = await server.house.ctx.db('admissions').first('id');
  const body = { admission_id, reason: 'Sbagliato' };
  await callOk(server, undoAdmission, { params, body }, admin);
  const lost = { params: { orderId: sale.order_id }, body: { reason: 'Persi' } };
  await callOk(server, reissueTickets, lost, admin);
  await refundTickets(server, admin, bought, 1);
  await server.runDue();
  await keep(server);
  await callOk(
    server,
    closeShift,
    { body: { pieces: { 5000: 3, 1000: 1, 200: 2 }, expected_cents: 16_400 } },
    admin,
  );
  const book = await fetchBook(server, admin);
  expect(book).toMatchObject({ whole: true, key: 'trusted', faults: [] });
  // What had been handed out is the beginning of what is handed out now.
  const lines = (bytes: Buffer) => bytes.toString().split('\n').slice(0, -2);
  expect(lines(book.bytes).slice(0, lines(begun.bytes).length)).toEqual(lines(begun.bytes));
  const later = kindsOf(book).slice(kindsOf(begun).length);
  const last = 'shift ticket_ended ticket_revised ticket_revised';
  // Stripe may have paid back before it was first written of.
  expect(later.toSorted().join(' ')).toMatch(
    new RegExp(`^admission admission_became refund (?:refund_became )?${last}$`),
  );
  await expectOurSums(server, book);
  const shift = book.rows.find((row) => row.kind === 'shift');
  expect(shift).toMatchObject({
    taken: [{ method: 'cash', cents: 6_400 }],
    counted_cents: 16_400,
  });
  expect(book.bytes.toString()).not.toMatch(/Neri|example\.it/i);
  expect(book.bytes.toString()).not.toContain(bought.order_id);
  expect(book.bytes.toString()).not.toContain(tickets[0]!.ticket_id);
  expect(book.bytes.toString()).not.toContain(shift_id);
  // The same data, the same bytes.
  expect((await fetchBook(server, admin)).bytes.equals(book.bytes)).toBe(true);
  expect(server.logged).toEqual([]);
});

/** What our own tables say of the event, without the book. */
async function expectOurSums(server: TestServer, { totals, bytes }: Book): Promise<void> {
  const { db } = server.house.ctx;
  const cents = async (table: string, column = 'amount_cents', where = {}) =>
    Number(
      (await db(table)
        .whereIn('order_id', db('orders').where({ event_id: demoEvent }).select('id'))
        .where(where)
        .sum({ cents: column })
        .first())!['cents'] ?? 0,
    );
  const { wrong, sums } = lookInto(bytes);
  expect(wrong).toEqual([]);
  const told = {
    came_in: await cents('payments'),
    fees_of_stripe: await cents('payments', 'stripe_fee_cents'),
    went_back: await cents('refunds', 'amount_cents', { state: 'succeeded' }),
    worth_of_good: await cents('tickets', 'price_cents', { state: 'valid' }),
    tickets_issued: Number(
      (await db('tickets').where({ event_id: demoEvent }).count({ n: '*' }))[0]!['n'],
    ),
  };
  expect(sums).toMatchObject(told);
  expect(totals).toMatchObject({
    paid_cents: told.came_in,
    stripe_fee_cents: told.fees_of_stripe,
    refunded_cents: told.went_back,
    valid_cents: told.worth_of_good,
    issued: told.tickets_issued,
    entries: sums.went_in,
    revised: sums.changes_of_tickets,
  });
}

test('every day has its head: it is published, stands on the paper of a shift, and a book that the house itself has written anew lacks it', async (server) => {
  const first = await makeAdmin(server);
  await sellTo(server);
  const { shift_id } = await openDrawer(server, first);
  await keep(server);
  server.clock.advance(day);
  await keep(server);
  await keep(server);
  server.clock.advance(day);
  await sellTo(server, {}, { nth: 1 });
  await keep(server);
  const admin = await comeAgain(server);
  const answer = await ask(server, 'GET', '/.well-known/botteghino-libro.json');
  const published = answer.body as {
    key: string;
    fingerprint: string;
    days: { day: string; head: string; before: string }[];
  };
  expect(published.fingerprint).toBe(fingerprintOf(fromBase64url(published.key)!));
  const [newest, ...older] = published.days;
  expect(newest!.before).toBe(older[0]!.head);
  const page = (await ask(server, 'GET', '/chiave-del-libro')).body as string;
  expect(page).toContain(published.fingerprint);
  for (const { head } of published.days) expect(page).toContain(head);

  const heads = published.days.map(({ day, head }) => `${day} ${head}`).join('\n');
  const book = await fetchBook(server, admin, heads);
  expect(book.heads.map(({ head }) => head)).toEqual(
    published.days.map(({ head }) => head).toReversed(),
  );
  expect(book).toMatchObject({ whole: true, faults: [] });
  const address = addressOf(downloadShift, { shiftId: shift_id });
  const paper = await fetch(server.url + address, { headers: admin });
  const { pages } = await readPdf(Buffer.from(await paper.arrayBuffer()));
  expect(pages.flatMap(({ lines }) => lines).join('')).toContain(newest!.head);

  // Somebody with the whole house in hand forgets a sale of yesterday, and has it all written anew.
  const { db } = server.house.ctx;
  await db('payments').update({ amount_cents: 1 });
  for (const table of ['book_waits', 'book_rows', 'books', 'book_days']) await db(table).delete();
  await db('settings').where({ key: 'book_seal' }).delete();
  await keep(server);
  const anew = await fetchBook(server, admin);
  expect(anew).toMatchObject({ whole: true, faults: [] });
  expect(await fetchBook(server, admin, heads)).toMatchObject({ whole: false });
});

test('the house opens one order on request, and the page for download knows the key', async (server, admin) => {
  const bought = await sellTo(server, { name: 'Eva Neri', email: 'eva@xn--citt-3na.it' });
  const book = await fetchBook(server, admin);
  const row = book.rows.find((row) => row.kind === 'order')!;
  const opened = await callOk(server, openBookOrder, { query: { order: row.order } }, admin);
  expect(opened).toMatchObject({ buyer: 'Eva Neri', mail: 'eva@città.it' });
  expect(personHash(opened.key, ' EVA neri')).toBe(row.buyer);
  for (const typed of ['eva@città.it', 'EVA@xn--citt-3na.it'])
    expect(personHash(opened.key, typed)).toBe(row.mail);
  expect(bought.order_id).not.toBe(row.order);

  const page = await ask(server, 'GET', '/verifica.html');
  const { fingerprint } = await callOk(server, listBooks, {}, admin);
  expect(page.headers.get('content-disposition')).toContain('verifica.html');
  expect(page.body).toContain(`name="impronta" content="${fingerprint}"`);
  const nothing = addressOf(downloadBook, { eventId: 'concerto-di-natale' });
  const empty = await ask(server, 'GET', nothing, { headers: admin });
  expect([empty.status, (empty.body as { code: string }).code]).toEqual([409, 'book_empty']);
  const gone = addressOf(downloadBook, { eventId: 'nessuno' });
  expect((await ask(server, 'GET', gone, { headers: admin })).status).toBe(404);
});

test('the key is the same after a restart, and only its owner reads it', async (server, admin) => {
  const before = await callOk(server, listBooks, {}, admin);
  const { DATA_DIR = '', DATABASE_URL } = server.settings;
  const file = join(DATA_DIR, 'book-key');
  if (DATABASE_URL === undefined) expect(statSync(file).mode & 0o777).toBe(0o600);
  else {
    expect(existsSync(file)).toBe(false);
    const stored = await server.house.ctx.db('settings').where({ key: 'book_key' }).first('value');
    expect(stored.value).toContain('PRIVATE KEY');
  }
  const again = await server.restart({ SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') });
  const after = await callOk(again, listBooks, {}, admin);
  expect(after.fingerprint).toBe(before.fingerprint);
  const sealed = await again.house.ctx.db('settings').where({ key: 'book_key' }).first('value');
  expect(sealed?.value ?? 'sealed1.').toMatch(/^sealed1\./);
  await again.close();
});

test('what Stripe sent to the bank stands in the book line by line, once, and adds up to the payout', async (server, admin) => {
  const order = await makePaid(server);
  await makePaid(server, { nth: 1 });
  await refundTickets(server, admin, order, 1);
  for (const wait of [minute, 8 * day, 2 * day]) await passTime(server, wait);
  const { ctx } = server.house;
  await readMoney(ctx, never);
  const office = await comeAgain(server);
  const { totals, rows, bytes } = await fetchBook(server, office, '', feeEvent);
  const [{ id, amount_cents }] = (await ctx.db('payouts')) as [PayoutRow];
  expect(totals.paid_out).toEqual([{ payout: id, lines: 3, net_cents: amount_cents }]);
  const named = rows.flatMap((row) => (row.kind === 'payout_line' ? rows[row.of - 1]!.kind : []));
  expect(named.toSorted()).toEqual(['payment', 'payment', 'refund']);
  expect(lookInto(bytes)).toMatchObject({ wrong: [], sums: { sent_to_bank: amount_cents } });
  await readMoney(ctx, never);
  expect((await fetchBook(server, office, '', feeEvent)).bytes).toEqual(bytes);
});
