/** The seats that a contingent's code opens, beside the free ones (RULES S6). */
import { contingentOfCode, findContingent, partsOf, unsoldOf } from '#db/seat/contingents.ts';
import type { ContingentRow, EventRow, OrderRow } from '#db/rows.ts';
import type { KnownPlace } from '#db/seat/seats.ts';
import type { OpenChannels } from '#server/adapters/seatsio.ts';
import { noChannel, spellCode } from '#server/domain/seat/contingent.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Ctx } from '#server/services/context.ts';
import { publishedEvent } from '#server/services/event/events.ts';

/** Null: the code opens no contingent now. */
async function openedBy(ctx: Ctx, event_id: string, typed: string): Promise<ContingentRow | null> {
  const code = spellCode(typed);
  if (code === null) return null;
  const contingent = await contingentOfCode(ctx.db, event_id, code);
  return contingent?.state === 'live' && contingent.sale === 'code' ? contingent : null;
}

/**
 * What a visitor's chart may offer with this code.
 * @throws Refusal event_not_found, code_unknown
 */
export async function openContingent(ctx: Ctx, event_id: string, typed: string) {
  const event = await publishedEvent(ctx, event_id);
  const contingent = await openedBy(ctx, event.id, typed);
  if (!contingent) throw new Refusal('code_unknown', { fields: ['code'] });
  const { areas } = await partsOf(ctx.db, contingent);
  return {
    name: contingent.name,
    channels: [noChannel, contingent.channel_key],
    objects: [...(await unsoldOf(ctx.db, contingent.id)), ...areas.map(({ object }) => object)],
  };
}

interface OpenedFor {
  channels: OpenChannels;
  contingent_id: string | null;
}

/**
 * The channels from which a booking may take seats with its code.
 * @throws Refusal seats_reserved with the seats that the code does not open
 */
export async function openedFor(
  ctx: Ctx,
  event: EventRow,
  ask: {
    known: readonly KnownPlace[];
    contingent_code?: string;
    contingents: 'all' | 'by_code';
  },
): Promise<OpenedFor> {
  if (ask.contingents === 'all') return { channels: 'all', contingent_id: null };
  const { contingent_code: typed } = ask;
  const opened = typed === undefined ? null : await openedBy(ctx, event.id, typed);
  const closed = ask.known.filter(
    ({ contingent_id }) => contingent_id !== null && contingent_id !== opened?.id,
  );
  if (closed.length > 0)
    throw new Refusal('seats_reserved', { objects: closed.map(({ place }) => place) });
  return opened === null
    ? { channels: [], contingent_id: null }
    : { channels: [opened.channel_key], contingent_id: opened.id };
}

/**
 * The channels that the seat map opens to an order: all of them for the counter, and the
 * contingent of its code while that is live.
 */
export async function channelsOf(
  ctx: Ctx,
  { channel, contingent_id }: OrderRow,
): Promise<OpenChannels> {
  if (channel === 'counter') return 'all';
  if (contingent_id === null) return [];
  const contingent = await findContingent(ctx.db, contingent_id);
  return contingent?.state === 'live' ? [contingent.channel_key] : [];
}
