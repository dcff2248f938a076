/**
 * Makes and releases contingents: seats that are sold in one way only (RULES S6). Our rows are
 * written before the seat map's channel, and a task finishes what was interrupted.
 */
import { randomBytes } from 'node:crypto';
import * as rows from '#db/seat/contingents.ts';
import { isSpelled } from '#db/event/price-codes.ts';
import { lockRules } from '#db/event/rule-desk.ts';
import { lockEvent } from '#db/event/events.ts';
import { dropGrowth } from '#db/seat/contingent-edits.ts';
import type { Trx } from '#db/engine/dialect.ts';
import type { ContingentRow, EventRow } from '#db/rows.ts';
import { transact } from '#db/engine/transact.ts';
import { wakeWorker } from '#db/engine/wake.ts';
import { ProviderRefused } from '#server/adapters/provider.ts';
import { mostContingents } from '#server/domain/seat/contingent.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { queueInReserve, queueTask } from '#server/services/kit/queue-task.ts';
import { requireArea } from './area-blocks.ts';
import { openForBlocks, requireFuture, settleAfterMs } from './block-terms.ts';
import {
  channelFor,
  isFree,
  isInNoCart,
  knownContingent,
  requireFree,
  whyNotUnique,
  type IsLeft,
  type Whole,
} from '#server/services/event/contingent-map.ts';
import { settleSeats } from './contingent-seats.ts';
import {
  saleCodeOf,
  noteContingent,
  shownContingent,
  type ContingentTerms,
} from './contingent-terms.ts';
import { knownEvent } from '#server/services/event/events.ts';
import { requireNamedSeats, requireUnsold } from './named-seats.ts';

interface ContingentAsk extends ContingentTerms {
  objects: string[];
  areas: { object: string; places: number }[];
}

/**
 * Makes a contingent of all these seats or of none.
 * @throws Refusal event_not_found, event_cancelled, object_unknown, seats_not_free, code_in_use,
 * too_many_contingents, release_time_past, provider_silent
 */
export async function makeContingent(ctx: Ctx, event_id: string, ask: ContingentAsk, actor: Actor) {
  const event = await openForBlocks(ctx, event_id, ask);
  await requireNamedSeats(ctx, event_id, ask.objects);
  for (const area of ask.areas) await requireArea(ctx, event_id, area);
  const whole = {
    contingent: newContingent(ctx, event_id, { ...ask, actor }),
    objects: ask.objects,
    areas: ask.areas,
  };
  await requireFree(ctx, event, whole, isFree);
  await storeContingent(ctx, whole);
  await place(ctx, event, { whole, isLeft: isFree });
  await stand(ctx, whole, { actor, action: 'contingent_made' });
  return shownContingent(ctx, event_id, whole.contingent.id);
}

function newContingent(
  ctx: Ctx,
  event_id: string,
  { actor, ...ask }: ContingentTerms & { actor: Actor },
): ContingentRow {
  const { name, color, sale, release_at } = ask;
  const now = ctx.now();
  return {
    id: ctx.newId(),
    event_id,
    name,
    color,
    sale,
    code: saleCodeOf(ask),
    channel_key: newChannelKey(),
    release_at,
    state: 'placing',
    changed_at: now,
    released_at: null,
    actor,
    edits: 0,
    created_at: now,
  };
}

/** A key that cannot be guessed, because it is all that a visitor needs to hold the seats. */
function newChannelKey(): string {
  return randomBytes(16).toString('base64url');
}

async function storeContingent(ctx: Ctx, whole: Whole): Promise<void> {
  const { contingent, objects } = whole;
  try {
    await transact(ctx.db, async (trx) => {
      await requireOwnCode(trx, contingent.code);
      // Two in parallel would both find the last room.
      await lockEvent(trx, contingent.event_id);
      if ((await rows.countContingents(trx, contingent.event_id)) >= mostContingents)
        throw new Refusal('too_many_contingents');
      await requireUnsold(trx, contingent.event_id, objects);
      await rows.insertContingent(trx, whole);
      await queueSettling(ctx, trx, contingent.id);
    });
  } catch (error) {
    throw await whyNotUnique(ctx, whole, error);
  }
}

