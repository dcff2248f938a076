/**
 * Adds seats to a live contingent or removes them (RULES S6). Our rows are written first, then
 * the channel is set to match them, and a task finishes what was interrupted.
 */
import * as edits from '#db/seat/contingent-edits.ts';
import * as rows from '#db/seat/contingents.ts';
import type { Trx } from '#db/engine/dialect.ts';
import type { ContingentRow } from '#db/rows.ts';
import { transact } from '#db/engine/transact.ts';
import { wakeWorker } from '#db/engine/wake.ts';
import { ProviderRefused } from '#server/adapters/provider.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { queueInReserve, queueTask } from '#server/services/kit/queue-task.ts';
import { requireArea } from './area-blocks.ts';
import { settleAfterMs } from './block-terms.ts';
import {
  isFree,
  knownContingent,
  requireFree,
  tellChannel,
  whyNotUnique,
  type Whole,
} from '#server/services/event/contingent-map.ts';
import { noteContingent, shownContingent } from './contingent-terms.ts';
import { requireNamedSeats, requireUnsold } from './named-seats.ts';

type ContingentSeats = Pick<Whole, 'objects' | 'areas'>;

interface Ask extends ContingentSeats {
  event_id: string;
  contingent_id: string;
}

/**
 * Adds all of the seats or none, except seats that the contingent has already.
 * @throws Refusal event_not_found, event_cancelled, contingent_not_found, contingent_unsettled,
 * object_unknown, seats_not_free, provider_silent
 */
export async function addToContingent(ctx: Ctx, ask: Ask, actor: Actor) {
  const { event, contingent } = await knownContingent(ctx, ask.event_id, ask.contingent_id);
  if (event.status === 'cancelled') throw new Refusal('event_cancelled');
  requireStanding(contingent);
  // Another call is still adding seats.
  if (await edits.isGrowing(ctx.db, contingent.id)) throw new Refusal('contingent_unsettled');
  const before = await rows.partsOf(ctx.db, contingent);
  const known = new Set(before.objects);
  const more: Whole = {
    contingent,
    objects: ask.objects.filter((object) => !known.has(object)),
    areas: ask.areas,
  };
  if (more.objects.length + more.areas.length === 0) return answerOf(ctx, more);
  await requireNamedSeats(ctx, ask.event_id, more.objects);
  for (const { object, places } of more.areas) {
    const kept = before.areas.find((area) => area.object === object)?.places ?? 0;
    await requireArea(ctx, ask.event_id, { object, places: places + kept });
  }
  const whole = { ...more, areas: await neededOf(ctx, more) };
  await requireFree(ctx, event, whole, isFree);
  await storeGrowth(ctx, more);
  try {
    await tellChannel(ctx, contingent.id).catch((error: unknown) => {
      if (error instanceof ProviderRefused)
        throw new Refusal('seats_not_free', { objects: more.objects }, error);
      throw error;
    });
    await requireFree(ctx, event, whole, isFree);
  } catch (error) {
    await giveUp(ctx, contingent);
    throw error;
  }
  ctx.fault('contingent_grown');
  await transact(ctx.db, async (trx) => {
    // The task has undone this addition already, or the contingent was released.
    if (!(await edits.endGrowth(trx, contingent.id))) throw new Refusal('provider_silent');
    const action = 'contingent_seats_added';
    await noteContingent(ctx, trx, { contingent, actor, action, kept: more });
  });
  return answerOf(ctx, more);
}

function requireStanding({ state }: ContingentRow): void {
  if (state === 'released') throw new Refusal('contingent_not_found');
  if (state !== 'live') throw new Refusal('contingent_unsettled');
}

/** How many places each area needs: the added ones, and the contingent's unsold ones. */
async function neededOf(ctx: Ctx, { contingent, areas }: Whole): Promise<Whole['areas']> {
  return Promise.all(
    areas.map(async ({ object, places }) => {
      const kept = await edits.unsoldInArea(ctx.db, contingent.event_id, object);
      return { object, places: places + (kept.get(contingent.id) ?? 0) };
    }),
  );
}

