/**
 * Contingents at the seat map: checks whether their seats are free, and keeps each channel as our
 * database has the contingent (RULES S6).
 */
import { unsoldInArea } from '#db/seat/contingent-edits.ts';
import * as rows from '#db/seat/contingents.ts';
import { isUniqueViolation } from '#db/engine/dialect.ts';
import type { EventRow } from '#db/rows.ts';
import type { NewChannel } from '#server/adapters/seatsio.ts';
import { channelColors } from '#server/domain/seat/contingent.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Ctx } from '#server/services/context.ts';
import { knownEvent } from './events.ts';

export type Whole = rows.WholeContingent;

type SeatNow = { label: string; status: string; free: number };
export type IsLeft = (seat: SeatNow, needed: number) => boolean;

/** For a new contingent: it may take only free seats. */
export const isFree: IsLeft = ({ status, free }, needed) => status === 'free' && free >= needed;

/** For a contingent that is restored: its sold seats stay sold, but none may be in a cart. */
export const isInNoCart: IsLeft = ({ status }) => status !== 'reservedByToken';

/**
 * Refuses unless all seats are free; an area must have room for these places and for those of
 * other contingents.
 * @throws Refusal seats_not_free
 */
export async function requireFree(
  ctx: Ctx,
  { id: event_id, seatsio_event_key }: EventRow,
  { contingent, objects, areas }: Whole,
  isLeft: IsLeft,
): Promise<void> {
  const labels = [...objects, ...areas.map(({ object }) => object)];
  const found = await ctx.seats.infos(seatsio_event_key, labels);
  const needed = new Map<string, number>();
  for (const { object, places } of areas) {
    const kept = await unsoldInArea(ctx.db, event_id, object);
    kept.delete(contingent.id);
    needed.set(
      object,
      [...kept.values()].reduce((sum, more) => sum + more, places),
    );
  }
  const taken = labels.filter((label) => {
    const info = found.get(label);
    const now = { label, status: info?.status ?? 'gone', free: info?.area?.free ?? 1 };
    return !isLeft(now, needed.get(label) ?? 1);
  });
  if (taken.length > 0) throw new Refusal('seats_not_free', { objects: taken });
}

/** The refusal that a violated unique index means; any other error unchanged. */
export async function whyNotUnique(ctx: Ctx, { contingent, objects }: Whole, error: unknown) {
  if (!isUniqueViolation(error)) return error;
  const taken = await rows.keptByOthers(ctx.db, contingent, objects);
  if (taken.length > 0) return new Refusal('seats_not_free', { objects: taken }, error);
  return new Refusal('code_in_use', { fields: ['code'] }, error);
}

/** @throws Refusal event_not_found, contingent_not_found */
export async function knownContingent(ctx: Ctx, event_id: string, id: string) {
  const event = await knownEvent(ctx, event_id);
  const contingent = await rows.findContingent(ctx.db, id);
  if (contingent?.event_id !== event_id) throw new Refusal('contingent_not_found');
  return { event, contingent };
}

export function channelFor({ contingent, objects, areas }: Whole): NewChannel {
  return {
    key: contingent.channel_key,
    name: contingent.name,
    color: channelColors[contingent.color],
    objects,
    areas: Object.fromEntries(areas.map(({ object, places }) => [object, places])),
  };
}

/**
 * Sets the channel as the database has the contingent. If the contingent changed meanwhile, sets
 * it again; if it was released meanwhile, deletes the channel.
 */
export async function tellChannel(ctx: Ctx, id: string): Promise<void> {
  for (;;) {
    const before = await rows.findContingent(ctx.db, id);
    if (before?.state !== 'live') return;
    const { seatsio_event_key } = await knownEvent(ctx, before.event_id);
    const channel = channelFor(await rows.partsOf(ctx.db, before));
    await ctx.seats.setChannel(seatsio_event_key, channel);
    const now = await rows.findContingent(ctx.db, id);
    if (now?.state !== 'live' || now.channel_key !== channel.key)
      return ctx.seats.dropChannel(seatsio_event_key, channel.key);
    if (now.edits === before.edits) return;
  }
}
