/**
 * Makes the head of each day, one hash over all open books and the Registro; stores and publishes
 * it, and writes it into every open book.
 */
import { lastSeal } from '#db/audit/audit-seals.ts';
import { addBookLines, addDay, changeBook, lockOpenBooks, newestDays } from '#db/book.ts';
import { isUniqueViolation, type Trx } from '#db/engine/dialect.ts';
import { transact } from '#db/engine/transact.ts';
import type { BookDay } from '#db/rows.ts';
import { startOf } from '#server/domain/book/chain.ts';
import { headOf, headText, leafOf, treeOf } from '#server/domain/book/heads.ts';
import { dayText, romeDay } from '#server/domain/time/rome-clock.ts';
import type { Ctx } from '#server/services/context.ts';
import { houseKey, type HouseKey } from './key.ts';
import { chainOn } from './write.ts';

const dayMs = 24 * 3_600_000;
/** A book is closed when its last row and its event are both older than this. */
const openMs = 60 * dayMs;

/** Makes yesterday's head, only once. */
export async function closeDay(ctx: Ctx): Promise<void> {
  const now = ctx.now();
  const day = dayText(romeDay(now) - 1);
  const [newest] = await newestDays(ctx.db, 1);
  if (newest !== undefined && newest.day >= day) return;
  const key = await houseKey(ctx);
  await transact(ctx.db, (trx) => writeDay(trx, { day, now, key })).catch((error: unknown) => {
    // Another process has already made this head.
    if (!isUniqueViolation(error)) throw error;
  });
}

async function writeDay(
  trx: Trx,
  { day, now, key }: { day: string; now: number; key: HouseKey },
): Promise<void> {
  const [newest] = await newestDays(trx, 1);
  const books = await lockOpenBooks(trx, now - openMs);
  const sealed = await lastSeal(trx);
  const tree = treeOf(
    books.map(({ header, rows, hash }) => leafOf({ start: startOf(header), rows, hash })),
  );
  const parts = {
    day,
    before: newest?.head ?? '',
    root: tree.root,
    seal: sealed?.n ?? 0,
    seal_hash: sealed?.hash ?? '',
  };
  const head = headOf(parts);
  const signature = key.sign(headText(day, head));
  await addDay(trx, { ...parts, books: books.length, head, signature, made_at: now });
  for (const [nth, book] of books.entries()) {
    const { rows, hash } = book;
    const fact = { kind: 'head', ...parts, rows, hash, path: tree.pathOf(nth), head } as const;
    const end = chainOn(book, [{ subject: `head ${day}`, at: now, fact }]);
    await addBookLines(trx, end.lines);
    await changeBook(trx, book.event_id, { rows: end.rows, hash: end.hash });
  }
}

/** The heads, newest first, for programs that collect them. */
export async function publishedDays(ctx: Ctx, limit: number): Promise<BookDay[]> {
  return newestDays(ctx.db, limit);
}
