/** The places of a hall as map, list and search use them: name, state and occupant. */
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { readHall, readSeats } from '#server/contract/seats.ts';
import { foldText } from '#server/domain/text/search.ts';
import type { NamedSeat } from '#server/domain/seat/typed-seats.ts';
import { seatName } from '#server/domain/seat/seat-name.ts';
import { seatStates, type SeatState } from '#server/domain/seat/seat-state.ts';

export type Hall = ReplyOf<typeof readHall>;
export type Seats = ReplyOf<typeof readSeats>;
type Taken = Seats['taken'][number];
/** Only some places of a standing area are kept: a number beside it. */
type Contingent = Seats['contingents'][number];
export type Occupant = NonNullable<Taken['occupant']>;

export interface OfficeSeat {
  place: string;
  /** The seat map's label: for a place of a standing area that of the area. */
  object: string;
  isArea: boolean;
  section: string;
  /** "fila A", "Palco 7"; null where there are no rows. */
  row: string | null;
  /** The last part, "12". */
  seat: string;
  /** "Platea, fila A, posto 12". */
  name: string;
  category: string;
  state: SeatState;
  unguarded: boolean;
  mapStatus: string | null;
  occupant: Occupant | null;
  /** Why the house keeps it back. */
  block: Taken['block'];
  /** Whom it is kept for. */
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

/** Where a hall has no sections. */
const wholeHall = 'Sala';

/** One list in the order of the hall. */
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
    seats.map(({ place, object, seat, category, accessible, companion }): OfficeSeat => {
      const now = byPlace.get(place);
      const parts = { kind, section, row, seat };
      return {
        place,
        object,
        isArea: kind === 'area',
        section: section ?? (kind === 'area' ? seat : wholeHall),
        row: row === null ? null : seatName({ ...parts, section: null }).replace(/, .*/, ''),
        seat,
        name: seatName(parts),
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

/** The companion seats beside a wheelchair space in its row, or the other way round. */
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

/** Wheelchair spaces that are chosen without the companion seat beside them. */
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

/** Seats by the names that a person types. */
export function namedSeatsOf(hall: Hall): NamedSeat[] {
  return hall.rows
    .filter(({ kind }) => kind !== 'area')
    .flatMap(({ section, row, seats }) =>
      seats.map(({ object, seat }) => ({ object, section, row, seat })),
    );
}

/** A person who is inside has a sold seat, so that sold seats include both. */
export function isInState(seat: OfficeSeat, state: SeatState): boolean {
  return seat.state === state || (state === 'sold' && seat.state === 'inside');
}

export type StateCounts = Record<SeatState, number>;

/** Over all categories, as isInState() counts; held places of areas are counted in. */
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

/** What a seat is found by: its name and label, its holder, and the order's number as printed. */
function wordsOf({ name, object, isArea, occupant }: OfficeSeat): string[] {
  const { buyer_name = null, holder = null, order_number = '' } = occupant ?? {};
  return tokensOf(
    [name, isArea ? '' : object, buyer_name, holder, order_number, order_number.replace('-', '')]
      .filter((part) => part !== null)
      .join(' '),
  );
}

/** Every word must begin a word of the seat, a short number be one. Taken seats come first. */
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
  return [
    ...found.filter((seat) => seat.occupant !== null),
    ...found.filter((seat) => seat.occupant === null),
  ];
}
