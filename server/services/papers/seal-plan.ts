/** Plans what a file of fiscal seals would change, line by line; stores nothing. */
import { ownersOfSeals, sealableTickets, type SealableTicket } from '#db/papers/papers.ts';
import type { EventRow } from '#db/rows.ts';
import type { Db } from '#db/engine/dialect.ts';
import {
  foldSeat,
  sealLength,
  type SealCells,
  type SealOutcome,
  type SealProblem,
} from '#server/domain/papers/seal-file.ts';
import { readTicketCode } from '#server/domain/door/ticket-code.ts';
import { seatName } from '#server/domain/seat/seat-name.ts';
import { codeOf } from '#server/services/order/tickets.ts';
import { inTurns } from '#server/services/kit/in-turns.ts';
import type { SealLine } from './seal-file.ts';

export interface PlannedLine {
  line: number;
  ticket: SealableTicket | null;
  seal: string;
  progressive: string | null;
  card: string | null;
  outcome: SealOutcome;
  problem: SealProblem | null;
}

export async function planSeals(
  db: Db,
  event: EventRow,
  lines: readonly SealLine[],
): Promise<{ planned: PlannedLine[]; tickets: SealableTicket[] }> {
  const tickets = await sealableTickets(db, event.id);
  const wantsCodes = lines.some(({ cells }) => (cells.code ?? '') !== '');
  const index = indexOf(tickets, wantsCodes ? await codesOf(event, tickets) : new Map());
  const owners = await ownersOfSeals(db, [
    ...new Set(lines.flatMap(({ cells }) => cells.seal || [])),
  ]);
  const seen = { tickets: new Set<string>(), seals: new Set<string>() };
  const planned = await inTurns(lines, (line) => planLine(line, { index, owners, seen }));
  return { planned, tickets };
}

interface Index {
  byCode: ReadonlyMap<string, SealableTicket>;
  byOrder: ReadonlyMap<string, SealableTicket[]>;
  bySeat: ReadonlyMap<string, SealableTicket[]>;
}

function foldOrder(text: string): string {
  return text.replace(/[\s-]/g, '').toUpperCase();
}

function indexOf(
  tickets: readonly SealableTicket[],
  byCode: ReadonlyMap<string, SealableTicket>,
): Index {
  return {
    byCode,
    byOrder: Map.groupBy(tickets, ({ order_number }) => foldOrder(order_number)),
    bySeat: Map.groupBy(tickets, (ticket) => foldSeat(seatName(ticket))),
  };
}

async function codesOf(event: EventRow, tickets: readonly SealableTicket[]) {
  return new Map(await inTurns(tickets, (ticket) => [codeOf(event, ticket), ticket] as const));
}

interface Knowledge {
  index: Index;
  owners: ReadonlyMap<string, string>;
  seen: { tickets: Set<string>; seals: Set<string> };
}

function planLine({ line, cells }: SealLine, { index, owners, seen }: Knowledge): PlannedLine {
  const found = ticketOf(cells, index);
  const words = {
    seal: cells.seal ?? '',
    progressive: cells.progressive || null,
    card: cells.card || null,
  };
  const ticket = typeof found === 'string' ? null : found;
  const problem =
    typeof found === 'string' ? found : problemOf({ ticket: found, words }, { owners, seen });
  const whole = { line, ticket, ...words };
  if (problem !== null) return { ...whole, outcome: 'wrong', problem };
  seen.tickets.add(ticket!.id);
  seen.seals.add(words.seal);
  return { ...whole, outcome: outcomeOf(ticket!, words), problem: null };
}

type Words = Pick<PlannedLine, 'seal' | 'progressive' | 'card'>;

function problemOf(
  { ticket, words }: { ticket: SealableTicket; words: Words },
  { owners, seen }: Pick<Knowledge, 'owners' | 'seen'>,
): SealProblem | null {
  const { seal } = words;
  if (seal === '') return 'no_seal';
  if (Object.values(words).some((word) => (word ?? '').length > sealLength)) return 'too_long';
  if (seen.tickets.has(ticket.id)) return 'ticket_twice';
  if (seen.seals.has(seal)) return 'seal_twice';
  const owner = owners.get(seal);
  return owner !== undefined && owner !== ticket.id ? 'seal_taken' : null;
}

function outcomeOf(ticket: SealableTicket, words: Words): SealOutcome {
  if (ticket.seal === null) return 'new';
  const isSame = (['seal', 'progressive', 'card'] as const).every(
    (name) => ticket[name] === words[name],
  );
  return isSame ? 'same' : 'replaces';
}

/** Finds a line's ticket by code, by order number and seat, or by seat; all cells must fit. */
function ticketOf(cells: SealCells, index: Index): SealableTicket | SealProblem {
  const seat = foldSeat(cells.sector, cells.row, cells.seat);
  const hasSeat = (cells.seat ?? '') !== '';
  const order = foldOrder(cells.order ?? '');
  if (cells.code) {
    const read = readTicketCode(cells.code);
    const ticket = read === null ? undefined : index.byCode.get(read.code);
    if (ticket === undefined) return 'code_unknown';
    const fits =
      (order === '' || order === foldOrder(ticket.order_number)) &&
      (!hasSeat || seat === foldSeat(seatName(ticket)));
    return fits ? ticket : 'mismatch';
  }
  if (order !== '') {
    const own = index.byOrder.get(order);
    if (own === undefined) return 'order_unknown';
    return hasSeat
      ? onlyOne(
          own.filter((ticket) => foldSeat(seatName(ticket)) === seat),
          'mismatch',
        )
      : onlyOne(own, 'mismatch');
  }
  if (!hasSeat) return 'no_key';
  return onlyOne(index.bySeat.get(seat) ?? [], 'seat_unknown');
}

/**
 * The ticket that fits, or why there is not exactly one: standing places share a name, and an
 * order may have many tickets.
 */
function onlyOne(
  tickets: readonly SealableTicket[],
  none: SealProblem,
): SealableTicket | SealProblem {
  return tickets.length > 1 ? 'several' : (tickets[0] ?? none);
}
