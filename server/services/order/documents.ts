/**
 * The buyer’s downloads: the tickets as a PDF, and the event as a calendar file; both from the
 * order as it is now.
 */
import { makeCalendar } from '#server/adapters/calendar.ts';
import { makeTicketsPdf } from '#server/adapters/documents.ts';
import { countTold } from '#db/mail/mails.ts';
import { ordersTogether } from '#db/order/order-families.ts';
import type { EventRow, OrderRow } from '#db/rows.ts';
import { addFees } from '#server/domain/price/fees.ts';
import { formatListDate, formatLongDate, formatTime } from '#server/domain/time/dates.ts';
import { venueWords } from '#server/domain/event/event.ts';
import { aboutPlace, seatAndWayIn } from '#server/domain/door/gate.ts';
import { noSealShort } from '#server/domain/site/fiscal-words.ts';
import { holderWords, type HolderEvent } from '#server/domain/order/holder.ts';
import { sayChange, sayReentry } from '#server/domain/order/right-words.ts';
import type { Rights } from '#server/domain/order/terms.ts';
import { linesOf } from '#server/domain/site/look.ts';
import { helpWords } from '#server/domain/order/order-words.ts';
import { fiscalWords } from '#server/domain/papers/regime.ts';
import { typeWords } from '#server/domain/order/type-words.ts';
import { priceWords } from '#server/domain/price/pricing.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { TicketSheet } from '#server/domain/counter/ticket-sheet.ts';
import { isolate } from '#server/domain/text/direction.ts';
import { trialWords } from '#server/domain/door/trial.ts';
import type { Ctx } from '#server/services/context.ts';
import { ticketsUrl } from './order-link.ts';
import { eventOfOrder, orderAndEvent } from './find-order.ts';
import { lookOf, pdfLogo } from '#server/services/site/look.ts';
import { organiserOf } from '#server/services/site/site.ts';
import { ticketsForHolder } from './tickets.ts';

/** `name`: valid as a file name. */
export interface Document {
  name: string;
  type: string;
  content: Buffer;
}

type Organiser = Awaited<ReturnType<typeof organiserOf>>;
type Ticket = Awaited<ReturnType<typeof ticketsForHolder>>[number];

/** The tickets of all confirmed orders that belong together, each with its order's terms. */
async function ticketsTogether(ctx: Ctx, order: OrderRow) {
  const orders = (await ordersTogether(ctx.db, order)).filter(({ state }) => state === 'confirmed');
  const tickets: (Ticket & { order: OrderRow; event: EventRow })[] = [];
  for (const one of orders) {
    const event = await eventOfOrder(ctx.db, one);
    for (const ticket of await ticketsForHolder(ctx, event, one.id))
      tickets.push({ ...ticket, order: one, event });
  }
  return { orders, tickets };
}

/**
 * A page for each valid ticket, including added seats, or only the page of `ticket_id`.
 * @throws Refusal order_not_found, order_not_confirmed, ticket_not_found, no_valid_tickets,
 * holder_missing
 */
export async function ticketsPdf(
  ctx: Ctx,
  order_id: string,
  ticket_id?: string,
): Promise<Document> {
  const { order, event } = await confirmedOrder(ctx, order_id);
  const now = ctx.now();
  const { orders, tickets } = await ticketsTogether(ctx, order);
  const asked =
    ticket_id === undefined ? tickets : tickets.filter((ticket) => ticket.ticket_id === ticket_id);
  if (asked.length === 0 && ticket_id !== undefined) throw new Refusal('ticket_not_found');
  const living = asked.filter((ticket) => ticket.state === 'valid');
  if (living.length === 0) throw new Refusal('no_valid_tickets');
  const valid = living.filter((ticket) => ticket.code !== '');
  if (valid.length === 0) throw new Refusal('holder_missing');
  const organiser = await organiserOf(ctx);
  const look = await lookOf(ctx);
  const content = await makeTicketsPdf({
    title: `Biglietti per ${event.title} – ordine n. ${order.number}`,
    organiser: organiser.name,
    created_at: now,
    logo: await pdfLogo(ctx, look),
    footer: [...summaryOf(organiser, orders, tickets.length), ...linesOf(look.ticket_foot)],
    sheets: valid.map((ticket) => ({
      ...sheetOf(event, ticket, `Biglietto ${tickets.indexOf(ticket) + 1} di ${tickets.length}`),
      rules: [
        ...rulesOf(ticket.event, { tickets: [knownOf(ticket)], now }),
        ...linesOf(look.ticket_rules),
      ],
    })),
  });
  return { name: `${fileName(event.title)} ${order.number}.pdf`, type: 'application/pdf', content };
}

function knownOf(ticket: Ticket) {
  return { ...ticket, used: ticket.admitted_at !== null };
}

