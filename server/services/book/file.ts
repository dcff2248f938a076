/**
 * The book of an event as a signed file, written while it is sent. Its bytes change only when
 * something has happened.
 */
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { pipeline } from 'node:stream';
import { bookLines, findBook } from '#db/book.ts';
import { findEvent } from '#db/event/events.ts';
import { endLine, endText, rowLine } from '#server/domain/book/chain.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Ctx } from '#server/services/context.ts';
import { catchUp } from './keep.ts';
import { houseKey } from './key.ts';

/** @throws Refusal event_not_found, book_empty */
export async function bookFile(ctx: Ctx, event_id: string) {
  const lines = Readable.from(await bookText(ctx, event_id));
  const packed = createGzip();
  // The reader gets the error too, so it is ignored here.
  pipeline(lines, packed, () => {});
  const name = event_id.replace(/[^\w-]+/g, '-');
  return { name: `bordero-${name}.json.gz`, type: 'application/gzip', content: packed };
}

/** The text of the file in pieces, before compression. */
export async function bookText(ctx: Ctx, event_id: string): Promise<AsyncGenerator<string>> {
  const event = await findEvent(ctx.db, event_id);
  if (!event || event.rehearsal === 1) throw new Refusal('event_not_found');
  await catchUp(ctx, event_id);
  const book = await findBook(ctx.db, event_id);
  if (!book) throw new Refusal('book_empty');
  const { rows, hash: head, header } = book;
  const { key, sign } = await houseKey(ctx);
  const end = endLine({ rows, head, key, signature: sign(endText({ rows, head })) });
  return (async function* write() {
    yield `${header}\n`;
    for await (const some of bookLines(ctx.db, event_id, rows))
      yield some.map((line) => `${rowLine(line)}\n`).join('');
    yield `${end}\n`;
  })();
}
