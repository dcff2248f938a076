/** Composes a mail when it is sent: recipient, words and attachments, from the order as it stands now. */
import type { Attachment } from '#server/adapters/mail.ts';
import { findEvent } from '#db/events.ts';
import { refundForMail, type RefundForMail } from '#db/mails.ts';
import { findOrder, linesOf } from '#db/orders.ts';
import type { EventRow, MailRow, OrderRow } from '#db/rows.ts';
import { placesOf } from '#db/seats.ts';
import { ticketsOfOrder, type TicketWithPlace } from '#db/tickets.ts';
import { mailHtml, mailText } from '#server/domain/mail-body.ts';
import { isNameMissing } from '#server/domain/holder.ts';
import {
  isMailAddress,
  writeOrderMail,
  type MailFacts,
  type MailTrouble,
  type OrderMailKind,
} from '#server/domain/mail.ts';
import { countedRefunds } from '#server/domain/refund.ts';
import { compareNames, seatName } from '#server/domain/seat-name.ts';
import type { Ctx } from '#server/services/context.ts';
import { calendarEntry, ticketsPdf } from '#server/services/booking/documents.ts';
import { gateFinder } from '#server/services/event/events.ts';
import { composeLinks } from './links.ts';
import { organiserOf } from '#server/services/site/site.ts';

/** Ready to leave, without its Message-ID. */
interface Composed {
  to: string;
  subject: string;
  text: string;
  html: string;
  attachments: Attachment[];
}

/** A MailTrouble instead of a mail: nobody to write to, or nothing to say any more. */
export async function composeMail(ctx: Ctx, mail: MailRow): Promise<Composed | MailTrouble> {
  const { kind } = mail;
  if (kind === 'order_links') return composeLinks(ctx, mail);
  const order = mail.order_id === null ? undefined : await findOrder(ctx.db, mail.order_id);
  if (!order) return 'obsolete';
  const event = (await findEvent(ctx.db, order.event_id))!;
  const refund = await refundForMail(ctx.db, order.id, refundKeyOf(mail));
  const tickets = (await ticketsOfOrder(ctx.db, order.id)).filter(
    (ticket) => ticket.state === 'valid',
  );
  const news = kind === 'holder_changed' ? holderNewsOf(mail, tickets) : null;
  if (!isTrue[kind]({ order, refund, valid: tickets.length, news })) return 'obsolete';
  const to = news !== null && news.to !== 'buyer' ? mail.to_address : order.buyer_email;
  if (to === null) return 'no_address';
  if (!isMailAddress(to)) return 'bad_address';
  const shown = news !== null ? [news.ticket] : aboutTickets.has(kind) ? tickets : null;
  const body = writeOrderMail(
    kind,
    await factsOf(ctx, {
      order,
      event,
      refund,
      shown,
      news,
      names_missing: tickets.filter((ticket) => isNameMissing(event, ticket)).length,
    }),
  );
  return {
    to,
    subject: body.subject,
    text: mailText(body),
    html: mailHtml(body),
    attachments: await attachmentsOf(ctx, {
      order,
      kind,
      news,
      printable: tickets.some((ticket) => !isNameMissing(event, ticket)),
    }),
  };
}

/** The ticket as it is now, and whether the mail still speaks of its newest code. */
interface HolderNews {
  ticket: TicketWithPlace;
  to: 'buyer' | 'new' | 'old';
  isNewest: boolean;
}

function holderNewsOf(
  mail: Pick<MailRow, 'key'>,
  tickets: readonly TicketWithPlace[],
): HolderNews | null {
  const [ticket_id, revision, to] = refundKeyOf(mail).split('.');
  const ticket = tickets.find((one) => one.id === ticket_id);
  return ticket === undefined
    ? null
    : { ticket, to: to as HolderNews['to'], isNewest: ticket.revision === Number(revision) };
}

/** A mail that is sent again has a mark of its own behind the key. */
export function refundKeyOf(mail: Pick<MailRow, 'key'>): string {
  return mail.key.split('#')[0]!;
}

interface Standing {
  order: OrderRow;
  refund: RefundForMail | null;
  valid: number;
  news: HolderNews | null;
}