/** What every ticket says about entering, and what this one allows by its terms at `now`. */
export function rulesOf(
  event: HolderEvent & Pick<Rights, 'reentry'>,
  about: Parameters<typeof sayChange>[1],
): string[] {
  return [
    'All’ingresso mostra questo codice QR, dal telefono o stampato: a colori o in bianco e nero, purché intero e non piegato.',
    `Ogni codice vale per una sola entrata: non pubblicarne la foto e non darne copie ad altri. ${sayReentry(event)}`,
    `${sayChange(event, about)} ${event.nominative === 1 ? 'Porta con te un documento d’identità valido.' : 'Se è ridotto, porta con te il documento che ne dà diritto.'}`,
  ];
}

function sheetOf(
  event: EventRow,
  ticket: Ticket & { order: OrderRow },
  position: string,
): TicketSheet {
  const { price_cents, fee_cents } = ticket;
  return {
    position,
    title: event.title,
    date: formatLongDate(event.starts_at),
    doors: event.doors_at === null ? null : `Apertura porte alle ${formatTime(event.doors_at)}`,
    venue: venueWords(event),
    trial: ticket.trial ? trialWords : null,
    seat: ticket.seat,
    gate: aboutPlace(ticket),
    price: `${isolate(typeWords(ticket.type_label, ticket.lowered_by))} · ${priceWords(price_cents + fee_cents, ticket)}`,
    holder: ticket.holder === null ? null : holderWords(ticket.holder),
    order: `Ordine n. ${ticket.order.number}`,
    fiscal: ticket.fiscal && fiscalWords(ticket.fiscal),
    code: ticket.code,
    code_for_people: ticket.code_for_people,
  };
}

/** The sums of all orders that belong together; the first in the list is the original order. */
function summaryOf(organiser: Organiser, orders: readonly OrderRow[], count: number): string[] {
  const total = orders.reduce((sum, { total_cents }) => sum + total_cents, 0);
  const [first, ...added] = orders;
  return [
    [
      `Ordine n. ${first!.number}${added.map(({ number }) => ` + ${number}`).join('')}`,
      count === 1 ? '1 biglietto' : `${count} biglietti`,
      `totale ${priceWords(total, addFees(orders))}`,
      `confermato il ${formatListDate(first!.confirmed_at!)}`,
    ].join(' · '),
    'Riepilogo d’ordine – non valido ai fini fiscali.',
    noSealShort,
    ...helpWords(organiser),
  ];
}

/**
 * The calendar entry of the order, or of one of its tickets. Its UID stays the same, so that a
 * newer file replaces it; after a cancellation the file removes the entry.
 * @throws Refusal order_not_found, order_not_confirmed
 */
export async function calendarEntry(
  ctx: Ctx,
  order_id: string,
  ticket_id?: string,
): Promise<Document> {
  const { order, event } = await confirmedOrder(ctx, order_id);
  const tickets = await ticketsForHolder(ctx, event, order.id);
  const url = ticketsUrl(ctx);
  const cancelled = event.status === 'cancelled';
  const seats = tickets
    .filter(({ id, state }) => state === 'valid' && (ticket_id === undefined || id === ticket_id))
    .map((ticket) => seatAndWayIn(ticket.seat, ticket));
  const doors =
    event.doors_at === null ? [] : [`Apertura porte alle ${formatTime(event.doors_at)}.`];
  const organiser = await organiserOf(ctx);
  const content = makeCalendar({
    uid: `${event.id}.${ticket_id ?? order.number}@${new URL(ctx.publicUrl).hostname}`,
    sequence: (await countTold(ctx.db, order.id)) + (cancelled ? 1 : 0),
    title: event.title,
    starts_at: event.starts_at,
    venue: venueWords(event),
    url,
    cancelled,
    written_at: ctx.now(),
    organiser: { name: organiser.name, email: organiser.email ?? ctx.mail.from },
    description: [...doors, ...seats, `Ordine n. ${order.number}`, `Biglietti: ${url}`].join('\n'),
  });
  return {
    name: `${fileName(event.title)}.ics`,
    type: `text/calendar; charset=utf-8; method=${cancelled ? 'CANCEL' : 'PUBLISH'}`,
    content: Buffer.from(content),
  };
}

/** @throws Refusal order_not_found, order_not_confirmed */
export async function confirmedOrder(
  ctx: Ctx,
  order_id: string,
): Promise<{ order: OrderRow; event: EventRow }> {
  const found = await orderAndEvent(ctx, order_id);
  if (found.order.state !== 'confirmed') throw new Refusal('order_not_confirmed');
  return found;
}

/** A file name from a title: letters, digits, spaces, hyphens and ’, at most 80 characters. */
export function fileName(title: string): string {
  const words = title
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N} ’-]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
  return [...words].slice(0, 80).join('').trim() || 'Biglietti';
}
