/** The new seat of each ticket, chosen on the map or typed: pure functions. */
import type { OfficeSeat } from '#apps/admin/seats/seats.ts';

/** From ticket id to the new place's label on the seat map. */
export type Targets = Readonly<Record<string, string>>;

interface Choosing {
  seats: readonly OfficeSeat[];
  /** Chosen tickets, in order. */ tickets: readonly string[];
  targets: Targets;
}

/** A seat is open if it is free or belongs to one of the tickets to move. */
function isOpen({ seats, tickets }: Choosing, seat: OfficeSeat): boolean {
  if (seat.isArea)
    return seats.some(({ object, state }) => object === seat.object && state === 'free');
  const owner = seat.occupant?.ticket_id;
  return seat.state === 'free' || (owner != null && tickets.includes(owner));
}

/** The present seat of a ticket. */
export function seatOfTicket(seats: readonly OfficeSeat[], ticket: string): OfficeSeat | undefined {
  return seats.find(({ occupant }) => occupant?.ticket_id === ticket);
}

/** The seat with its open neighbours, first to the right and then to the left, in row order. */
function sideBySide(choosing: Choosing, object: string, count: number): string[] {
  const { seats } = choosing;
  const first = seats.find((seat) => seat.object === object);
  if (first === undefined || first.isArea) return first ? [object] : [];
  const row = seats.filter(
    ({ section, row: name }) => section === first.section && name === first.row,
  );
  const start = row.indexOf(first);
  let [from, to] = [start, start];
  const canTake = (seat: OfficeSeat | undefined) => seat !== undefined && isOpen(choosing, seat);
  while (to - from + 1 < count && canTake(row[to + 1])) to += 1;
  while (to - from + 1 < count && canTake(row[from - 1])) from -= 1;
  return row.slice(from, to + 1).map((seat) => seat.object);
}

/**
 * The first press seats all tickets side by side, later presses one ticket each; a press on a
 * chosen seat removes it.
 * @returns null if the seat is not free
 */
export function pressed(choosing: Choosing, object: string): Targets | null {
  const { seats, tickets, targets } = choosing;
  const seat = seats.find((one) => one.object === object);
  if (seat === undefined) return null;
  const holder = tickets.find((ticket) => targets[ticket] === object);
  // The tickets of a table sold whole move together.
  if (seat.inWhole && holder !== undefined) return {};
  if (holder !== undefined && !seat.isArea) return without(targets, holder);
  if (!isOpen(choosing, seat)) return null;
  const waiting = tickets.filter((ticket) => targets[ticket] === undefined);
  if (waiting.length === 0) return null;
  const objects =
    waiting.length === tickets.length ? sideBySide(choosing, object, waiting.length) : [object];
  return assigned(choosing, objects) ?? null;
}

/** Gives seats to tickets without one; null: a seat is not free, or there are too many seats. */
export function assigned(choosing: Choosing, objects: readonly string[]): Targets | null {
  const { seats, tickets, targets } = choosing;
  const waiting = tickets.filter((ticket) => targets[ticket] === undefined);
  if (objects.length > waiting.length) return null;
  const open = objects.every((object) => {
    const seat = seats.find((one) => one.object === object);
    return seat !== undefined && isOpen(choosing, seat);
  });
  if (!open) return null;
  const added = waiting.slice(0, objects.length).map((ticket, at) => [ticket, objects[at]]);
  return { ...targets, ...Object.fromEntries(added) };
}

export function without(targets: Targets, ticket: string): Targets {
  return Object.fromEntries(Object.entries(targets).filter(([id]) => id !== ticket));
}

/** The moves to send; null until each ticket has another place. */
export function wishesOf({ seats, tickets, targets }: Choosing) {
  const wishes = tickets.map((ticket_id) => ({ ticket_id, object: targets[ticket_id] ?? '' }));
  const isWhole = wishes.every(
    ({ ticket_id, object }) => object !== '' && seatOfTicket(seats, ticket_id)?.object !== object,
  );
  return wishes.length > 0 && isWhole ? wishes : null;
}
