/**
 * The right verdict for each code of the evening at a door that has received everything, found by
 * the tickets and scans alone, without the product's rules.
 */
import { findEvent } from '#db/event/events.ts';
import type { AdmissionRow, OrderLineRow, PlaceRow, TicketRow } from '#db/rows.ts';
import type { PhoneInPlay, World } from './door-evening.ts';

export interface Code {
  place: string;
  revision: number;
}

export const nameOf = ({ place, revision }: Code) => `${place}/${revision}`;

export function readName(code: string): Code {
  const at = code.lastIndexOf('/');
  return { place: code.slice(0, at), revision: Number(code.slice(at + 1)) };
}

/** A scan that let a guest in or out and was not taken back. */
export type Passed = Pick<AdmissionRow, 'id' | 'place' | 'revision' | 'direction' | 'corrected_at'>;
type PapersWorld = Pick<World, 'house' | 'event_id' | 'papers'>;

/** The guest whose code it is, or the code itself where no ticket had it. */
export function guestOf({ papers }: Pick<World, 'papers'>, { place, revision }: Passed): string {
  const code = `${place}/${revision}`;
  return papers.get(code)?.ticket_id ?? code;
}

export function inOrder<P extends Passed>(scans: readonly P[]): P[] {
  return scans.toSorted((a, b) => a.corrected_at - b.corrected_at || (a.id < b.id ? -1 : 1));
}

/** Where each guest who is inside came in. */
export function insideBy(
  world: Pick<World, 'papers'>,
  scans: readonly Passed[],
): Map<string, string> {
  const inside = new Map<string, string>();
  for (const scan of inOrder(scans)) {
    const guest = guestOf(world, scan);
    if (scan.direction === 'out') inside.delete(guest);
    else if (!inside.has(guest)) inside.set(guest, scan.place!);
  }
  return inside;
}

export async function passedOnServer({ house, event_id }: PapersWorld): Promise<AdmissionRow[]> {
  return house.ctx
    .db<AdmissionRow>('admissions')
    .where({ event_id, counts: 1 })
    .whereNull('annulled_by')
    .whereNotNull('place');
}

export async function insideNow(world: PapersWorld): Promise<Map<string, string>> {
  return insideBy(world, await passedOnServer(world));
}

/** All tickets; one that was let go counts as ended once its place has another order. */
export async function ticketsNow({ house, event_id }: PapersWorld): Promise<TicketRow[]> {
  const tickets = await house.ctx.db<TicketRow>('tickets').where({ event_id });
  const lines = await house.ctx
    .db<OrderLineRow>('order_lines')
    .where({ event_id, released_at: null });
  const isGiven = ({ place, order_id }: TicketRow) =>
    lines.some(
      (line) =>
        line.order_id !== order_id &&
        (line.place === place ||
          (line.whole_size > 0 && line.object_label === place.split('#')[0])),
    );
  return tickets.map((ticket) =>
    ticket.state === 'valid' && ticket.let_go_at !== null && isGiven(ticket)
      ? { ...ticket, state: 'void' }
      : ticket,
  );
}

/** The present code of a ticket that once had `code`; only moves lead on to a newer code. */
export function presentOf({ papers }: Pick<World, 'papers'>, code: string): string {
  let present = code;
  for (let paper = papers.get(present); paper?.end?.why === 'moved'; paper = papers.get(present))
    present = paper.end.next;
  return present;
}

export interface Truth {
  now: number;
  cancelled: boolean;
  reentry: boolean;
  starts_at: number;
  tickets: ReadonlyMap<string, TicketRow>;
  /** The newest revision of each place. */
  newest: ReadonlyMap<string, number>;
  inside: ReadonlyMap<string, string>;
  /** Guests who have come in or gone out at all. */
  known: ReadonlySet<string>;
  papers: World['papers'];
}

/** `own`: the scans that only one phone knows so far. */
export async function truthNow(
  world: World,
  own: { made: readonly Passed[]; undone: ReadonlySet<string> } = { made: [], undone: new Set() },
): Promise<Truth> {
  const { house, event_id, evening } = world;
  const event = (await findEvent(house.ctx.db, event_id))!;
  const tickets = await ticketsNow(world);
  const issued = await house.ctx.db<PlaceRow>('places').where({ event_id });
  const scans = [...(await passedOnServer(world)), ...own.made].filter(
    ({ id }) => !own.undone.has(id),
  );
  return {
    now: world.now(),
    cancelled: event.status === 'cancelled',
    reentry: evening.reentry,
    starts_at: event.starts_at,
    tickets: new Map(tickets.map((ticket) => [ticket.id, ticket])),
    newest: new Map(issued.map((row) => [row.place, row.issued])),
    inside: insideBy(world, scans),
    known: new Set(scans.map((scan) => guestOf(world, scan))),
    papers: world.papers,
  };
}

interface Ought {
  verdict: string;
  /** The place and revision at which the reading counts. */
  at: Code;
}

/**
 * The right verdict for an entry; null: it depends on the clock of a phone, or on what an app of
 * the release before cannot know of the other codes of a ticket.
 */
export function oughtToSay(
  truth: Truth,
  read: string,
  { older, wasSet }: Pick<PhoneInPlay, 'older' | 'wasSet'>,
): Ought | null {
  const { papers, tickets, cancelled, newest } = truth;
  const ticket = tickets.get(papers.get(read)?.ticket_id ?? '');
  if (!ticket) return null;
  if (older && [...papers.values()].some(({ ticket_id, end }) => ticket_id === ticket.id && end))
    return null;
  const present = presentOf(truth, read);
  const own = nameOf(ticket);
  // A code from before a move leads to its ticket, even to an ended one, until another ticket has
  // the place.
  const isLast = ticket.revision === newest.get(ticket.place);
  const at = readName(present === own && isLast ? present : read);
  if (cancelled) return { verdict: 'cancelled', at };
  if (nameOf(at) !== own) return { verdict: 'replaced', at };
  if (wasSet && ticket.let_go_minutes !== null) return null;
  return {
    verdict: verdictOfTicket(truth, ticket, { moved: at.place !== readName(read).place }),
    at,
  };
}

function verdictOfTicket(
  { inside, known, reentry, newest, now, starts_at }: Truth,
  ticket: TicketRow,
  { moved }: { moved: boolean },
): string {
  const { id, state, revision, place, let_go_at, let_go_minutes } = ticket;
  if (revision < (newest.get(place) ?? 0))
    return state === 'void' && let_go_at !== null ? 'cancelled' : 'replaced';
  if (moved && (state === 'refunded' || state === 'void')) return 'replaced';
  if (state === 'refunded') return 'refunded';
  if (state === 'void') return 'cancelled';
  if (inside.has(id) || (known.has(id) && !reentry)) return 'already_in';
  if (state === 'unpaid') return 'unpaid';
  const isTimeOver = let_go_minutes !== null && now >= starts_at - let_go_minutes * 60_000;
  if (!known.has(id) && (let_go_at !== null || isTimeOver)) return 'verify';
  return moved ? 'moved' : 'admit';
}
