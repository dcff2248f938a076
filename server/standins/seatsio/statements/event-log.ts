/** The log of a workspace: what was made and changed in it. */
import { readPage } from './paging.ts';
import type { Reader, Writer } from '#server/standins/kit/store.ts';

interface LogRow {
  id: number;
  type: string;
  key: string;
  at: number;
}

/** Oldest first. */
export function pageOfLog(
  sql: Reader,
  query: URLSearchParams,
  { workspaceId, after }: { workspaceId: number; after: number },
) {
  return readPage<LogRow>(sql, query, {
    select: 'SELECT id, type, key, at FROM seatsio_event_log',
    where: 'workspace_id = ? AND at > ?',
    values: [workspaceId, after],
    direction: 'asc',
  });
}

/** Every new entry deletes one that is too old. */
export async function addLog(
  sql: Writer,
  workspaceId: number,
  { type, key, at, keptSince }: Omit<LogRow, 'id'> & { keptSince: number },
): Promise<void> {
  await sql.run(
    'INSERT INTO seatsio_event_log (workspace_id, type, key, at) VALUES (?, ?, ?, ?)',
    workspaceId,
    type,
    key,
    at,
  );
  await sql.run(
    'DELETE FROM seatsio_event_log WHERE id = (SELECT MIN(id) FROM seatsio_event_log WHERE workspace_id = ?) AND at <= ?',
    workspaceId,
    keptSince,
  );
}
