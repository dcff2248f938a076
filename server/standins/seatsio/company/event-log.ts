/**
 * The event log lists the changes in a workspace, oldest first. The types and the fields of an
 * entry are as seats.io documents them (`[DOC]`).
 */
import { addLog, pageOfLog } from '#server/standins/seatsio/statements/event-log.ts';
import { keyRoute } from '#server/standins/seatsio/router.ts';
import type { Writing } from '#server/standins/seatsio/context.ts';
import type { Route } from '#server/standins/seatsio/router.ts';

type LogType =
  | 'chart.created'
  | 'chart.published'
  | 'event.for.sale.config.updated'
  | 'event.channels.updated'
  | 'event.categories.updated'
  | 'event.table.booking.config.updated';

/** [DOC] Older entries are not returned. */
const KEPT_MS = 14 * 24 * 60 * 60 * 1000;

/** `key` is a chart's or an event's key. Must be called in the transaction of the change. */
export async function writeLog(
  ctx: Writing,
  workspaceId: number,
  { type, key }: { type: LogType; key: string },
): Promise<void> {
  const at = ctx.now();
  await addLog(ctx.sql, workspaceId, { type, key, at, keptSince: at - KEPT_MS });
}

export const eventLogRoutes: Route[] = [
  /** -> page of {id, type, timestamp, data: {key, workspaceKey}} */
  keyRoute('GET', '/event-log', async (ctx, call, workspace) => {
    const page = await pageOfLog(ctx.sql, call.query, {
      workspaceId: workspace.id,
      after: ctx.now() - KEPT_MS,
    });
    return {
      ...page,
      items: page.items.map(({ id, type, key, at }) => ({
        id,
        type,
        timestamp: new Date(at).toISOString(),
        data: { key, workspaceKey: workspace.key },
      })),
    };
  }),
];
