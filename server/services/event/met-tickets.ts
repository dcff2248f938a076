/**
 * Which sold tickets a change of an event's rules affects, shown before it is saved; and their
 * buyers, who may be asked for names (RULES O20).
 */
import type { Db, Trx } from '#db/engine/dialect.ts';
import { ordersWithoutNames, soldTerms } from '#db/order/sold-terms.ts';
import { findEvent } from '#db/event/events.ts';
import { transact } from '#db/engine/transact.ts';
import type { EventRow } from '#db/rows.ts';
import type { RightsForm } from '#server/contract/event-desk.ts';
import { toColumns } from '#server/domain/event/event.ts';
import { addUp, sayMet, ticketsMet } from '#server/domain/order/met-tickets.ts';
import { reminderAt, type Rights } from '#server/domain/order/terms.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { oweMail } from '#server/services/kit/happened.ts';
import { raiseFloor } from '#server/services/kit/processes.ts';
import { announce, turnOf } from './announcements.ts';
import { knownEvent } from './events.ts';

interface Change {
  before: EventRow;
  after: Rights;
}

/** @throws Refusal event_not_found */
export async function previewEvent(ctx: Ctx, id: string, form: RightsForm) {
  const before = await knownEvent(ctx, id);
  return ticketsAffectedBy(ctx.db, [{ before, after: toColumns(form) }]);
}

/** What becomes of the tickets of all these events, and how many would be asked for a name. */
export async function ticketsAffectedBy(db: Db, changes: readonly Change[]) {
  const sold = await soldTerms(
    db,
    changes.map(({ before }) => before.id),
  );
  const of = ({ before }: Change) => sold.filter(({ event_id }) => event_id === before.id);
  const met = addUp(changes.flatMap((change) => ticketsMet(of(change), change)));
  const turned = changes.filter(({ before, after }) => before.nominative < after.nominative);
  return {
    met: met.map((one) => ({ ...one, sentence: sayMet(one) })),
    unnamed: turned
      .flatMap(of)
      .filter(({ nominative }) => nominative === 0)
      .reduce((sum, { unnamed }) => sum + unnamed, 0),
  };
}

interface Save {
  before: Pick<EventRow, 'id' | 'names_due'>;
  after: { nominative: 0 | 1; starts_at: number };
  ask_names_by: number | undefined;
  /** The same for all dates of one act; left out: the act is about this date alone. */
  act_id?: string;
  actor: Actor;
}

/**
 * The event's `names_due` as it is to be saved. If the office sets a new last day, all buyers
 * whose tickets lack a name are asked after a minute (RULES N4).
 * @throws Refusal event_times_wrong, older_process_runs
 */
export async function askNames(
  ctx: Ctx,
  trx: Trx,
  { before, after, ask_names_by: due, act_id, actor }: Save,
): Promise<Pick<EventRow, 'names_due'>> {
  if (after.nominative === 0) return { names_due: null };
  if (due === undefined) return { names_due: before.names_due };
  if (due <= ctx.now() || due >= after.starts_at)
    throw new Refusal('event_times_wrong', { fields: ['ask_names_by'] });
  // A process of an earlier release does not know this mail, so none may run from now on.
  await raiseFloor(ctx, trx, '1.2.0');
  const buyers = (await ordersWithoutNames(trx, before.id)).length;
  if (buyers === 0) return { names_due: due };
  const { id: event_id, names_due: from } = before;
  const id = ctx.newId();
  await announce(ctx, trx, {
    id,
    event_id,
    act: 'names_asked',
    task: 'ask_names',
    subject: `${event_id}#${id}`,
    buyers,
    moved: { event: { names_due: { from, to: due } } },
    actor,
    ...(act_id !== undefined && { act_id }),
  });
  return { names_due: due };
}

/**
 * The task: each of these buyers gets a mail now and again shortly before the last day; the second
 * one is dropped if all names are there by then. Idempotent by the act.
 */
export async function sendNamesAsked(ctx: Ctx, subject: string): Promise<number | null> {
  const turn = await turnOf(ctx, 'ask_names', subject);
  if (turn !== 'now') return turn;
  const [event_id = '', act_id = ''] = subject.split('#');
  const due = (await findEvent(ctx.db, event_id))?.names_due ?? null;
  // It was changed again since.
  if (due === null || due <= ctx.now()) return null;
  const again = reminderAt(ctx.now(), due);
  await transact(ctx.db, async (trx) => {
    const orders = await ordersWithoutNames(trx, event_id);
    for (const order_id of orders)
      for (const [nth, run_at] of [ctx.now(), again].entries()) {
        const key = `${due}#${act_id}.${nth}`;
        const mail = { order_id, kind: 'names_asked', key, run_at } as const;
        await oweMail(ctx, trx, { act: 'event_saved', ...mail });
      }
  });
  return null;
}

/** Until when names are asked for, and how many are missing; null: they are not asked for. */
export async function askedNames(db: Db, { id, names_due }: Pick<EventRow, 'id' | 'names_due'>) {
  if (names_due === null) return null;
  const sold = (await soldTerms(db, [id])).filter(({ nominative }) => nominative === 0);
  return { due: names_due, missing: sold.reduce((sum, { unnamed }) => sum + unnamed, 0) };
}
