/**
 * Finds events that our own seat map does not know, because its file or schema was lost, and stops
 * their sale until it is restored. At seats.io the comparison finds them (`seat_event_unknown`).
 */
import { join } from 'node:path';
import { chartEventKeys } from '#db/engine/chart-tables.ts';
import { transact } from '#db/engine/transact.ts';
import { findEvent, listEvents } from '#db/event/events.ts';
import type { EventRow } from '#db/rows.ts';
import { openRehousing, pauseSale } from '#db/seat/rehousings.ts';
import { claimPeriod, putSetting, readSetting } from '#db/settings.ts';
import { standinsFile } from '#server/services/backup/house-files.ts';
import type { Ctx } from '#server/services/context.ts';

const settingName = 'lost_charts';
const everyMs = 60_000;
/** The doors and refunds of an evening may need its chart for some time. */
const longPastMs = 24 * 3_600_000;

/** Events without a chart; empty if the seat map is another server's. */
export async function eventsWithoutChart(ctx: Ctx): Promise<EventRow[]> {
  const { db, settings, dataDir, backups } = ctx;
  const isOwn = settings.keys.some(({ name, mode }) => name === 'seatsio' && mode === 'stand_in');
  if (!isOwn) return [];
  // The hall of a new event is made before its row, so the rows are read first.
  const events = (await listEvents(db)).filter(
    ({ status, starts_at }) => status !== 'cancelled' && starts_at > ctx.now() - longPastMs,
  );
  if (events.length === 0) return [];
  const file = backups.house.chartInDatabase ? null : join(dataDir, standinsFile);
  const known = await chartEventKeys(db, file);
  return events.filter(({ seatsio_event_key }) => !known.has(seatsio_event_key));
}

/** Stops the sale of events without a chart; sells those again whose chart is back. */
export async function watchCharts(ctx: Ctx): Promise<EventRow[]> {
  const lost = await eventsWithoutChart(ctx);
  const stored = await readSetting(ctx.db, settingName);
  if (lost.length === 0 && stored === null) return lost;
  await transact(ctx.db, async (trx) => {
    const before = new Set(JSON.parse((await readSetting(trx, settingName)) ?? '[]') as string[]);
    const paused: string[] = [];
    for (const { id, seatsio_event_key } of lost) {
      const event = await findEvent(trx, id);
      if (event?.seatsio_event_key !== seatsio_event_key) continue;
      // A sale that stands still for another reason is not ours to begin again.
      if (event.sale_paused === 1 && !before.has(id)) continue;
      if (event.sale_paused === 0) await pauseSale(trx, id, 1);
      paused.push(id);
    }
    for (const id of before)
      if (!paused.includes(id) && (await openRehousing(trx, id)) === undefined)
        await pauseSale(trx, id, 0);
    await putSetting(trx, settingName, JSON.stringify(paused));
  });
  return lost;
}

/** The schedule calls this; one process does the work. */
export async function watchChartsWhenDue(ctx: Ctx): Promise<void> {
  const now = ctx.now();
  if (await claimPeriod(ctx.db, 'charts_looked', { now, notSince: now - everyMs }))
    await watchCharts(ctx);
}
