/** Down: one list, then differences by the server's cursor; a cursor that is too old means a new list beside the old one. */
import { CallError, networkError } from '#apps/shared/api.ts';
import { pullDoorPage } from '#server/contract/admissions.ts';
import type { DoorHead } from '#server/contract/door-list.ts';
import { TornPage } from '#server/domain/door-block.ts';
import { wipeAfterMs } from '#server/domain/event.ts';
import { correctedNow, noteClock } from './clock.ts';
import {
  compactIfDue,
  prepareGround,
  startOver,
  takeDelta,
  takeSnapshotPage,
} from '#apps/scanner/list/log.ts';
import { cutInPieces, type Pieces } from '#apps/scanner/list/pieces.ts';
import type { Phone } from '#apps/scanner/list/memory.ts';
import { readPage } from '#apps/scanner/list/page.ts';
import { readMeta, type Device } from '#apps/scanner/list/store.ts';
import { forgetEvent } from '#apps/scanner/list/wipe.ts';

/** A first list of 50,000 places over a bad line takes its time; a difference does not. */
const snapshotTimeoutMs = 120_000;
const deltaTimeoutMs = 15_000;
/** A line that broke under a whole list gets it in pages of so many places, each kept. */
const pageLimit = 4_000;

/** Brings all events of the phone up to date, one after the other; throws the first error when each has had its turn. */
export async function pullAll(phone: Phone, device: Device): Promise<void> {
  const wiped = (await readMeta(phone.db, 'wiped')) ?? [];
  const now = surelyNow(phone);
  const errors: unknown[] = [];
  // An event that was put off, or whose hour was a slip of the office, comes again.
  for (const { id } of device.events.filter(
    (event) => !wiped.includes(event.id) || Date.parse(event.starts_at) + wipeAfterMs > now,
  )) {
    try {
      await pullEvent(phone, device, id);
      markClosed(phone, id, false);
    } catch (error) {
      // A phone that the server does not know is told so for every event.
      if (error instanceof CallError && error.status === 401) throw error;
      // One whose doors are not open to phones now does not make the line a bad one: the others go on, and the scans.
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

/** One at a time for each event, whoever asks: the rhythm, a person, or the stream. */
export function pullEvent(phone: Phone, device: Device, event_id: string): Promise<void> {
  return phone.ports.locks.request(`${phone.ports.db_name}-list-${event_id}`, () =>
    pullInTurn(phone, device, event_id),
  );
}

async function pullInTurn(phone: Phone, device: Device, event_id: string): Promise<void> {
  for (let more = true; more;) {
    const event = await phone.db.events.get(event_id);
    const since = (event?.draft ? event.draft.cursor : event?.cursor) ?? null;
    try {
      const { head, goOn } =
        since === null || event?.draft
          ? await pullList(phone, device, { event_id, since })
          : await pullDelta(phone, device, { event_id, since });
      if (Date.parse(head.event.wipe_at) <= surelyNow(phone))
        return await forgetEvent(phone, event_id, 'over');
      more = goOn;
    } catch (error) {
      if (error instanceof TornPage)
        throw new CallError('unknown', 'unreadable', 'Unexpected answer', String(error));
      if (error instanceof CallError && error.code === 'update_required')
        phone.status.change({ update_required: true });
      if (!(error instanceof CallError && error.code === 'resync_required') || since === null)
        throw error;
      await startOver(phone, event_id);
    }
  }
  // Only tidying, tried again after the next difference: what has come is kept already, and a full disk must not look like a dead line.
  await compactIfDue(phone, event_id).catch(() => {});
}

interface Ask<S> {
  event_id: string;
  since: S;
}
interface Pulled {
  head: DoorHead;
  goOn: boolean;
}

async function pullDelta(
  phone: Phone,
  device: Device,
  { event_id, since }: Ask<string>,
): Promise<Pulled> {
  const { db, ports, line } = phone;
  const began = ports.now();
  const page = readPage(
    await line.hold(deltaTimeoutMs, (signal) =>
      ports.call(
        pullDoorPage,
        { params: { eventId: event_id }, query: { wire: '2', since } },
        { token: device.device_token, signal },
      ),
    ),
  );
  // Only here: a long download would spoil the measure.
  await noteClock(db, page.server_time, { began, ended: ports.now() });
  return { head: page, goOn: (await takeDelta(phone, event_id, page)) && page.more };
}

async function pullList(
  phone: Phone,
  device: Device,
  { event_id, since }: Ask<string | null>,
): Promise<Pulled> {
  let bytes: ArrayBuffer;
  const preparing = prepareGround(phone, event_id);
  // It fails where it is waited for.
  preparing.catch(() => {});
  const pieces = cutInPieces(phone, event_id, preparing);
  try {
    bytes = await askForList(phone, device, { event_id, since, pieces });
  } catch (error) {
    // Cut off in the middle, or too slow for it.
    if (!(error instanceof CallError) || error.code === networkError || error.code === 'unreadable')
      phone.slowEvents.add(event_id);
    // The next attempt writes under the same names.
    await pieces.settled();
    throw error;
  }
  const { head, kept } = await takeSnapshotPage(phone, event_id, {
    ground: await preparing,
    bytes,
    pieces,
  }).finally(pieces.settled);
  if (kept && !head.more) phone.slowEvents.delete(event_id);
  return { head, goOn: head.more && kept };
}

/** As a block, where the answer's bytes can be had and nothing is asked in pages; an older server answers in columns all the same. */
async function askForList(
  { ports, line, slowEvents, status }: Phone,
  { device_token }: Device,
  { event_id, since, pieces }: Ask<string | null> & { pieces: Pieces },
): Promise<ArrayBuffer> {
  const inPages = since !== null || slowEvents.has(event_id);
  const query = {
    wire: '2' as const,
    ...(since === null ? {} : { since }),
    ...(slowEvents.has(event_id) ? { limit: String(pageLimit) } : {}),
    ...(ports.callBytes && !inPages ? { form: 'block' as const } : {}),
  };
  const ask = { params: { eventId: event_id }, query };
  return line.hold(snapshotTimeoutMs, async (signal) => {
    const options = { token: device_token, signal };
    const onProgress = (have: number, of: number | null, answer: Uint8Array<ArrayBuffer>) => {
      pieces.grow(answer, have);
      const share = of === null ? null : Math.min(1, Math.floor((100 * have) / of) / 100);
      if (share !== (status.read().download?.share ?? null))
        status.change({ download: share === null ? null : { event_id, share } });
    };
    return ports.callBytes
      ? ports
          .callBytes(pullDoorPage, ask, { ...options, onProgress })
          .finally(() => status.change({ download: null }))
      : new TextEncoder().encode(JSON.stringify(await ports.call(pullDoorPage, ask, options)))
          .buffer;
  });
}

/** The phone's own clock ends an event's data, with or without a line. */
export async function wipeOutdated(phone: Phone): Promise<void> {
  const now = surelyNow(phone);
  const starts = new Map(
    phone.memory.device?.events.map(({ id, starts_at }) => [id, Date.parse(starts_at)]),
  );
  // Of a list that never came whole there may be pieces, and of its event only what the pairing says.
  const outdated = await phone.db.events
    .filter(
      ({ event_id, facts }) =>
        (facts?.wipe_at ?? (starts.get(event_id) ?? Infinity) + wipeAfterMs) <= now,
    )
    .primaryKeys();
  for (const event_id of outdated) await forgetEvent(phone, event_id, 'over');
}

/** The earlier of the two clocks: a wrong one, or one that was set right without our knowing, must not end an evening before its time. */
function surelyNow(phone: Phone): number {
  const { now, corrected } = correctedNow(phone, phone.memory.clock);
  return Math.min(now, corrected);
}
