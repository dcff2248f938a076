/** The door's list in columns: what a phone may know about every place, so packed that 50,000 of them travel in one answer and stay in memory without an object each. */
import { type Direction, ticketStates, type TicketState } from './admission.ts';
import { hashBytes } from './ticket-code.ts';

/** All that a phone may know about a ticket (RULES A4): no mail, telephone or price; who it belongs to in initials. */
export interface ListedTicket {
  revision: number;
  state: TicketState;
  type_label: string;
  /** The same for all tickets of an order; says nothing else. */
  order_group: string;
  initials: string | null;
  /** Readable only with the ticket's code (ticket-code.ts `nameKeyInput`). */
  sealed_name: string | null;
  gates: readonly string[];
  /** Only on phones whose role may search by name. */
  name: string | null;
  order_number: string | null;
}

export interface ListedPlace {
  place: string;
  seat: string;
  section: string | null;
  category: string;
  issued: number;
  /** Base64url of the first 12 bytes of SHA-256(salt | code) of revision i + 1, for all issued and the next ones. */
  hashes: readonly string[];
  ticket: ListedTicket | null;
}

/** A column of texts that repeat: `of` holds each once, `at` which one stands where; −1 is null. */
export interface Repeated {
  of: string[];
  at: number[];
}
/** A column of texts that begin alike: "Platea, fila A, posto " + "12". */
export interface Headed {
  heads: Repeated;
  tails: string[];
}

/**
 * All columns of places have one length; those of tickets as many entries as `ticketed` has ones, in the same order.
 * `hashes`: base64url of all hashes behind each other, `hash_counts[i]` of place i, 12 bytes each.
 */
export interface PlaceColumns {
  place: Headed;
  seat: Headed;
  section: Repeated;
  category: Repeated;
  issued: number[];
  hashes: string;
  hash_counts: number[];
  ticketed: number[];
  revision: number[];
  state: number[];
  type_label: Repeated;
  order_group: Repeated;
  initials: Repeated;
  /** Each gate list as one text, parted by line ends. */
  gates: Repeated;
  /** Null: the event is not nominative. */
  sealed_name: (string | null)[] | null;
  /** Null: this phone may not search by name. */
  name: (string | null)[] | null;
  order_number: (string | null)[] | null;
}

/** A scan that let somebody in or out, wherever it was made; `at` in ms. */
export interface ListedAdmission {
  admission_id: string;
  place: string;
  revision: number;
  direction: Direction;
  at: number;
  gate: string | null;
  phone_id: string | null;
  by: string;
  conflict_with: string | null;
  undone: boolean;
}

/** `at` is what has passed since the scan before, the first since 1970. */
export interface AdmissionColumns {
  admission_id: string[];
  place: Headed;
  revision: number[];
  direction: number[];
  at: number[];
  gate: Repeated;
  phone_id: Repeated;
  by: Repeated;
  conflict_with: Repeated;
  undone: number[];
}

export interface Packer<T, C> {
  add: (items: readonly T[]) => void;
  columns: () => C;
}

/** Grows slice by slice, so that a large hall never keeps a thread for long. */
export function placePacker(knows: {
  names: boolean;
  sealed: boolean;
}): Packer<ListedPlace, PlaceColumns> {
  const [place, seat] = [growHeaded(), growHeaded()];
  const [section, category, type_label, order_group, initials, gates] = [
    growRepeated(),
    growRepeated(),
    growRepeated(),
    growRepeated(),
    growRepeated(),
    growRepeated(),
  ];
  const [issued, hash_counts, ticketed, revision, state] = [
    numbers(),
    numbers(),
    numbers(),
    numbers(),
    numbers(),
  ];
  const [sealed_name, name, order_number] = [texts(), texts(), texts()];
  const hashes: string[] = [];
  return {
    add(places) {
      for (const listed of places) {
        place.push(listed.place);
        seat.push(listed.seat);
        section.push(listed.section);
        category.push(listed.category);
        issued.push(listed.issued);
        // 12 bytes are 16 characters without padding: hashes stand behind each other and stay readable.
        for (const hash of listed.hashes) hashes.push(hash);
        hash_counts.push(listed.hashes.length);
        ticketed.push(listed.ticket ? 1 : 0);
        if (!listed.ticket) continue;
        const { ticket } = listed;
        revision.push(ticket.revision);
        state.push(ticketStates.indexOf(ticket.state));
        type_label.push(ticket.type_label);
        order_group.push(ticket.order_group);
        initials.push(ticket.initials);
        gates.push(ticket.gates.join('\n'));
        sealed_name.push(ticket.sealed_name);
        name.push(ticket.name);
        order_number.push(ticket.order_number);
      }
    },
    columns: () => ({
      place: place.column(),
      seat: seat.column(),
      section: section.column(),
      category: category.column(),
      issued,
      hashes: hashes.join(''),
      hash_counts,
      ticketed,
      revision,
      state,
      type_label: type_label.column(),
      order_group: order_group.column(),
      initials: initials.column(),
      gates: gates.column(),
      sealed_name: knows.sealed ? sealed_name : null,
      name: knows.names ? name : null,
      order_number: knows.names ? order_number : null,
    }),
  };
}

export function packPlaces(
  places: readonly ListedPlace[],
  knows: { names: boolean; sealed: boolean },
): PlaceColumns {
  const packer = placePacker(knows);
  packer.add(places);
  return packer.columns();
}

