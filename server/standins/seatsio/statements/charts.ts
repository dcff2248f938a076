/** The rows of charts and of their drawings, one for each version that is kept. */
import type { Reader } from '#server/standins/kit/store.ts';

export function listByName(
  sql: Reader,
  workspaceId: number,
): Promise<{ key: string; name: string; archived: number }[]> {
  return sql.all(
    'SELECT key, name, archived FROM seatsio_charts WHERE workspace_id = ? ORDER BY name, key',
    workspaceId,
  );
}
