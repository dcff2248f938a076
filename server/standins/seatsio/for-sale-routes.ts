/** The API's calls that say which objects of an event may be sold. */
import * as v from 'valibot';
import { loadEvent } from './catalog.ts';
import { transact } from './context.ts';
import { ApiError } from './errors.ts';
import { areaPlaces, labels } from './events.ts';
import { keyRoute, readJson } from './router.ts';
import type { LoadedEvent } from './catalog.ts';
import type { Seatsio, Tell, Workspace } from './context.ts';
import type { ForSaleConfig } from './for-sale.ts';
import type { Call, Route } from './router.ts';

const marked = v.object({
  objects: v.nullish(labels, []), areaPlaces: v.nullish(areaPlaces, {}),
  categories: v.nullish(v.pipe(v.array(v.union([v.string(), v.number()])), v.transform((keys) => keys.map(String))), []),
});
const edited = v.nullish(v.array(v.object({ object: v.string(), quantity: v.nullish(v.pipe(v.number(), v.integer(), v.minValue(0))) })), []);
const editBody = v.object({ forSale: edited, notForSale: edited });
type Edit = v.InferOutput<typeof editBody>;

/** How often one event's configuration may be edited, and in how long. */
const EDITS = 10;
const EDITS_MS = 60_000;

function writeConfig(ctx: Seatsio, event: LoadedEvent, { config, tell }: { config: ForSaleConfig | null; tell: Tell }): void {
  ctx.sql.run('UPDATE seatsio_events SET for_sale_config = ?, updated_at = ? WHERE id = ?', config && JSON.stringify(config), ctx.now(), event.row.id);
  tell(event.row.id, null);
}

function replaceConfig(ctx: Seatsio, { call, workspace }: { call: Call; workspace: Workspace }, config: ForSaleConfig | null): undefined {
  transact(ctx, (tell) => writeConfig(ctx, loadEvent(ctx, workspace, call.params.event!), { config, tell }));
  return undefined;
}

/** Whether to list or to strike off depends on what the list means; with no configuration everything is for sale. */
function editConfig(old: ForSaleConfig | null, edit: Edit): ForSaleConfig {
  const config = old ?? { forSale: false, objects: [], areaPlaces: {}, categories: [] };
  const [add, remove] = config.forSale ? [edit.forSale, edit.notForSale] : [edit.notForSale, edit.forSale];
  const objects = new Set(config.objects);
  const places = new Map(Object.entries(config.areaPlaces));
  for (const { object, quantity } of remove) {
    if (quantity === null || quantity === undefined) {
      objects.delete(object);
      places.delete(object);
    } else places.set(object, Math.max(0, (places.get(object) ?? 0) - quantity));
  }
  for (const { object, quantity } of add) {
    if (quantity === null || quantity === undefined) objects.add(object);
    else places.set(object, (places.get(object) ?? 0) + quantity);
  }
  return { ...config, objects: [...objects], areaPlaces: Object.fromEntries([...places].filter(([, count]) => count > 0)) };
}

/** @throws ApiError 429 after the tenth call in a minute */
function countEdit(ctx: Seatsio, event: LoadedEvent) {
  const now = ctx.now();
  const lately = (ctx.forSaleEdits.get(event.row.id) ?? []).filter((at) => at > now - EDITS_MS);
  if (lately.length >= EDITS) throw new ApiError(
    429, 'RATE_LIMIT_EXCEEDED', { message: `The for-sale configuration of ${event.row.key} was edited ${EDITS} times within a minute` },
  );
  lately.push(now);
  ctx.forSaleEdits.set(event.row.id, lately);
  return { rateLimitRemainingCalls: EDITS - lately.length, rateLimitResetDate: new Date(lately[0]! + EDITS_MS).toISOString() };
}

function edit(ctx: Seatsio, workspace: Workspace, { key, ask, tell }: { key: string; ask: Edit; tell: Tell }) {
  const event = loadEvent(ctx, workspace, key);
  const rateLimitInfo = countEdit(ctx, event);
  const config = editConfig(event.forSaleConfig, ask);
  writeConfig(ctx, event, { config, tell });
  return { forSaleConfig: config, rateLimitInfo };
}

export const forSaleRoutes: Route[] = [
  /** {events: {key: {forSale?, notForSale?}}} -> {key: {forSaleConfig, rateLimitInfo}}; all or none */
  keyRoute('POST', '/events/actions/edit-for-sale-config', (ctx, call, workspace) => {
    const { events } = readJson(call, v.object({ events: v.record(v.string(), editBody) }));
    return transact(ctx, (tell) => Object.fromEntries(Object.entries(events).map(([key, ask]) => [key, edit(ctx, workspace, { key, ask, tell })])));
  }),
  /** {forSale?: [{object, quantity?}], notForSale?} -> {forSaleConfig, rateLimitInfo}; objects may be sections, rows, seats, and need not exist */
  keyRoute('POST', '/events/:event/actions/edit-for-sale-config', (ctx, call, workspace) => {
    const ask = readJson(call, editBody);
    return transact(ctx, (tell) => edit(ctx, workspace, { key: call.params.event!, ask, tell }));
  }),
  /** {objects?, areaPlaces?, categories?}: only these may be sold from now on */
  keyRoute(
    'POST', '/events/:event/actions/mark-as-for-sale',
    (ctx, call, workspace) => replaceConfig(ctx, { call, workspace }, { forSale: true, ...readJson(call, marked) }),
  ),
  /** the same: all but these */
  keyRoute(
    'POST', '/events/:event/actions/mark-as-not-for-sale',
    (ctx, call, workspace) => replaceConfig(ctx, { call, workspace }, { forSale: false, ...readJson(call, marked) }),
  ),
  keyRoute('POST', '/events/:event/actions/mark-everything-as-for-sale', (ctx, call, workspace) => replaceConfig(ctx, { call, workspace }, null)),
  keyRoute(
    'POST', '/events/:event/actions/mark-everything-as-not-for-sale',
    (ctx, call, workspace) => replaceConfig(ctx, { call, workspace }, { forSale: true, objects: [], areaPlaces: {}, categories: [] }),
  ),
];
