/**
 * Finds all data about a mail address, and what an erasure would do. The preview reads the same
 * rows as the erasure.
 */
import { mentionsOf } from '#db/person/forgetting.ts';
import { notesOfOrder } from '#db/order/order-notes.ts';
import { readOrderFile, type OrderFile } from '#db/order/order-file.ts';
import { findOrder } from '#db/order/orders.ts';
import {
  correctionsNaming,
  declinesOf,
  invoicesOf,
  mailsOfPerson,
  messagesOf,
  ordersOfAddress,
  personOrders,
  remindersOf,
  ticketsOfHolder,
  turnMailsOf,
  userOfAddress,
  type PersonOrder,
} from '#db/person/personal.ts';
import type { OrderNoteRow, OrderRow } from '#db/rows.ts';
import { partsOfDetail, type AuditDetail } from '#server/domain/audit/audit.ts';
import { keptWords } from '#server/domain/person/backups.ts';
import { blockerOf, erasableAt } from '#server/domain/person/erasure.ts';
import { heldKinds, heldWords, typedPlaces, type HeldKind } from '#server/domain/person/held.ts';
import type { Ctx } from '#server/services/context.ts';
import { readAddress } from './address.ts';

/** An order with every record of it. */
export interface HeldOrder {
  order: OrderRow;
  about: PersonOrder;
  file: OrderFile;
  notes: OrderNoteRow[];
}

/** All data about the address, for the export. */
export async function readHeld(ctx: Ctx, email: string) {
  const { db } = ctx;
  const address = readAddress(email);
  const orders: HeldOrder[] = [];
  for (const about of await ordersOfAddress(db, address)) {
    const order = await findOrder(db, about.id);
    const [file, notes] = [await readOrderFile(db, about.id), await notesOfOrder(db, about.id)];
    if (order !== undefined) orders.push({ order, about, file, notes });
  }
  const ids = orders.map(({ order }) => order.id);
  const own = new Set(ids);
  const tickets = await ticketsOfHolder(db, address);
  const elsewhere = tickets.filter(({ order_id }) => !own.has(order_id));
  return {
    address,
    orders,
    tickets,
    elsewhere: await personOrders(db, [...new Set(elsewhere.map(({ order_id }) => order_id))]),
    mails: await mailsOfPerson(db, address, ids),
    messages: await messagesOf(db, ids),
    invoices: await invoicesOf(db, ids),
    reminders: await remindersOf(db, address),
    turnMails: await turnMailsOf(db, address),
    declines: (await declinesOf(db, address)).filter(({ order_id }) => !own.has(order_id)),
    corrections: (await correctionsNaming(db, address)).filter(({ subject }) => !own.has(subject)),
    account: (await userOfAddress(db, address)) ?? null,
  };
}
export type Held = Awaited<ReturnType<typeof readHeld>>;

/** The part of a registry entry that is about a person. */
export function personalPart({ action, detail }: { action: string; detail: string | null }) {
  return partsOfDetail(action, JSON.parse(detail ?? '{}') as AuditDetail).personal;
}

function countsOf(held: Held): Record<HeldKind, number> {
  const sum = (of: (one: HeldOrder) => readonly unknown[]) =>
    held.orders.reduce((n, one) => n + of(one).length, 0);
  const named = ({ file }: HeldOrder) => file.audit.filter((entry) => personalPart(entry) !== null);
  return {
    orders: held.orders.length,
    holders:
      sum(({ file }) => file.lines.filter(({ holder }) => holder !== null)) +
      held.tickets.filter(({ order_id }) => held.elsewhere.some(({ id }) => id === order_id))
        .length,
    admissions: sum(({ file }) => file.admissions),
    payments: sum(({ file }) => file.payments),
    declines: sum(({ file }) => file.declines) + held.declines.length,
    refunds: sum(({ file }) => file.refunds),
    disputes: sum(({ file }) => file.disputes),
    notes: sum(({ notes }) => notes),
    mails: held.mails.length,
    messages: held.messages.length,
    invoices: held.invoices.length,
    reminders: held.reminders.length + held.turnMails.length,
    audit: sum(named) + held.corrections.length,
    account: held.account === null ? 0 : 1,
  };
}

/** The payments' ids at Stripe, because Stripe has its own data about the person. */
function stripeOf(held: Held) {
  return held.orders.flatMap(({ order, file }) =>
    file.payments
      .filter(({ payment_intent, charge_id }) => payment_intent !== null || charge_id !== null)
      .map(({ payment_intent, charge_id, amount_cents, paid_at }) => ({
        order_number: order.number,
        payment_intent,
        charge_id,
        amount_cents,
        paid_at,
      })),
  );
}

/** A longer list would not help its reader. */
const mostMentions = 50;

/** Each mention in the registry once, even if several orders lead to it. */
async function mentionsIn(ctx: Ctx, { orders }: Held) {
  const found = new Map<string, { order_number: string; where: string; text: string }>();
  for (const { order } of orders)
    for (const { place, id, text } of await mentionsOf(ctx.db, order))
      found.set(`${place} ${id}`, { order_number: order.number, where: typedPlaces[place], text });
  return [...found.values()].slice(0, mostMentions);
}

/** @throws Refusal bad_request */
export async function personFound(ctx: Ctx, email: string) {
  const held = await readHeld(ctx, email);
  const counts = countsOf(held);
  const told = (about: PersonOrder, role: 'buyer' | 'holder') => {
    const found = blockerOf(about, ctx.now());
    // A holder's data wait only until the event is over; the rest concerns the buyer.
    const blocker = role === 'holder' && found !== 'coming' ? null : found;
    return {
      order_id: about.id,
      number: about.number,
      event_title: about.event_title,
      starts_at: about.starts_at,
      places: about.places,
      total_cents: about.total_cents,
      role,
      blocker,
      erasable_at: blocker === null ? null : erasableAt(blocker, about),
    };
  };
  return {
    email: held.address,
    held: heldKinds
      .filter((kind) => counts[kind] > 0)
      .map((kind) => ({ kind, count: counts[kind], ...heldWords[kind] })),
    orders: [
      ...held.orders.map(({ about }) => told(about, 'buyer')),
      ...held.elsewhere.map((about) => told(about, 'holder')),
    ],
    mentions: await mentionsIn(ctx, held),
    stripe: stripeOf(held),
    backups: keptWords(ctx.backups.keep),
  };
}
