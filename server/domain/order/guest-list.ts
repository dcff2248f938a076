/**
 * The alphabetical list of guests on paper for the door: by surname, each with the seats, groups
 * together.
 */
import { requireValue } from '#server/domain/require-value.ts';
import { isPersonName } from './holder.ts';
import { foldText } from '#server/domain/text/search.ts';
import { compareNames, seatName, type SeatParts } from '#server/domain/seat/seat-name.ts';

/** A valid ticket; `buyer_name` is its buyer. */
interface ListedTicket extends SeatParts {
  order_id: string;
  order_number: string;
  holder: string | null;
  buyer_name: string | null;
}

export interface ListedGuest {
  /** Surname first; null: there is no name. */
  name: string | null;
  /** The name of the group's buyer, where that is another person. */
  with: string | null;
  order_number: string;
  tickets: number;
  /** One text per row of seats: "Platea, fila A: 12, 13". */
  seats: string[];
}

export interface GuestLetter {
  /** The first letter under which the guest is listed; '–' without a name. */
  letter: string;
  guests: ListedGuest[];
}

const particles = new Set(
  'da dal dalla dai de degli dei del dell della delle di do dos du la le li lo mac san santa van von y'.split(
    ' ',
  ),
);

/**
 * "Anna De Luca" is listed under D: "De Luca Anna". A text that is not a person's name stays as
 * it is.
 */
export function surnameFirst(name: string): string {
  const words = name.trim().split(/\s+/);
  if (words.length < 2 || !isPersonName(words.join(' '))) return words.join(' ');
  const particle = words.findIndex((word, at) => at > 0 && particles.has(word.toLowerCase()));
  const from = particle > 0 && particle < words.length - 1 ? particle : words.length - 1;
  return [...words.slice(from), ...words.slice(0, from)].join(' ');
}

/** Tickets of one order under one name are together; those without a name come last. */
export function guestLetters(tickets: readonly ListedTicket[]): GuestLetter[] {
  const people = groupsOf(
    tickets,
    (ticket) => `${ticket.order_id} ${foldText(nameOf(ticket) ?? '')}`,
  );
  const guests = [...people.values()].map(guestOf).toSorted(compareGuests);
  const letters = groupsOf(guests, ({ name }) => letterOf(name));
  return [...letters].map(([letter, those]) => ({ letter, guests: those }));
}

/** Groups items by their key, in the order of each group's first item. */
function groupsOf<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const known = groups.get(keyOf(item));
    if (known === undefined) groups.set(keyOf(item), [item]);
    else known.push(item);
  }
  return groups;
}

function nameOf({ holder, buyer_name }: ListedTicket): string | null {
  const name = (holder ?? buyer_name ?? '').trim();
  return name === '' ? null : name;
}

function guestOf(tickets: readonly ListedTicket[]): ListedGuest {
  const first = requireValue(tickets[0], 'ticket of this guest');
  const name = nameOf(first);
  const buyer = first.buyer_name;
  const isBuyer = name === null || buyer === null || foldText(buyer) === foldText(name);
  return {
    name: name === null ? null : surnameFirst(name),
    with: isBuyer ? null : surnameFirst(buyer),
    order_number: first.order_number,
    tickets: tickets.length,
    seats: seatsByRow(tickets),
  };
}

function compareGuests(one: ListedGuest, other: ListedGuest): number {
  if (one.name === null || other.name === null)
    return Number(one.name === null) - Number(other.name === null);
  return (
    compareNames(one.name, other.name) || compareNames(one.seats[0] ?? '', other.seats[0] ?? '')
  );
}

function letterOf(name: string | null): string {
  const letter = name === null ? undefined : foldText(name)[0]?.toUpperCase();
  if (letter === undefined) return '–';
  return /\p{L}/u.test(letter) ? letter : '#';
}

/** Seats of one row share its name; standing places are counted. */
export function seatsByRow(tickets: readonly SeatParts[]): string[] {
  const rows = groupsOf(tickets, (ticket) =>
    ticket.kind === 'seat' ? `${ticket.section ?? ''}\n${ticket.row ?? ''}` : seatName(ticket),
  );
  return [...rows.values()]
    .map((those) => {
      const first = requireValue(those[0], 'ticket in this row');
      if (first.kind !== 'seat')
        return those.length === 1 ? seatName(first) : `${seatName(first)} × ${those.length}`;
      const seats = those.map(({ seat }) => seat).toSorted(compareNames);
      return seats.length === 1
        ? seatName(first)
        : seatName({ ...first, seat: seats.join(', ') }).replace('posto ', 'posti ');
    })
    .toSorted(compareNames);
}
