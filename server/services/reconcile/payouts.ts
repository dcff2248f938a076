/**
 * Reads Stripe's payouts and balance movements into our database, and compares them with it.
 * Reading again changes nothing.
 */
import { ProviderRefused, ProviderUnavailable } from '#server/adapters/provider.ts';
import type { StripePayout } from '#server/adapters/stripe-payouts.ts';
import {
  findPayouts,
  firstOnlinePayment,
  onTheWay,
  openPayouts,
  payoutsSince,
} from '#db/payment/payouts.ts';
import { claimPeriod, putSetting } from '#db/settings.ts';
import { retryAfterMs } from '#server/domain/time/backoff.ts';
import type { Ctx } from '#server/services/context.ts';
import { renewBreak, tellBreak } from './breaks.ts';
import {
  lonely,
  lookAtFailure,
  lookAtLonely,
  lookAtPayout,
  notePayout,
  openPayoutBreaks,
  readUntil,
  readUntilKey,
} from './payout-check.ts';
import { fetchPayout, storeLines } from './payout-reading.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Movements from this time before the last reading are read again. */
const overlapMs = 2 * dayMs;
/** A bank may return a payout for this long. */
const mayFailMs = 45 * dayMs;
/** Payouts younger than this are compared again each time, because our data may have changed. */
const recentMs = 14 * dayMs;
/** The pause after Stripe has not answered. */
const againMs = 5 * 60_000;
/** The pause while Stripe is not yet able to list the payout's lines. */
const unlistedMs = 10 * 60_000;

const asked = 'payouts_asked';

/** Called more often than once an hour; the first process to claim the hour does the work. */
export async function readPayoutsHourly(ctx: Ctx, stopping: AbortSignal): Promise<void> {
  const now = ctx.now();
  if (!(await claimPeriod(ctx.db, asked, { now, notSince: now - hourMs }))) return;
  try {
    await readMoney(ctx, stopping);
  } catch (error) {
    if (!isProvider(error)) throw error;
    ctx.log.warn({ err: error }, 'payouts not read yet');
    await putSetting(ctx.db, asked, String(now - hourMs + againMs));
  }
}

function isProvider(error: unknown): boolean {
  return error instanceof ProviderUnavailable || error instanceof ProviderRefused;
}

/**
 * The task of a webhook, or of a person who does not want to wait for the hourly run. `subject`:
 * a payout's id, or 'all'.
 */
export async function readPayoutOrAll(ctx: Ctx, subject: string): Promise<number | null> {
  try {
    if (subject !== 'all') return await readPayout(ctx, subject);
    await readMoney(ctx, new AbortController().signal);
    return null;
  } catch (error) {
    if (!isProvider(error)) throw error;
    ctx.log.warn({ err: error, payout: subject }, 'payout not read yet');
    return error instanceof ProviderRefused ? null : ctx.now() + retryAfterMs;
  }
}

/**
 * Reads all movements and payouts since the last reading, then compares them. If it fails midway,
 * the next reading covers the same time again.
 */
export async function readMoney(ctx: Ctx, stopping: AbortSignal): Promise<void> {
  const began = ctx.now();
  const until = (await readUntil(ctx)) ?? (await firstOnlinePayment(ctx.db));
  if (until === null) return;
  // A time in the future was written before the clock was set back.
  const since = Math.min(until, began);
  for await (const page of ctx.payments.movements(since - overlapMs)) {
    if (stopping.aborted) return;
    await storeLines(ctx, onTheWay, page);
  }
  const toRead = new Set(await openPayouts(ctx.db));
  for await (const page of ctx.payments.payouts(since - mayFailMs)) {
    if (stopping.aborted) return;
    for (const payout of await changedOf(ctx, page)) toRead.add(payout.id);
  }
  for (const id of toRead) {
    if (stopping.aborted) return;
    await readPayout(ctx, id);
  }
  await putSetting(ctx.db, readUntilKey, String(began));
  await tellLonely(ctx);
  for (const id of await payoutsSince(ctx.db, began - recentMs))
    if (!toRead.has(id)) await tellPayout(ctx, id);
  for (const found of await openPayoutBreaks(ctx)) await renewBreak(ctx, found);
}

/** The payouts that our database lacks or has in another state. */
async function changedOf(ctx: Ctx, page: readonly StripePayout[]): Promise<StripePayout[]> {
  const known = new Map(
    (
      await findPayouts(
        ctx.db,
        page.map(({ id }) => id),
      )
    ).map((row) => [row.id, row]),
  );
  return page.filter(({ id, state, listed }) => {
    const row = known.get(id);
    return row?.state !== state || (row.listed === 1) !== listed;
  });
}

/** Reads a payout and compares it with our data. Returns when to read it again; null: never. */
async function readPayout(ctx: Ctx, id: string): Promise<number | null> {
  const { automatic, listed } = await fetchPayout(ctx, id);
  await tellPayout(ctx, id);
  return automatic && !listed ? ctx.now() + unlistedMs : null;
}

async function tellPayout(ctx: Ctx, id: string): Promise<void> {
  await notePayout(ctx, id);
  const about = { subject: id, event_id: null, order_id: null };
  for (const look of [lookAtPayout, lookAtFailure]) {
    const found = await look(ctx, about);
    if (found !== null && found !== 'unsure') await tellBreak(ctx, { ...about, ...found });
  }
  for (const found of await openPayoutBreaks(ctx))
    if (found.subject === id) await renewBreak(ctx, found);
}

async function tellLonely(ctx: Ctx): Promise<void> {
  for (const { payment_intent, order_id, event_id } of await lonely(ctx)) {
    const about = { subject: payment_intent, event_id, order_id };
    const found = await lookAtLonely(ctx, about);
    if (found !== null && found !== 'unsure') await tellBreak(ctx, { ...about, ...found });
  }
}
