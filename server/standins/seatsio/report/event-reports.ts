/** Reports on an event: its objects as a list, as CSV, in groups, or counted. */
import { findEvent, loadEvent } from '#server/standins/seatsio/catalog/catalog.ts';
import { ApiError, badRequest } from '#server/standins/seatsio/errors.ts';
import { describeObject } from '#server/standins/seatsio/status/object-info.ts';
import { readStates } from '#server/standins/seatsio/status/objects.ts';
import { writeCsv } from './report-csv.ts';
import { findDimension, groupItems, summarizeItems } from './report-grouping.ts';
import {
  eventDimensions,
  listLots,
  listPlaces,
  objectsOfSection,
  selectability,
} from './report-lots.ts';
import { sendPieces, writeGroups, writeList } from './report-sending.ts';
import { keyRoute } from '#server/standins/seatsio/router.ts';
import type { LoadedEvent } from '#server/standins/seatsio/catalog/catalog.ts';
import type { Seatsio } from '#server/standins/seatsio/context.ts';
import type { Workspace } from '#server/standins/seatsio/statements/workspaces.ts';
import type { Lot } from './report-lots.ts';
import type { Answer, Call, Route } from '#server/standins/seatsio/router.ts';
import type { ObjectState } from '#server/standins/seatsio/catalog/status-rule.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const CSV = '.csv';

/** `?seasonBookingsPropagated=false` ignores bookings of the event's season or its events. */
function readAlone(call: Call): boolean {
  const asked = call.query.get('seasonBookingsPropagated') ?? 'true';
  if (asked !== 'true' && asked !== 'false')
    throw badRequest('#/seasonBookingsPropagated: true or false expected');
  return asked === 'false';
}

interface Subject {
  event: LoadedEvent;
  states: Map<string, ObjectState>;
  describe: (lot: Lot) => ReturnType<typeof describeObject>;
}

async function open(
  ctx: Seatsio,
  workspace: Workspace,
  { key, call }: { key: string; call: Call },
): Promise<Subject> {
  const alone = readAlone(call);
  const event = await loadEvent(ctx, workspace, key);
  return {
    event,
    states: await readStates(ctx, event.row.id, { alone }),
    describe: ({ object, state }) => describeObject(event, object, state),
  };
}

/**
 * Whether `.csv` asks for CSV. It does not when it belongs to the event's own key and no event
 * has the key without it.
 */
async function isCsv(ctx: Seatsio, workspace: Workspace, key: string): Promise<boolean> {
  if (!key.endsWith(CSV)) return false;
  try {
    await findEvent(ctx, workspace, key.slice(0, -CSV.length));
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return false;
  }
}

async function summary(
  ctx: Seatsio,
  workspace: Workspace,
  { call, deep }: { call: Call<'event' | 'type'>; deep: boolean },
) {
  const { event, states } = await open(ctx, workspace, { key: call.params.event, call });
  const dimensions = eventDimensions(event);
  findDimension(dimensions, call.params.type);
  return summarizeItems(
    listPlaces(event, states),
    { ...dimensions, ...selectability },
    { type: call.params.type, deep },
  );
}

/** Labels and order ids have no summary; for them `summary` is an ordinary filter. */
function hasSummary(call: Call<'type'>): boolean {
  return call.params.type !== 'byLabel' && call.params.type !== 'byOrderId';
}

type GroupsCall = Call<'event' | 'type'> & { params: { filter?: string } };

async function groups(ctx: Seatsio, workspace: Workspace, call: GroupsCall): Promise<Answer> {
  const { type, filter } = call.params;
  const alone = readAlone(call);
  const event = await loadEvent(ctx, workspace, call.params.event);
  const dimension = findDimension(eventDimensions(event), type);
  const section =
    type === 'bySection' && filter !== undefined ? objectsOfSection(event, filter) : undefined;
  const states = await readStates(ctx, event.row.id, {
    alone,
    labels: section?.map((object) => object.label),
  });
  return sendPieces(
    call.response,
    JSON_TYPE,
    writeGroups(
      groupItems(listLots(event, states, section), dimension, filter),
      ({ object, state }) => describeObject(event, object, state),
    ),
  );
}

/**
 * All take `?seasonBookingsPropagated=true|false`.
 * @throws ApiError 404 EVENT_NOT_FOUND, REPORT_NOT_FOUND
 */
export const eventReportRoutes: Route[] = [
  /** -> [EventObjectInfo], sorted by label; with `.csv` after the key CSV with a header */
  keyRoute('GET', '/reports/events/:event', async (ctx, call, workspace) => {
    const key = call.params.event;
    const asCsv = await isCsv(ctx, workspace, key);
    const { event, states, describe } = await open(ctx, workspace, {
      key: asCsv ? key.slice(0, -CSV.length) : key,
      call,
    });
    const lots = listLots(event, states);
    return asCsv
      ? await sendPieces(call.response, 'text/csv; charset=utf-8', writeCsv(lots, describe))
      : await sendPieces(call.response, JSON_TYPE, writeList(lots, describe));
  }),
  /** -> {group: [EventObjectInfo]} */
  keyRoute('GET', '/reports/events/:event/:type', groupsRoute),
  /** -> {group: {count, byStatus: {…}, …}}; it counts places */
  keyRoute('GET', '/reports/events/:event/:type/summary', async (ctx, call, workspace) =>
    hasSummary(call)
      ? await summary(ctx, workspace, { call, deep: false })
      : await groups(ctx, workspace, { ...call, params: { ...call.params, filter: 'summary' } }),
  ),
  /** -> the same with a summary in place of each number */
  keyRoute('GET', '/reports/events/:event/:type/summary/deep', (ctx, call, workspace) =>
    summary(ctx, workspace, { call, deep: true }),
  ),
  /** -> {group: [EventObjectInfo]} with that group only, even if it is empty */
  keyRoute('GET', '/reports/events/:event/:type/:filter', groupsRoute),
];

async function groupsRoute(
  ctx: Seatsio,
  call: Call<'event' | 'type'>,
  workspace: Workspace,
): Promise<Answer> {
  return groups(ctx, workspace, call);
}
