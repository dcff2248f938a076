/** The places of a hall for map, list and search: name, state and occupant. */
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { readHall, readSeats } from '#server/contract/seats.ts';
import { foldText } from '#server/domain/text/search.ts';
import { namedSeatOf, type NamedSeat } from '#server/domain/seat/typed-index.ts';
import { seatName, wholeName, type PlaceKind } from '#server/domain/seat/seat-name.ts';
import { seatStates, type SeatState } from '#server/domain/seat/seat-state.ts';

export type Hall = ReplyOf<typeof readHall>;
export type Seats = ReplyOf<typeof readSeats>;
type Taken = Seats['taken'][number];
/** Named seats only: for a standing area there is just a number of kept places. */
type Contingent = Seats['contingents'][number];
export type Occupant = NonNullable<Taken['occupant']>;

export interface OfficeSeat {
  place: string;
  /** The label on the seat map; the places of an area or of a table sold whole share it. */
  object: string;
  kind: PlaceKind;
  /** A place without a number in an area that is sold by number. */
  isArea: boolean;
  /** One of the places of a table, booth or area that is sold whole. */
  inWhole: boolean;
  section: string;
  /** As in "fila A" or "Palco 7"; null without rows. */
  row: string | null;
  /** As in "12". */
  seat: string;
  /** As in "Platea, fila A, posto 12". */
  name: string;
  /** What is sold at once: the seat, or "Tavolo 4". */
  objectName: string;
  category: string;
  state: SeatState;
  unguarded: boolean;
  mapStatus: string | null;
  occupant: Occupant | null;
  /** The block that keeps it back. */
  block: Taken['block'];
  /** The contingent that it is kept for. */
  contingent: Contingent | null;
  accessible: boolean;
  companion: boolean;
}

interface SeatRow {
  name: string | null;
  seats: OfficeSeat[];
}
export interface Section {
  name: string;
  rows: SeatRow[];
  seats: OfficeSeat[];
}

/** The section's name in a hall without sections. */
const wholeHall = 'Sala';

/** All places in the order of the hall. */
export function seatsOf(
  hall: Hall,
  taken: Seats['taken'],
  contingents: Seats['contingents'] = [],
): OfficeSeat[] {
  const byPlace = new Map(taken.map((place) => [place.place, place]));
  const keptFor = new Map(
    contingents.flatMap((contingent) =>
      contingent.objects.map((object) => [object, contingent] as const),
    ),
  );
  return hall.rows.flatMap(({ kind, section, row, seats }) =>
    seats.map(({ place, object, seat, category, accessible, companion, in_whole }): OfficeSeat => {
      const now = byPlace.get(place);
      const parts = { kind, section, row, seat };
      return {
        place,
        object,
        kind,
        isArea: kind === 'area' && !in_whole,
        inWhole: in_whole,
        section: section ?? (kind === 'area' && !in_whole ? seat : wholeHall),
        row: row === null ? null : seatName({ ...parts, section: null }).replace(/, .*/, ''),
        seat,
        name: seatName(parts),
        objectName: in_whole ? wholeName(parts) : seatName(parts),
        category,
        state: now?.state ?? 'free',
        unguarded: now?.unguarded ?? false,
        mapStatus: now?.map_status ?? null,
        occupant: now?.occupant ?? null,
        block: now?.block ?? null,
        contingent: keptFor.get(object) ?? null,
        accessible,
        companion,
      };
    }),
  );
}

/** Seats that are sold at once, together: all places of a table sold whole, else one seat. */
export function togetherOf(seats: readonly OfficeSeat[]): [OfficeSeat, ...OfficeSeat[]][] {
  const keyOf = ({ inWhole, object, place }: OfficeSeat) => (inWhole ? `whole ${object}` : place);
  return [...Map.groupBy(seats, keyOf).values()] as [OfficeSeat, ...OfficeSeat[]][];
}

/** The seat that speaks for a table: one with a guest, because the empty ones are closed. */
export function speakerOf(seats: readonly [OfficeSeat, ...OfficeSeat[]]): OfficeSeat {
  return seats.find(({ occupant }) => occupant !== null) ?? seats[0];
}

