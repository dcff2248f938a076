/**
 * `npm run bench -- report-export [scans,scans…] [orders] [tickets]`: whether long files stay small in memory. The product is a process of its own; while it sends scans, orders and the book of an
 * evening, its memory is read from /proc, also while the reader has stopped reading. Figures, never a verdict.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { connect } from '#db/engine/connect.ts';
import type { Pool } from '#db/engine/dialect.ts';
import { insertMany } from '#db/engine/statements.ts';
import { transact } from '#db/engine/transact.ts';
import { addBookLines, openBook } from '#db/book.ts';
import { bareOrder } from '#db/order/orders.ts';
import { downloadBook } from '#server/contract/books.ts';
import { exportAdmissions } from '#server/contract/door/admissions.ts';
import { addressOf } from '#server/contract/endpoint.ts';
import { exportOrders } from '#server/contract/order/orders.ts';
import { acceptInvite } from '#server/contract/users.ts';
import { headerLine, startOf } from '#server/domain/book/chain.ts';
import { chainOn } from '#server/services/book/write.ts';
import { inventFacts } from '#tests/book/make-book.ts';
import { demoEvent } from '#tests/support/make.ts';
import { makeData, startProduct, type Product } from '#tests/support/product.ts';
import { scaled } from './scale.ts';

const [scans = `${scaled(100_000)}`, orders = `${scaled(20_000)}`, tickets = `${scaled(50_000)}`] =
  process.argv.slice(2);
const now = Date.now();

const data = await makeData('sqlite', '');
const product = await startProduct(data);
const db = connect(`${data.env['DATA_DIR']}/botteghino.sqlite`);
try {
  const cookie = await signIn(product);
  const download = (name: string, path: string) => measure(product, { name, path, cookie });
  let filled = 0;
  for (const size of scans.split(',').map(Number)) {
    await addScans(db, filled, size);
    filled = size;
    await download(`${size} scans`, addressOf(exportAdmissions, {}));
  }
  await addOrders(db, Number(orders));
  await download(`${orders} orders`, addressOf(exportOrders, {}));
  await addBook(db, Number(tickets));
  for (const time of ['first', 'second'])
    await download(
      `book of ${tickets} tickets, the ${time} time`,
      addressOf(downloadBook, { eventId: demoEvent }),
    );
} finally {
  await db.destroy();
  await product[Symbol.asyncDispose]();
  await data.clean();
}

async function signIn({ url, invite }: Product): Promise<string> {
  const answer = await fetch(url + acceptInvite.path, {
    method: acceptInvite.method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      token: invite.split('#')[1],
      email: 'ada@teatro.it',
      name: 'Ada',
      password: 'una-platea-piena-di-luce',
    }),
  });
  if (answer.status !== 200) throw new Error(await answer.text());
  return answer.headers.getSetCookie()[0]!.split(';')[0]!;
}

async function addScans(db: Pool, from: number, to: number): Promise<void> {
  await db.raw(
    `WITH RECURSIVE n(n) AS (SELECT ? + 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?)
    INSERT INTO admissions (id, event_id, direction, verdict, counts, offline, scanned_at, corrected_at, received_at)
    SELECT 'scan-' || n, ?, 'in', 'invalid', 0, 0, ? - n, ? - n, ? - n FROM n`,
    [from, to, demoEvent, now, now, now],
  );
}

async function addOrders(db: Pool, count: number): Promise<void> {
  const lot = 10_000;
  for (let at = 0; at < count; at += lot)
    await transact(db, (trx) =>
      insertMany(
        trx,
        'orders',
        Array.from({ length: Math.min(lot, count - at) }, (_, nth) => orderOf(at + nth)),
      ),
    );
}

function orderOf(n: number) {
  return {
    ...bareOrder,
    id: `order-${n}`,
    number: String(n).padStart(9, '0'),
    link_key: `link-${n}`,
    event_id: demoEvent,
    state: 'confirmed',
    hold_token: `hold-${n}`,
    selection: '[]',
    total_cents: 6_400,
    fee_cents: 300,
    paid_cents: 6_400,
    created_at: now - n,
    pay_by: now,
    confirmed_at: now - n,
    idempotency_key: `key-${n}`,
    buyer_name: `Anna Rossi ${n}`,
    buyer_email: `anna.rossi.${n}@example.it`,
    search_text: `anna rossi ${n}`,
  };
}

async function addBook(db: Pool, tickets: number): Promise<void> {
  const { feed_seq } = await db('events').where({ id: demoEvent }).first('feed_seq');
  const header = headerLine({ book: demoEvent, opened: new Date(now).toISOString() });
  const empty = {
    event_id: demoEvent,
    header,
    salt: 'salt',
    rows: 0,
    hash: startOf(header),
    feed_seq,
    opened_at: now,
    written_at: now,
  };
  const facts = inventFacts(tickets);
  const { lines, ...end } = chainOn(
    empty,
    facts.map((fact, n) => ({ subject: `row ${n}`, at: now, fact })),
  );
  await transact(db, async (trx) => {
    await openBook(trx, { ...empty, ...end });
    await addBookLines(trx, lines);
  });
}

/** Megabytes of memory that it uses now. */
function memoryOf({ pid }: Product): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
  return Math.round(Number(kilobytes) / 1_000);
}

interface Download {
  name: string;
  path: string;
  cookie: string;
}

/** The reader pauses for two seconds in the middle. */
async function measure(product: Product, { name, path, cookie }: Download): Promise<void> {
  const before = memoryOf(product);
  const seen: number[] = [];
  const looking = setInterval(() => seen.push(memoryOf(product)), 20);
  const began = performance.now();
  const answer = await fetch(product.url + path, { headers: { cookie } });
  if (answer.status !== 200) throw new Error(`${name}: ${await answer.text()}`);
  let [bytes, stopped] = [0, 0];
  for await (const piece of answer.body!) {
    bytes += piece.length;
    if (stopped > 0 || bytes < 1_000_000) continue;
    await pause(2_000);
    stopped = memoryOf(product);
  }
  clearInterval(looking);
  const seconds = (performance.now() - began) / 1_000 - (stopped > 0 ? 2 : 0);
  console.log(
    `${name}: ${(bytes / 1_000_000).toFixed(1)} MB in ${seconds.toFixed(1)} s; memory ${before} MB before, at most ${Math.max(before, ...seen)} MB, ${stopped} MB while the reader had stopped, ${memoryOf(product)} MB after`,
  );
}
