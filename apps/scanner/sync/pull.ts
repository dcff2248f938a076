/**
 * Fetches one whole list and then the changes since its cursor; when the cursor is too old, a new
 * list is fetched beside the old one.
 */
import { CallError } from '#apps/shared/api.ts';
import { pullChanges, pullList } from '#server/contract/door/admissions.ts';
import type { ReceivedChanges } from '#server/contract/door/door-list.ts';
import { TornPage } from '#server/domain/door/door-block.ts';
import { wipeAfterMs } from '#server/domain/event/event.ts';
import { correctedNow, noteClock, timeTrip } from '#apps/scanner/kit/clock.ts';
import { mergeIfDue, takeDelta } from '#apps/scanner/list/log.ts';
import type { Phone } from '#apps/scanner/list/memory.ts';
import { isComplete, prepareEvent, startOver, takeList } from '#apps/scanner/list/new-list.ts';
import { readChanges, readList } from '#apps/scanner/list/page.ts';
import { readMeta, type Device } from '#apps/scanner/kit/store.ts';
import { forgetEvent } from '#apps/scanner/list/wipe.ts';
import { inWire } from './in-wire.ts';

/** A first list of 50,000 places takes long over a bad connection; changes do not. */
const listTimeoutMs = 120_000;
const deltaTimeoutMs = 15_000;

/**
 * Updates all events of the phone, one after the other; throws the first error after all had
 * their turn, but a 401 immediately, because it holds for every event.
 */
