/**
 * One order for the office, with everything about it, and the actions on it; an order can also be
 * found by its receipt number.
 */
import { entriesOfOrder, factsAgainst } from '#db/door/against.ts';
import { listTogether } from '#db/order/order-families.ts';
import { readOrderFile, type OrderFile } from '#db/order/order-file.ts';
import { listOrders } from '#db/order/order-list.ts';
import { notesOfOrder } from '#db/order/order-notes.ts';
import type { EventRow, OrderRow } from '#db/rows.ts';
import { contactFor } from '#server/domain/counter/customers.ts';
import { isNameMissing } from '#server/domain/order/holder.ts';
import { loweringOf } from '#server/domain/order/priced-order.ts';
import { readTrouble, type MailKind } from '#server/domain/mail/kinds.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { seatName, wholeName } from '#server/domain/seat/seat-name.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { namesOf, type NameOf } from '#server/services/user/actors.ts';
import type { Ctx } from '#server/services/context.ts';
import { eventOfOrder, requireOrder } from '#server/services/order/find-order.ts';
import { exchangesInWords } from '#server/services/order/exchanges-shown.ts';
import { requireSeenOrder, seesOrder, type Viewer } from '#server/services/order/order-scope.ts';
import { attemptsOf, rowForOffice } from '#server/services/refund/orders.ts';
import { cancelOrder } from '#server/services/payment/settle.ts';
import { orderOfReceipt } from '#server/services/order/receipts.ts';
import {
  confirmByOffice,
  settleAttention,
  type AttentionAnswer,
  type OfficeConfirmation,
} from './decide-order.ts';
import { readDetail, timelineOf } from './timeline.ts';

/** @throws Refusal order_not_found, also for an order that the viewer may not see */
export async function orderFor(ctx: Ctx, viewer: Viewer, id: string) {
  await requireSeenOrder(ctx, viewer, id);
  return orderForOffice(ctx, id, viewer);
}

/** @throws Refusal order_not_found */
async function orderForOffice(ctx: Ctx, id: string, viewer?: Viewer) {
  const stored = await requireOrder(ctx, id);
  const order = seenBy(viewer, stored);
  // Parallel, because in sequence they would be twenty round trips to PostgreSQL.
  const [[row], read, notes, event, together, guests, exchanges] = await Promise.all([
    listOrders(ctx.db, { id }, { limit: 1, after: null }),
    readOrderFile(ctx.db, id),
    notesOfOrder(ctx.db, id),
    eventOfOrder(ctx.db, order),
    listTogether(ctx.db, order),
    guestsOf(ctx, order),
    exchangesInWords(ctx.db, id),
  ]);
  const file = {
    ...read,
    mails: read.mails.map((mail) => ({
      ...mail,
      to_address: order === stored ? mail.to_address : order.buyer_email,
    })),
  };
  const timeline = timelineOf(order, file, exchanges);
  const actors = [...timeline, ...file.payments, ...file.refunds].map(({ actor }) => actor);
  const nameOf = await namesOf(ctx.db, [
    ...actors,
    ...notes.map(({ author_id }) => `user:${author_id}` as const),
  ]);
  return {
    ...rowForOffice(seenBy(viewer, requireValue(row, 'order'))),
    buyer_phone: order.buyer_phone,
    payment_intent: order.payment_intent,
    checkout_session_status: order.session_status,
    buyer_contact: order.buyer_contact,
    buyer_language: order.buyer_language,
    end_reason: order.end_reason,
    event: { ...event, nominative: event.nominative === 1 || event.holder_change === 1 },
    ...inWords(file, { nameOf, event, guests }),
    notes: notes.map((note) => ({
      ...note,
      note_id: note.id,
      author: nameOf(`user:${note.author_id}`),
      pinned: note.pinned === 1,
    })),
    together: together.filter((other) => other.order_id !== id),
    exchanges,
    sessions: attemptsOf(file.sessions),
    timeline: timeline.map((entry) => ({ ...entry, actor: nameOf(entry.actor) })),
  };
}

/** Without a viewer the caller may change orders, and so read every contact. */
function seenBy<O extends Pick<OrderRow, 'buyer_email' | 'contact_hidden'>>(
  viewer: Viewer | undefined,
  order: O,
): O {
  return viewer === undefined ? order : contactFor(viewer.role, order);
}

