/** Cursor pagination for the office's lists: the cursor is the last row's time and id, so that new rows do not shift the pages. */
import type { After, Page } from '#db/page.ts';
import { Refusal } from '#server/domain/refusal.ts';

export interface PageAsk {
  limit: number;
  cursor: string | undefined;
}

/**
 * `read` is asked for one row more than the page shows, which tells whether there is another page.
 * @throws Refusal bad_request for a cursor that is not ours
 */
export async function readPage<Row extends { id: string }>(
  { limit, cursor }: PageAsk,
  read: (page: Page) => Promise<Row[]>,
  timeOf: (row: Row) => number,
): Promise<{ rows: Row[]; next_cursor: string | null }> {
  const found = await read({ limit: limit + 1, after: readCursor(cursor) });
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1)! : null;
  return { rows, next_cursor: last && `${timeOf(last)}.${last.id}` };
}

function readCursor(cursor: string | undefined): After | null {
  if (cursor === undefined) return null;
  const match = /^(\d{1,15})\.([\w-]{1,40})$/.exec(cursor);
  if (!match) throw new Refusal('bad_request', { field: 'cursor' });
  return { at: Number(match[1]), id: match[2]! };
}