export async function pullAll(phone: Phone, device: Device): Promise<void> {
  const wiped = (await readMeta(phone.db, 'wiped')) ?? [];
  const now = surelyNow(phone);
  const errors: unknown[] = [];
  // A wiped event is fetched again when the office has moved its date to a later time.
  for (const { id } of device.events.filter(
    (event) => !wiped.includes(event.id) || Date.parse(event.starts_at) + wipeAfterMs > now,
  )) {
    try {
      await pullEvent(phone, device, id);
      markClosed(phone, id, false);
    } catch (error) {
      if (error instanceof CallError && error.status === 401) throw error;
      // The server no longer gives this event to this phone; that is not a connection error, so
      // the other events and the scans continue.
      if (error instanceof CallError && error.code === 'event_not_found')
        markClosed(phone, id, true);
      else errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
  phone.status.change({ update_required: false });
}

function markClosed({ status }: Phone, event_id: string, isClosed: boolean): void {
  const { closed_events } = status.read();
  if (closed_events.includes(event_id) !== isClosed)
    status.change({
      closed_events: isClosed
        ? [...closed_events, event_id]
        : closed_events.filter((id) => id !== event_id),
    });
}

/** Runs one pull at a time for each event, whether timer, person or stream asks for it. */
export function pullEvent(phone: Phone, device: Device, event_id: string): Promise<void> {
  return phone.ports.locks.request(`${phone.ports.db_name}-list-${event_id}`, () =>
    pullInTurn(phone, device, event_id),
  );
}

async function pullInTurn(phone: Phone, device: Device, event_id: string): Promise<void> {
  let isAnew = false;
  for (let more = true; more;) {
    const known = await phone.db.events.get(event_id);
    // Changes never bring what an older app did not store, so its list is fetched anew.
    const since = known && isComplete(known) ? known.cursor : null;
    const ask = { device, event_id };
    try {
      const pulled = await (since === null ? pullWhole(phone, ask) : pullDelta(phone, ask, since));
      if (pulled && pulled.wipe_at <= surelyNow(phone))
        return await forgetEvent(phone, event_id, 'over');
      more = pulled?.more ?? false;
    } catch (error) {
      if (error instanceof TornPage)
        throw new CallError('unknown', 'unreadable', 'Unexpected answer', String(error));
      if (error instanceof CallError && error.code === 'update_required')
        phone.status.change({ update_required: true });
      const isLost = error instanceof CallError && error.code === 'resync_required';
      if (!isLost || since === null || isAnew) throw error;
      await startOver(phone, event_id);
      isAnew = true;
    }
  }
  // A failed merge is tried again after the next changes; it is not reported, because the rows
  // are stored already and a full disk must not look like a dead connection.
  await mergeIfDue(phone, event_id).catch(() => {});
}

interface Ask {
  device: Device;
  event_id: string;
}
/**
 * `more`: there may be changes since the server made the list, so ask again. Null: this phone may
 * not store the event.
 */
type Pulled = { wipe_at: number; more: boolean } | null;

async function pullDelta(phone: Phone, ask: Ask, since: string): Promise<Pulled> {
  const { db, ports } = phone;
  const trip = timeTrip(ports);
  const changes = await askForChanges(phone, ask, since);
  // This small answer measures the clock, because a long download would falsify the measurement.
  await noteClock(db, changes.server_time, trip());
  await takeDelta(phone, ask.event_id, changes);
  return { wipe_at: changes.event.wipe_at, more: false };
}

async function askForChanges(
  { ports, line }: Phone,
  { device, event_id }: Ask,
  since: string,
): Promise<ReceivedChanges> {
  const params = { eventId: event_id };
  return readChanges(
    await inWire((wire) =>
      line.hold(deltaTimeoutMs, (signal) =>
        ports.call(
          pullChanges,
          { params, query: { wire: String(wire), since } },
          { token: device.device_token, signal },
        ),
      ),
    ),
  );
}

async function pullWhole(phone: Phone, ask: Ask): Promise<Pulled> {
  const before = await prepareEvent(phone, ask.event_id);
  if (!before) return null;
  const answer = readList(await askForList(phone, ask));
  // The server may have made the list some moments ago, and the list in use may have later changes,
  // so those are fetched too.
  const isInUse = phone.memory.lists.has(ask.event_id);
  const changes = isInUse ? await askForChanges(phone, ask, answer.head.cursor) : null;
  const isKept = await takeList(phone, { before, answer, changes });
  return isKept ? { wipe_at: answer.head.event.wipe_at, more: !isInUse } : null;
}

async function askForList(
  { ports, line, status }: Phone,
  { device, event_id }: Ask,
): Promise<ArrayBuffer> {
  const params = { eventId: event_id };
  const onProgress = (have: number, of: number | null) => {
    const share = of === null ? null : Math.min(1, Math.floor((100 * have) / of) / 100);
    if (share !== (status.read().download?.share ?? null))
      status.change({ download: share === null ? null : { event_id, share } });
  };
  return inWire((wire) =>
    line.hold(listTimeoutMs, (signal) =>
      ports.callBytes(
        pullList,
        { params, query: { wire: String(wire) } },
        { token: device.device_token, signal, onProgress },
      ),
    ),
  ).finally(() => status.change({ download: null }));
}

/** Deletes events that are over by both clocks; it needs no connection. */
export async function wipeOutdated(phone: Phone): Promise<void> {
  const now = surelyNow(phone);
  const starts = new Map(
    phone.memory.device?.events.map(({ id, starts_at }) => [id, Date.parse(starts_at)]),
  );
  // A list that was never complete may have left parts, and only the pairing says when its event
  // starts.
  const outdated = await phone.db.events
    .filter(
      ({ event_id, facts }) =>
        (facts?.wipe_at ?? (starts.get(event_id) ?? Infinity) + wipeAfterMs) <= now,
    )
    .primaryKeys();
  for (const event_id of outdated) await forgetEvent(phone, event_id, 'over');
}

/**
 * The earlier of the phone's and the server's time: a wrong clock, or one that was corrected
 * unnoticed, must not end an evening too early.
 */
function surelyNow(phone: Phone): number {
  const { now, corrected } = correctedNow(phone, phone.memory.clock);
  return Math.min(now, corrected);
}
