/** Composes a mail when it is sent: recipient, words, attachments, from the present order. */
import type { Attachment } from '#server/adapters/mail.ts';
import { firstEntries } from '#db/door/admissions.ts';
import type { Db } from '#db/engine/dialect.ts';
import { ordersTogether } from '#db/order/order-families.ts';
import { refundForMail, type RefundForMail } from '#db/mail/mails.ts';
import { exchangesOf } from '#db/order/exchanges.ts';
import { findOrder, linesOf } from '#db/order/orders.ts';
import type { EventRow, MailRow, OrderLineRow, OrderRow, PostponementRow } from '#db/rows.ts';
import { placesOf } from '#db/seat/seats.ts';
import { ticketsOfOrder, type TicketWithPlace } from '#db/order/tickets.ts';
import { spellMail, type SpelledMail } from '#server/domain/mail/mail-body.ts';
import { seatAndWayIn, gateFinder } from '#server/domain/door/gate.ts';
import { keptMinutes, keptUntil } from '#server/domain/door/kept.ts';
import { isNameAsked, isNameMissing } from '#server/domain/order/holder.ts';
import { sayChange, sayExchange, sayReentry } from '#server/domain/order/right-words.ts';
import { daysAround } from '#server/domain/time/day.ts';
import { isMailAddress } from '#server/domain/text/mail-address.ts';
import {
  isHolderMail,
  isReminderMail,
  newCodes,
  newLink,
  type MailTrouble,
  type OrderMailKind,
} from '#server/domain/mail/kinds.ts';
import { writeOrderMail } from '#server/domain/mail/mail.ts';
import { type MailFacts } from '#server/domain/mail/order-facts.ts';
import { plainText } from '#server/domain/text/plain-text.ts';
import { refundQuote } from '#server/domain/payment/refund-quote.ts';
import { countedRefunds } from '#server/domain/payment/refund.ts';
import { sayMayAsk } from '#server/domain/payment/refund-words.ts';
import { cardRemarks } from '#server/domain/order/card-words.ts';
import { remarksOf } from '#server/domain/seat/notices.ts';
import { compareNames, namedTogether } from '#server/domain/seat/seat-name.ts';
import { isTrial } from '#server/domain/door/trial.ts';
import type { Ctx } from '#server/services/context.ts';
import { calendarEntry, ticketsPdf } from '#server/services/order/documents.ts';
import { houseOf } from '#server/services/kit/house.ts';
import { cleanText } from '#server/services/event/texts.ts';
import { awaitsClick } from '#server/services/payment/click.ts';
import { eventOfOrder } from '#server/services/order/find-order.ts';
import { orderUrl, withoutLinks } from '#server/services/order/order-link.ts';
import { factsOfOrder } from '#server/services/order/refund-facts.ts';
import { questionsIn } from './questions.ts';
import { mayAnswerUntil } from '#server/services/refund/postponed.ts';
import { spellForBuyer } from './dress.ts';
import { endedBy, heldWhenCancelled, unreachedBy } from './ended.ts';
import { composeForHolder } from './holder-letters.ts';
import { composeLinks } from './links.ts';
import { isForHolder, refundKeyOf } from './mail-key.ts';
import { composeMessage } from './message-letter.ts';
import { movedIn, type MovedFacts } from './moved-seats.ts';
import { composeReminder } from './reminders.ts';
import { composeInvitation, composeReset } from './people-mails.ts';
import { writeAlarmMail } from '#server/domain/mail/alarm-mail.ts';
import { ticketUrl } from '#server/services/order/ticket-link.ts';
import { organiserOf } from '#server/services/site/site.ts';

/** A mail that is complete except for its Message-ID. */
interface Composed extends SpelledMail {
  to: string;
  /** The version that we store if the mail contains a secret. */
  kept?: SpelledMail;
  attachments: Attachment[];
}

async function composeAlarm(ctx: Ctx, mail: MailRow): Promise<Composed | MailTrouble> {
  if (mail.to_address === null) return 'no_address';
  const body = writeAlarmMail({
    at: mail.created_at,
    office_url: `${ctx.publicUrl}/admin/`,
    organiser: await organiserOf(ctx),
  });
  return { to: mail.to_address, ...spellMail(body), attachments: [] };
}

/**
 * The words that were stored when the mail was queued: a test of a message, or an alert about
 * the server's health.
 */
