/** Whether a booking may have the seats that it chose: they are open, unsold, and held. */
import { Refusal } from '#server/domain/refusal.ts';
import { isPlannedStanding } from '#server/domain/seat/whole.ts';
import type { PlannedLine, SelectedObject } from './order.ts';

/** An object of the hall, as the seat map has it now. */
interface HallObject {
  label: string;
  status: string;
  for_sale: boolean;
  /** The key of the channel to which the object belongs. */
  channel: string | null;
  hold_token: string | null;
  /** The places held in a standing area, by hold token. */
  held: Record<string, number>;
}

/** Marks a seat of a contingent that is closed to this buyer as not for sale, like the chart. */
export function withinReach<O extends HallObject>(
  object: O,
  channels: readonly string[] | 'all',
): O {
  const isOpen = object.channel === null || channels === 'all' || channels.includes(object.channel);
  return isOpen ? object : { ...object, for_sale: false };
}

/**
 * Refuses seats of an existing order without asking the seat map; the unique indexes decide who is
 * first.
 */
export function requireUnsold(known: readonly { place: string; order_id: string | null }[]): void {
  const sold = known.filter(({ order_id }) => order_id !== null);
  if (sold.length > 0)
    throw new Refusal('seats_taken', { objects: sold.map(({ place }) => place) });
}

/**
 * Refuses unless this token holds every seat: `seats_taken` for seats that others took,
 * `hold_expired` for seats whose hold ran out.
 */
export function requireHeld(
  chosen: readonly HallObject[],
  ask: { hold_token: string; selected_objects: readonly SelectedObject[] },
  { lines }: { lines: readonly PlannedLine[] },
): void {
  const closed = chosen.filter((object) => !object.for_sale);
  if (closed.length > 0)
    throw new Refusal('object_without_price', { objects: closed.map((object) => object.label) });
  const standing = new Set(lines.filter(isPlannedStanding).map(({ object_label }) => object_label));
  const seats = chosen.filter(({ label }) => !standing.has(label));
  const taken = seats.filter(
    (object) =>
      object.status !== 'free' &&
      !(object.status === 'reservedByToken' && object.hold_token === ask.hold_token),
  );
  if (taken.length > 0)
    throw new Refusal('seats_taken', { objects: taken.map((object) => object.label) });
  const placesOf = (label: string) =>
    ask.selected_objects
      .filter((object) => object.object_id === label)
      .reduce((sum, object) => sum + (object.quantity ?? 1), 0);
  const loose = chosen.filter((object) =>
    standing.has(object.label)
      ? (object.held[ask.hold_token] ?? 0) < placesOf(object.label)
      : object.status === 'free',
  );
  if (loose.length > 0)
    throw new Refusal('hold_expired', { objects: loose.map((object) => object.label) });
}