/** @throws Refusal receipt_not_found, also for an order that the viewer may not see */
export async function orderByReceipt(ctx: Ctx, viewer: Viewer, receipt_number: string) {
  const id = await orderOfReceipt(ctx, receipt_number);
  if (!(await seesOrder(ctx, viewer, id))) throw new Refusal('receipt_not_found');
  return orderForOffice(ctx, id, viewer);
}

/**
 * Confirms the order and returns it as it is then.
 * @throws Refusal, the same as confirmByOffice()
 */
export async function confirmAtDesk(ctx: Ctx, id: string, ask: OfficeConfirmation) {
  await confirmByOffice(ctx, id, ask);
  return orderForOffice(ctx, id);
}

/**
 * @throws Refusal decision_not_possible for a confirmed order (only a refund frees its seats),
 * and while money with a wrong sum waits for a decision
 */
export async function cancelByOffice(
  ctx: Ctx,
  id: string,
  { user_id, reason }: { user_id: string; reason?: string },
) {
  const order = await requireOrder(ctx, id);
  if (order.state === 'confirmed' || order.needs_attention === 'amount_differs')
    throw new Refusal('decision_not_possible', {
      state: order.state,
      reason: order.needs_attention,
    });
  await cancelOrder(ctx, id, {
    reason: 'cancelled_by_office',
    remark: reason,
    actor: `user:${user_id}`,
  });
  return orderForOffice(ctx, id);
}

/** @throws Refusal, the same as settleAttention() */
export async function settleAtDesk(ctx: Ctx, id: string, answer: AttentionAnswer) {
  await settleAttention(ctx, id, answer);
  return orderForOffice(ctx, id);
}

type Guests = Awaited<ReturnType<typeof guestsOf>>;

/** By place, the guests whose tickets have ended (RULES A20). */
async function guestsOf(ctx: Ctx, order: OrderRow) {
  const entries = await entriesOfOrder(ctx.db, order);
  const facts = await factsAgainst(
    ctx.db,
    [...entries.values()].map(({ id }) => id),
  );
  return new Map(
    [...entries].map(([place, { id, settled_as }]) => {
      const { kept, sold } = requireValue(facts.get(id), 'entry');
      return [place, { kept, sold_to: sold, settled_as }];
    }),
  );
}

function inWords(
  { lines, payments, refunds, refundLines, disputes, mails, breaks }: OrderFile,
  { nameOf, event, guests }: { nameOf: NameOf; event: EventRow; guests: Guests },
) {
  const seats = new Map(lines.map((line) => [line.id, seatName(line)]));
  const refundOf = new Map(
    refundLines.filter((line) => line.live === 1).map((line) => [line.line_id, line.refund_id]),
  );
  return {
    lines: lines.map((line) => ({
      ...line,
      line_id: line.id,
      ...loweringOf([line]),
      seat: seatName(line),
      whole:
        line.whole_size > 0
          ? { kind: line.kind, name: wholeName(line), places: line.whole_size }
          : null,
      name_missing: line.ticket_state === 'valid' && isNameMissing(event, line),
      guest_against: guests.get(line.place) ?? null,
      refund_id: refundOf.get(line.id) ?? null,
    })),
    payments: payments.map((payment) => ({
      ...payment,
      payment_id: payment.id,
      actor: nameOf(payment.actor),
      disputed: payment.disputed === 1,
    })),
    refunds: refunds.map((refund) => ({
      ...refund,
      refund_id: refund.id,
      actor: nameOf(refund.actor),
      voids_tickets: refund.voids_tickets === 1,
      frees_seats: refund.frees_seats === 1,
      seats: refundLines
        .filter((line) => line.refund_id === refund.id)
        .flatMap((line) => seats.get(line.line_id) ?? []),
    })),
    disputes: disputes.map((dispute) => ({ ...dispute, dispute_id: dispute.id })),
    mails: mails.map((mail) => ({
      ...mail,
      mail_id: mail.id,
      kind: mail.kind as MailKind,
      trouble: readTrouble(mail.last_error)?.trouble ?? null,
    })),
    breaks: breaks.map((found) => ({
      ...found,
      break_id: found.id,
      detail: readDetail(found.detail),
    })),
  };
}
