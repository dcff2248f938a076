/**
 * The secrets of ticket codes: encrypted ("sealed") in the database if SECRETS_KEY is set, and
 * replaced by new ones while issued tickets stay valid (RULES C4).
 */
import { randomBytes } from 'node:crypto';
import {
  beginSecret,
  codeSecrets,
  countEarlier,
  earlierOfOrder,
  endSecret,
  ordersWithEarlier,
  replaceSecret,
} from '#db/event/code-secrets.ts';
import { lockEvent, requireEventRow } from '#db/event/events.ts';
import type { EventRow, OrderRow } from '#db/rows.ts';
import { transact } from '#db/engine/transact.ts';
import { wipeAfterMs } from '#server/domain/event/event.ts';
import { pace } from '#server/domain/mail/message.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { newCodes, reviseTickets } from '#server/services/order/tickets.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { canUnseal, isSealedWith, seal, unseal } from '#server/services/kit/sealing.ts';
import { holderKey, newCodesKey } from '#server/services/kit/mail-queue.ts';
import { happened, oweMail, takeDoorTurn } from '#server/services/kit/happened.ts';

/**
 * Seals the secrets with the present key; runs at the start. Returns how many events have a
 * secret that this key cannot open; if there are any, nothing has changed.
 */
export async function sealSecrets(ctx: Pick<Ctx, 'db' | 'secretsKey'>): Promise<number> {
  const secrets = await codeSecrets(ctx.db);
  const unread = secrets.filter(({ secret }) => !canUnseal(secret));
  const foreign = new Set(unread.map(({ id }) => id)).size;
  if (foreign > 0 || ctx.secretsKey === null) return foreign;
  for (const stored of secrets)
    if (!isSealedWith(stored.secret, ctx.secretsKey))
      await replaceSecret(ctx.db, stored, seal(unseal(stored.secret), ctx.secretsKey));
  return 0;
}

/** How many secrets of events are not sealed with this key. */
export async function countOldSeals({ db }: Pick<Ctx, 'db'>, key: Buffer): Promise<number> {
  const secrets = await codeSecrets(db);
  return secrets.filter(({ secret }) => !isSealedWith(secret, key)).length;
}

/**
 * The state of a change of secret. `tickets`: valid tickets with a code from the earlier secret;
 * `entered`: how many of them were let in.
 */
export interface SecretChange {
  open: boolean;
  /** Phones have wiped the event, so no phone accepts earlier codes any more. */
  over: boolean;
  tickets: number;
  entered: number;
  /** The numbers of orders without a mail address. */
  unreachable: string[];
}

export async function secretChange(ctx: Ctx, event_id: string): Promise<SecretChange> {
  const event = await requireEventRow(ctx.db, event_id);
  const orders = await ordersWithEarlier(ctx.db, event_id);
  return {
    open: event.earlier_secret !== null,
    over: isOver(ctx, event),
    ...(await countEarlier(ctx.db, event_id)),
    unreachable: orders.filter(isUnreachable).map(({ number }) => number),
  };
}

function isOver(ctx: Ctx, { starts_at }: EventRow): boolean {
  return starts_at + wipeAfterMs <= ctx.now();
}

function isUnreachable({ buyer_email }: Pick<OrderRow, 'buyer_email'>): boolean {
  return buyer_email === null;
}

/** A new epoch makes phones take the whole list again. */
const newEpoch = () => randomBytes(8).toString('hex');

/** Replaces the event's secret. False: an earlier one is still in use; no event has three. */
export async function beginSecretChange(
  ctx: Ctx,
  event_id: string,
  actor: Actor,
): Promise<boolean> {
  return transact(ctx.db, async (trx) => {
    // All calls that issue tickets lock the event's row first, so none is issued meanwhile.
    const event = requireValue(await lockEvent(trx, event_id), 'event');
    if (event.earlier_secret !== null) return false;
    const { code_secret } = newCodes(ctx);
    await beginSecret(trx, event, { code_secret, feed_epoch: newEpoch() });
    await happened(ctx, trx, { actor, action: 'code_secret_changed', subject: event_id });
    return true;
  });
}

/**
 * Issues the next code for each valid ticket of the earlier secret, order by order; a repeated
 * call continues. Tickets that were let in keep their code.
 */
export async function reissueEarlier(
  ctx: Ctx,
  event_id: string,
  actor: Actor,
): Promise<{ tickets: number; mails: number; unreachable: string[] }> {
  const done = { tickets: 0, mails: 0, unreachable: [] as string[] };
  for (const order of await ordersWithEarlier(ctx.db, event_id)) {
    const run_at = ctx.now() + Math.floor(done.mails / pace.mails) * pace.pauseMs;
    const { tickets, mails } = await reissueOrder(ctx, { order, event_id, actor, run_at });
    done.tickets += tickets;
    done.mails += mails;
    if (tickets > 0 && isUnreachable(order)) done.unreachable.push(order.number);
  }
  return done;
}

async function reissueOrder(
  ctx: Ctx,
  {
    order: { id: order_id, buyer_email },
    event_id,
    actor,
    run_at,
  }: {
    order: Pick<OrderRow, 'id' | 'buyer_email'>;
    event_id: string;
    actor: Actor;
    run_at: number;
  },
): Promise<{ tickets: number; mails: number }> {
  return transact(ctx.db, async (trx) => {
    const { feed_seq } = await takeDoorTurn(trx, { act: 'tickets_reissued', event_id });
    const tickets = await earlierOfOrder(trx, { event_id, order_id });
    if (tickets.length === 0) return { tickets: 0, mails: 0 };
    const revised = await reviseTickets(trx, event_id, { tickets, feed_seq, now: ctx.now() });
    await happened(ctx, trx, { actor, action: 'tickets_reissued', subject: order_id });
    const about = { act: 'tickets_reissued', order_id, run_at } as const;
    let mails = 0;
    if (buyer_email !== null) {
      await oweMail(ctx, trx, { ...about, kind: 'tickets', key: newCodesKey(ctx) });
      mails += 1;
    }
    for (const { id: ticket_id, holder_email: to_address, revision } of revised) {
      if (to_address === null) continue;
      const key = holderKey({ ticket_id, revision, to: 'new' });
      await oweMail(ctx, trx, { ...about, kind: 'holder_changed', key, to_address });
      mails += 1;
    }
    return { tickets: tickets.length, mails };
  });
}

/**
 * Ends the change when no valid ticket has an earlier code or no phone accepts earlier codes any
 * more. False: it cannot end yet, and nothing has changed.
 */
export async function endSecretChange(ctx: Ctx, event_id: string, actor: Actor): Promise<boolean> {
  return transact(ctx.db, async (trx) => {
    const event = requireValue(await lockEvent(trx, event_id), 'event');
    if (event.earlier_secret === null) return false;
    if ((await countEarlier(trx, event_id)).tickets > 0 && !isOver(ctx, event)) return false;
    await endSecret(trx, event_id, newEpoch());
    await happened(ctx, trx, { actor, action: 'code_secret_ended', subject: event_id });
    return true;
  });
}
