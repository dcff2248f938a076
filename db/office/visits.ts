/** Our own visit counters in SQL. */
import type { Db, Trx } from '#db/engine/dialect.ts';
import type { VisitCountRow } from '#db/rows.ts';

/** Adds each row's `n` to its counter. */
export async function addVisits(trx: Trx, rows: readonly VisitCountRow[]): Promise<void> {
  // The order is always the same, so that two processes do not wait for each other.
  const keyOf = ({ day, name, page, step }: VisitCountRow) => [day, name, page, step].join(' ');
  for (const row of rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))) {
    await trx('visit_counts')
      .insert(row)
      .onConflict(['day', 'name', 'page', 'step'])
      .merge({ n: trx.raw('visit_counts.n + ?', [row.n]) });
  }
}

/** Sums the visits since a day by name and step. */
export async function readVisits(
  db: Db,
  since: string,
): Promise<{ name: string; step: string; n: number }[]> {
  return db('visit_counts')
    .where('day', '>=', since)
    .select('name', 'step')
    .sum({ n: 'n' })
    .groupBy('name', 'step') as never;
}
