/** The event log: what was changed in a workspace, oldest first. [DOC] types and payload. */
import { readPage } from '#server/standins/seatsio/paging.ts';
import { keyRoute } from '#server/standins/seatsio/router.ts';
import type { Writing } from '#server/standins/seatsio/context.ts';
import type { Route } from '#server/standins/seatsio/router.ts';

export type LogType =
  | 'chart.created'
  | 'chart.published'
  | 'event.for.sale.config.updated'
  | 'event.channels.updated'
  | 'event.categories.updated'
  | 'event.table.booking.config.updated';

/** [DOC] older ones are not returned. */
const KEPT_MS = 14 * 24 * 60 * 60 * 1000;

/** `key` is the chart's or the event's. Belongs into the transaction of the change. */
export async function writeLog(
  ctx: Writing,
  workspaceId: number,
  { type, key }: { type: LogType; key: string },
): Promise<void> {
  await ctx.sql.run(
    'INSERT INTO seatsio_event_log (workspace_id, type, key, at) VALUES (?, ?, ?, ?)',
    workspaceId,
    type,
    key,
    ctx.now(),
  );
  // One that nobody can read any more leaves for each that comes.
  await ctx.sql.run(
    'DELETE FROM seatsio_event_log WHERE id = (SELECT MIN(id) FROM seatsio_event_log WHERE workspace_id = ?) AND at <= ?',
    workspaceId,
    ctx.now() - KEPT_MS,
  );
}

export const eventLogRoutes: Route[] = [
  /** -> page of {id, type, timestamp, data: {key, workspaceKey}} */
  keyRoute('GET', '/event-log', async (ctx, call, workspace) => {
    const page = await readPage<{ id: number; type: LogType; key: string; at: number }>(
      ctx.sql,
      call.query,
      {
        select: 'SELECT id, type, key, at FROM seatsio_event_log',
        where: 'workspace_id = ? AND at > ?',
        values: [workspace.id, ctx.now() - KEPT_MS],
        direction: 'asc',
      },
    );
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
