/** Keeps a date and its show consistent, in the transaction that stores the date (RULES E1). */
import type { Trx } from '#db/engine/dialect.ts';
import type { EventRow, SharedColumns } from '#db/rows.ts';
import { datesOf, findShow, insertShow, lockShow, updateShow } from '#db/event/shows.ts';
import { demoAfter } from '#server/domain/event/demo.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { fieldsThatDiffer, laterFields, mostDates, sharedOf } from '#server/domain/event/show.ts';
import type { Ctx } from '#server/services/context.ts';

type Membership = Pick<EventRow, 'show_id' | 'own_fields' | 'demo'>;

/**
 * Adds a new date to its show and stores the fields in which it differs, or begins a new show for
 * it.
 * @throws Refusal show_not_found, too_many_dates
 */
export async function joinShow(
  ctx: Ctx,
  trx: Trx,
  event: SharedColumns & Pick<EventRow, 'id' | 'demo'>,
  show_id: string | undefined,
): Promise<Membership> {
  if (show_id === undefined)
    return { show_id: await beginShow(ctx, trx, event), own_fields: '[]', demo: event.demo };
  const show = await lockShow(trx, show_id);
  if (!show) throw new Refusal('show_not_found');
  const dates = await datesOf(trx, [show_id]);
  if (dates.length >= mostDates) throw new Refusal('too_many_dates', { most: mostDates });
  return {
    show_id,
    own_fields: JSON.stringify(fieldsThatDiffer(show, event)),
    demo: dates[0]?.demo ?? event.demo,
  };
}

async function beginShow(
  ctx: Ctx,
  trx: Trx,
  event: SharedColumns & Pick<EventRow, 'id'>,
): Promise<string> {
  const id = await freeShowId(trx, event.id);
  await insertShow(trx, {
    ...sharedOf(event),
    id,
    version: 1,
    created_at: ctx.now(),
    updated_at: ctx.now(),
  });
  return id;
}

/** The event's address, with a number if another show has it already. */
async function freeShowId(trx: Trx, id: string): Promise<string> {
  for (let n = 1; ; n += 1) {
    const free = n === 1 ? id : `${id}-${n}`;
    if (!(await findShow(trx, free))) return free;
  }
}

/**
 * Copies the fields of a show's only date to the show; if the show has several dates, this date
 * keeps the fields in which it differs.
 */
export async function saveInShow(
  ctx: Ctx,
  trx: Trx,
  before: Membership & Pick<EventRow, 'title'>,
  columns: SharedColumns,
): Promise<Partial<EventRow>> {
  const { show_id, own_fields } = before;
  const demo = demoAfter(before, columns);
  const show = show_id === null ? undefined : await lockShow(trx, show_id);
  if (!show) return { demo };
  const differing = fieldsThatDiffer(show, columns);
  if ((await datesOf(trx, [show.id])).length > 1)
    return { own_fields: JSON.stringify([...differing, ...laterFields(own_fields)]), demo };
  if (differing.length > 0)
    await updateShow(trx, show.id, { ...sharedOf(columns), updated_at: ctx.now() });
  return { own_fields: '[]', demo };
}
