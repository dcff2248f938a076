/** The seats that a contingent's code opens, besides the free ones (RULES S6). */
import { unsoldAreasOf } from '#db/seat/contingent-edits.ts';
import { contingentOfCode, unsoldOf } from '#db/seat/contingents.ts';
import type { ContingentRow, EventRow } from '#db/rows.ts';
import type { KnownPlace } from '#db/seat/seats.ts';
import type { OpenChannels } from '#server/adapters/seatsio.ts';
import { noChannel, spellCode } from '#server/domain/seat/contingent.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Ctx } from '#server/services/context.ts';
import { publishedEvent } from '#server/services/event/events.ts';
import { countShared, takeCountBack } from '#server/services/kit/shared-counts.ts';

/**
 * Wrong codes of one event from one network, which is not the whole event, because a guesser must
 * not lock out other visitors.
 */
const wrongCodes = { points: 5, duration: 15 * 60 };

/**
 * Counts a typed code before it is looked up. A right one takes back only its own count, because
 * who knows one code may guess at another.
 * @throws Refusal too_many_requests
 */
async function countCode(
  ctx: Ctx,
  event_id: string,
  network: string,
): Promise<() => Promise<void>> {
  const what = `code ${event_id}|${network}`;
  const waitMs = await countShared(ctx, what, wrongCodes);
  if (waitMs > 0)
    throw new Refusal('too_many_requests', { retry_after_seconds: Math.ceil(waitMs / 1_000) });
  return () => takeCountBack(ctx, what);
}

/** The contingent that the code opens; null if it opens none now. */
async function openedBy(ctx: Ctx, event_id: string, typed: string): Promise<ContingentRow | null> {
  const code = spellCode(typed);
  if (code === null) return null;
  const contingent = await contingentOfCode(ctx.db, event_id, code);
  return contingent?.state === 'live' && contingent.sale === 'code' ? contingent : null;
}

/**
 * What a visitor's chart may offer with this code. `network`: the visitor's, see customerOf().
 * @throws Refusal event_not_found, code_unknown, too_many_requests
 */
export async function openContingent(
  ctx: Ctx,
  event_id: string,
  { code, network }: { code: string; network: string },
) {
  const event = await publishedEvent(ctx, event_id);
  const takeBack = await countCode(ctx, event.id, network);
  const contingent = await openedBy(ctx, event.id, code);
  if (!contingent) throw new Refusal('code_unknown', { fields: ['code'] });
  await takeBack();
  const seats = await unsoldOf(ctx.db, contingent.id);
  const areas = await unsoldAreasOf(ctx.db, contingent.id);
  return {
    name: contingent.name,
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
    contingents: 'all' | 'by_code';
    network?: string;
  },
): Promise<OpenedFor> {
  if (ask.contingents === 'all') return { channels: 'all', contingent_id: null };
  const { contingent_code: typed, network } = ask;
  const isGuess = typed !== undefined && ask.known.some((place) => place.contingent_id !== null);
  const takeBack = isGuess && network ? await countCode(ctx, event.id, network) : null;
  const opened = typed === undefined ? null : await openedBy(ctx, event.id, typed);
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