function asWritten({ to_address, subject, text, html }: MailRow): Composed | MailTrouble {
  if (to_address === null || subject === null || text === null || html === null) return 'obsolete';
  return { to: to_address, subject, text, html, attachments: [] };
}

/** Returns a MailTrouble if there is no address, or if the mail would not be true any more. */
export async function composeMail(ctx: Ctx, mail: MailRow): Promise<Composed | MailTrouble> {
  const { kind } = mail;
  if (kind === 'order_links') return composeLinks(ctx, mail);
  if (kind === 'login_alarm') return composeAlarm(ctx, mail);
  if (isReminderMail(kind)) return composeReminder(ctx, mail);
  if (kind === 'invitation') return composeInvitation(ctx, mail);
  if (kind === 'password_reset') return composeReset(ctx, mail);
  if (kind === 'message') return composeMessage(ctx, mail, refundKeyOf(mail));
  if (kind === 'message_test' || kind === 'health_alert') return asWritten(mail);
  return composeAboutOrder(ctx, mail, kind);
}

async function composeAboutOrder(
  ctx: Ctx,
  mail: MailRow,
  kind: OrderMailKind,
): Promise<Composed | MailTrouble> {
  const order = mail.order_id === null ? undefined : await findOrder(ctx.db, mail.order_id);
  if (!order) return 'obsolete';
  const event = await eventOfOrder(ctx.db, order);
  if (isHolderMail(kind) && isForHolder(mail))
    return composeForHolder(ctx, { mail, kind, order, event });
  const refund = await refundForMail(ctx.db, order.id, { kind, id: refundKeyOf(mail) });
  const all = await ticketsOfOrder(ctx.db, order.id);
  const tickets = all.filter(({ state }) => state === 'valid');
  const ended = await endedBy(ctx, mail, { order, refund, all });
  const news = kind === 'holder_changed' ? holderNewsOf(mail, tickets) : null;
  const upcoming = event.status === 'published' && ctx.now() < event.starts_at;
  const questions = await questionsIn(ctx, { mail, kind, order, event, refund });
  const asked = questions.postponement;
  const seats = await movedIn(ctx, { mail, kind, order, postponement: asked }, tickets);
  const { moved } = seats;
  const standing = { order, refund, valid: tickets.length, news, moved, upcoming, ...questions };
  const unnamed = upcoming ? unnamedTickets(ctx, mail, { event, tickets }) : [];
  if (!isTrue[kind]({ ...standing, asked: unnamed.length > 0, isEnding: ended !== null }))
    return 'obsolete';
  const to = news === null || news.to === 'buyer' ? order.buyer_email : mail.to_address;
  if (to === null) return order.buyer_name === null ? 'anonymous' : 'no_address';
  if (!isMailAddress(to)) return 'bad_address';
  const others = kind === 'tickets' ? await othersTogether(ctx, order) : [];
  const purchase = [{ event, tickets }, ...others];
  const together = purchase.flatMap((one) => one.tickets);
  const names_missing = countUnnamed(purchase);
  const printable = names_missing < together.length;
  const shown = kind === 'names_asked' ? unnamed : listedIn(kind, news, together);
  const facts = await mailFactsOf(ctx, {
    order,
    event,
    refund,
    shown,
    news,
    moved,
    ...questions,
    ended: ended?.facts,
    ended_before: kind === 'event_cancelled' && !all.some(heldWhenCancelled(event)),
    unreached: unreachedBy(kind, { order, event, all, ended }),
    together: others.map(({ number }) => number),
    replaced: kind === 'tickets' && refundKeyOf(mail) === newCodes,
    linked: kind === 'tickets' && refundKeyOf(mail) === newLink,
    names_missing,
  });
  const body = writeOrderMail(kind, { ...facts, rehoused: seats.rehoused });
  return {
    to,
    ...(await spellForBuyer(ctx, body)),
    attachments: await attachmentsOf(ctx, { order, kind, news, printable }),
  };
}

/** Null: all seats that were booked. */
function listedIn(
  kind: OrderMailKind,
  news: HolderNews | null,
  valid: TicketWithPlace[],
): readonly TicketWithPlace[] | null {
  if (news !== null) return [news.ticket];
  return aboutTickets.has(kind) || kind === 'cancellation_asked' ? valid : null;
}

