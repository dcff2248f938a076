/**
 * Reads and searches pages of the office's lists. The cursor is the last row's time and id, so
 * that new rows do not shift the pages.
 */
import { setImmediate as yieldToLoop } from 'node:timers/promises';
import type { After, Page } from '#db/engine/page.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { foldText, searchWords } from '#server/domain/text/search.ts';
import { requireValue } from '#server/domain/require-value.ts';

interface PageAsk {
  limit: number;
  cursor: string | undefined;
}

/** What a caller may ask of a list; without `limit` a page has `usualRows` rows. */
export interface ListAsk {
  limit?: number;
  cursor?: string;
  q?: string;
}
const usualRows = 50;

/** How many rows the search reads in one query. */
const sliceRows = 200;

/**
 * A page of the rows whose texts contain all words of `q`. The search is not done by the
 * database, so that with both databases it ignores accents and apostrophes in the same way.
 * @throws Refusal bad_request for a cursor that this server did not make
 */
export async function listPage<Row extends { id: string }>(
  { limit = usualRows, cursor, q = '' }: ListAsk,
  read: (page: Page) => Promise<Row[]>,
  {
    timeOf,
    textsOf,
  }: { timeOf: (row: Row) => number; textsOf: (row: Row) => readonly (string | null)[] },
): Promise<{ rows: Row[]; next_cursor: string | null }> {
  const words = searchWords(q);
  if (words.length === 0) return readPage({ limit, cursor }, read, timeOf);
  const isFound = (row: Row) => {
    const text = foldText(textsOf(row).join(' '));
    return words.every((word) => text.includes(word));
  };
  const readFound = async ({ limit: wanted, after }: Page) => {
    const found: Row[] = [];
    for (let beyond = after; ;) {
      const slice = await read({ limit: sliceRows, after: beyond });
      found.push(...slice.filter(isFound));
      if (slice.length < sliceRows || found.length >= wanted) return found.slice(0, wanted);
      const last = requireValue(slice.at(-1), 'row');
      beyond = { at: timeOf(last), id: last.id };
      // A search through 20,000 rows takes SQLite seconds; other requests are answered meanwhile.
      await yieldToLoop();
    }
  };
  return readPage({ limit, cursor }, readFound, timeOf);
}

/**
 * Calls `read` for one row more than the page shows, to learn whether there is another page.
 * @throws Refusal bad_request for a cursor that this server did not make
 */
export async function readPage<Row extends { id: string }>(
  { limit, cursor }: PageAsk,
  read: (page: Page) => Promise<Row[]>,
  timeOf: (row: Row) => number,
): Promise<{ rows: Row[]; next_cursor: string | null }> {
  const found = await read({ limit: limit + 1, after: readCursor(cursor) });
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  return { rows, next_cursor: last === undefined ? null : `${timeOf(last)}.${last.id}` };
}

function readCursor(cursor: string | undefined): After | null {
  if (cursor === undefined) return null;
  const [, at, id] = /^(\d{1,15})\.([\w#:-]{1,141})$/.exec(cursor) ?? [];
  if (id === undefined) throw new Refusal('bad_request', { field: 'cursor' });
  return { at: Number(at), id };
}