/** Between the wish and the sending things go on: a mail that would no longer be true is not sent. */
const isTrue: Record<OrderMailKind, (standing: Standing) => boolean> = {
  tickets: ({ order, valid }) => order.state === 'confirmed' && valid > 0,
  awaiting: ({ order }) => order.state === 'awaiting_payment',
  cancelled: ({ order }) => order.state === 'deleted' && order.paid_cents === 0,
  refunded: ({ refund }) => refund !== null && countedRefunds.includes(refund.state),
  refund_refused: ({ refund }) => refund?.state === 'refused',
  late_refunded: ({ order, refund }) =>
    order.state !== 'confirmed' && (refund === null || countedRefunds.includes(refund.state)),
  event_changed: ({ order, valid }) => order.state === 'confirmed' && valid > 0,
  event_cancelled: ({ order }) => order.state === 'confirmed',
  // Whoever holds a dead code is told so, whatever came after it.
  holder_changed: ({ news }) => news !== null && (news.isNewest || news.to === 'old'),
};

/** They list the seats that are still valid, and bring the tickets; the others list what was booked. */
const aboutTickets: ReadonlySet<OrderMailKind> = new Set<OrderMailKind>([
  'tickets',
  'event_changed',
]);

interface Told {
  order: OrderRow;
  event: EventRow;
  refund: RefundForMail | null;
  /** Null: all that was booked. */ shown: readonly TicketWithPlace[] | null;
  news: HolderNews | null;
  names_missing: number;
}

async function factsOf(
  ctx: Ctx,
  { order, event, refund, shown, news, names_missing }: Told,
): Promise<MailFacts> {
  const lines = await linesOf(ctx.db, order.id);
  const gateOf = gateFinder(event);
  // A gate is for whoever comes.
  const withGate = (gate: string | null) =>
    shown === null || gate === null ? '' : ` – ingresso: ${gate}`;
  const places = new Map(
    (
      await placesOf(
        ctx.db,
        event.id,
        lines.map((line) => line.place),
      )
    ).map((place) => [place.place, `${seatName(place)}${withGate(gateOf(place))}`]),
  );
  const inWords = (list: readonly { place: string }[]) =>
    list.map((line) => places.get(line.place) ?? line.place).toSorted(compareNames);
  const page = `${ctx.publicUrl}/orders/${order.id}`;
  const calls = `${ctx.publicUrl}/api/orders/${order.id}`;
  return {
    // The other readers are not the buyer: the new holder is greeted by his own name, the old one by none.
    buyer_name:
      news === null || news.to === 'buyer'
        ? order.buyer_name
        : news.to === 'new'
          ? news.ticket.holder
          : null,
    seats: inWords(shown ?? lines),
    organiser: await organiserOf(ctx),
    holder: news && { to: news.to, name: news.ticket.holder ?? '' },
    order: {
      number: order.number,
      url: page,
      pdf_url: `${calls}/tickets.pdf`,
      calendar_url: `${calls}/calendar.ics`,
      total_cents: order.total_cents,
      fee_cents: order.fee_cents,
      paid_cents: order.paid_cents,
      paid_by_hand: order.paid_by === 'manual',
      pay_by: order.pay_by,
      confirmed_at: order.confirmed_at,
      checkout_open: order.session_status === 'open',
    },
    event: {
      title: event.title,
      url: `${ctx.publicUrl}/event/${event.id}`,
      starts_at: event.starts_at,
      doors_at: event.doors_at,
      venue_title: event.venue_title,
      refunds_on_request: event.refund_request !== 'never',
      nominative: event.nominative === 1,
      names_missing,
    },
    refund: refund && {
      amount_cents: refund.amount_cents,
      voids_tickets: refund.voids_tickets === 1,
      by_hand: refund.kind === 'manual',
      refusal: refund.state === 'refused' ? refund.failure : null,
      seats: inWords(lines.filter((line) => refund.line_ids.includes(line.id))),
    },
  };
}

/** `printable`: at least one ticket has the name that it needs. */
async function attachmentsOf(
  ctx: Ctx,
  {
    order,
    kind,
    news,
    printable,
  }: { order: OrderRow; kind: OrderMailKind; news: HolderNews | null; printable: boolean },
): Promise<Attachment[]> {
  if (news !== null)
    return news.to === 'old' ? [] : [await ticketsPdf(ctx, order.id, news.ticket.id)];
  if (aboutTickets.has(kind))
    return [
      ...(printable ? [await ticketsPdf(ctx, order.id)] : []),
      await calendarEntry(ctx, order.id),
    ];
  return kind === 'event_cancelled' ? [await calendarEntry(ctx, order.id)] : [];
}
