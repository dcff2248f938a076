/**
 * Pushes changes at a door to all its phones, whichever process stored them, at most four times a
 * second. All phones of one role and one number of the wire get the same bytes.
 */
import { requireValue } from '#server/domain/require-value.ts';
import { countWrites } from '#db/engine/sqlite.ts';
import type { Ctx } from '#server/services/context.ts';
import type { Wire } from '#server/domain/door/wire.ts';
import { changesAfter, cursorOf, knowsNames, type Addressee, type DoorChanges } from './list.ts';
import { doorMemory, isWiped, type DoorState, type PhoneInCall } from './state.ts';

/** A larger change is announced without its rows; the phones fetch them. */
const mostPushed = 32_768;

/** The interval between two looks for changes; a guest needs longer to walk to another gate. */
const everyMs = 250;
/** The interval between two empty lines, which keep a silent connection open. */
const heartbeatMs = 15_000;

/** The most streams of one phone: two windows, and one whose connection was lost unnoticed. */
const mostStreams = 3;

/** A listener's connection, as in the contract's Listener. */
interface Line {
  write: (bytes: Uint8Array) => boolean;
  close: () => void;
  onClose: (done: () => void) => void;
}

interface Ear extends Addressee {
  line: Line;
  token_hash: string;
  events: ReadonlySet<string>;
}
interface Live {
  ears: Set<Ear>;
  /** The state of each event that its listeners were last sent. */
  told: Map<string, DoorState>;
  timer: NodeJS.Timeout | null;
  writes: number | null;
  beatAt: number;
  closed: boolean;
}
const lives = new WeakMap<Ctx['memory'], Live>();

function liveOf(ctx: Ctx): Live {
  const known = lives.get(ctx.memory) ?? {
    ears: new Set<Ear>(),
    told: new Map<string, DoorState>(),
    timer: null,
    writes: null,
    beatAt: ctx.now(),
    closed: false,
  };
  lives.set(ctx.memory, known);
  return known;
}

/** One stream for all events of the phone; the first message about each event is its cursor. */
export function listenDoor(ctx: Ctx, caller: PhoneInCall, wire: Wire): (line: Line) => void {
  return (line) => {
    const live = liveOf(ctx);
    const ear: Ear = {
      line,
      token_hash: requireValue(caller.phone.token_hash, 'token'),
      names: knowsNames(caller),
      wire,
      events: caller.events,
    };
    if (live.closed) return line.close();
    join(ctx, live, ear).catch((error: unknown) => {
      ctx.log.error({ err: error }, 'a phone could not listen');
      line.close();
    });
    return undefined;
  };
}

async function join(ctx: Ctx, live: Live, ear: Ear): Promise<void> {
  const states = await Promise.all([...ear.events].map((id) => doorMemory(ctx).events.read(id)));
  if (live.closed) return ear.line.close();
  live.ears.add(ear);
  ear.line.onClose(() => {
    live.ears.delete(ear);
    for (const id of ear.events)
      if (![...live.ears].some(({ events }) => events.has(id))) live.told.delete(id);
  });
  const own = [...live.ears].filter(({ token_hash }) => token_hash === ear.token_hash);
  // A phone does not report a lost connection, so the oldest streams above the limit are closed.
  for (const old of own.slice(0, Math.max(0, own.length - mostStreams))) old.line.close();
  for (const state of states) {
    if (state === null || isWiped(state, ctx.now())) continue;
    const sent = live.told.get(state.event.id) ?? state;
    live.told.set(state.event.id, sent);
    const cursor = cursorOf(sent, sent.event.feed_seq, ear.names);
    ear.line.write(message(sent.event.id, { from: cursor, to: cursor, page: null }));
  }
  live.timer ??= setTimeout(() => {
    void look(ctx, live);
  }, everyMs);
}

function message(
  event_id: string,
  { from, to, page }: { from: string; to: string; page: DoorChanges | null },
): Buffer {
  const news = (told: object) => `data: ${JSON.stringify({ event_id, from, to, ...told })}\n\n`;
  const whole = page === null ? null : news({ page });
  return Buffer.from(whole !== null && whole.length <= mostPushed ? whole : news({}));
}

async function look(ctx: Ctx, live: Live): Promise<void> {
  const writes = countWrites(ctx.db);
  if (writes === null || writes !== live.writes) {
    try {
      await dismiss(ctx, live);
      await Promise.all([...live.told.values()].map((told) => tell(ctx, live, told)));
      live.writes = writes;
    } catch (error) {
      ctx.log.warn({ err: error }, 'the door was not told; it will be in a moment');
      live.writes = null;
    }
  }
  if (Math.abs(ctx.now() - live.beatAt) >= heartbeatMs) {
    live.beatAt = ctx.now();
    const beat = Buffer.from(':\n\n');
    for (const { line } of live.ears) line.write(beat);
  }
  live.timer =
    live.ears.size > 0 && !live.closed
      ? setTimeout(() => {
          void look(ctx, live);
        }, everyMs)
      : null;
}

/** Disconnects phones that were revoked or paired again, or have another role or events now. */
async function dismiss(ctx: Ctx, live: Live): Promise<void> {
  const { phones } = doorMemory(ctx);
  await Promise.all(
    [...live.ears].map(async (ear) => {
      const known = await phones.read(ear.token_hash);
      const same =
        known !== null &&
        !known.ended &&
        known.phone.revoked_at === null &&
        (known.phone.role === 'supervisor') === ear.names &&
        known.events.size === ear.events.size &&
        [...ear.events].every((id) => known.events.has(id));
      if (same) return;
      live.ears.delete(ear);
      ear.line.close();
    }),
  );
}

async function tell(ctx: Ctx, live: Live, told: DoorState): Promise<void> {
  const { events } = doorMemory(ctx);
  const { id } = told.event;
  const state = await events.read(id);
  if (
    state === null ||
    isWiped(state, ctx.now()) ||
    (state.event.feed_seq === told.event.feed_seq &&
      state.event.feed_epoch === told.event.feed_epoch &&
      state.about === told.about)
  )
    return;
  const listening = () => [...live.ears].filter((ear) => ear.events.has(id));
  const messages = new Map<string, Buffer>();
  for (const to of listening())
    if (!messages.has(kindOf(to)))
      messages.set(kindOf(to), await newsFor(ctx, { told, state, to }));
  // Meanwhile the former listeners have left and others have joined, whose cursors these messages
  // do not continue.
  if (live.told.get(id) !== told) return;
  live.told.set(id, state);
  for (const ear of listening()) {
    const news = messages.get(kindOf(ear));
    if (news) ear.line.write(news);
    else ear.line.close();
  }
}

function kindOf({ names, wire }: Addressee): string {
  return `${names} ${wire}`;
}

/** A new epoch means a new list: the message then has no changes, and phones fetch the list. */
async function newsFor(
  ctx: Ctx,
  { told, state, to }: { told: DoorState; state: DoorState; to: Addressee },
): Promise<Buffer> {
  const { names } = to;
  const from = told.event.feed_seq;
  const isSameList = told.event.feed_epoch === state.event.feed_epoch;
  return message(state.event.id, {
    from: cursorOf(told, from, names),
    to: cursorOf(state, state.event.feed_seq, names),
    page: isSameList ? await changesAfter(ctx, state, { from, ...to }) : null,
  });
}

/** Closes all streams; the phones connect again to the server that replaces this one. */
export function closeLive(ctx: Ctx): void {
  const live = liveOf(ctx);
  live.closed = true;
  if (live.timer !== null) clearTimeout(live.timer);
  for (const { line } of live.ears) line.close();
}
