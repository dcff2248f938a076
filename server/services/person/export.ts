/**
 * A copy of all data that we have about a person, to give to them: data for programs and a page
 * for people, in one zip.
 */
import { isoOf } from '#server/domain/time/dates.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { organiserOf } from '#server/services/site/site.ts';
import { withoutLinks } from '#server/services/order/order-link.ts';
import { happened } from '#server/services/kit/happened.ts';
import { exportPage } from './export-page.ts';
import { personalPart, readHeld, type Held, type HeldOrder } from './find.ts';

/** Numbers with such names are times and are written as text. */
const isTime = /(?:_at|_by|^at)$/;

export async function personFile(ctx: Ctx, email: string, actor: Actor) {
  const held = await readHeld(ctx, email);
  const data = dataOf(ctx, held);
  const organiser = await organiserOf(ctx);
  await happened(ctx, ctx.db, {
    actor,
    action: 'personal_exported',
    subject: ctx.newId(),
    detail: { orders: held.orders.length },
  });
  const { strToU8, zipSync } = await import('fflate');
  const files = {
    'dati.json': strToU8(`${JSON.stringify(data, null, 2)}\n`),
    'dati.html': strToU8(exportPage({ held, organiser, made_at: ctx.now() })),
  };
  return {
    name: `dati-personali-${isoOf(ctx.now()).slice(0, 10)}.zip`,
    type: 'application/zip',
    content: zipSync(files, { mtime: ctx.now() }),
  };
}

function dataOf(ctx: Ctx, held: Held) {
  const { address, orders, elsewhere, mails, messages, reminders, declines, account } = held;
  return withTimes({
    email: address,
    made_at: ctx.now(),
    orders: orders.map(orderData),
    tickets_in_orders_of_others: held.tickets.flatMap(({ holder, order_id }) => {
      const order = elsewhere.find(({ id }) => id === order_id);
      if (order === undefined) return [];
      const { number, event_title, starts_at } = order;
      return [{ holder, order_number: number, event_title, starts_at }];
    }),
    mails: mails.map(({ kind, state, to_address, subject, text, created_at, sent_at }) => ({
      kind,
      state,
      to_address,
      subject,
      // The person who exports must not become the buyer.
      text: withoutLinks(ctx, { text, html: null }).text,
      created_at,
      sent_at,
    })),
    messages: messages.map(({ subject, body, created_at }) => ({ subject, body, created_at })),
    reminders: reminders.map(({ event_id, email, asked_at, confirmed_at }) => ({
      event_id,
      email,
      asked_at,
      confirmed_at,
    })),
    waiting_rooms: held.turnMails.map(({ event_id, email, arrival }) => ({
      event_id,
      email,
      entered_at: Math.floor(arrival / 1000),
    })),
    invoices: held.invoices,
    declined_payments: declines.map(({ method, amount_cents, code, at }) => ({
      method,
      amount_cents,
      code,
      at,
    })),
    office_account: account,
  });
}

function orderData({ order, about, file, notes }: HeldOrder) {
  const { number, state, total_cents, fee_cents, paid_cents, refunded_cents } = order;
  return {
    number,
    state,
    event_title: about.event_title,
    starts_at: about.starts_at,
    created_at: order.created_at,
    confirmed_at: order.confirmed_at,
    deleted_at: order.deleted_at,
    buyer_name: order.buyer_name,
    buyer_email: order.buyer_email,
    buyer_phone: order.buyer_phone,
    buyer_contact: order.buyer_contact,
    buyer_language: order.buyer_language,
    total_cents,
    fee_cents,
    paid_cents,
    refunded_cents,
    seats: file.lines.map(({ place, category, type_label, price_cents, ...line }) => ({
      place,
      category,
      type_label,
      price_cents,
      holder: line.holder,
      ticket_state: line.ticket_state,
      door_note: line.door_note,
    })),
    ...moneyData(file),
    admissions: file.admissions.map(({ place, direction, gate, corrected_at }) => ({
      place,
      direction,
      gate,
      scanned_at: corrected_at,
    })),
    notes: notes.map(({ text, created_at }) => ({ text, created_at })),
    gift_reason: order.gift_reason,
    happened: file.audit.map(({ at, action, ...entry }) => ({
      at,
      action,
      personal: personalPart({ action, ...entry }),
    })),
  };
}

function moneyData(file: HeldOrder['file']) {
  return {
    payments: file.payments.map((one) => ({
      kind: one.kind,
      method: one.method,
      amount_cents: one.amount_cents,
      receipt_number: one.receipt_number,
      payment_intent: one.payment_intent,
      note: one.note,
      paid_at: one.paid_at,
    })),
    declined_payments: file.declines.map(({ method, amount_cents, code, at }) => ({
      method,
      amount_cents,
      code,
      at,
    })),
    refunds: file.refunds.map(({ state: refund_state, origin, amount_cents, reason, ...one }) => ({
      state: refund_state,
      origin,
      amount_cents,
      reason,
      created_at: one.created_at,
      settled_at: one.settled_at,
    })),
    disputes: file.disputes.map(({ amount_cents, reason, status, created_at }) => ({
      amount_cents,
      reason,
      status,
      created_at,
    })),
  };
}

/** Replaces milliseconds by ISO text, also inside objects and lists. */
function withTimes(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => withTimes(one));
  if (typeof value === 'number' && isTime.test(name)) return isoOf(value);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withTimes(one, key)]));
}