/** The tickets whose names this mail asks for, until they are due or another day is set. */
function unnamedTickets(
  ctx: Ctx,
  mail: MailRow,
  { event, tickets }: { event: EventRow; tickets: readonly TicketWithPlace[] },
): TicketWithPlace[] {
  const { names_due } = event;
  const isDue = names_due !== null && ctx.now() < names_due;
  return isDue && refundKeyOf(mail) === String(names_due)
    ? tickets.filter((ticket) => isNameAsked(event, ticket))
    : [];
}

interface Moving extends Required<MovedFacts> {
  order: OrderRow;
  event: EventRow;
  tickets: readonly TicketWithPlace[];
  /** The question about another place; null: the event stays where it is. */
  postponement: MailFacts['postponement'];
}

/**
 * The words of the mail about new seats, for the office to read before the move. `tickets`: with
 * their new places, which our database does not have yet.
 */
export async function spellMoved(ctx: Ctx, { tickets, ...told }: Moving): Promise<SpelledMail> {
  const kind = told.postponement === null ? 'seats_changed' : 'event_postponed';
  const facts = await mailFactsOf(ctx, {
    ...told,
    refund: null,
    shown: tickets,
    news: null,
    replaced: false,
    together: [],
    names_missing: countUnnamed([{ event: told.event, tickets }]),
  });
  const gateOf = gateFinder(told.event);
  const seats = namedTogether(tickets)
    .map(({ name, places: [ticket] }) => seatAndWayIn(name, wayTo(ticket, gateOf)))
    .toSorted(compareNames);
  return withoutLinks(
    ctx,
    await spellForBuyer(ctx, writeOrderMail(kind, { ...facts, seats, rehoused: told.rehoused })),
  );
}

/** The evening that the order's exchange has given back. */
async function replacedBy(ctx: Ctx, order: OrderRow): Promise<MailFacts['replaces']> {
  if (order.exchange_credit_cents === null) return undefined;
  const all = await exchangesOf(ctx.db, order.id);
  const into = all.find(({ side, state }) => side === 'got' && state === 'done');
  return into && { starts_at: into.starts_at, number: into.number };
}

async function validTickets(ctx: Ctx, { id }: Pick<OrderRow, 'id'>): Promise<TicketWithPlace[]> {
  return (await ticketsOfOrder(ctx.db, id)).filter((ticket) => ticket.state === 'valid');
}

/** The other confirmed orders of the same purchase; their tickets are sent in the same mail. */
async function othersTogether(ctx: Ctx, order: OrderRow) {
  const orders = (await ordersTogether(ctx.db, order)).filter(
    ({ id, state }) => id !== order.id && state === 'confirmed',
  );
  return Promise.all(
    orders.map(async (other) => ({
      number: other.number,
      event: await eventOfOrder(ctx.db, other),
      tickets: await validTickets(ctx, other),
    })),
  );
}

/** Each order of a purchase was sold under its own terms. */
function countUnnamed(orders: readonly { event: EventRow; tickets: readonly TicketWithPlace[] }[]) {
  return orders.flatMap(({ event, tickets }) =>
    tickets.filter((ticket) => isNameMissing(event, ticket)),
  ).length;
}

/** The ticket as it is now; `isNewest`: its newest code is the one in the mail. */
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

interface Standing {
  order: OrderRow;
  refund: RefundForMail | null;
  valid: number;
  news: HolderNews | null;
  postponement: (PostponementRow & { other_date: boolean }) | null;
  moved: MailFacts['moved'];
  cancellation: MailFacts['cancellation'];
  /** The evening is still to come, and takes place. */ upcoming: boolean;
  /** Names are asked for as this mail says, and one is missing. */ asked: boolean;
  /** True: this mail tells the buyer that its refund ended tickets. */ isEnding: boolean;
}

