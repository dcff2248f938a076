/** Puts a mail together when its turn comes: who it goes to, what it says and what lies in it, as the order stands now. */
import type { Attachment } from '#server/adapters/mail.ts';
import { findEvent } from '#db/events.ts';
import { refundForMail, type RefundForMail } from '#db/mails.ts';
import { findOrder, linesOf } from '#db/orders.ts';
import type { EventRow, MailRow, OrderRow } from '#db/rows.ts';
import { placesOf } from '#db/seats.ts';
import { ticketsOfOrder } from '#db/tickets.ts';
import { letterHtml, letterText } from '#server/domain/letter.ts';
import { isMailAddress, writeLetter, type MailFacts, type MailKind, type MailTrouble } from '#server/domain/mail.ts';
import { countedRefunds } from '#server/domain/refund.ts';
import { byName, seatName } from '#server/domain/seat-name.ts';
import type { Ctx } from './context.ts';
import { calendarEntry, ticketsPdf } from './documents.ts';

/** Ready to leave, without its Message-ID. */
export interface Composed { to: string; subject: string; text: string; html: string; attachments: Attachment[] }

/** A MailTrouble instead of a letter: nobody to write to, or nothing to say any more. */
export async function composeMail(ctx: Ctx, mail: MailRow): Promise<Composed | MailTrouble> {
  const order = mail.order_id === null ? undefined : await findOrder(ctx.db, mail.order_id);
  if (!order) return 'obsolete';
  const event = (await findEvent(ctx.db, order.event_id))!;
  const refund = await refundForMail(ctx.db, order.id, refundKeyOf(mail));
  const valid = new Set((await ticketsOfOrder(ctx.db, order.id)).filter((ticket) => ticket.state === 'valid').map((ticket) => ticket.place));
  if (!isTrue[mail.kind]({ order, refund, valid: valid.size })) return 'obsolete';
  if (order.buyer_email === null) return 'no_address';
  if (!isMailAddress(order.buyer_email)) return 'bad_address';
  const letter = writeLetter(mail.kind, await factsOf(ctx, { order, event, refund, valid: aboutTickets.has(mail.kind) ? valid : null }));
  return { to: order.buyer_email, subject: letter.subject, text: letterText(letter), html: letterHtml(letter), attachments: await attachmentsOf(ctx, order, mail.kind) };
}

/** A mail that is sent again has a mark of its own behind the key. */
export function refundKeyOf(mail: Pick<MailRow, 'key'>): string {
  return mail.key.split('#')[0]!;
}

interface Standing { order: OrderRow; refund: RefundForMail | null; valid: number }

/** Between the wish and the sending things go on: a letter that would no longer be true is not sent. */
const isTrue: Record<MailKind, (standing: Standing) => boolean> = {
  tickets: ({ order, valid }) => order.state === 'confirmed' && valid > 0,
  awaiting: ({ order }) => order.state === 'awaiting_payment',
  cancelled: ({ order }) => order.state === 'deleted' && order.paid_cents === 0,
  refunded: ({ refund }) => refund !== null && countedRefunds.includes(refund.state),
  refund_refused: ({ refund }) => refund?.state === 'refused',
  late_refunded: ({ order, refund }) => order.state !== 'confirmed' && (refund === null || countedRefunds.includes(refund.state)),
  event_changed: ({ order, valid }) => order.state === 'confirmed' && valid > 0,
  event_cancelled: ({ order }) => order.state === 'confirmed',
};

/** They list the seats that are still valid, and bring the tickets; the others list what was booked. */
const aboutTickets: ReadonlySet<MailKind> = new Set<MailKind>(['tickets', 'event_changed']);

async function factsOf(ctx: Ctx, { order, event, refund, valid }: { order: OrderRow; event: EventRow; refund: RefundForMail | null; valid: ReadonlySet<string> | null }): Promise<MailFacts> {
  const lines = await linesOf(ctx.db, order.id);
  const places = new Map((await placesOf(ctx.db, event.id, lines.map((line) => line.place))).map((place) => [place.place, seatName(place)]));
  const inWords = (list: readonly { place: string }[]) => list.map((line) => places.get(line.place) ?? line.place).toSorted(byName.compare);
  const page = `${ctx.publicUrl}/orders/${order.id}`;
  const calls = `${ctx.publicUrl}/api/orders/${order.id}`;
  return {
    buyer_name: order.buyer_name, seats: inWords(lines.filter((line) => valid?.has(line.place) ?? true)), organiser: ctx.organiser,
    order: {
      number: order.number, url: page, pdf_url: `${calls}/tickets.pdf`, calendar_url: `${calls}/calendar.ics`, total_cents: order.total_cents, fee_cents: order.fee_cents,
      paid_cents: order.paid_cents, paid_by_hand: order.paid_by === 'manual', pay_by: order.pay_by, confirmed_at: order.confirmed_at, checkout_open: order.session_status === 'open',
    },
    event: { title: event.title, url: `${ctx.publicUrl}/event/${event.id}`, starts_at: event.starts_at, doors_at: event.doors_at, venue_title: event.venue_title, refunds_on_request: event.refund_request !== 'never' },
    refund: refund && {
      amount_cents: refund.amount_cents, voids_tickets: refund.voids_tickets === 1, by_hand: refund.kind === 'manual', refusal: refund.state === 'refused' ? refund.failure : null,
      seats: inWords(lines.filter((line) => refund.line_ids.includes(line.id))),
    },
  };
}

async function attachmentsOf(ctx: Ctx, order: OrderRow, kind: MailKind): Promise<Attachment[]> {
  if (aboutTickets.has(kind)) return [await ticketsPdf(ctx, order.id), await calendarEntry(ctx, order.id)];
  return kind === 'event_cancelled' ? [await calendarEntry(ctx, order.id)] : [];
}