async function storeGrowth(ctx: Ctx, more: Whole): Promise<void> {
  const { contingent, objects } = more;
  try {
    await transact(ctx.db, async (trx) => {
      await lockContingent(ctx, trx, contingent);
      await requireUnsold(trx, contingent.event_id, objects);
      await edits.growContingent(trx, contingent, more);
      const run_at = ctx.now() + settleAfterMs;
      await queueTask(ctx, trx, { task: 'settle_contingent', subject: contingent.id, run_at });
    });
  } catch (error) {
    throw await whyNotUnique(ctx, more, error);
  }
}

/** Allows one change of the contingent's seats at a time. */
async function lockContingent(ctx: Ctx, trx: Trx, { id }: ContingentRow): Promise<void> {
  const stands = await edits.beginEdit(trx, id, ctx.now());
  if (!stands || (await edits.isGrowing(trx, id))) throw new Refusal('contingent_unsettled');
}

/** Undoes the addition in our rows, then at the seat map; if that fails, the task does it. */
async function giveUp(ctx: Ctx, contingent: ContingentRow): Promise<void> {
  await transact(ctx.db, async (trx) => {
    await edits.beginEdit(trx, contingent.id, ctx.now());
    await edits.dropGrowth(trx, contingent.id);
    await queueInReserve(ctx, trx, { task: 'settle_contingent', subject: contingent.id });
  });
  await tellChannel(ctx, contingent.id).catch((error: unknown) => {
    ctx.log.warn({ err: error, contingent_id: contingent.id }, 'the task tells the seat map');
    wakeWorker(ctx.db);
  });
}

/**
 * Removes those seats that are not sold; everybody may then buy them.
 * @throws Refusal event_not_found, contingent_not_found, contingent_unsettled,
 * contingent_left_empty, seats_not_free (more places than the area has left), provider_silent
 * (the seats are then freed when the seat map answers)
 */
export async function removeFromContingent(ctx: Ctx, ask: Ask, actor: Actor) {
  const { contingent } = await knownContingent(ctx, ask.event_id, ask.contingent_id);
  requireStanding(contingent);
  const gone = await transact(ctx.db, async (trx) => {
    await lockContingent(ctx, trx, contingent);
    const less = await takeOut(trx, contingent, ask);
    if (less.objects.length + less.areas.length === 0) return less;
    const left = await rows.partsOf(trx, contingent);
    if (left.objects.length + left.areas.length === 0) throw new Refusal('contingent_left_empty');
    await queueInReserve(ctx, trx, { task: 'settle_contingent', subject: contingent.id });
    const action = 'contingent_seats_removed';
    await noteContingent(ctx, trx, { contingent, actor, action, kept: less });
    return less;
  });
  await tellChannel(ctx, contingent.id);
  return answerOf(ctx, gone);
}

async function takeOut(
  trx: Trx,
  contingent: ContingentRow,
  { objects, areas }: ContingentSeats,
): Promise<Whole> {
  for (const area of areas) {
    const unsold = await edits.unsoldInArea(trx, contingent.event_id, area.object);
    if ((unsold.get(contingent.id) ?? 0) < area.places)
      throw new Refusal('seats_not_free', { objects: [area.object] });
    await edits.shrinkArea(trx, contingent.id, area);
  }
  return { contingent, objects: await edits.dropUnsold(trx, contingent.id, objects), areas };
}

/** The contingent, with the changed seats, so that the office can undo the change. */
async function answerOf(ctx: Ctx, { contingent, objects, areas }: Whole) {
  const shown = await shownContingent(ctx, contingent.event_id, contingent.id);
  return { contingent: shown, objects, areas };
}

/**
 * Undoes an addition whose call died, and sets the channel to match our rows. Returns when to run
 * again; null: never.
 */
export async function settleSeats(ctx: Ctx, contingent: ContingentRow): Promise<number | null> {
  const { id, changed_at } = contingent;
  if (contingent.edits === 0) return null;
  if (await edits.isGrowing(ctx.db, id)) {
    if (changed_at + settleAfterMs > ctx.now()) return changed_at + settleAfterMs;
    await transact(ctx.db, async (trx) => {
      if (await edits.beginEdit(trx, id, ctx.now())) await edits.dropGrowth(trx, id);
    });
  }
  await tellChannel(ctx, id);
  return null;
}