export function sectionsOf(seats: readonly OfficeSeat[]): Section[] {
  return [...Map.groupBy(seats, (seat) => seat.section)].map(([name, all]) => ({
    name,
    seats: all,
    rows: [...Map.groupBy(all, (seat) => seat.row)].map(([row, inRow]) => ({
      name: row,
      seats: inRow,
    })),
  }));
}

/** The companion seats beside a wheelchair space, or the spaces beside a companion seat. */
export function partnersOf(seats: readonly OfficeSeat[], seat: OfficeSeat): OfficeSeat[] {
  if (!seat.accessible && !seat.companion) return [];
  const row = seats.filter(
    (other) => other.section === seat.section && other.row === seat.row && !other.isArea,
  );
  const at = row.findIndex(({ object }) => object === seat.object);
  return [row[at - 1], row[at + 1]].filter(
    (other) => other !== undefined && (seat.accessible ? other.companion : other.accessible),
  ) as OfficeSeat[];
}

/** Chosen wheelchair spaces whose companion seat is not chosen. */
export function withoutCompanion(
  seats: readonly OfficeSeat[],
  chosen: readonly OfficeSeat[],
): OfficeSeat[] {
  const objects = new Set(chosen.map(({ object }) => object));
  return chosen.filter((seat) => {
    const partners = seat.accessible ? partnersOf(seats, seat) : [];
    return partners.length > 0 && !partners.some(({ object }) => objects.has(object));
  });
}

/** What a person may type: each seat, standing area and whole object once. */
export function namedSeatsOf(hall: Hall): NamedSeat[] {
  return hall.rows.flatMap(({ kind, section, row, seats }) => {
    const named = seats.map(({ object, seat, in_whole }) =>
      namedSeatOf({ object, kind, section, row, seat, in_whole }),
    );
    return kind === 'seat' ? named : [...new Map(named.map((one) => [one.object, one])).values()];
  });
}

/** A person inside has a sold seat, so `sold` includes both states. */
export function isInState(seat: OfficeSeat, state: SeatState): boolean {
  return seat.state === state || (state === 'sold' && seat.state === 'inside');
}

export type StateCounts = Record<SeatState, number>;

/** Sums over categories; `sold` includes people inside, as in isInState(). */
export function countStates(categories: Seats['categories']): StateCounts {
  const counts = Object.fromEntries(
    seatStates.map((state) => [
      state,
      categories.reduce((sum, category) => sum + category[state], 0),
    ]),
  ) as StateCounts;
  return { ...counts, sold: counts.sold + counts.inside };
}

function tokensOf(text: string): string[] {
  return foldText(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((token) => token !== '');
}

/** The words that find a seat: its name and label, its people, and the order's number. */
function wordsOf({ name, object, isArea, occupant }: OfficeSeat): string[] {
  const { buyer_name = null, holder = null, order_number = '' } = occupant ?? {};
  return tokensOf(
    [name, isArea ? '' : object, buyer_name, holder, order_number, order_number.replace('-', '')]
      .filter((part) => part !== null)
      .join(' '),
  );
}

/**
 * Each typed word must begin one of the seat's words; a short number must equal one. Taken seats
 * come first; a table sold whole is found once.
 */
export function findSeats(seats: readonly OfficeSeat[], q: string): OfficeSeat[] {
  const wanted = tokensOf(q).slice(0, 8);
  if (wanted.length === 0) return [];
  const found = seats.filter((seat) => {
    const words = wordsOf(seat);
    return wanted.every((token) =>
      words.some((word) =>
        /^\d{1,3}$/.test(token) || token.length === 1 ? word === token : word.startsWith(token),
      ),
    );
  });
  const first = togetherOf(found).map(([seat]) => seat);
  return [
    ...first.filter((seat) => seat.occupant !== null),
    ...first.filter((seat) => seat.occupant === null),
  ];
}

/** Cents. */
export function sumOf(guests: readonly Occupant[]): number {
  return guests.reduce((sum, { price_cents }) => sum + price_cents, 0);
}
