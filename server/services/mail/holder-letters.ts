/**
 * Composes the mail to a ticket's holder who is not the buyer: only their own tickets, no sums,
 * and no link to the order.
 */
import { findPostponement } from '#db/event/postponements.ts';
import { refundForMail } from '#db/mail/mails.ts';
import { linesOf } from '#db/order/orders.ts';
import { ticketsOfOrder, type TicketWithPlace } from '#db/order/tickets.ts';
import type { EventRow, MailRow, OrderRow, PostponementRow } from '#db/rows.ts';
import { gateFinder, seatAndWayIn } from '#server/domain/door/gate.ts';
import { isNameMissing } from '#server/domain/order/holder.ts';
import { writeHolderMail } from '#server/domain/mail/holder-mail.ts';
import type { HolderMailKind, MailTrouble } from '#server/domain/mail/kinds.ts';
import type { SpelledMail } from '#server/domain/mail/mail-body.ts';
import { addressKey, isMailAddress } from '#server/domain/text/mail-address.ts';
import { cardRemarks } from '#server/domain/order/card-words.ts';
import { remarksOf } from '#server/domain/seat/notices.ts';
import { compareNames, seatName } from '#server/domain/seat/seat-name.ts';
import type { Ctx } from '#server/services/context.ts';
import { ticketUrl } from '#server/services/order/ticket-link.ts';
import { organiserOf } from '#server/services/site/site.ts';
import { spellForBuyer } from './dress.ts';
import { heldWhenCancelled, isEndedFor } from './ended.ts';
import { subjectForHolder } from './mail-key.ts';

interface About {
  mail: MailRow;
  kind: HolderMailKind;
  order: OrderRow;
  event: EventRow;
}

/** Returns a MailTrouble if there is no address, or if the mail would not be true any more. */
export async function composeForHolder(
  ctx: Ctx,
  { mail, kind, order, event }: About,
): Promise<(SpelledMail & { to: string; attachments: [] }) | MailTrouble> {
  const to = mail.to_address;
  if (to === null) return 'no_address';
  if (!isMailAddress(to)) return 'bad_address';
  const about = await isAbout[kind](ctx, { mail, order, event });
  if (about === null) return 'obsolete';
  const tickets = (await ticketsOfOrder(ctx.db, order.id)).filter(
    (ticket) => isTheirs(ticket, to) && about.has(ticket),
  );
  if (tickets.length === 0) return 'obsolete';
  const names = new Set(tickets.map(({ holder }) => holder));
  const gateOf = gateFinder(event);
  const lines = new Map((await linesOf(ctx.db, order.id)).map((line) => [line.place, line]));
  const seatOf = (ticket: TicketWithPlace) =>
    ticket.state === 'valid'
      ? seatAndWayIn(seatName(ticket), {
          gate: gateOf(ticket),
          entrance: ticket.entrance,
          remarks: [
            ...remarksOf(ticket),
            ...cardRemarks({ price_reasons: null, ...lines.get(ticket.place) }),
          ],
        })
      : seatName(ticket);
  const body = writeHolderMail(kind, {
    name: names.size === 1 ? (tickets[0]?.holder ?? null) : null,
    event,
    seats: tickets.map(seatOf).toSorted(compareNames),
    links: tickets
      .filter((ticket) => ticket.state === 'valid' && !isNameMissing(event, ticket))
      .map((ticket) => ({ label: seatName(ticket), url: ticketUrl(ctx, event, ticket) })),
    postponement: about.postponement ?? null,
    organiser: await organiserOf(ctx),
  });
  return { to, ...(await spellForBuyer(ctx, body)), attachments: [] };
}

interface Concerned {
  has: (ticket: TicketWithPlace) => boolean;
  postponement?: PostponementRow;
}

function isTheirs({ holder_email }: TicketWithPlace, address: string): boolean {
  return holder_email !== null && addressKey(holder_email) === addressKey(address);
}

const isValid = ({ state }: TicketWithPlace) => state === 'valid';

/** Which tickets a mail of each kind is about; null: it is not true now. */
const isAbout: Record<
  HolderMailKind,
  (ctx: Ctx, about: Omit<About, 'kind'>) => Promise<Concerned | null>
> = {
  tickets_ended: endedByRefund,
  event_cancelled: async (_ctx, { event }) => ({ has: heldWhenCancelled(event) }),
  event_changed: async () => ({ has: isValid }),
  event_postponed: async (ctx, { mail }) => {
    const postponement = await findPostponement(ctx.db, subjectForHolder(mail));
    return postponement?.closed_at === null ? { has: isValid, postponement } : null;
  },
};

async function endedByRefund(
  ctx: Ctx,
  { order, mail }: Omit<About, 'kind'>,
): Promise<Concerned | null> {
  const about = { kind: mail.kind, id: subjectForHolder(mail) };
  const refund = await refundForMail(ctx.db, order.id, about);
  if (refund === null) return null;
  const lines = (await linesOf(ctx.db, order.id)).filter(({ id }) => refund.line_ids.includes(id));
  const places = new Set(lines.map(({ place }) => place));
  return { has: (ticket) => isEndedFor(ticket, mail) && places.has(ticket.place) };
}