export function admissionPacker(): Packer<ListedAdmission, AdmissionColumns> {
  const place = growHeaded();
  const [gate, phone_id, by, conflict_with] = [
    growRepeated(),
    growRepeated(),
    growRepeated(),
    growRepeated(),
  ];
  const admission_id: string[] = [];
  const [revision, direction, at, undone] = [numbers(), numbers(), numbers(), numbers()];
  let before = 0;
  return {
    add(admissions) {
      for (const scan of admissions) {
        admission_id.push(scan.admission_id);
        place.push(scan.place);
        revision.push(scan.revision);
        direction.push(scan.direction === 'in' ? 0 : 1);
        at.push(scan.at - before);
        before = scan.at;
        gate.push(scan.gate);
        phone_id.push(scan.phone_id);
        by.push(scan.by);
        conflict_with.push(scan.conflict_with);
        undone.push(scan.undone ? 1 : 0);
      }
    },
    columns: () => ({
      admission_id,
      place: place.column(),
      revision,
      direction,
      at,
      gate: gate.column(),
      phone_id: phone_id.column(),
      by: by.column(),
      conflict_with: conflict_with.column(),
      undone,
    }),
  };
}

export function packAdmissions(admissions: readonly ListedAdmission[]): AdmissionColumns {
  const packer = admissionPacker();
  packer.add(admissions);
  return packer.columns();
}

export function placeCount({ issued }: PlaceColumns): number {
  return issued.length;
}

export function repeatedAt({ of, at }: Repeated, i: number): string | null {
  return of[at[i]!] ?? null;
}

export function headedAt({ heads, tails }: Headed, i: number): string {
  return repeatedAt(heads, i)! + tails[i]!;
}

/** `ticket`: which entry of the tickets' columns, or -1; reading one place makes one object, however many there are. */
export function placeAt(
  columns: PlaceColumns,
  i: number,
  ticket: number,
): Omit<ListedPlace, 'hashes'> {
  return {
    place: headedAt(columns.place, i),
    seat: headedAt(columns.seat, i),
    section: repeatedAt(columns.section, i),
    category: repeatedAt(columns.category, i) ?? '',
    issued: columns.issued[i]!,
    ticket:
      ticket < 0
        ? null
        : {
            revision: columns.revision[ticket]!,
            state: ticketStates[columns.state[ticket]!]!,
            type_label: repeatedAt(columns.type_label, ticket) ?? '',
            order_group: repeatedAt(columns.order_group, ticket) ?? '',
            initials: repeatedAt(columns.initials, ticket),
            gates: (repeatedAt(columns.gates, ticket) ?? '')
              .split('\n')
              .filter((gate) => gate !== ''),
            sealed_name: columns.sealed_name?.[ticket] ?? null,
            name: columns.name?.[ticket] ?? null,
            order_number: columns.order_number?.[ticket] ?? null,
          },
  };
}

/** Where each place's ticket stands in the tickets' columns; -1: it has none. */
export function ticketPositions({ ticketed }: PlaceColumns): Int32Array {
  let next = 0;
  return Int32Array.from(ticketed, (has) => (has === 1 ? next++ : -1));
}

export function readAdmissions(columns: AdmissionColumns): ListedAdmission[] {
  let at = 0;
  return columns.admission_id.map((admission_id, i) => {
    at += columns.at[i]!;
    return {
      admission_id,
      place: headedAt(columns.place, i),
      revision: columns.revision[i]!,
      direction: columns.direction[i] === 0 ? ('in' as const) : ('out' as const),
      at,
      gate: repeatedAt(columns.gate, i),
      phone_id: repeatedAt(columns.phone_id, i),
      by: repeatedAt(columns.by, i) ?? '',
      conflict_with: repeatedAt(columns.conflict_with, i),
      undone: columns.undone[i] === 1,
    };
  });
}

/** A page is whole when its columns fit each other: a cut or foreign answer must never get as far as the list. */
export function isWhole(columns: PlaceColumns): boolean {
  const places = columns.issued.length;
  const tickets = columns.revision.length;
  const hashes = sumOf(columns.hash_counts);
  return (
    [
      columns.place.tails,
      columns.place.heads.at,
      columns.seat.tails,
      columns.seat.heads.at,
      columns.section.at,
      columns.category.at,
      columns.hash_counts,
      columns.ticketed,
    ].every(({ length }) => length === places) &&
    [
      columns.state,
      columns.type_label.at,
      columns.order_group.at,
      columns.initials.at,
      columns.gates.at,
    ].every(({ length }) => length === tickets) &&
    [columns.sealed_name, columns.name, columns.order_number].every(
      (column) => column === null || column.length === tickets,
    ) &&
    sumOf(columns.ticketed) === tickets &&
    columns.hashes.length === hashes * (hashBytes / 3) * 4
  );
}

function sumOf(numbers: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < numbers.length; i += 1) sum += numbers[i]!;
  return sum;
}

const numbers = (): number[] => [];
const texts = (): (string | null)[] => [];

function growRepeated(): { push: (text: string | null) => void; column: () => Repeated } {
  const known = new Map<string, number>();
  const at: number[] = [];
  return {
    push(text) {
      if (text === null) {
        at.push(-1);
        return;
      }
      let index = known.get(text);
      if (index === undefined) {
        index = known.size;
        known.set(text, index);
      }
      at.push(index);
    },
    column: () => ({ of: [...known.keys()], at }),
  };
}

/** The tail is the number at the end, of at most nine digits, or nothing. */
function growHeaded(): { push: (text: string) => void; column: () => Headed } {
  const heads = growRepeated();
  const tails: string[] = [];
  return {
    push(text) {
      let cut = text.length;
      while (cut > 0 && text.length - cut < 9 && isDigit(text.charCodeAt(cut - 1))) cut -= 1;
      heads.push(text.slice(0, cut));
      tails.push(text.slice(cut));
    },
    column: () => ({ heads: heads.column(), tails }),
  };
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
