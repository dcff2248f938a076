/**
 * The answer from which a chart starts. It is serialised once per change for all browsers,
 * because they all ask at the same time when a sale opens.
 */
import { gzipSync } from 'node:zlib';
import { loadEvent, wireChartOf } from '#server/standins/seatsio/catalog/catalog.ts';
import { Cache } from '#server/standins/seatsio/context.ts';
import { holdMinutesOf } from '#server/standins/seatsio/company/hold-period.ts';
import { channelsOn } from '#server/standins/seatsio/catalog/reach.ts';
import { readStates } from '#server/standins/seatsio/status/objects.ts';
import { sent } from '#server/standins/seatsio/router.ts';
import { FREE } from '#server/standins/seatsio/catalog/status-rule.ts';
import { groupStatuses } from './wire-status.ts';
import type { LoadedEvent } from '#server/standins/seatsio/catalog/catalog.ts';
import type { Seatsio } from '#server/standins/seatsio/context.ts';
import type { Workspace } from '#server/standins/seatsio/statements/workspaces.ts';
import type { Call } from '#server/standins/seatsio/router.ts';
import type { Channels } from './wire-status.ts';
import type { RenderingInfo } from '#server/standins/seatsio/wire.ts';

interface Printed {
  version: string;
  plain: Buffer;
  packed: Buffer;
}

/** The last answer by event and channels. */
const printed = new Cache<{ last: Printed | null }>(30);

async function describe(
  ctx: Seatsio,
  workspace: Workspace,
  { event, channels }: { event: LoadedEvent; channels: Channels },
): Promise<RenderingInfo> {
  const states = await readStates(ctx, event.row.id);
  return {
    event: {
      key: event.row.key,
      name: event.row.name ?? undefined,
      isInThePast: event.row.is_in_the_past === 1,
    },
    chart: await wireChartOf(ctx, event),
    statuses: groupStatuses(event, channels, (label) => states.get(label) ?? FREE),
    sequence: event.row.sequence,
    holdPeriodInMinutes: await holdMinutesOf(ctx, workspace),
  };
}

/** Contains everything that may change the answer. */
async function versionOf(
  ctx: Seatsio,
  workspace: Workspace,
  { row, chart }: LoadedEvent,
): Promise<string> {
  return JSON.stringify([
    row,
    chart.key,
    chart.published_version,
    chart.name,
    await holdMinutesOf(ctx, workspace),
  ]);
}

/** Sends RenderingInfo, compressed if the browser accepts gzip. */
export async function sendRenderingInfo(
  ctx: Seatsio,
  call: Call,
  ask: { workspace: Workspace; key: string; channels: Channels },
): Promise<typeof sent> {
  const event = await loadEvent(ctx, ask.workspace, ask.key);
  const channels = channelsOn(event, ask.channels);
  const entry = await printed.get(ctx, JSON.stringify([event.row.id, channels ?? null]), () => ({
    last: null,
  }));
  const version = await versionOf(ctx, ask.workspace, event);
  if (entry.last?.version !== version) {
    const plain = Buffer.from(
      JSON.stringify(await describe(ctx, ask.workspace, { event, channels })),
    );
    entry.last = { version, plain, packed: gzipSync(plain, { level: 5 }) };
  }
  const { plain, packed } = entry.last;
  const canUnpack = /\bgzip\b/.test(String(call.request.headers['accept-encoding'] ?? ''));
  const { response } = call;
  response.writeHead(200, {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    Vary: 'Accept-Encoding',
    'Content-Length': (canUnpack ? packed : plain).length,
    ...(canUnpack ? { 'Content-Encoding': 'gzip' } : {}),
  });
  response.end(canUnpack ? packed : plain);
  return sent;
}
