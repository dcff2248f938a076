/** Down: one snapshot, then differences by the server's cursor; a cursor that is too old means a new snapshot beside the old one. */
import { call, CallError } from '#apps/shared/api.ts';
import { pullChanges } from '#server/contract/admissions.ts';
import { noteClock } from './clock.ts';
import { withLine } from './line.ts';
import { applyDelta, applySnapshotPage, startOver, type ChangesPage } from './merge.ts';
import { db, readMeta, wipeEvent, type Device } from './store.ts';

/** A first list of 50,000 places over a bad line takes its time; a difference does not. */
const snapshotTimeoutMs = 120_000;
const deltaTimeoutMs = 15_000;

/** Brings all events of the phone up to date, one after the other; throws the first error when each has had its turn. */
export async function pullAll(device: Device): Promise<void> {
  const wiped = await readMeta('wiped') ?? [];
  const errors: unknown[] = [];
  for (const { id } of device.events.filter((event) => !wiped.includes(event.id))) {
    try {
      await pullEvent(device, id);
    } catch (error) {
      // A phone that the server does not know is told so for every event.
      if (error instanceof CallError && error.status === 401) throw error;
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}

async function pullEvent(device: Device, event_id: string): Promise<void> {
  for (let more = true; more;) {
    const event = await db.events.get(event_id);
    const since = (event?.draft ? event.draft.cursor : event?.cursor) ?? undefined;
    let page: ChangesPage;
    const began = Date.now();
    try {
      const patience = since === undefined || event?.draft ? snapshotTimeoutMs : deltaTimeoutMs;
      page = checkPage(await withLine(patience, (signal) => call(pullChanges, { params: { eventId: event_id }, query: { since } }, { token: device.device_token, signal })));
    } catch (error) {
      if (!(error instanceof CallError && error.code === 'resync_required') || since === undefined) throw error;
      await startOver(event_id);
      continue;
    }
    const now = Date.now();
    // A long download would spoil the measure.
    if (page.kind === 'delta') await noteClock(page.server_time, { began, ended: now });
    if (Date.parse(page.event.wipe_at) <= now) return wipeEvent(event_id, true);
    let isKept = true;
    if (page.kind === 'snapshot' || event?.draft) isKept = await applySnapshotPage(event_id, page, now);
    else await applyDelta(event_id, page, now);
    more = page.more && isKept;
  }
}

/** A captive portal answers 200 with anything: only what has our shape may touch the list. */
function checkPage(reply: ChangesPage): ChangesPage {
  const page = reply as Partial<ChangesPage> | null | undefined;
  const isOurs = typeof page === 'object' && page !== null && (page.kind === 'snapshot' || page.kind === 'delta') && typeof page.cursor === 'string'
    && typeof page.event?.salt === 'string' && Array.isArray(page.places) && Array.isArray(page.admissions) && Array.isArray(page.other_events);
  if (!isOurs) throw new CallError('unknown', 'unreadable', 'Unexpected answer');
  return reply;
}

/** The phone's own clock ends an event's data, with or without a line. */
export async function wipeOutdated(now: number): Promise<void> {
  const outdated = await db.events.filter(({ facts }) => facts !== null && facts.wipe_at <= now).primaryKeys();
  for (const event_id of outdated) await wipeEvent(event_id, true);
}
