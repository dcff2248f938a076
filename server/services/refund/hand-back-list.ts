/** All refunds of an event that a person hands over, and the one act that does so with several. */
import { listToHandBack } from '#db/payment/refunds.ts';
import { counterMethods, type CounterMethod } from '#server/domain/counter/counter.ts';
import { sumOfParts, type HandPart } from '#server/domain/counter/hand-back.ts';
import { asRefusal, Refusal } from '#server/domain/refusal.ts';
import { refusals } from '#server/domain/refusal-words.ts';
import type { Ctx } from '#server/services/context.ts';
import { knownEvent } from '#server/services/event/events.ts';
import type { Viewer } from '#server/services/order/order-scope.ts';
import { defaultParts, type Giver } from '#server/services/payment/drawer.ts';
import { settleRefund } from './desk.ts';
import { openTills } from './hand-back.ts';

/** @throws Refusal event_not_found */
export async function listHandBacks(ctx: Ctx, viewer: Viewer, event_id: string) {
  await knownEvent(ctx, event_id);
  const items = [];
  for (const { id, order_id, amount_cents, ...refund } of await listToHandBack(ctx.db, event_id))
    items.push({
      ...refund,
      refund_id: id,
      order_id,
      amount_cents,
      ways: await defaultParts(ctx.db, order_id, amount_cents),
    });
  return { items, tills: await openTills(ctx, viewer) };
}

interface TogetherAsk extends Omit<Giver, 'ways'> {
  items: readonly { refund_id: string; method?: CounterMethod | undefined }[];
  /** The till that pays cash and card; left out: the own one; null: none. */
  shift_id?: string | null | undefined;
  expected_cents: number;
}

type ToHandBack = Awaited<ReturnType<typeof listToHandBack>>[number];

/**
 * Hands each refund back in its own transaction, so that one that is refused stops no other.
 * @throws Refusal event_not_found, refund_changed
 */
export async function handBackTogether(ctx: Ctx, event_id: string, ask: TogetherAsk) {
  await knownEvent(ctx, event_id);
  const known = new Map((await listToHandBack(ctx.db, event_id)).map((row) => [row.id, row]));
  const chosen = ask.items.map(({ refund_id, method }) => {
    const refund = known.get(refund_id);
    if (!refund) throw new Refusal('refund_changed', { reason: 'handed_back' });
    return { refund, method };
  });
  const sum_cents = sumOfParts(chosen.map(({ refund }) => refund));
  if (sum_cents !== ask.expected_cents) throw new Refusal('refund_changed', { sum_cents });
  const items = [];
  const handed: HandPart[] = [];
  for (const { refund, method } of chosen) {
    const ways = await waysOf(ctx, refund, { method, shift_id: ask.shift_id });
    const { user_id, role, drawer_reason } = ask;
    const giver = { user_id, role, ways, ...(drawer_reason !== undefined && { drawer_reason }) };
    const refused = await settleRefund(ctx, refund.id, { decision: 'handed_back', ...giver }).then(
      () => null,
      asRefusal,
    );
    if (refused === null) handed.push(...ways);
    const { number, amount_cents } = refund;
    items.push({ refund_id: refund.id, number, amount_cents, refused: inWords(refused) });
  }
  return { items, done: doneBy(handed) };
}

/** The parts in the one chosen way, or as the order was paid, from the chosen till. */
async function waysOf(
  ctx: Ctx,
  { order_id, amount_cents }: ToHandBack,
  { method, shift_id }: { method: CounterMethod | undefined; shift_id: string | null | undefined },
): Promise<HandPart[]> {
  const ways = method
    ? [{ method, amount_cents }]
    : await defaultParts(ctx.db, order_id, amount_cents);
  return ways.map((way): HandPart => {
    if (way.method === 'transfer') return { ...way, shift_id: null };
    return shift_id === undefined ? way : { ...way, shift_id };
  });
}

function inWords(refused: Refusal | null) {
  return refused === null ? null : { code: refused.code, message: refusals[refused.code][1] };
}

/** How many parts went in each way, and their sum. */
function doneBy(parts: readonly HandPart[]) {
  return counterMethods.flatMap((method) => {
    const own = parts.filter((part) => part.method === method);
    return own.length === 0 ? [] : [{ method, refunds: own.length, cents: sumOfParts(own) }];
  });
}
