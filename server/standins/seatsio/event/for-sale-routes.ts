/** The API's calls that set which objects of an event may be sold. */
import { setForSaleConfig } from '#server/standins/seatsio/statements/events.ts';
import * as v from 'valibot';
import { loadEvent } from '#server/standins/seatsio/catalog/catalog.ts';
import { Cache } from '#server/standins/seatsio/context.ts';
import { ApiError } from '#server/standins/seatsio/errors.ts';
import { writeLog } from '#server/standins/seatsio/company/event-log.ts';
import { editForSaleConfig } from './for-sale-edit.ts';
import { keyRoute, readJson } from '#server/standins/seatsio/router.ts';
import { dependentsOf } from '#server/standins/seatsio/catalog/season-view.ts';
import type { LoadedEvent } from '#server/standins/seatsio/catalog/catalog.ts';
import type { Seatsio, Writing } from '#server/standins/seatsio/context.ts';
import type { Workspace } from '#server/standins/seatsio/statements/workspaces.ts';
import type { ForSaleConfig } from '#server/standins/seatsio/catalog/for-sale.ts';
import type { Call, Route } from '#server/standins/seatsio/router.ts';

const marked = v.object({
  objects: v.nullish(v.array(v.string()), []),
  areaPlaces: v.nullish(v.record(v.string(), v.pipe(v.number(), v.integer(), v.minValue(0))), {}),
  categories: v.nullish(
    v.pipe(
      v.array(v.union([v.string(), v.number()])),
      v.transform((keys) => keys.map(String)),
    ),
    [],
  ),
});
/** The form in which a new event is given its configuration. */
export const forSaleConfig = v.object({ forSale: v.boolean(), ...marked.entries });
const edited = v.nullish(
  v.array(
    v.object({
      object: v.string(),
      quantity: v.nullish(v.pipe(v.number(), v.integer(), v.minValue(0))),
    }),
  ),
  [],
);
const editBody = v.object({ forSale: edited, notForSale: edited });
type Edit = v.InferOutput<typeof editBody>;

/**
 * How often one event's configuration may be changed [DOC], and in which time; the time is ours,
 * because the vendor counts per day.
 */
const EDITS = 10;
const EDITS_MS = 60_000;
/** The times of recent edits, by event id. */
const forSaleEdits = new Cache<number[]>(1000);

async function writeConfig(
  ctx: Writing,
  event: LoadedEvent,
  { config, workspace }: { config: ForSaleConfig | null; workspace: Workspace },
): Promise<void> {
  await setForSaleConfig(ctx.sql, event.row.id, { config, now: ctx.now() });
  await writeLog(ctx, workspace.id, { type: 'event.for.sale.config.updated', key: event.row.key });
  for (const id of event.family ? dependentsOf(event.family) : [event.row.id]) ctx.tell(id, null);
}

/**
 * Answers how many calls are left.
 * @throws ApiError 429
 */
async function replaceConfig(
  ctx: Writing,
  { call, workspace }: { call: Call<'event'>; workspace: Workspace },
  config: ForSaleConfig,
) {
  const event = await loadEvent(ctx, workspace, call.params.event);
  const rateLimitInfo = await countEdit(ctx, event);
  await writeConfig(ctx, event, { config, workspace });
  return rateLimitInfo;
}

/** @throws ApiError 429 after the tenth call in a minute */
async function countEdit(ctx: Seatsio, event: LoadedEvent) {
  const now = ctx.now();
  const lately = await forSaleEdits.get(ctx, String(event.row.id), () => []);
  while ((lately[0] ?? now) <= now - EDITS_MS) lately.shift();
  const [first = now] = lately;
  if (lately.length >= EDITS)
    throw new ApiError(429, 'RATE_LIMIT_EXCEEDED', {
      message: `The for-sale configuration of ${event.row.key} was edited ${EDITS} times within a minute`,
      retryAfterS: Math.ceil((first + EDITS_MS - now) / 1000),
    });
  lately.push(now);
  return {
    rateLimitRemainingCalls: EDITS - lately.length,
    rateLimitResetDate: new Date(first + EDITS_MS).toISOString(),
  };
}

async function edit(ctx: Writing, workspace: Workspace, { key, ask }: { key: string; ask: Edit }) {
  const event = await loadEvent(ctx, workspace, key);
  const rateLimitInfo = await countEdit(ctx, event);
  const config = editForSaleConfig(event, event.forSaleConfig, ask);
  await writeConfig(ctx, event, { config, workspace });
  return { forSaleConfig: config, rateLimitInfo };
}

export const forSaleRoutes: Route[] = [
  /**
   * {events: {key: {forSale?, notForSale?}}} -> {key: {forSaleConfig, rateLimitInfo}}; all or
   * none
   */
  keyRoute('POST', '/events/actions/edit-for-sale-config', async (ctx, call, workspace) => {
    const { events } = readJson(call, v.object({ events: v.record(v.string(), editBody) }));
    return Object.fromEntries(
      await Array.fromAsync(Object.entries(events), async ([key, ask]) => [
        key,
        await edit(ctx, workspace, { key, ask }),
      ]),
    );
  }),
  /**
   * {forSale?: [{object, quantity?}], notForSale?} -> {forSaleConfig, rateLimitInfo}; objects may
   * be sections, rows, seats, and need not exist
   */
  keyRoute('POST', '/events/:event/actions/edit-for-sale-config', async (ctx, call, workspace) => {
    const ask = readJson(call, editBody);
    return edit(ctx, workspace, { key: call.params.event, ask });
  }),
  /**
   * {objects?, areaPlaces?, categories?}: only these may be sold from now on ->
   * {rateLimitRemainingCalls, rateLimitResetDate} [DOC]
   */
  keyRoute('POST', '/events/:event/actions/mark-as-for-sale', (ctx, call, workspace) =>
    replaceConfig(ctx, { call, workspace }, { forSale: true, ...readJson(call, marked) }),
  ),
  /** The same body and answer: all objects but these may be sold from now on. */
  keyRoute('POST', '/events/:event/actions/mark-as-not-for-sale', (ctx, call, workspace) =>
    replaceConfig(ctx, { call, workspace }, { forSale: false, ...readJson(call, marked) }),
  ),
  /** -> 204; the number of calls is not limited [DOC] */
  keyRoute(
    'POST',
    '/events/:event/actions/mark-everything-as-for-sale',
    async (ctx, call, workspace) => {
      await writeConfig(ctx, await loadEvent(ctx, workspace, call.params.event), {
        config: null,
        workspace,
      });
      return undefined;
    },
  ),
  keyRoute(
    'POST',
    '/events/:event/actions/mark-everything-as-not-for-sale',
    (ctx, call, workspace) =>
      replaceConfig(
        ctx,
        { call, workspace },
        { forSale: true, objects: [], areaPlaces: {}, categories: [] },
      ),
  ),
];
