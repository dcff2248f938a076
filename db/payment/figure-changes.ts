/**
 * Notes changes that an event's own row does not show and that make the stored counts of the
 * event outdated.
 */
import { randomUUID } from 'node:crypto';
import type { Trx } from '#db/engine/dialect.ts';
import { marksFor, readRows, selectRows } from '#db/engine/statements.ts';

/**
 * Notes a change that the door's sequence does not show; `id` names the changed row and `into` is
 * its new value.
 */
export async function noteFigureChange(
  trx: Trx,
  { id, order_id }: { id: string; order_id: string | null },
  into: string,
): Promise<void> {
  await selectRows(
    trx,
    `INSERT INTO figure_changes (id, event_id) SELECT ?, o.event_id FROM orders o JOIN events e ON e.id = o.event_id
      WHERE o.id = ? AND e.rehearsal = 0 ON CONFLICT (id) DO NOTHING RETURNING id`,
    [`${id} ${into}`, order_id],
  );
}

/** Notes that lines of payouts were added or will be deleted, once for each event. */
export async function noteFigureLines(trx: Trx, line_ids: readonly string[]): Promise<void> {
  await readRows(
    trx,
    `INSERT INTO figure_changes (id, event_id) SELECT DISTINCT ? || o.event_id, o.event_id FROM payout_lines l
      LEFT JOIN payments p ON p.charge_id = l.source_id LEFT JOIN disputes d ON d.id = l.source_id
      JOIN orders o ON o.id = COALESCE(p.order_id, d.order_id)
      WHERE l.id IN (${marksFor(line_ids)}) RETURNING id`,
    [`${randomUUID()} `, ...line_ids],
  );
}
