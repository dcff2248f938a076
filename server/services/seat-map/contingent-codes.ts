/** What codes open to a buyer: a contingent's seats, or a price rule (RULES S6, P7). */
import { setTimeout as pause } from 'node:timers/promises';
import { unsoldAreasOf } from '#db/seat/contingent-edits.ts';
import { contingentOfCode, unsoldOf } from '#db/seat/contingents.ts';
import type { ContingentRow, EventRow } from '#db/rows.ts';
import type { KnownPlace } from '#db/seat/seats.ts';
import type { OpenChannels } from '#server/adapters/seatsio.ts';
import type { PriceRule, SaleChannel } from '#server/domain/price/rule.ts';
import { openedSaleRule } from '#server/domain/price/sale-rule.ts';
import { noChannel, spellCode } from '#server/domain/seat/contingent.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Ctx } from '#server/services/context.ts';
import { publishedEvent } from '#server/services/event/events.ts';
import { priceCodeOf, type PriceCode } from '#server/services/event/price-codes.ts';
import { rulesNow } from '#server/services/event/price-rules.ts';
import { countShared, takeCountBack } from '#server/services/kit/shared-counts.ts';

/**
 * Wrong codes of one event from one network, which is not the whole event, because a guesser must
 * not lock out other visitors.
 */
const wrongCodes = { points: 5, duration: 15 * 60 };

/**
 * Counts a typed code before it is looked up. A right one takes back only its own count, because a
 * visitor who knows one code may be guessing another. @throws Refusal too_many_requests
 */
async function countCode(
  ctx: Ctx,
  event_id: string,
  network: string,
): Promise<() => Promise<void>> {
  const what = mark(event_id, network);
  const waitMs = await countShared(ctx, what, wrongCodes);
  if (waitMs > 0)
    throw new Refusal('too_many_requests', { retry_after_seconds: Math.ceil(waitMs / 1_000) });
  return () => takeCountBack(ctx, what);
}

/** How often a booking tries to be counted, and the longest pause between two tries. */
const mostTries = 60;
const longestPauseMs = 100;

/**
 * The same for a booking, which waits while many others from its network are being counted: their
 * codes are mostly right and are taken back at once.
 * @throws Refusal too_many_requests
 */
async function countInTurn(
  ctx: Ctx,
  event_id: string,
  network: string,
): Promise<() => Promise<void>> {
  for (let attempt = 1; attempt < mostTries; attempt += 1) {
    const waitMs = await countShared(ctx, mark(event_id, network), wrongCodes);
    const takeBack = () => takeCountBack(ctx, mark(event_id, network));
    if (waitMs === 0) return takeBack;
    await takeBack();
    await pause(Math.random() * longestPauseMs);
  }
  return countCode(ctx, event_id, network);
}

function mark(event_id: string, network: string): string {
  return `code ${event_id}|${network}`;
}

/** The contingent that the code opens; null if it opens none now. */
async function openedBy(ctx: Ctx, event_id: string, typed: string): Promise<ContingentRow | null> {
  const code = spellCode(typed);
  if (code === null) return null;
  const contingent = await contingentOfCode(ctx.db, event_id, code);
  return contingent?.state === 'live' && contingent.sale === 'code' ? contingent : null;
}

interface CodeAsk {
  typed: string;
  /** Who types: the network of a visitor, see customerOf(), or a seller. */
  by: string | undefined;
  rules: readonly PriceRule[];
  channel: SaleChannel;
  /** The moment whose rules apply; now if left out. */
  at?: number;
  count?: typeof countCode;
}

interface Opened {
  contingent: ContingentRow | null;
  price: PriceCode | null;
}

/** @throws Refusal code_unknown, code_used_up, too_many_requests */
async function openTyped(ctx: Ctx, event: EventRow, ask: CodeAsk): Promise<Opened> {
  const { by, count = countCode, ...sought } = ask;
  const takeBack = by === undefined ? null : await count(ctx, event.id, by);
  const opened = await lookUp(ctx, event, sought).catch(async (error: unknown) => {
    // A used-up code is not a wrong guess.
    await takeBack?.();
    throw error;
  });
  if (opened.contingent === null && opened.price === null)
    throw new Refusal('code_unknown', { fields: ['codes'], code: ask.typed });
  await takeBack?.();
  return opened;
}

/** @throws Refusal code_used_up */
async function lookUp(
  ctx: Ctx,
  event: EventRow,
  { typed, ...sale }: Omit<CodeAsk, 'by' | 'count'>,
): Promise<Opened> {
  const spelling = spellCode(typed);
  const contingent = await openedBy(ctx, event.id, typed);
  const price = spelling === null ? null : await priceCodeOf(ctx, spelling, sale);
  return { contingent, price };
}

