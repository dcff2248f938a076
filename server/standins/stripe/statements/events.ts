/** The times of stored events, and the deletion of old ones. */
import type { Reader, Writer } from '#server/standins/kit/store.ts';

/** Unix seconds; undefined if there are no events yet. */
export async function oldestEvent(reader: Reader): Promise<number | undefined> {
  const first = await reader.get<{ created: number }>(
    "SELECT created FROM stripe_objects WHERE kind = 'event' ORDER BY seq LIMIT 1",
  );
  return first?.created;
}

/** Deletes older events and their deliveries. */
export async function deleteEvents(writer: Writer, before: number): Promise<void> {
  await writer.run(
    "DELETE FROM stripe_deliveries WHERE event IN (SELECT id FROM stripe_objects WHERE kind = 'event' AND created < ?)",
    before,
  );
  await writer.run("DELETE FROM stripe_objects WHERE kind = 'event' AND created < ?", before);
}
