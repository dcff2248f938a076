/** Adds rows to an event's book, each chained to the one before; existing rows never change. */
import { createHmac } from 'node:crypto';
import {
  addBookLines,
  bookedOrders,
  changeBook,
  endWaits,
  linesAbout,
  lockBook,
  openBook,
  waitFor,
  type BookedOrders,
} from '#db/book.ts';
import type { Trx } from '#db/engine/dialect.ts';
import { transact } from '#db/engine/transact.ts';
import { requireEventRow } from '#db/event/events.ts';
import type { BookHead, BookLine, AdmissionRow } from '#db/rows.ts';
import { chain, headerLine, startOf } from '#server/domain/book/chain.ts';
import type { BookRow, Fact } from '#server/domain/book/rows.ts';
import { isoOf } from '#server/domain/time/dates.ts';
import { requireValue } from '#server/domain/require-value.ts';
import type { Ctx } from '#server/services/context.ts';
import { seal, unseal } from '#server/services/kit/sealing.ts';
import {
  newsOfEvent,
  newsOfOrders,
  newsOfScans,
  subjectsOf,
  type Known,
  type News,
  type Writing,
} from './facts.ts';
import { newToken } from '#server/services/user/secrets.ts';

/**
 * The key for the hashes of one order, which the house reveals when a person asks who the order's
 * people were.
 */
export function personKey({ salt }: Pick<BookHead, 'salt'>, order: string): string {
  return createHmac('sha256', Buffer.from(unseal(salt), 'base64url'))
    .update(order)
    .digest('base64url');
}

/** Orders per transaction; few, because on SQLite all other writes wait for it. */
export const ordersAtOnce = 25;

export async function writeOrders(
  ctx: Ctx,
  event_id: string,
  ids: readonly string[],
): Promise<void> {
  await transact(ctx.db, async (trx) => {
    // Comes first, so that a wait which begins after our reads is not ended.
    const waited = await endWaits(trx, ids);
    const booked = await bookedOrders(trx, ids);
    if (booked.payments.length + booked.tickets.length === 0) return;
    const book = await bookOf(ctx, trx, event_id);
    const writing = await writingOf(ctx, trx, { book, subjects: ['event', ...subjectsOf(booked)] });
    const event = await requireEventRow(trx, event_id);
    const news = [...newsOfEvent(event, writing), ...newsOfOrders(booked, writing)];
    await append(ctx, trx, { book, news, known: writing.known });
    await waitFor(
      trx,
      event_id,
      waitingIn(booked).map((order_id) => ({ order_id, since: waited.get(order_id) ?? ctx.now() })),
    );
  });
}

/** The orders whose payments still lack Stripe's fee, which comes later. */
function waitingIn({ payments }: BookedOrders): string[] {
  const waiting = payments.filter(
    ({ kind, stripe_fee_cents }) => kind === 'stripe' && stripe_fee_cents === null,
  );
  return [...new Set(waiting.map(({ order_id }) => order_id))];
}

export async function writeScans(
  ctx: Ctx,
  event_id: string,
  scans: readonly AdmissionRow[],
): Promise<void> {
  await transact(ctx.db, async (trx) => {
    const book = await bookOf(ctx, trx, event_id);
    const subjects = scans.flatMap(({ id, ticket_id }) => [`scan ${id}`, `ticket ${ticket_id}`]);
    const writing = await writingOf(ctx, trx, { book, subjects });
    await append(ctx, trx, { book, news: newsOfScans(scans, writing), known: writing.known });
  });
}

/** Writes a fact unless the book already has its subject. */
export async function writeOnce(ctx: Ctx, event_id: string, news: News): Promise<void> {
  await transact(ctx.db, async (trx) => {
    const book = await bookOf(ctx, trx, event_id);
    const { known } = await writingOf(ctx, trx, { book, subjects: [news.subject] });
    if (!known.has(news.subject)) await append(ctx, trx, { book, news: [news], known });
  });
}

/** Writes the event's present title, day and state. */
export async function writeEvent(ctx: Ctx, event_id: string): Promise<void> {
  await transact(ctx.db, async (trx) => {
    const book = await lockBook(trx, event_id);
    if (!book) return;
    const writing = await writingOf(ctx, trx, { book, subjects: ['event'] });
    const event = await requireEventRow(trx, event_id);
    await append(ctx, trx, { book, news: newsOfEvent(event, writing), known: writing.known });
  });
}

/** Locks the book; creates it for its first row. */
async function bookOf(ctx: Ctx, trx: Trx, event_id: string): Promise<BookHead> {
  const found = await lockBook(trx, event_id);
  if (found) return found;
  const opened_at = ctx.now();
  const header = headerLine({ book: event_id, opened: isoOf(opened_at) });
  await openBook(trx, {
    event_id,
    header,
    salt: seal(newToken(), ctx.secretsKey),
    rows: 0,
    hash: startOf(header),
    feed_seq: 0,
    opened_at,
    written_at: opened_at,
  });
  return requireValue(await lockBook(trx, event_id), 'book');
}

async function writingOf(
  ctx: Ctx,
  trx: Trx,
  { book, subjects }: { book: BookHead; subjects: string[] },
): Promise<Writing & { known: Map<string, Known> }> {
  const known = new Map<string, Known>();
  for (const { subject, n, text } of await linesAbout(trx, book.event_id, subjects)) {
    const last = JSON.parse(text) as Record<string, unknown>;
    if (last['kind'] === 'ticket_revived') last['as'] = 'valid';
    known.set(subject, {
      n: known.get(subject)?.n ?? n,
      last: { ...known.get(subject)?.last, ...last },
    });
  }
  return { now: ctx.now(), known, keyOf: (order) => personKey(book, order) };
}

interface Appending {
  book: BookHead;
  news: News[];
  known: Map<string, Known>;
}

/** Adds the rows in the order of their times; rows of the same moment stay in the given order. */
async function append(ctx: Ctx, trx: Trx, { book, news, known }: Appending): Promise<void> {
  if (news.length === 0) return;
  const sorted = news.toSorted((one, other) => one.at - other.at);
  const first = new Map([...known].map(([subject, { n }]) => [subject, n]));
  const numberOf = (subject: string) => requireValue(first.get(subject), 'entry');
  const end = chainOn(
    book,
    sorted.map(({ subject, at, fact }, index) => {
      const n = book.rows + index + 1;
      if (!first.has(subject)) first.set(subject, n);
      return { subject, at: at || ctx.now(), fact: fact(numberOf) };
    }),
  );
  await addBookLines(trx, end.lines);
  await changeBook(trx, book.event_id, { rows: end.rows, hash: end.hash, written_at: ctx.now() });
}

/** The next lines of a book, and its number of rows and its hash after these lines. */
export function chainOn(
  book: BookHead,
  facts: readonly { subject: string; at: number; fact: Fact }[],
): { lines: BookLine[]; rows: number; hash: string } {
  let { rows, hash } = book;
  const lines = facts.map(({ subject, at, fact }) => {
    rows += 1;
    const chained = chain(hash, { n: rows, at: isoOf(at), ...fact } as BookRow);
    hash = chained.hash;
    return { event_id: book.event_id, n: rows, subject, ...chained };
  });
  return { lines, rows, hash };
}
