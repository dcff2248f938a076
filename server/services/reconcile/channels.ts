/**
 * Compares contingents with the channels of the seat map, both ways: a contingent's seat outside
 * its channel can be held without the code, and a seat in a channel without contingent cannot be
 * sold.
 */
import { isGrowing } from '#db/seat/contingent-edits.ts';
import {
  findContingent,
  keysOfContingents,
  liveContingents,
  partsOf,
} from '#db/seat/contingents.ts';
import type { WholeContingent } from '#db/seat/contingents.ts';
import { findEvent } from '#db/event/events.ts';
import type { EventRow } from '#db/rows.ts';
import type { BreakKind } from '#server/domain/office/break.ts';
import type { Ctx } from '#server/services/context.ts';
import { orGone, type About, type Found } from './about.ts';

/** The contingents and channels that differ at a first look; one call reads all channels. */
export async function channelsToLookAt(
  ctx: Ctx,
  event: EventRow,
): Promise<{ kind: BreakKind; subject: string }[]> {
  const there = await channelsOf(ctx, event);
  const differ: { kind: BreakKind; subject: string }[] = [];
  for (const contingent of await liveContingents(ctx.db, event.id)) {
    const whole = await partsOf(ctx.db, contingent);
    if (differenceOf(whole, there) !== null)
      differ.push({ kind: 'channel_differs', subject: contingent.id });
  }
  const ours = await keysOfContingents(ctx.db, event.id);
  for (const { key } of there)
    if (!ours.has(key)) differ.push({ kind: 'channel_unknown', subject: key });
  return differ;
}

type Channels = Awaited<ReturnType<Ctx['seats']['event']>>['channels'];

/**
 * The event's channels; empty if the seat map has no such event, which is a break of another kind
 * (`seat_event_unknown`).
 */
async function channelsOf(ctx: Ctx, { seatsio_event_key }: EventRow): Promise<Channels> {
  return (await orGone(ctx.seats.event(seatsio_event_key)))?.channels ?? [];
}

function differenceOf({ contingent, objects, areas }: WholeContingent, channels: Channels) {
  const channel = channels.find(({ key }) => key === contingent.channel_key);
  const there = new Set(channel?.objects);
  const here = new Set(objects);
  const standing = new Map(Object.entries(channel?.area_places ?? {}));
  const wrongAreas = areas.filter(({ object, places }) => standing.get(object) !== places);
  for (const { object } of areas) standing.delete(object);
  const detail = {
    contingent: contingent.name,
    lost: channel === undefined,
    missing: objects.filter((label) => !there.has(label)).length,
    foreign: [...there].filter((label) => !here.has(label)).length,
    areas: [...wrongAreas.map(({ object }) => object), ...standing.keys()],
  };
  const isSame = !detail.lost && detail.missing + detail.foreign + detail.areas.length === 0;
  return isSame ? null : detail;
}

/** `subject`: the contingent's id. */
export async function lookAtContingent(ctx: Ctx, { subject }: About): Promise<Found> {
  const before = await findContingent(ctx.db, subject);
  const event = before && (await findEvent(ctx.db, before.event_id));
  if (!event || before.state !== 'live') return null;
  const whole = await partsOf(ctx.db, before);
  const detail = differenceOf(whole, await channelsOf(ctx, event));
  const now = await findContingent(ctx.db, subject);
  const isCalm = now?.state === 'live' && now.edits === before.edits;
  if (!isCalm || (await isGrowing(ctx.db, subject))) return 'unsure';
  return detail && { kind: 'channel_differs', detail };
}

/**
 * `subject`: the channel's key. Reads the seat map first, because a contingent is stored before
 * its channel is made.
 */
export async function lookAtChannel(ctx: Ctx, { subject, event_id }: About): Promise<Found> {
  const event = await findEvent(ctx.db, event_id ?? '');
  const channel = event && (await channelsOf(ctx, event)).find(({ key }) => key === subject);
  if (!channel || (await keysOfContingents(ctx.db, event.id)).has(subject)) return null;
  const standing = Object.values(channel.area_places).reduce((sum, places) => sum + places, 0);
  const detail = { channel: channel.name, places: channel.objects.length + standing };
  return { kind: 'channel_unknown', detail };
}

export async function dropStrayChannel(ctx: Ctx, about: About): Promise<void> {
  const event = await findEvent(ctx.db, about.event_id ?? '');
  if (event && (await lookAtChannel(ctx, about)) !== null)
    await ctx.seats.dropChannel(event.seatsio_event_key, about.subject);
}
