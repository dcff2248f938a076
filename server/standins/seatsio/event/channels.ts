/** Channels: groups of an event's objects that only callers with their key may take. */
import { setChannels } from '#server/standins/seatsio/statements/events.ts';
import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { loadEvent } from '#server/standins/seatsio/catalog/catalog.ts';
import { ApiError } from '#server/standins/seatsio/errors.ts';
import { writeLog } from '#server/standins/seatsio/company/event-log.ts';
import { keyRoute, readJson } from '#server/standins/seatsio/router.ts';
import type { Call, Route } from '#server/standins/seatsio/router.ts';
import type { Writing } from '#server/standins/seatsio/context.ts';
import type { Workspace } from '#server/standins/seatsio/statements/workspaces.ts';
import type { Channel } from '#server/standins/seatsio/catalog/for-sale.ts';

const objects = v.array(v.string());
const places = v.record(v.string(), v.pipe(v.number(), v.integer(), v.minValue(0)));
export const newChannel = v.object({
  key: v.pipe(v.string(), v.nonEmpty()),
  name: v.string(),
  color: v.nullish(v.string()),
  index: v.nullish(v.number()),
  objects: v.nullish(objects, []),
  areaPlaces: v.nullish(places, {}),
});
const members = v.object({ objects: v.nullish(objects, []), areaPlaces: v.nullish(places, {}) });

/** Every channel gets an id, because clients build labels like `area##id` from it. */
export function makeChannels(asked: v.InferOutput<typeof newChannel>[]): Channel[] {
  return asked.map(({ index, color, ...channel }) => ({
    id: randomUUID(),
    ...channel,
    color: color ?? undefined,
    index: index ?? undefined,
  }));
}

/**
 * Reads, changes and writes an event's channels. Pages read everything anew, because a channel
 * may hold many objects.
 */
async function editChannels(
  ctx: Writing,
  ask: { call: Call<'event'>; workspace: Workspace },
  edit: (channels: Channel[]) => Channel[],
): Promise<undefined> {
  const { row, channels } = await loadEvent(ctx, ask.workspace, ask.call.params.event);
  const next = edit(channels);
  if (new Set(next.map(({ key }) => key)).size < next.length)
    throw new ApiError(400, 'CHANNEL_KEY_ALREADY_EXISTS', {
      message: 'Two channels cannot have the same key',
    });
  await setChannels(ctx.sql, row.id, { channels: next, now: ctx.now() });
  await writeLog(ctx, ask.workspace.id, { type: 'event.channels.updated', key: row.key });
  ctx.tell(row.id, null);

  return undefined;
}

function findChannel(channels: Channel[], key: string): Channel {
  const channel = channels.find((one) => one.key === key);
  if (!channel)
    throw new ApiError(404, 'CHANNEL_NOT_FOUND', { message: `Channel not found: ${key}` });
  return channel;
}

/** An object is in one channel at most: the one that it was last added to. */
function moveInto(
  channels: Channel[],
  target: Channel,
  more: v.InferOutput<typeof members>,
): Channel[] {
  const moved = new Set(more.objects);
  const areaPlaces = { ...target.areaPlaces };
  for (const [label, count] of Object.entries(more.areaPlaces))
    areaPlaces[label] = (areaPlaces[label] ?? 0) + count;
  return channels.map((channel) => {
    const others = channel.objects.filter((label) => !moved.has(label));
    return channel === target
      ? { ...channel, objects: [...others, ...moved], areaPlaces }
      : { ...channel, objects: others };
  });
}

function takeOut(target: Channel, less: v.InferOutput<typeof members>): Channel {
  const gone = new Set(less.objects);
  const left = Object.entries(target.areaPlaces).map(
    ([label, count]) =>
      [
        label,
        count - (Object.hasOwn(less.areaPlaces, label) ? (less.areaPlaces[label] ?? 0) : 0),
      ] as const,
  );
  return {
    ...target,
    objects: target.objects.filter((label) => !gone.has(label)),
    areaPlaces: Object.fromEntries(left.filter(([, count]) => count > 0)),
  };
}

export const channelRoutes: Route[] = [
  keyRoute('POST', '/events/:event/channels/replace', async (ctx, call, workspace) => {
    const { channels } = readJson(call, v.object({ channels: v.array(newChannel) }));
    return editChannels(ctx, { call, workspace }, () => makeChannels(channels));
  }),
  /** Makes one channel or a list of them. */
  keyRoute('POST', '/events/:event/channels', async (ctx, call, workspace) => {
    const asked = readJson(call, v.union([newChannel, v.array(newChannel)]));
    return editChannels(ctx, { call, workspace }, (channels) =>
      makeChannels([asked].flat()).reduce(
        (all, channel) =>
          moveInto([...all, channel], channel, { objects: channel.objects, areaPlaces: {} }),
        channels,
      ),
    );
  }),
  keyRoute('POST', '/events/:event/channels/:channel', async (ctx, call, workspace) => {
    const {
      name,
      color,
      objects: labels,
      areaPlaces,
    } = readJson(
      call,
      v.object({
        name: v.nullish(v.string()),
        color: v.nullish(v.string()),
        objects: v.nullish(objects),
        areaPlaces: v.nullish(places),
      }),
    );
    return editChannels(ctx, { call, workspace }, (channels) => {
      const old = findChannel(channels, call.params.channel);
      const next = {
        ...old,
        name: name ?? old.name,
        color: color ?? old.color,
        areaPlaces: areaPlaces ?? old.areaPlaces,
        objects: labels ?? old.objects,
      };
      return moveInto(
        channels.map((channel) => (channel === old ? next : channel)),
        next,
        { objects: next.objects, areaPlaces: {} },
      );
    });
  }),
  keyRoute('DELETE', '/events/:event/channels/:channel', (ctx, call, workspace) =>
    editChannels(ctx, { call, workspace }, (channels) => {
      const gone = findChannel(channels, call.params.channel);
      return channels.filter((channel) => channel !== gone);
    }),
  ),
  keyRoute('POST', '/events/:event/channels/:channel/objects', async (ctx, call, workspace) => {
    const more = readJson(call, members);
    return editChannels(ctx, { call, workspace }, (channels) =>
      moveInto(channels, findChannel(channels, call.params.channel), more),
    );
  }),
  /** A DELETE with a body, as the SDK sends it. */
  keyRoute('DELETE', '/events/:event/channels/:channel/objects', async (ctx, call, workspace) => {
    const less = readJson(call, members);
    return editChannels(ctx, { call, workspace }, (channels) => {
      const target = findChannel(channels, call.params.channel);
      return channels.map((channel) => (channel === target ? takeOut(target, less) : channel));
    });
  }),
];
