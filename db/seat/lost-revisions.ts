/** Places of a restored house, on which tickets may be out that the backup lacks (RULES B3). */
import type { Db, Trx } from '#db/engine/dialect.ts';
import type { PlaceRow } from '#db/rows.ts';
import { isLost, lostAfter, readLost, spellLost } from '#server/domain/door/lost-revisions.ts';

/** The newest revision of a place that may be out, in SQL. */
export const newestOut = 'CASE WHEN skipped_to > issued THEN skipped_to ELSE issued END';

/** Makes every place skip its next `count` revisions, which may be out already. */
export async function skipRevisions(db: Db, count: number): Promise<void> {
  const span = db.raw(
    `CASE WHEN lost_revisions IS NULL THEN '' ELSE lost_revisions || ',' END
      || (${newestOut} + 1) || '-' || (${newestOut} + ?)`,
    [count],
  );
  await db('places').update({
    skipped_to: db.raw(`${newestOut} + ?`, [count]),
    lost_revisions: span,
  });
}

type KnownAgain = Pick<PlaceRow, 'place' | 'earlier_codes'> & { revision: number };

/**
 * Issues lost revisions again, to the tickets that had them. `first`: the first of those that a
 * place lost last. Leaves out places on which no such revision is lost, or a newer one was issued
 * since. The caller has locked the event's row.
 */
export async function issueLost(
  trx: Trx,
  { event_id, feed_seq }: { event_id: string; feed_seq: number },
  wanted: ReadonlyMap<string, number | 'first'>,
): Promise<Map<string, KnownAgain>> {
  const rows = await trx<PlaceRow>('places')
    .where({ event_id })
    .whereIn('place', [...wanted.keys()])
    .whereNotNull('lost_revisions');
  const known = new Map<string, KnownAgain>();
  for (const { place, issued, earlier_codes, lost_revisions } of rows) {
    const spans = readLost(lost_revisions);
    const first = spans.at(-1)?.[0];
    const asked = wanted.get(place);
    const revision = asked === 'first' ? first : asked;
    if (revision === undefined || revision <= issued || !isLost(spans, revision)) continue;
    await trx<PlaceRow>('places')
      .where({ event_id, place })
      .update({
        issued: revision,
        lost_revisions: spellLost(lostAfter(spans, revision)),
        feed_seq,
      });
    known.set(place, { place, earlier_codes, revision });
  }
  return known;
}