/** Tells whether a mail is still true when it is sent; an untrue mail is dropped. */
const isTrue: Record<OrderMailKind, (standing: Standing) => boolean> = {
  tickets: ({ order, valid }) => order.state === 'confirmed' && valid > 0,
  awaiting: ({ order }) => order.state === 'awaiting_payment',
  cancelled: ({ order }) => order.state === 'deleted' && order.paid_cents === 0,
  refunded: ({ refund }) => refund !== null && countedRefunds.includes(refund.state),
  refund_asked: ({ refund }) => refund?.state === 'asked',
  refund_refused: ({ refund }) => refund?.state === 'refused',
  late_refunded: ({ order, refund }) =>
    order.state !== 'confirmed' && (refund === null || countedRefunds.includes(refund.state)),
  tickets_ended: ({ isEnding }) => isEnding,
  event_changed: ({ order, valid }) => order.state === 'confirmed' && valid > 0,
  // After a second move of the event the first is not announced; the second has its own mail.
  event_postponed: ({ order, valid, postponement }) =>
    order.state === 'confirmed' && valid > 0 && postponement?.closed_at === null,
  event_cancelled: ({ order }) => order.state === 'confirmed',
  cancellation_asked: ({ order, valid, cancellation }) =>
    order.state === 'confirmed' && valid > 0 && cancellation !== null,
  gift_receipt: ({ refund }) => refund?.kind === 'gift',
  seats_changed: ({ order, moved }) => order.state === 'confirmed' && moved.length > 0,
  confirm_click: ({ order }) => awaitsClick(order),
  day_before: ({ order, valid, upcoming }) => order.state === 'confirmed' && valid > 0 && upcoming,
  names_asked: ({ order, asked }) => order.state === 'confirmed' && asked,
  // The previous holder is told that the old code no longer works, whatever happened afterwards.
  holder_changed: ({ news }) => news !== null && (news.isNewest || news.to === 'old'),
};

/** These mails list and attach the valid tickets; others list the booked seats. */
const aboutTickets: ReadonlySet<OrderMailKind> = new Set<OrderMailKind>([
  'tickets',
  'event_changed',
  'event_postponed',
  'seats_changed',
  'day_before',
]);

interface Told {
  order: OrderRow;
  event: EventRow;
  refund: RefundForMail | null;
  /** The tickets to list; null: all seats that were booked. */
  shown: readonly TicketWithPlace[] | null;
  news: HolderNews | null;
  /** True: the tickets replace earlier ones, whose codes no longer work. */ replaced: boolean;
  /** The link replaces an earlier one. */ linked?: boolean;
  names_missing: number;
  /** The numbers of the other orders in this mail. */ together: readonly string[];
  postponement: MailFacts['postponement'];
  moved: MailFacts['moved'];
  cancellation?: MailFacts['cancellation'];
  gift?: MailFacts['gift'];
  ended?: MailFacts['ended'];
  ended_before?: boolean;
  unreached?: MailFacts['unreached'];
}

async function mailFactsOf(ctx: Ctx, told: Told): Promise<MailFacts> {
  const { order, event, refund, shown, news, names_missing, together, postponement, moved } = told;
  const lines = await linesOf(ctx.db, order.id);
  const replaces = await replacedBy(ctx, order);
  const seatsOf = await seatWriter(ctx, event, {
    lines: [...(shown ?? []), ...lines],
    ways: shown !== null,
  });
  return {
    buyer_name: greetedName(order, news),
    seats: seatsOf(shown ?? lines),
    organiser: await organiserOf(ctx),
    trial: (shown ?? []).some((ticket) =>
      isTrial({ test_money: ticket.test_money === 1, rehearsal: false }, houseOf(ctx)),
    ),
    postponement,
    moved,
    cancellation: told.cancellation ?? null,
    gift: told.gift ?? null,
    ...(told.ended && { ended: told.ended }),
    ended_before: told.ended_before === true,
    unreached: told.unreached ?? [],
    codes_replaced: told.replaced,
    link_replaced: told.linked,
    ...(replaces && { replaces }),
    holder: news && {
      to: news.to,
      name: news.ticket.holder ?? '',
      url: news.to === 'new' ? ticketUrl(ctx, event, news.ticket) : null,
    },
    order: {
      ...order,
      ...addressesOf(ctx, order),
      paid_by_hand: order.paid_by === 'manual',
      together,
      checkout_open: order.session_status === 'open',
      click_url: order.click_key === null ? null : `${orderUrl(ctx, order)}#${order.click_key}`,
      kept_until: keptUntilOf(event, shown ?? []),
      is_tomorrow: event.starts_at >= daysAround(ctx.now()).today.to,
    },
    event: {
      ...event,
      url: `${ctx.publicUrl}/event/${event.id}`,
      terms: event.terms === null ? null : plainText(cleanText(event.terms)),
      nominative: event.nominative === 1,
      names_missing,
    },
    refund_policy: order.paid_cents === 0 ? null : await mayAskWords(ctx, told),
    change_rule: sayChange(event, { tickets: await withUse(ctx.db, shown ?? []), now: ctx.now() }),
    exchange_rule: sayExchange(event, ctx.now()),
    reentry_rule: sayReentry(event),
    refund: refund && {
      amount_cents: refund.amount_cents,
      voids_tickets: told.ended !== undefined,
      by_hand: refund.kind === 'manual',
      refusal: refund.state === 'refused' ? refund.failure : null,
      seats: seatsOf(lines.filter((line) => refund.line_ids.includes(line.id))),
    },
  };
}

