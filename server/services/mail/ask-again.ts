/** Writes again to the buyers of a moved or cancelled evening who have not answered (RULES E6). */
import { silentOn } from '#db/event/date-answers.ts';
import { messageOfKey } from '#db/mail/messages.ts';
import { ordersToWriteTo } from '#db/order/order-list.ts';
import { mostOrders, planMessage } from '#server/domain/mail/message.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { knownEvent } from '#server/services/event/events.ts';
import { questionOfEvent } from '#server/services/refund/date-answers.ts';
import { newMessage, storeMessage } from './messages.ts';

interface AskingAgain {
  ask_key: string;
  recipients: number;
  actor: Actor;
}

/** @throws Refusal as the contract of askSilentAgain says */
export async function askSilentAgain(
  ctx: Ctx,
  event_id: string,
  { ask_key, recipients, actor }: AskingAgain,
): Promise<{ message_id: string }> {
  const event = await knownEvent(ctx, event_id);
  const known = await messageOfKey(ctx.db, ask_key);
  if (known) return { message_id: known.id };
  const question = await questionOfEvent(ctx.db, event, ctx.now());
  if (question?.open !== true)
    throw new Refusal(event.status === 'cancelled' ? 'cancellation_over' : 'postponement_over');
  const among = silentOn(ctx.db, question).select('orders.id');
  const orders = await ordersToWriteTo(ctx.db, { event_id, among }, mostOrders + 1);
  if (orders.length > mostOrders) throw new Refusal('message_too_wide', { most: mostOrders });
  const written = orders.filter(({ buyer_email }) => buyer_email !== null).length;
  if (written !== recipients) throw new Refusal('recipients_changed', { recipients: written });
  const plan = planMessage('question', orders);
  if (plan.recipients.length === 0) throw new Refusal('nobody_to_write_to');
  const asked = { ask_key, act: 'question', subject: null, body: null, actor } as const;
  const message = newMessage(ctx, { ...asked, orders: orders.length }, plan);
  const { recipients: all } = plan;
  return { message_id: await storeMessage(ctx, message, { recipients: all, alone: true }) };
}