/**
 * A code opens either seats or a price rule, never both, even if both are typed at once. Call it
 * before any lock of the event, because a new rule takes the two locks in this order.
 */
async function requireOwnCode(trx: Trx, code: string | null): Promise<void> {
  if (code === null) return;
  await lockRules(trx);
  if (await isSpelled(trx, code)) throw new Refusal('code_in_use', { fields: ['code'] });
}

async function queueSettling(ctx: Ctx, trx: Trx, id: string): Promise<void> {
  await queueTask(ctx, trx, {
    task: 'settle_contingent',
    subject: id,
    run_at: ctx.now() + settleAfterMs,
  });
}

/**
 * Makes the channel, then checks the seats: from then on they cannot be held without the key, so
 * the check finds every earlier hold.
 */
async function place(
  ctx: Ctx,
  event: EventRow,
  { whole, isLeft }: { whole: Whole; isLeft: IsLeft },
): Promise<void> {
  const { contingent, objects } = whole;
  try {
    await ctx.seats
      .addChannel(event.seatsio_event_key, channelFor(whole))
      .catch((error: unknown) => {
        if (error instanceof ProviderRefused)
          throw new Refusal('seats_not_free', { objects }, error);
        throw error;
      });
    await requireFree(ctx, event, whole, isLeft);
  } catch (error) {
    await giveUp(ctx, contingent);
    throw error;
  }
  ctx.fault('contingent_placed');
}

/** Removes the channel; if that fails, the task does it later. */
async function giveUp(ctx: Ctx, { id }: ContingentRow): Promise<void> {
  await transact(ctx.db, async (trx) => {
    const change = { state: 'releasing' as const, changed_at: ctx.now() };
    await rows.turnContingent(trx, id, ['placing'], change);
    await queueInReserve(ctx, trx, { task: 'settle_contingent', subject: id });
  });
  await finishRelease(ctx, id).catch((error: unknown) => {
    ctx.log.warn({ err: error, contingent_id: id }, 'the task takes the contingent away');
    wakeWorker(ctx.db);
  });
}

async function stand(
  ctx: Ctx,
  { contingent, objects, areas }: Whole,
  { actor, action }: { actor: Actor; action: 'contingent_made' | 'contingent_restored' },
): Promise<void> {
  await transact(ctx.db, async (trx) => {
    const change = { state: 'live' as const, changed_at: ctx.now(), released_at: null };
    // The task has begun to release this contingent already, and will finish.
    if (!(await rows.turnContingent(trx, contingent.id, ['placing'], change)))
      throw new Refusal('provider_silent');
    await noteContingent(ctx, trx, { contingent, actor, action, kept: { objects, areas } });
  });
}

interface One {
  event_id: string;
  contingent_id: string;
}

/** @throws Refusal event_not_found, contingent_not_found, code_in_use, release_time_past */
export async function editContingent(
  ctx: Ctx,
  { event_id, contingent_id, terms }: One & { terms: ContingentTerms },
  actor: Actor,
) {
  const { contingent: before } = await knownContingent(ctx, event_id, contingent_id);
  requireFuture(ctx, terms);
  const { name, color, sale, release_at } = terms;
  const change = { name, color, sale, release_at, code: saleCodeOf(terms) };
  const contingent = { ...before, ...change };
  try {
    await transact(ctx.db, async (trx) => {
      await requireOwnCode(trx, contingent.code);
      if (!(await rows.updateContingent(trx, contingent_id, change)))
        throw new Refusal('contingent_not_found');
      if (release_at !== null)
        await queueTask(ctx, trx, {
          task: 'settle_contingent',
          subject: contingent_id,
          run_at: release_at,
        });
      await noteContingent(ctx, trx, { contingent, actor, action: 'contingent_changed' });
    });
  } catch (error) {
    throw await whyNotUnique(ctx, { contingent, objects: [], areas: [] }, error);
  }
  return shownContingent(ctx, event_id, contingent_id);
}

/**
 * Releases the contingent, so that everybody may buy its unsold seats. May be repeated.
 * @throws Refusal event_not_found, contingent_not_found, provider_silent (the seats are then
 * freed when the seat map answers)
 */
