/** The pages of all lists: newest first, continued by the id of the last or first item. */
import { badRequest } from '#server/standins/seatsio/errors.ts';
import type { Reader } from '#server/standins/kit/store.ts';

/** Default and maximum size of a page [DOC]. */
const LIMIT = 1000;

interface Listing {
  /** `SELECT … FROM …` without WHERE. */
  select: string;
  where: string;
  values: (string | number)[];
  /** The most items of a page, if fewer than usual. */
  most?: number;
  /** A column; rows with equal values are newest first. */
  sort?: string;
  direction?: 'asc' | 'desc';
}

interface Page<T> {
  items: T[];
  next_page_starts_after?: string;
  previous_page_ends_before?: string;
}

function numberIn(query: URLSearchParams, name: string): number | null {
  const text = query.get(name);
  if (text === null || text === '') return null;
  const value = /^\d+$/.test(text) ? Number(text) : NaN;
  if (!Number.isSafeInteger(value))
    throw badRequest(`#/${name}: a whole number expected, found: ${text}`);
  return value;
}

const ORDER = { '<': 'DESC', '>': 'ASC' } as const;

interface Cut {
  beyond: string;
  values: (string | number)[];
  order: string;
}

/**
 * Selects the rows after the cursor, or before it when paging back; among equal values the newest
 * row comes first.
 */
function cutAt(listing: Listing, cursor: number | null, back: boolean): Cut {
  const { select, where, direction = 'desc', sort = 'id' } = listing;
  const forward = (direction === 'desc') === back ? '>' : '<';
  const tie = back ? '>' : '<';
  const byId = sort === 'id';
  const order = byId ? `id ${ORDER[forward]}` : `${sort} ${ORDER[forward]}, id ${ORDER[tie]}`;
  if (cursor === null) return { beyond: '', values: [], order };
  if (byId) return { beyond: `AND id ${forward} ?`, values: [cursor], order };
  // The cursor is a row's id; if that row was deleted, the list ends there.
  const place = `(SELECT ${sort} FROM (${select} WHERE ${where}) AS listed WHERE id = ?)`;
  return {
    beyond: `AND (${sort} ${forward} ${place} OR ${sort} = ${place} AND id ${tie} ?)`,
    values: [...listing.values, cursor, ...listing.values, cursor, cursor],
    order,
  };
}

/**
 * Reads `?limit&start_after_id&end_before_id`; answers the ids of the next and the previous page
 * as texts, if these pages exist.
 */
export async function readPage<T extends { id: number }>(
  sql: Reader,
  query: URLSearchParams,
  listing: Listing,
): Promise<Page<T>> {
  const limit = Math.min(listing.most ?? LIMIT, numberIn(query, 'limit') ?? LIMIT);
  if (limit === 0) throw badRequest('#/limit: at least 1');
  const after = numberIn(query, 'start_after_id');
  const before = numberIn(query, 'end_before_id');
  const cursor = after ?? before;
  const back = after === null && before !== null;
  const cut = cutAt(listing, cursor, back);
  const found = await sql.all<T>(
    `${listing.select} WHERE ${listing.where} ${cut.beyond} ORDER BY ${cut.order} LIMIT ?`,
    ...listing.values,
    ...cut.values,
    limit + 1,
  );
  const items = found.slice(0, limit);
  const more = found.length > limit;
  if (back) items.reverse();
  const [hasNext, hasPrevious] = back ? [cursor !== null, more] : [more, cursor !== null];
  const [first, last] = [items[0], items.at(-1)];
  return {
    items,
    ...(hasNext && last ? { next_page_starts_after: String(last.id) } : {}),
    ...(hasPrevious && first ? { previous_page_ends_before: String(first.id) } : {}),
  };
}
