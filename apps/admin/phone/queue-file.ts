/** Reads the exported queue file of a phone, before the server checks it. */
import type { Asked } from '#server/contract/endpoint.ts';
import type { importAdmissions } from '#server/contract/door/admissions.ts';

export type QueueFile = Asked<typeof importAdmissions>['body'];

/** The server's limit, more than any evening has. */
const mostItems = 20_000;

/** Returns an Italian sentence if it is not a phone's file; the server checks each item. */
export function readQueueFile(text: string): QueueFile | { problem: string } {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return { problem: 'Questo non è un file di letture di un telefono.' };
  }
  const { phone_id, wire, items, heads = [] } = (read ?? {}) as Record<string, unknown>;
  if (
    typeof phone_id !== 'string' ||
    phone_id === '' ||
    typeof wire !== 'number' ||
    !Array.isArray(items) ||
    !Array.isArray(heads)
  )
    return { problem: 'Questo non è un file di letture di un telefono.' };
  if (items.length + heads.length === 0)
    return { problem: 'In questo file non c’è nessuna lettura.' };
  if (items.length > mostItems)
    return {
      problem: `In questo file ci sono troppe letture: al massimo ${mostItems.toLocaleString('it-IT')}.`,
    };
  return { phone_id, wire, items, heads };
}
