/** The office’s inbox ("Da sistemare"): orders, refunds, mails and differences to decide. */
import {
  countWaiting,
  listWaiting,
  seatsOfOrders,
  subjects,
  type SeatOfOrder,
  type Subject,
  type Waiting,
  type WaitTimes,
} from '#db/office/attention.ts';
import { ticketsOfAddress, type OrderOfAddress } from '#db/order/order-list.ts';
import type { Page } from '#db/engine/page.ts';
import { eveningMs } from '#server/domain/event/event.ts';
import { sealsWantedMs } from '#server/domain/papers/regime.ts';
import { readTrouble, type MailKind } from '#server/domain/mail/kinds.ts';
import { decisionsFor } from '#server/domain/order/order.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { seatName } from '#server/domain/seat/seat-name.ts';
import { requireValue } from '#server/domain/require-value.ts';
import type { Ctx } from '#server/services/context.ts';
import { recentFindings } from './findings.ts';
import { longPendingMs } from '#server/services/payment/payment-record.ts';
import { listPage, type ListAsk } from '#server/services/kit/page.ts';

export function waitTimes(ctx: Ctx): WaitTimes {
  const now = ctx.now();
  return {
    pending_before: now - longPendingMs,
    unsealed: { from: now - eveningMs, to: now + sealsWantedMs },
  };
}

/** Counts what waits in the books and what is wrong with the house itself. */
export async function attentionCount(ctx: Ctx) {
  const counts = await countWaiting(ctx.db, waitTimes(ctx));
  return { count: sumOf(counts) + (await recentFindings(ctx)).length };
}

function sumOf(counts: Record<Subject, number>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/**
 * Lists one subject after another, page by page.
 * @throws Refusal bad_request for a cursor that this server did not make
 */
export async function attentionList(ctx: Ctx, ask: ListAsk) {
  const counts = await countWaiting(ctx.db, waitTimes(ctx));
  const house = await recentFindings(ctx);
  const { found, next_cursor } = await pageOfAll(ctx, ask);
  const order_ids = found.flatMap(({ row }) => row.order_id ?? []);
  const seats = await seatsOfOrders(ctx.db, [...new Set(order_ids)]);
  return {
    count: sumOf(counts) + house.length,
    counts,
    findings: house,
    items: await Promise.all(
      found.map(async (one) => inWords(one, { seats, others: await othersOf(ctx, one) })),
    ),
    next_cursor,
  };
}

/** A row that waits, with its subject. */
type Found = { [About in Subject]: { about: About; row: Waiting[About] } }[Subject];

/**
 * The cursor names the next subject and the position in its list: `refund~1795420000000.x7`, or
 * `refund` for the beginning.
 */
async function pageOfAll(ctx: Ctx, { limit = 50, cursor, q }: ListAsk) {
  const begins = readCursor(cursor);
  const times = waitTimes(ctx);
  const found: Found[] = [];
  for (const about of subjects.slice(subjects.indexOf(begins.about))) {
    const left = limit - found.length;
    const { rows, next_cursor } = await listPage(
      { limit: Math.max(1, left), cursor: about === begins.about ? begins.cursor : undefined, q },
      (page: Page) => listWaiting(ctx.db, about, { times, page }),
      { timeOf: (row) => row.waiting_at, textsOf },
    );
    if (left === 0 && rows.length > 0) return { found, next_cursor: about };
    found.push(...rows.map((row) => ({ about, row }) as Found));
    if (next_cursor !== null) return { found, next_cursor: `${about}~${next_cursor}` };
  }
  return { found, next_cursor: null };
}

function readCursor(cursor: string | undefined): { about: Subject; cursor: string | undefined } {
  const [name = subjects[0], rest] = cursor?.split('~', 2) ?? [];
  const about = subjects.find((one) => one === name);
  if (about === undefined) throw new Refusal('bad_request', { field: 'cursor' });
  return { about, cursor: rest };
}

/** The order fields of an entry that has no order. */
const noOrder = { order_id: null, number: null, buyer_name: null };

function textsOf(row: Waiting[Subject]): (string | null)[] {
  const own = [
    'to_address' in row ? row.to_address : null,
    'subject' in row ? row.subject : null,
    'buyer_email' in row ? row.buyer_email : null,
  ];
  return [row.number ?? null, row.buyer_name ?? null, row.event_title, ...own];
}

/** The other orders of the address for this event, if it may have too many tickets. */
async function othersOf(ctx: Ctx, { about, row }: Found): Promise<OrderOfAddress[]> {
  if (about !== 'order' || row.needs_attention !== 'too_many_for_address') return [];
  const { id, event_id, buyer_email } = row;
  if (buyer_email === null) return [];
  const orders = await ticketsOfAddress(ctx.db, { event_id, email: buyer_email });
  return orders.filter(({ order_id }) => order_id !== id);
}

interface Around {
  seats: readonly SeatOfOrder[];
  others: OrderOfAddress[];
}

function inWords({ about, row }: Found, { seats, others }: Around) {
  const seatsOf = (isOwn: (seat: SeatOfOrder) => boolean) =>
    seats.filter(isOwn).map((seat) => seatName(seat));
  switch (about) {
    case 'order':
      return {
        about,
        ...row,
        needs_attention: requireValue(row.needs_attention, 'reason'),
        decisions: [...decisionsFor(row.needs_attention)],
        seats: seatsOf((seat) => seat.order_id === row.id),
        others,
      };
    case 'refund_request':
    case 'refund':
      return {
        about,
        ...row,
        refund_id: row.id,
        long_pending: row.state === 'pending' || row.state === 'requires_action',
        seats: seatsOf((seat) => seat.refund_ids.includes(row.id)),
      };
    case 'dispute':
      return {
        about,
        ...row,
        dispute_id: row.id,
        decisions: row.needs_attention === 'disputed' ? [...decisionsFor('disputed')] : [],
        seats: seatsOf((seat) => seat.order_id === row.order_id),
      };
    case 'mail':
      return {
        about,
        ...row,
        mail_id: row.id,
        kind: row.kind as MailKind,
        trouble: readTrouble(row.last_error)?.trouble ?? null,
      };
    case 'break':
      return { about, ...row, break_id: row.id };
    case 'seals':
      return { about, ...row, ...noOrder, event_id: row.id };
    default:
      return about satisfies never;
  }
}
