/**
 * The present state of an event's objects, with what its seasons have taken, and the log of their
 * changes.
 */
import { addStatusChange } from '#server/standins/seatsio/statements/status-changes.ts';
import { standingOf } from '#server/standins/seatsio/statements/events.ts';
import { combineAll, readFamily } from '#server/standins/seatsio/catalog/season-view.ts';
import { readStoredStates } from './stored.ts';
import type { Seatsio, Writing } from '#server/standins/seatsio/context.ts';
import type { Family } from '#server/standins/seatsio/catalog/season-view.ts';
import type { ObjectState } from '#server/standins/seatsio/catalog/status-rule.ts';

/** Null for an event outside of all seasons, and for a deleted one. */
export async function familyOf(ctx: Seatsio, eventId: number): Promise<Family | null> {
  const event = await standingOf(ctx.sql, eventId);
  return event ? await readFamily(ctx, event) : null;
}

/**
 * Of a whole event, or of some labels of it, label -> state; what is missing is free. `alone`
 * leaves out what its seasons, or a season's events, have taken.
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