export interface OpenedCodes {
  contingents: ContingentRow[];
  prices: PriceCode[];
}

/**
 * What the codes of a booking open.
 * @throws Refusal code_unknown, code_used_up, too_many_requests
 */
export async function openCodes(
  ctx: Ctx,
  event: EventRow,
  { codes, ...ask }: Omit<CodeAsk, 'typed' | 'count'> & { codes: readonly string[] },
): Promise<OpenedCodes> {
  const opened: OpenedCodes = { contingents: [], prices: [] };
  for (const typed of codes) {
    const { contingent, price } = await openTyped(ctx, event, {
      ...ask,
      typed,
      count: countInTurn,
    });
    if (contingent !== null) opened.contingents.push(contingent);
    if (price !== null) opened.prices.push(price);
  }
  return opened;
}

/** The rule that a code opens on a page, and whether it asks for the buyer's address. */
function saleOfPrice({ code, rule }: PriceCode) {
  return { rule: openedSaleRule(rule), needs_address: code.most_orders_an_address !== null };
}

/**
 * The rule that a code opens at the till, which sells all contingents without one.
 * @throws Refusal event_not_found, code_unknown, code_used_up, too_many_requests
 */
export async function openTillCode(
  ctx: Ctx,
  event_id: string,
  { code, by }: { code: string; by: string },
) {
  const event = await publishedEvent(ctx, event_id);
  const rules = await rulesNow(ctx, event);
  const { price } = await openTyped(ctx, event, { typed: code, by, rules, channel: 'till' });
  if (price === null) throw new Refusal('code_unknown', { fields: ['code'] });
  return saleOfPrice(price);
}

/**
 * What a visitor's page may offer with this code. `network`: the visitor's, see customerOf().
 * @throws Refusal event_not_found, code_unknown, code_used_up, too_many_requests
 */
export async function openContingent(
  ctx: Ctx,
  event_id: string,
  { code, network }: { code: string; network: string },
) {
  const event = await publishedEvent(ctx, event_id);
  const rules = await rulesNow(ctx, event);
  const ask = { typed: code, by: network, rules, channel: 'site' } as const;
  const { contingent, price } = await openTyped(ctx, event, ask);
  const sale = price === null ? { rule: null, needs_address: false } : saleOfPrice(price);
  const seats = contingent === null ? onlyFree : await seatsOf(ctx, contingent);
  return { name: contingent?.name ?? price?.rule.name ?? '', ...sale, ...seats };
}

/** A price rule opens no seats. */
const onlyFree = { channels: [noChannel], objects: [], places: 0 };

async function seatsOf(ctx: Ctx, contingent: ContingentRow) {
  const seats = await unsoldOf(ctx.db, contingent.id);
  const areas = await unsoldAreasOf(ctx.db, contingent.id);
  return {
    channels: [noChannel, contingent.channel_key],
    objects: [...new Set([...seats.map((one) => one.object_label), ...areas.keys()])],
    places: [...areas.values()].reduce((sum, places) => sum + places, seats.length),
  };
}

interface OpenedFor {
  channels: OpenChannels;
  contingent_id: string | null;
}

/**
 * The channels from which a booking may take seats with its code. A code is counted where its
 * answer tells whether it was right.
 * @throws Refusal seats_reserved with the seats that the code does not open, too_many_requests
 */
export async function openedFor(
  ctx: Ctx,
  event: EventRow,
  ask: {
    known: readonly KnownPlace[];
    contingent_code?: string;
    /** What the booking's other codes have opened. */
    others?: readonly ContingentRow[];
    contingents: 'all' | 'by_code';
    network?: string;
  },
): Promise<OpenedFor> {
  if (ask.contingents === 'all') return { channels: 'all', contingent_id: null };
  const { contingent_code: typed, network } = ask;
  const isGuess = typed !== undefined && ask.known.some((place) => place.contingent_id !== null);
  const takeBack = isGuess && network ? await countCode(ctx, event.id, network) : null;
  const own = typed === undefined ? null : await openedBy(ctx, event.id, typed);
  // An order has seats of one contingent at most.
  const candidates = [...(own === null ? [] : [own]), ...(ask.others ?? [])];
  const opened =
    candidates.find(({ id }) => ask.known.some((place) => place.contingent_id === id)) ??
    candidates[0] ??
    null;
  const closed = ask.known.filter(
    ({ contingent_id }) => contingent_id !== null && contingent_id !== opened?.id,
  );
  if (closed.length > 0)
    throw new Refusal('seats_reserved', { objects: closed.map(({ place }) => place) });
  await takeBack?.();
  return opened === null
    ? { channels: [], contingent_id: null }
    : { channels: [opened.channel_key], contingent_id: opened.id };
}
