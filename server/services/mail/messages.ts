/**
 * Sends a message to many buyers: chooses the recipients, stores the message, and queues its
 * mails page by page in the background (RULES N1).
 */
import {
  findMessage,
  beginMessage,
  continueMessage,
  haltMessage,
  isStopped,
  finishMessage,
  insertMessage,
  messageOfKey,
  nextRecipients,
  noteRecipient,
  recentMessage,
  withdrawMessage,
} from '#db/mail/messages.ts';
import type { Trx } from '#db/engine/dialect.ts';
import { lockEvent } from '#db/event/events.ts';
import { ordersToWriteTo, type OrderFilter } from '#db/order/order-list.ts';
import type { MessageRow } from '#db/rows.ts';
import { transact } from '#db/engine/transact.ts';
import {
  messageGapMs,
  mostOrders,
  pace,
  planMessage,
  undoMs,
  type MessageAct,
  type MessagePlan,
  type Recipient,
  type WrittenAct,
} from '#server/domain/mail/message.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { orderFilterOf, type OrderListAsk } from '#server/services/refund/orders.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { raiseFloor } from '#server/services/kit/processes.ts';
import { queueTask } from '#server/services/kit/queue-task.ts';
import { happened } from '#server/services/kit/happened.ts';
import { letterFor, refuseUnknownPlaceholders, type MessageWords } from './message-letter.ts';
import { questionMail } from './questions.ts';
import { storeMail } from '#server/services/kit/mail-queue.ts';

interface Selection {
  act: WrittenAct;
  order_ids?: readonly string[];
  filter?: OrderListAsk;
}
interface MessageAsk extends Selection {
  ask_key: string;
  subject?: string;
  body?: string;
  recipients: number;
  again?: boolean;
}

/** How many recipients are shown as examples, and how many order numbers for each reason. */
const examples = 5;

/**
 * @throws Refusal message_too_wide; bad_request unless exactly one of `order_ids` and `filter` is
 * given
 */
async function planOf(ctx: Ctx, selection: Selection): Promise<MessagePlan & { orders: number }> {
  const orders = await ordersToWriteTo(ctx.db, filterOf(selection), mostOrders + 1);
  if (orders.length > mostOrders) throw new Refusal('message_too_wide', { most: mostOrders });
  return { ...planMessage(selection.act, orders), orders: orders.length };
}

function filterOf({ order_ids, filter }: Selection): OrderFilter {
  if (order_ids === undefined && filter !== undefined) return orderFilterOf(filter);
  if (order_ids !== undefined && filter === undefined) return { ids: order_ids };
  throw new Refusal('bad_request', { fields: ['order_ids', 'filter'] });
}

/** @throws Refusal, the same as planOf() */
export async function messageReach(ctx: Ctx, selection: Selection) {
  const { recipients, left_out, orders } = await planOf(ctx, selection);
  const recent = selection.act === 'message' ? await lastHour(ctx, recipients) : undefined;
  const orderCount = recipients.reduce((sum, recipient) => sum + recipient.orders.length, 0);
  return {
    orders,
    recipients: recipients.length,
    merged: orderCount - recipients.length,
    examples: recipients.slice(0, examples).map((recipient) => ({
      order_id: recipient.lead.id,
      number: recipient.lead.number,
      buyer_name: recipient.lead.buyer_name,
      to_address: requireValue(recipient.lead.buyer_email, 'address'),
      orders: recipient.orders.length,
    })),
    left_out: left_out.map(({ reason, numbers }) => ({
      reason,
      count: numbers.length,
      examples: numbers.slice(0, examples),
    })),
    leaves: ctx.mail.leaves,
    recent: recent ? { subject: recent.subject ?? '', created_at: recent.created_at } : null,
  };
}

async function lastHour(
  ctx: Ctx,
  recipients: readonly Recipient[],
): Promise<MessageRow | undefined> {
  return recentMessage(ctx.db, eventsOf(recipients), ctx.now() - messageGapMs);
}

