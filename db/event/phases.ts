/** Phases of list prices in SQL: how many tickets are sold, and when a phase has ended by that. */
import type { Db, Trx } from '#db/engine/dialect.ts';
import { countRows } from '#db/engine/statements.ts';
import { hasPlace } from '#db/joins.ts';
import type { EventRow } from '#db/rows.ts';

/** The places of an event that are sold or being bought. */
export async function countSoldPlaces(db: Db, event_id: string): Promise<number> {
  return countRows(db('order_lines').where({ event_id }).whereRaw(hasPlace('order_lines')));
}

/** It is not in the form, so an open form of the office stays as good as it was. */
export async function setPhaseTurns(
  trx: Trx,
  id: string,
  phase_turns: string | null,
): Promise<void> {
  await trx<EventRow>('events').where({ id }).update({ phase_turns });
}
