/**
 * The states of an event's objects, including what the members of its season have taken, and the
 * log of changes.
 */
import { addStatusChange } from '#server/standins/seatsio/statements/status-changes.ts';
import { standingOf } from '#server/standins/seatsio/statements/events.ts';
import { combineAll, readFamily } from '#server/standins/seatsio/catalog/season-view.ts';
import { readStoredStates } from './stored.ts';
import type { Seatsio, Writing } from '#server/standins/seatsio/context.ts';
import type { Family } from '#server/standins/seatsio/catalog/season-view.ts';
import type { ObjectState } from '#server/standins/seatsio/catalog/status-rule.ts';

/** Null if the event is in no season or was deleted. */
export async function familyOf(ctx: Seatsio, eventId: number): Promise<Family | null> {
  const event = await standingOf(ctx.sql, eventId);
  return event ? await readFamily(ctx, event) : null;
}

/**
 * The states of a whole event or of some labels, by label; a missing one is free. `alone` leaves
 * out what other members of the season have taken.
 */
export async function readStates(
  ctx: Seatsio,
  eventId: number,
  { alone = false, labels }: { alone?: boolean; labels?: readonly string[] } = {},
): Promise<Map<string, ObjectState>> {
  const own = await readStoredStates(ctx, eventId, labels);
  const family = alone ? null : await familyOf(ctx, eventId);
  return family
    ? await combineAll(ctx, family, { own, readAll: (id) => readStoredStates(ctx, id, labels) })
    : own;
}

interface Logged {
  label: string;
  status: string;
  quantity: number;
  order_id: string | null;
  hold_token: string | null;
  extra_data: string | null;
}
type OriginType = 'API_CALL' | 'HELD_BY_USER' | 'HOLD_RELEASED_BY_USER' | 'HOLD_EXPIRED';
export interface Origin {
  type: OriginType;
  ip: string | null;
}

export async function logChange(
  ctx: Writing,
  eventId: number,
  { change, origin }: { change: Logged; origin: Origin },
): Promise<void> {
  await addStatusChange(ctx.sql, {
    ...change,
    event_id: eventId,
    origin_type: origin.type,
    origin_ip: origin.ip,
    at: ctx.now(),
  });
}