function eventsOf(recipients: readonly Recipient[]): string[] {
  return [...new Set(recipients.flatMap(({ orders }) => orders.map((order) => order.event_id)))];
}

/**
 * Mails the message to its author, in the words that the order's buyer would get now.
 * @throws Refusal, the same as letterFor()
 */
export async function testLetter(
  ctx: Ctx,
  ask: MessageWords & { order_id: string },
  to_address: string,
): Promise<{ to_address: string; mail_id: string }> {
  const { subject, text, html } = await letterFor(ctx, ask);
  const mail_id = await transact(ctx.db, (trx) =>
    storeMail(ctx, trx, {
      order_id: null,
      kind: 'message_test',
      key: '',
      to_address,
      words: { subject: `Prova: ${subject}`, text, html },
    }),
  );
  return { to_address, mail_id };
}

/** @throws Refusal as the contract of sendMessage says */
export async function makeMessage(
  ctx: Ctx,
  ask: MessageAsk,
  actor: Actor,
): Promise<{ message_id: string }> {
  const known = await messageOfKey(ctx.db, ask.ask_key);
  if (known) return { message_id: known.id };
  const { subject, body } = wordsOf(ask);
  const { recipients, left_out, orders } = await planOf(ctx, ask);
  if (recipients.length === 0) throw new Refusal('nobody_to_write_to');
  if (recipients.length !== ask.recipients)
    throw new Refusal('recipients_changed', { recipients: recipients.length });
  const { ask_key, act } = ask;
  const asked = { ask_key, act, subject, body, orders, actor };
  const message = newMessage(ctx, asked, { recipients, left_out });
  const alone = ask.act === 'message' && !ask.again;
  return { message_id: await storeMessage(ctx, message, { recipients, alone }) };
}

type AskedMessage = Pick<MessageRow, 'ask_key' | 'act' | 'subject' | 'body' | 'orders' | 'actor'>;

export function newMessage(
  ctx: Ctx,
  asked: AskedMessage,
  { recipients, left_out }: MessagePlan,
): MessageRow {
  const events = eventsOf(recipients);
  const now = ctx.now();
  return {
    ...asked,
    id: ctx.newId(),
    event_id: events.length === 1 ? (events[0] ?? null) : null,
    left_out: left_out.reduce((sum, { numbers }) => sum + numbers.length, 0),
    created_at: now,
    begins_at: now + undoMs,
    begun_at: null,
    withdrawn_at: null,
    stopped_at: null,
    finished_at: null,
  };
}

/** @throws Refusal bad_request, text_placeholder_unknown */
function wordsOf({ act, subject, body }: MessageAsk): Pick<MessageRow, 'subject' | 'body'> {
  if (act === 'tickets') return { subject: null, body: null };
  const missing = [subject === undefined && 'subject', body === undefined && 'body'];
  if (subject === undefined || body === undefined)
    throw new Refusal('bad_request', { fields: missing.filter((field) => field !== false) });
  refuseUnknownPlaceholders({ subject, body });
  return { subject, body };
}

/** Without the locks two people who send at the same moment would not see each other's message. */
async function lockEvents(trx: Trx, event_ids: readonly string[]): Promise<void> {
  for (const id of event_ids.toSorted()) await lockEvent(trx, id);
}

/** @throws Refusal message_too_soon, asked_too_soon */
async function requireNoneRecent(
  ctx: Ctx,
  trx: Trx,
  { act, event_ids }: { act: MessageAct; event_ids: readonly string[] },
): Promise<void> {
  const recent = await recentMessage(trx, event_ids, ctx.now() - messageGapMs, act);
  if (!recent) return;
  if (act === 'question') throw new Refusal('asked_too_soon');
  throw new Refusal('message_too_soon', { subject: recent.subject });
}

