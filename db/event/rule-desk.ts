/** Price rules for the office in SQL: whose they are, their versions, and what they gave away. */
import { isPostgres, type Db, type Trx } from '#db/engine/dialect.ts';
import { countRows } from '#db/engine/statements.ts';
import { hasPlace } from '#db/joins.ts';
import type { EventRow, PriceRuleRow } from '#db/rows.ts';
import { deleteCodesOf } from './code-desk.ts';
import { withoutRehearsals } from './events.ts';

/** The date or the show that rules are for; both null: the house. */
export type RuleOwner = Pick<PriceRuleRow, 'event_id' | 'show_id'>;

/** All rules of the house, of shows and of dates that count, oldest first. */
export async function liveRules(db: Db): Promise<PriceRuleRow[]> {
  return db<PriceRuleRow>('price_rules').whereNull('ended_at').orderBy(['created_at', 'id']);
}

export async function findLiveRule(db: Db, id: string): Promise<PriceRuleRow | undefined> {
  return db<PriceRuleRow>('price_rules').where({ id }).whereNull('ended_at').first();
}

/** Of any version, also one that has ended. */
export async function findRule(db: Db, id: string): Promise<PriceRuleRow | undefined> {
  return db<PriceRuleRow>('price_rules').where({ id }).first();
}

/** Until the transaction ends, no other one changes rules or gives out codes; both are read. */
export async function lockRules(trx: Trx): Promise<void> {
  if (isPostgres(trx)) await trx.raw('LOCK TABLE price_rules IN SHARE ROW EXCLUSIVE MODE');
}

export async function insertRule(trx: Trx, row: PriceRuleRow): Promise<void> {
  await trx<PriceRuleRow>('price_rules').insert(row);
}

/** Returns false if the rule had ended already. */
export async function setRuleEnded(trx: Trx, id: string, ended_at: number): Promise<boolean> {
  const ended = trx<PriceRuleRow>('price_rules').where({ id }).whereNull('ended_at');
  return (await ended.update({ ended_at })) === 1;
}

/** Deletes the rules of a date or a show that was never on sale. */
export async function deleteRulesOf(trx: Trx, owner: Partial<RuleOwner>): Promise<void> {
  await deleteCodesOf(trx, owner);
  await trx<PriceRuleRow>('price_rules').where(owner).delete();
}

/** The dates that an owner's rules meet: a date itself, and the coming ones of a show or house. */
export async function datesUnder(
  db: Db,
  { event_id, show_id }: RuleOwner,
  now: number,
): Promise<EventRow[]> {
  const dates = db<EventRow>('events').where({ rehearsal: 0 }).orderBy(['starts_at', 'id']);
  if (event_id !== null) return dates.where({ id: event_id });
  if (show_id !== null) dates.where({ show_id });
  return dates.whereNot({ status: 'cancelled' }).where('starts_at', '>', now);
}

interface Lowered {
  /** JSON of the reasons, as lines have it. */
  price_reasons: string;
  tickets: number;
}

/** How many tickets of confirmed orders have each reason for their price. */
export async function loweredTickets(db: Db, { event_id, show_id }: RuleOwner): Promise<Lowered[]> {
  const lines = db('order_lines')
    .join('orders', 'orders.id', 'order_lines.order_id')
    .where('orders.state', 'confirmed')
    .whereNotNull('order_lines.price_reasons');
  if (event_id !== null) lines.where('order_lines.event_id', event_id);
  else if (show_id === null) withoutRehearsals(db, lines, 'order_lines.event_id');
  else
    lines.whereIn(
      'order_lines.event_id',
      db<EventRow>('events').where({ show_id, rehearsal: 0 }).select('id'),
    );
  const rows: { price_reasons: string; tickets: number | string }[] = await lines
    .groupBy('order_lines.price_reasons')
    .select('order_lines.price_reasons')
    .count({ tickets: '*' });
  return rows.map((row) => ({ ...row, tickets: Number(row.tickets) }));
}

/** Places of these dates that are sold or being bought. */
export async function countSoldPlaces(db: Db, event_ids: readonly string[]): Promise<number> {
  return countRows(
    db('order_lines')
      .whereIn('event_id', event_ids as string[])
      .whereRaw(hasPlace('order_lines')),
  );
}