export async function releaseContingent(ctx: Ctx, { event_id, contingent_id }: One, actor: Actor) {
  const { contingent } = await knownContingent(ctx, event_id, contingent_id);
  await beginRelease(ctx, contingent, actor);
  await finishRelease(ctx, contingent_id);
  return shownContingent(ctx, event_id, contingent_id);
}

async function beginRelease(ctx: Ctx, contingent: ContingentRow, actor: Actor): Promise<void> {
  await transact(ctx.db, async (trx) => {
    const now = ctx.now();
    const change = { state: 'releasing' as const, changed_at: now, released_at: now };
    if (!(await rows.turnContingent(trx, contingent.id, ['live'], change))) return;
    await dropGrowth(trx, contingent.id);
    await queueInReserve(ctx, trx, { task: 'settle_contingent', subject: contingent.id });
    await noteContingent(ctx, trx, { contingent, actor, action: 'contingent_released' });
  });
}

/** Removes the channel at the seat map, then updates our rows. May be repeated. */
async function finishRelease(ctx: Ctx, id: string): Promise<void> {
  const contingent = await rows.findContingent(ctx.db, id);
  if (contingent?.state !== 'releasing') return;
  const { seatsio_event_key } = await knownEvent(ctx, contingent.event_id);
  await ctx.seats.dropChannel(seatsio_event_key, contingent.channel_key);
  ctx.fault('contingent_dropped');
  await transact(ctx.db, async (trx) => {
    const change = { state: 'released' as const, changed_at: ctx.now() };
    if (!(await rows.turnContingent(trx, id, ['releasing'], change))) return;
    // A contingent that was never live leaves no row.
    if (contingent.released_at === null) await rows.removeContingent(trx, id);
    else await rows.keepPlaces(trx, id, false);
  });
}

/**
 * Makes a released contingent live again, with its seats but without a time of release.
 * @throws Refusal event_not_found, event_cancelled, contingent_not_found, contingent_unsettled,
 * code_in_use, seats_not_free, provider_silent
 */
export async function restoreContingent(ctx: Ctx, { event_id, contingent_id }: One, actor: Actor) {
  const { event, contingent } = await knownContingent(ctx, event_id, contingent_id);
  if (event.status === 'cancelled') throw new Refusal('event_cancelled');
  if (contingent.state === 'live') return shownContingent(ctx, event_id, contingent_id);
  const channel_key = newChannelKey();
  const parts = await rows.partsOf(ctx.db, contingent);
  const whole = { ...parts, contingent: { ...contingent, channel_key, release_at: null } };
  await requireFree(ctx, event, whole, isInNoCart);
  try {
    await transact(ctx.db, async (trx) => {
      await requireOwnCode(trx, contingent.code);
      const change = {
        state: 'placing' as const,
        changed_at: ctx.now(),
        channel_key,
        release_at: null,
      };
      // The channel gets a new key, so that a late call about the old channel cannot remove it.
      if (!(await rows.turnContingent(trx, contingent_id, ['released'], change)))
        throw new Refusal('contingent_unsettled');
      await rows.keepPlaces(trx, contingent_id, true);
      await queueSettling(ctx, trx, contingent_id);
    });
  } catch (error) {
    throw await whyNotUnique(ctx, whole, error);
  }
  await place(ctx, event, { whole, isLeft: isInNoCart });
  await stand(ctx, whole, { actor, action: 'contingent_restored' });
  return shownContingent(ctx, event_id, contingent_id);
}

/**
 * The task of a contingent: ends it when its time has come, or when the call that made it died.
 * Returns when to run again; null: never.
 */
export async function settleContingent(ctx: Ctx, id: string): Promise<number | null> {
  const contingent = await rows.findContingent(ctx.db, id);
  if (!contingent) return null;
  const now = ctx.now();
  const { state, release_at, changed_at } = contingent;
  if (state === 'placing') {
    if (changed_at + settleAfterMs > now) return changed_at + settleAfterMs;
    const change = { state: 'releasing' as const, changed_at: now };
    await transact(ctx.db, (trx) => rows.turnContingent(trx, id, ['placing'], change));
  }
  if (state === 'live') {
    const next = await settleSeats(ctx, contingent);
    if (release_at === null) return next;
    if (release_at > now) return Math.min(release_at, next ?? release_at);
    await beginRelease(ctx, contingent, 'system');
  }
  await finishRelease(ctx, id);
  return null;
}