/** `alone`: refused if the same buyers got a message of this kind within the hour. */
export async function storeMessage(
  ctx: Ctx,
  message: MessageRow,
  { recipients, alone }: { recipients: readonly Recipient[]; alone: boolean },
): Promise<string> {
  const { id, ask_key, actor, act, subject, begins_at, left_out } = message;
  return transact(ctx.db, async (trx) => {
    if (alone) await lockEvents(trx, eventsOf(recipients));
    const known = await messageOfKey(trx, ask_key);
    if (known) return known.id;
    const event_ids = eventsOf(recipients);
    if (alone) await requireNoneRecent(ctx, trx, { act, event_ids });
    // An earlier version would send it without words.
    if (act === 'question') await raiseFloor(ctx, trx, '1.7.0');
    await insertMessage(trx, message, recipients);
    await queueTask(ctx, trx, { task: 'send_message', subject: id, run_at: begins_at });
    await happened(ctx, trx, {
      actor,
      action: 'message_queued',
      subject: id,
      detail: { act, subject, event_id: message.event_id, recipients: recipients.length, left_out },
    });
    return id;
  });
}

/** @throws Refusal message_not_found, message_begun */
export async function withdraw(ctx: Ctx, id: string, actor: Actor): Promise<void> {
  const message = await findMessage(ctx.db, id);
  if (!message) throw new Refusal('message_not_found');
  if (message.withdrawn_at !== null) return;
  await transact(ctx.db, async (trx) => {
    if (!(await withdrawMessage(trx, id, ctx.now()))) throw new Refusal('message_begun');
    await happened(ctx, trx, { actor, action: 'message_withdrawn', subject: id });
  });
}

/**
 * Stops a message: its mails that no mail server has yet are not sent.
 * @throws Refusal message_not_found, message_not_running
 */
export async function stopMessage(ctx: Ctx, id: string, actor: Actor): Promise<void> {
  if (!(await findMessage(ctx.db, id))) throw new Refusal('message_not_found');
  await transact(ctx.db, async (trx) => {
    if (!(await haltMessage(trx, id, ctx.now()))) throw new Refusal('message_not_running');
    await happened(ctx, trx, { actor, action: 'message_stopped', subject: id });
  });
}

/**
 * Continues a stopped message; recipients who have had the mail do not get it again.
 * @throws Refusal message_not_found, message_not_stopped
 */
export async function resumeMessage(ctx: Ctx, id: string, actor: Actor): Promise<void> {
  if (!(await findMessage(ctx.db, id))) throw new Refusal('message_not_found');
  await transact(ctx.db, async (trx) => {
    if (!(await continueMessage(trx, id))) throw new Refusal('message_not_stopped');
    await queueTask(ctx, trx, { task: 'send_message', subject: id });
    await happened(ctx, trx, { actor, action: 'message_resumed', subject: id });
  });
}

/**
 * The task `send_message`. The transaction that stores a mail also marks its recipient, so that a
 * repeat after a crash sends no mail twice.
 */
export async function sendMessage(ctx: Ctx, id: string): Promise<number | null> {
  const message = await findMessage(ctx.db, id);
  if (!message || message.withdrawn_at !== null || message.finished_at !== null) return null;
  if (message.begins_at > ctx.now()) return message.begins_at;
  if (message.begun_at === null && !(await beginMessage(ctx.db, id, ctx.now()))) return ctx.now();
  const mail = await mailOf(ctx, message);
  const isDone = await transact(ctx.db, async (trx) => {
    if (await isStopped(trx, id)) return true;
    for (const order_id of await nextRecipients(trx, id, pace.mails)) {
      const mail_id = await storeMail(ctx, trx, { order_id, ...mail });
      await noteRecipient(trx, { message_id: id, order_id, mail_id });
    }
    if ((await nextRecipients(trx, id, 1)).length > 0) return false;
    await finishMessage(trx, id, ctx.now());
    return true;
  });
  ctx.fault('message_page_stored');
  return isDone ? null : ctx.now() + pace.pauseMs;
}

/** The kind and the key of a message's mails; a key with # is for tickets that are sent again. */
async function mailOf(ctx: Ctx, { act, id, event_id }: MessageRow) {
  if (act === 'question') return questionMail(ctx, { id, event_id });
  return act === 'tickets'
    ? ({ kind: 'tickets', key: `#${id}` } as const)
    : ({ kind: 'message', key: id } as const);
}
