/**
 * Sends waiting messages to other programs, at least once each. An address that does not answer
 * does not delay the others (RULES Q2).
 */
import { changeAddress, findAddress } from '#db/program/addresses.ts';
import {
  addressesWithDue,
  claimDelivery,
  forgetDeliveries,
  giveUpOldDeliveries,
  hasAccepted,
  noteTry,
} from '#db/program/deliveries.ts';
import type { ProgramAddressRow, ProgramDeliveryRow } from '#db/rows.ts';
import {
  giveUpAfterMs,
  keepDeliveriesMs,
  nextTryAt,
  restMsOf,
  type OffReason,
} from '#server/domain/program/webhook.ts';
import type { LineAnswer } from '#server/adapters/program-line.ts';
import type { Ctx } from '#server/services/context.ts';
import { learnListeners, refreshListeners } from '#server/services/kit/listeners.ts';
import { signedHeaders } from './signature.ts';

/** Longer than any answer takes; after this time another process takes over from a dead one. */
export const deliveryLeaseMs = 30_000;
/** How many addresses get messages at the same time. */
const mostLanes = 16;
/** The interval of looking for more due addresses while messages are being sent. */
const lookMs = 500;

/** Resolves when nothing is due any more, or when the server stops. */
export async function tellPrograms(ctx: Ctx, stopping: AbortSignal): Promise<void> {
  if (!(await refreshListeners(ctx))) return;
  const lanes = new Map<string, Promise<void>>();
  for (;;) {
    const due = stopping.aborted ? [] : await addressesWithDue(ctx.db, ctx.now());
    for (const id of due.filter((one) => !lanes.has(one)).slice(0, mostLanes - lanes.size))
      lanes.set(
        id,
        sendTo(ctx, id, stopping)
          .catch((error: unknown) => ctx.log.error({ err: error }, 'a program was not told'))
          .finally(() => lanes.delete(id)),
      );
    if (lanes.size === 0) return;
    await Promise.race([...lanes.values(), ctx.pause(lookMs)]);
  }
}

/** Sends an address its deliveries one after another, until one is not accepted. */
async function sendTo(ctx: Ctx, address_id: string, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    const address = await findAddress(ctx.db, address_id);
    if (address === undefined || address.off_at !== null || isResting(address, ctx.now())) return;
    const claim = { now: ctx.now(), leaseMs: deliveryLeaseMs };
    const delivery = await claimDelivery(ctx.db, address_id, claim);
    if (!delivery || !(await sendOne(ctx, { address, delivery, stopping }))) return;
  }
}

function isResting({ rest_until }: ProgramAddressRow, now: number): boolean {
  return rest_until !== null && rest_until > now;
}

interface Sending {
  address: ProgramAddressRow;
  delivery: ProgramDeliveryRow;
  stopping: AbortSignal;
}

/** True if the other program has accepted it. */
async function sendOne(ctx: Ctx, { address, delivery, stopping }: Sending): Promise<boolean> {
  const { body, failures, since } = delivery;
  const { retryAfter, ...answer } = await ctx.programs.send({
    url: address.url,
    body,
    stopping,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Botteghino',
      ...signedHeaders(address, delivery, ctx.now()),
    },
  });
  ctx.fault('program_told');
  const now = ctx.now();
  // The server stopped during this try, so the try does not count.
  if (answer.fault === 'stopped') {
    await noteTry(ctx.db, delivery, { run_at: now });
    return false;
  }
  const tried = { tried_at: now, ...answer };
  if (isTaken(answer)) {
    await noteTry(ctx.db, delivery, { ...tried, state: 'done' });
    return true;
  }
  const restMs = restMsOf({ status: answer.status, retryAfter }, now);
  const next = nextTryAt({ failures: failures + 1, since, restMs }, now);
  await noteTry(ctx.db, delivery, {
    ...tried,
    failures: failures + 1,
    ...(next === null ? { state: 'given_up' } : { run_at: next }),
  });
  if (restMs > 0) await changeAddress(ctx.db, address.id, { rest_until: now + restMs });
  if (answer.status === 410) await switchOff(ctx, address.id, 'gone');
  else if (next === null && !(await hasAccepted(ctx.db, address.id, now - giveUpAfterMs)))
    await switchOff(ctx, address.id, 'silent');
  return false;
}

/** True if the answer accepts the message. A redirect does not, and is not followed. */
function isTaken({ status }: Pick<LineAnswer, 'status'>): boolean {
  return status !== null && status >= 200 && status < 300;
}

/**
 * Switches off an address that answered 410 (gone), or that accepted nothing for three days, which
 * Salute then shows. When a person switches it on again, waiting deliveries are sent.
 */
async function switchOff(ctx: Ctx, id: string, off_why: OffReason): Promise<void> {
  await changeAddress(ctx.db, id, { off_at: ctx.now(), off_why });
  ctx.log.warn({ address: id, off_why }, 'an address of another program is off');
  await learnListeners(ctx);
}

/** Gives up deliveries after three days and deletes them after thirty; runs hourly. */
export async function forgetOldDeliveries(ctx: Ctx): Promise<void> {
  if (!(await refreshListeners(ctx))) return;
  await giveUpOldDeliveries(ctx.db, ctx.now() - giveUpAfterMs);
  while ((await forgetDeliveries(ctx.db, ctx.now() - keepDeliveriesMs)) > 0);
}
