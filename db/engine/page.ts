/** Lists that are read page by page, newest first; a time and an id mark where a page ends. */
import type { Knex } from 'knex';

export interface After {
  at: number;
  id: string;
}
/** `after` is null for the first page. */
export interface Page {
  limit: number;
  after: After | null;
}

/** Orders by `time` and the table's id, and leaves out the pages before. */
export function newestFirst(
  query: Knex.QueryBuilder,
  { table, time }: { table: string; time: string },
  page: Page,
): void {
  keepPage(query, { at: `${table}.${time}`, id: `${table}.id`, order: 'desc' }, page);
}

/** Orders by the lowest number first; `at` is SQL for a whole number. */
export function lowestFirst(
  query: Knex.QueryBuilder,
  { at, id }: { at: Knex.Raw; id: string },
  page: Page,
): void {
  keepPage(query, { at, id, order: 'asc' }, page);
}

interface RowOrder {
  at: string | Knex.Raw;
  id: string;
  order: 'asc' | 'desc';
}

function keepPage(
  query: Knex.QueryBuilder,
  { at, id, order }: RowOrder,
  { limit, after }: Page,
): void {
  const beyond = order === 'asc' ? '>' : '<';
  // Knex's types accept an expression everywhere except in orderBy() with a list.
  const column = at as string;
  query
    .orderBy([
      { column, order },
      { column: id, order },
    ])
    .limit(limit);
  if (after)
    query.where((b) =>
      b
        .where(column, beyond, after.at)
        .orWhere((c) => c.where(column, after.at).where(id, beyond, after.id)),
    );
}