/** Adds whether a guest has come in with the ticket. */
async function withUse(db: Db, tickets: readonly TicketWithPlace[]) {
  const ids = tickets.map(({ id }) => id);
  const entries = await firstEntries(db, ids);
  return tickets.map((ticket) => ({ ...ticket, used: entries.has(ticket.id) }));
}

/** The refund terms in words, from the same source as on the order page. */
async function mayAskWords(ctx: Ctx, { order, event }: Told): Promise<string | null> {
  const { facts } = await factsOfOrder(ctx.db, { event, order, now: ctx.now() });
  return sayMayAsk({
    facts,
    obstacle: refundQuote(facts, { by: 'buyer', line_ids: 'all' }).obstacle,
    answer_by: await mayAnswerUntil(ctx, { order, event }),
  });
}

/** Until when the door keeps the places of these tickets; null: for good. */
function keptUntilOf(event: EventRow, tickets: readonly TicketWithPlace[]): number | null {
  const minutes = tickets.map(({ let_go_minutes }) =>
    keptMinutes(let_go_minutes, event.free_until_minutes),
  );
  return keptUntil(event.starts_at, Math.max(0, ...minutes));
}

function addressesOf(ctx: Ctx, order: OrderRow) {
  const calls = `${ctx.publicUrl}/api/orders/${order.link_key}`;
  return {
    url: orderUrl(ctx, order),
    pdf_url: `${calls}/tickets.pdf`,
    calendar_url: `${calls}/calendar.ics`,
  };
}

/** The name in the greeting: a new holder's own name, and none for a previous holder. */
function greetedName(order: OrderRow, news: HolderNews | null): string | null {
  if (news === null || news.to === 'buyer') return order.buyer_name;
  return news.to === 'new' ? news.ticket.holder : null;
}

/** The gate, the entrance and what is special; `cards`: what the price asks for at the door. */
function wayTo(
  place: Parameters<ReturnType<typeof gateFinder>>[0] &
    Parameters<typeof remarksOf>[0] & { entrance: string | null },
  gateOf: ReturnType<typeof gateFinder>,
  cards: readonly string[] = [],
) {
  const remarks = [...remarksOf(place), ...cards];
  return { gate: gateOf(place), entrance: place.entrance, remarks };
}

type SeatLine = Pick<OrderLineRow, 'place'> & Partial<Pick<OrderLineRow, 'price_reasons'>>;

/**
 * Returns a function that names places, those of an object sold whole together; with `ways` it
 * adds the gate, the entrance and what is special.
 */
async function seatWriter(
  ctx: Ctx,
  event: EventRow,
  { lines, ways }: { lines: readonly SeatLine[]; ways: boolean },
): Promise<(some: readonly { place: string }[]) => string[]> {
  const gateOf = gateFinder(event);
  const labels = lines.map((line) => line.place);
  const known = new Map(
    (await placesOf(ctx.db, event.id, labels)).map((place) => [place.place, place]),
  );
  const sold = new Map(lines.map((line) => [line.place, line]));
  return (some) =>
    namedTogether(some.flatMap(({ place }) => known.get(place) ?? []))
      .map(({ name, places: [place] }) => {
        const cards = cardRemarks({ price_reasons: null, ...sold.get(place.place) });
        return ways ? seatAndWayIn(name, wayTo(place, gateOf, cards)) : name;
      })
      .toSorted(compareNames);
}

/** `printable`: at least one ticket has the name that it needs to be printed. */
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
  return kind === 'event_cancelled' || kind === 'cancellation_asked'
    ? [await calendarEntry(ctx, order.id)]
    : [];
}
