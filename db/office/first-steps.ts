/** What a house has done in its first hours, in SQL; nothing of the demo counts. */
import { listAudit } from '#db/audit/audit.ts';
import type { Db } from '#db/engine/dialect.ts';
import { sampleCharts } from '#server/domain/event/demo.ts';
import type { EventRow } from '#db/rows.ts';

const ownEvents = (db: Db) => db<EventRow>('events').where({ rehearsal: 0, demo: 0 });
const exists = async (query: PromiseLike<unknown>) => (await query) !== undefined;

/** True once an event of the house has begun. */
export async function hasPlayed(db: Db, now: number): Promise<boolean> {
  return exists(
    ownEvents(db).whereNot({ status: 'draft' }).where('starts_at', '<', now).first('id'),
  );
}

/** True if the house has published an event of its own. */
export function hasPublished(db: Db): Promise<boolean> {
  return exists(ownEvents(db).whereNot({ status: 'draft' }).first('id'));
}

/**
 * Steps that stay done even if they are undone later: an event was published, a chart was used or
 * published, a mail left through a mail server, a phone was paired, and a rehearsal in which a
 * phone has read a code was closed.
 */
export async function readFirstDeeds(db: Db) {
  const drawn = await Promise.all(
    ['chart_imported', 'chart_published'].map((action) =>
      listAudit(db, { action }, { limit: 1, after: null }),
    ),
  );
  const read = db('admissions')
    .whereRaw('admissions.event_id = events.id')
    .whereNotNull('phone_id')
    .select('id');
  return {
    published: await hasPublished(db),
    drawn:
      drawn.flat().length > 0 ||
      (await exists(ownEvents(db).whereNotIn('chart_key', sampleCharts).first('id'))),
    mailed: await exists(db('mails').where({ state: 'sent' }).whereNull('last_error').first('id')),
    paired: await exists(db('phones').whereNotNull('last_seen_at').first('id')),
    rehearsed: await exists(
      db('events')
        .where({ rehearsal: 1 })
        .whereNotNull('cancelled_at')
        .whereExists(read)
        .first('id'),
    ),
  };
}

/** The id of the latest draft and of the latest open rehearsal. */
export async function listBegun(db: Db): Promise<{ [step: string]: string | undefined }> {
  const latest = (query: ReturnType<typeof ownEvents>) =>
    query.orderBy('created_at', 'desc').first('id');
  const draft = await latest(ownEvents(db).where({ status: 'draft' }));
  const rehearsal = await latest(
    db<EventRow>('events').where({ rehearsal: 1, cancelled_at: null }),
  );
  return { event: draft?.id, rehearsal: rehearsal?.id };
}
