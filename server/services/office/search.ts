/** The search of the whole office: finds what a few words may mean, the most likely first. */
import {
  namedThings,
  orderIdsByCode,
  orderIdsBySeat,
  orderIdsByWords,
  ordersById,
  ticketsEnding,
} from '#db/office/search.ts';
import { tillViewOf, type TillView } from '#server/domain/counter/till-view.ts';
import { contactFor } from '#server/domain/counter/customers.ts';
import { may } from '#server/domain/user/rights.ts';
import { foldText, foundBy, searchWords } from '#server/domain/text/search.ts';
import { codeEndLength, readTicketCode } from '#server/domain/door/ticket-code.ts';
import type { Ctx } from '#server/services/context.ts';
import type { Viewer } from '#server/services/order/order-scope.ts';
import { codeOf, findCode, ticketOfCode } from '#server/services/order/tickets.ts';
import { placesCalled } from './places-called.ts';

const mostOrders = 7;
const mostOthers = 3;
/** The search finds seats of coming events, and of events that began within this time. */
const seatDaysMs = 3 * 24 * 3_600_000;

/** Finds orders that the viewer may see, and phones if the viewer may see them. */
export async function searchAll(ctx: Ctx, viewer: Viewer, q: string) {
  const { db } = ctx;
  const scope = tillViewOf(viewer, ctx.now());
  const words = searchWords(q);
  const after = ctx.now() - seatDaysMs;
  const seats = await orderIdsBySeat(db, await placesCalled(ctx, q, after), {
    after,
    limit: mostOrders,
  });
  const exact = [
    ...(await orderOfCode(ctx, q)),
    ...(await orderIdsByCode(db, q)),
    ...seats.map(({ id }) => id),
  ];
  const ids = exact.length > 0 ? exact : await ordersByPart(ctx, { q, scope });
  const seatOf = new Map(seats.map(({ id, place }) => [id, place]));
  const orders = (await ordersById(db, [...new Set(ids)], scope)).slice(0, mostOrders);
  const { events, phones } = await namedThings(db);
  const seesPhones = may(viewer.role, 'see_devices');
  const isMeant = (name: string) => {
    const folded = foldText(name);
    return words.length > 0 && words.every((word) => folded.includes(word));
  };
  return {
    items: [
      ...orders.map((order) => ({
        kind: 'order' as const,
        ...contactFor(viewer.role, order),
        seat: seatOf.get(order.id) ?? null,
      })),
      ...events
        .filter(({ title }) => isMeant(title))
        .slice(0, mostOthers)
        .map((event) => ({ kind: 'event' as const, ...event })),
      ...phones
        .filter(({ name, gate }) => seesPhones && isMeant(`${name} ${gate ?? ''}`))
        .slice(0, 2)
        .map((phone) => ({ kind: 'phone' as const, ...phone })),
    ],
  };
}

/** Searches parts of words, then ends of codes; called only if nothing matches exactly. */
async function ordersByPart(
  ctx: Ctx,
  { q, scope }: { q: string; scope: TillView | undefined },
): Promise<string[]> {
  const named = await orderIdsByWords(ctx.db, foundBy(q), { limit: mostOrders, scope });
  return named.length > 0 ? named : ordersByCodeEnd(ctx, q);
}

/** Finds the order of a whole code that was typed or read with a hand scanner. */
async function orderOfCode(ctx: Ctx, q: string): Promise<string[]> {
  const read = readTicketCode(q);
  const found = read === null ? null : await findCode(ctx.db, read);
  const named = found === null || found.lost ? null : await ticketOfCode(ctx.db, found);
  return named === null ? [] : [named.ticket.order_id];
}

/**
 * Finds tickets by the last letters of a code that somebody reads aloud: the database has the
 * last four of each code, and the letters before them are computed again.
 */
async function ordersByCodeEnd(ctx: Ctx, q: string): Promise<string[]> {
  const end = canonicalEnd(q);
  if (end === null) return [];
  const tickets = await ticketsEnding(ctx.db, end.slice(-codeEndLength));
  return tickets
    .filter((ticket) => codeOf(ticket, ticket).endsWith(end))
    .map(({ order_id }) => order_id);
}

/** Four to ten letters as codes spell them; null if they cannot be the end of a code. */
function canonicalEnd(q: string): string | null {
  const end = q.replace(/[\s-]/g, '').toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1');
  return /^[0-9A-Z*~$=]{4,10}$/.test(end) && /\d/.test(end) ? end : null;
}
