/** The events of reports, without rehearsals and drafts. */
import type { Db } from '#db/engine/dialect.ts';
import type { EventRow } from '#db/rows.ts';

const columns = ['id', 'title', 'show_id', 'starts_at', 'doors_at', 'status'] as const;
export type ReportEvent = Pick<EventRow, (typeof columns)[number]>;

/** Finds an event by id, which may be a rehearsal. */
export async function findReportEvent(db: Db, id: string): Promise<ReportEvent | undefined> {
  return db<EventRow>('events')
    .where({ id })
    .first(...columns);
}

/** Lists the earliest first. */
export async function reportEvents(
  db: Db,
  {
    show_id,
    from,
    before,
    soldWithin,
  }: {
    show_id?: string;
    from?: number;
    before?: number;
    soldWithin?: { first: number; last: number };
  },
): Promise<ReportEvent[]> {
  const query = db<EventRow>('events')
    .where({ rehearsal: 0 })
    .whereNot({ status: 'draft' })
    .orderBy(['starts_at', 'id']);
  if (show_id !== undefined) query.where({ show_id });
  if (from !== undefined) query.where('starts_at', '>=', from);
  if (before !== undefined) query.where('starts_at', '<', before);
  // Events with an outdated count are included, because they may have sold something since then.
  if (soldWithin !== undefined)
    query.whereNotExists((b) =>
      b
        .select(db.raw('1'))
        .from('kept_figures')
        .whereRaw('kept_figures.event_id = events.id AND kept_figures.feed_seq = events.feed_seq')
        .where((c) =>
          c
            .whereNull('first_day')
            .orWhere('first_day', '>', soldWithin.last)
            .orWhere('last_day', '<', soldWithin.first),
        ),
    );
  return query.select(...columns);
}
