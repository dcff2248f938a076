/** Lists that are read page by page, the newest first: a time and an id say where a page ends and the next one begins. */
import type { Knex } from 'knex';

export interface After {
  at: number;
  id: string;
}
/** `after` null: from the beginning. */
export interface Page {
  limit: number;
  after: After | null;
}

/** Orders by `time` and the table's id, and keeps what comes after the last row of the page before. */
export function newestFirst(
  query: Knex.QueryBuilder,
  { table, time }: { table: string; time: string },
  { limit, after }: Page,
): void {
  const [at, id] = [`${table}.${time}`, `${table}.id`];
  query
    .orderBy([
      { column: at, order: 'desc' },
      { column: id, order: 'desc' },
    ])
    .limit(limit);
  if (after)
    query.where((b) =>
      b.where(at, '<', after.at).orWhere((c) => c.where(at, after.at).where(id, '<', after.id)),
    );
}
