/** The door's list as phones download it: made of short slices, pressed once, kept for everybody who asks for the same. */
import { setImmediate as turn } from 'node:timers/promises';
import type { NamedAdmission } from '#db/admissions.ts';
import type { Db } from '#db/dialect.ts';
import {
  countPlaces,
  passagesBySeq,
  placesByName,
  placesBySeq,
  type DoorPlaceRow,
} from '#db/door.ts';
import { findEvent } from '#db/events.ts';
import { startAnswer } from '#server/domain/door-block.ts';
import { writeBlock } from '#server/domain/door-block-write.ts';
import {
  admissionPacker,
  placePacker,
  type AdmissionColumns,
  type PlaceColumns,
} from '#server/domain/door-list.ts';
import { wipeAfterMs } from '#server/domain/event.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Ctx } from '#server/services/context.ts';
import { admissionForPhone, placeForDoor } from './views.ts';
import type { DoorState } from './state.ts';
import { gateFinder } from '#server/services/event/events.ts';
import { pressHead, withTail, type Pressed } from '#server/services/kit/gzip.ts';

/** `names`: the phone may search by name. `form`: a whole list as the phone keeps it. */
export interface PageAsk {
  names: boolean;
  since: string | undefined;
  limit: number | undefined;
  form?: 'block' | undefined;
}

export interface DoorPage {
  /** The event's number that it reaches, and the one that it was made at. */
  to: number;
  madeAt: { seq: number; about: number; now: number };
  cursor: string;
  type: string;
  pressed: Pressed;
  size: number;
  /** All but the end, where it is short enough to be pushed. */
  text: string | null;
  /** The pressed part as Latin-1, once somebody needed it. */
  spelled?: string;
}

/** So long a list may be behind: what it lacks comes with the next call. */
const keptMs = 60_000;
/** Of all pages together. */
const mostBytes = 64_000_000;
/** What is pushed is no longer than this. */
export const mostPushed = 32_768;

interface Pages {
  kept: Map<string, DoorPage>;
  bytes: number;
  making: Map<string, Promise<DoorPage>>;
  counts: Map<string, { at: number; places: number }>;
}
const pagesOf = new WeakMap<Ctx['memory'], Pages>();

function pages(ctx: Ctx): Pages {
  const known = pagesOf.get(ctx.memory) ?? {
    kept: new Map<string, DoorPage>(),
    bytes: 0,
    making: new Map<string, Promise<DoorPage>>(),
    counts: new Map<string, { at: number; places: number }>(),
  };
  pagesOf.set(ctx.memory, known);
  return known;
}

/** `<epoch>.<number>.2`, with an n where the list knows names: a phone whose role has changed begins anew. */
export function cursorOf({ event }: DoorState, seq: number, names: boolean): string {
  return `${event.feed_epoch}.${seq}.${names ? '2n' : '2'}`;
}

/** Null: from the beginning. @throws Refusal resync_required */
function readCursor(state: DoorState, { since, names }: PageAsk): number | null {
  if (since === undefined) return null;
  const seq = Number(/^[\w-]+\.(\d{1,15})\.2n?$/.exec(since)?.[1] ?? Number.NaN);
  if (!(seq <= state.event.feed_seq) || since !== cursorOf(state, seq, names))
    throw new Refusal('resync_required');
  return seq;
}

function keyOf({ event }: DoorState, { names, limit, form }: PageAsk, from: number | null): string {
  return `${event.id} ${event.feed_epoch} ${names} ${from ?? ''} ${limit ?? ''} ${form ?? ''}`;
}

/** A beginning, or a part of one, is good for a while; an end only while nothing has come behind it. */
function isGood(
  ctx: Ctx,
  page: DoorPage,
  { event, about }: DoorState,
  from: number | null,
): boolean {
  const { madeAt } = page;
  if (madeAt.about !== about) return false;
  return (
    madeAt.seq === event.feed_seq ||
    ((from === null || page.to < madeAt.seq) && Math.abs(ctx.now() - madeAt.now) < keptMs)
  );
}

/** Undefined: it is not there, or is good no more. @throws Refusal resync_required */
export function pageAtOnce(ctx: Ctx, state: DoorState, ask: PageAsk): DoorPage | undefined {
  const from = readCursor(state, ask);
  const page = pages(ctx).kept.get(keyOf(state, ask, from));
  return page && isGood(ctx, page, state, from) ? page : undefined;
}

/** Whoever asks for the same at the same moment waits for the same work. @throws Refusal resync_required */
export async function pageOf(ctx: Ctx, state: DoorState, ask: PageAsk): Promise<DoorPage> {
  const known = pageAtOnce(ctx, state, ask);
  if (known) return known;
  const from = readCursor(state, ask);
  const key = keyOf(state, ask, from);
  const all = pages(ctx);
  // A list takes a while: who comes meanwhile gets it too, and what has happened since with the next call.
  const work =
    from === null ? `${key} ${state.about}` : `${key} ${state.about} ${state.event.feed_seq}`;
  const going = all.making.get(work);
  if (going) return going;
  const made = makePage(ctx, state, { ...ask, from })
    .then((page) => {
      keep(all, key, page);
      return page;
    })
    .finally(() => all.making.delete(work));
  all.making.set(work, made);
  return made;
}

function keep(all: Pages, key: string, page: DoorPage): void {
  all.bytes += page.size - (all.kept.get(key)?.size ?? 0);
  all.kept.delete(key);
  all.kept.set(key, page);
  for (const [old, { size }] of all.kept) {
    if (all.bytes <= mostBytes || old === key) break;
    all.kept.delete(old);
    all.bytes -= size;
  }
}

/** The end of a page, for the one who gets it: whether there is more, and what time it is. */
export function tailOf(now: number, { cursor, to }: DoorPage, { event }: DoorState): string {
  return `,"cursor":"${cursor}","more":${to < event.feed_seq},"server_time":"${isoOf(now)}"}`;
}

/** As gzip, in pieces. */
export function pageBytes(now: number, page: DoorPage, state: DoorState): Buffer[] {
  return withTail(page.pressed, tailOf(now, page, state));
}

/** The same, spelled as Latin-1. */
export function pageText(now: number, page: DoorPage, state: DoorState): string {
  const [header, bytes, end] = pageBytes(now, page, state) as [Buffer, Buffer, Buffer];
  page.spelled ??= header.toString('latin1') + bytes.toString('latin1');
  return page.spelled + end.toString('latin1');
}

/** Rows that are read and worked at one go: some milliseconds. */
const sliceRows = 500;

async function makePage(
  ctx: Ctx,
  state: DoorState,
  { names, limit, form, from }: Omit<PageAsk, 'since'> & { from: number | null },
): Promise<DoorPage> {
  const { db } = ctx;
  // Its prices, where the gates stand, and its secret, which no memory of the door keeps.
  const event = await findEvent(db, state.event.id);
  if (!event || event.feed_epoch !== state.event.feed_epoch) throw new Refusal('resync_required');
  const gateOf = gateFinder(event);
  const range = { names, after: from ?? 0, to: state.event.feed_seq };
  const rows =
    limit === undefined
      ? slicesByName(db, event.id, range)
      : slicesBySeq(db, event.id, { ...range, limit });
  const places = placePacker({ names, sealed: event.nominative === 1 });
  let to = state.event.feed_seq;
  for await (const { slice, end } of rows) {
    places.add(slice.map((row) => placeForDoor(event, row, gateOf(row))));
    if (end !== null) to = end;
    await turn();
  }
  const admissions = admissionPacker();
  for await (const slice of passages(db, event.id, { after: range.after, to })) {
    admissions.add(slice.map(admissionForPhone));
    await turn();
  }
  const small = {
    wire: 2,
    kind: from === null ? 'snapshot' : 'delta',
    from: from === null ? null : cursorOf(state, from, names),
    event: {
      id: event.id,
      title: state.event.title,
      starts_at: isoOf(state.event.starts_at),
      admits_from: isoOrNull(state.event.admits_from),
      admits_until: isoOrNull(state.event.admits_until),
      wipe_at: isoOf(state.event.starts_at + wipeAfterMs),
      cancelled: state.event.status === 'cancelled',
      tag: state.event.code_tag,
      salt: state.event.code_salt,
      verify_policy: state.event.verify_policy,
      reentry: state.event.reentry === 1,
      rehearsal: state.event.rehearsal === 1,
      places: await placesOfEvent(ctx, event.id),
    },
    other_events: state.others.map((other) => ({
      tag: other.code_tag,
      title: other.title,
      starts_at: isoOf(other.starts_at),
    })),
  };
  const head = await (form === 'block' ? writeAsBlock : write)(small, {
    places: places.columns(),
    admissions: admissions.columns(),
  });
  const pressed = await pressHead(head);
  const text = form === undefined && head.length <= mostPushed ? head.toString() : null;
  return {
    to,
    cursor: cursorOf(state, to, names),
    type: form === 'block' ? 'application/octet-stream' : 'application/json; charset=utf-8',
    pressed,
    text,
    size: pressed.bytes.length + (text?.length ?? 0) + 200,
    madeAt: { seq: state.event.feed_seq, about: state.about, now: ctx.now() },
  };
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}

function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : isoOf(ms);
}

/** An object without its end; the large columns are written one by one, with a turn for others between them. */
async function write(
  small: object,
  large: { places: PlaceColumns; admissions: AdmissionColumns },
): Promise<Buffer> {
  const pieces = [Buffer.from(JSON.stringify(small).slice(0, -1))];
  for (const [name, columns] of Object.entries(large)) {
    let before = `,"${name}":{`;
    for (const [column, value] of Object.entries(columns) as [string, unknown][]) {
      pieces.push(Buffer.from(`${before}"${column}":${JSON.stringify(value)}`));
      before = ',';
      if (pieces.at(-1)!.length > 100_000) await turn();
    }
    pieces.push(Buffer.from('}'));
  }
  return Buffer.concat(pieces);
}

/** The list as the phone keeps it, with turns for others, and then what is small. */
async function writeAsBlock(
  small: object,
  { places, admissions }: { places: PlaceColumns; admissions: AdmissionColumns },
): Promise<Buffer> {
  const work = writeBlock(places, admissions);
  for (;;) {
    await turn();
    const step = work.next();
    if (step.done)
      return Buffer.concat([
        startAnswer(step.value),
        step.value,
        Buffer.from(JSON.stringify(small).slice(0, -1)),
      ]);
  }
}

interface Range {
  names: boolean;
  after: number;
  to: number;
}
/** `end`: the number that a page has come to that is full. */
interface Slice {
  slice: DoorPlaceRow[];
  end: number | null;
}

async function* slicesByName(db: Db, event_id: string, range: Range): AsyncGenerator<Slice> {
  // A delta is found by its numbers; all of a hall lies together by its names.
  if (range.after > 0)
    return yield* slicesBySeq(db, event_id, { ...range, limit: Number.POSITIVE_INFINITY });
  for (let beyond = ''; ;) {
    const slice = await placesByName(db, event_id, { ...range, limit: sliceRows, beyond });
    yield { slice, end: null };
    if (slice.length < sliceRows) return undefined;
    beyond = slice.at(-1)!.place;
  }
}

/** Places with one number were sold together and travel together: the last number of a page is told to its end. */
async function* slicesBySeq(
  db: Db,
  event_id: string,
  { limit, ...range }: Range & { limit: number },
): AsyncGenerator<Slice> {
  let left = limit;
  let { to } = range;
  for (let beyond = { feed_seq: range.after + 1, place: '' }; ;) {
    const slice = await placesBySeq(db, event_id, {
      names: range.names,
      to,
      limit: sliceRows,
      beyond,
    });
    const last = left > 0 && slice.length >= left ? slice[left - 1]!.feed_seq : null;
    if (last !== null) to = last;
    left -= slice.length;
    yield {
      slice: slice.filter(({ feed_seq }) => feed_seq <= to),
      end: last !== null && last < range.to ? last : null,
    };
    const end = slice.at(-1);
    if (slice.length < sliceRows || end!.feed_seq > to) return;
    beyond = { feed_seq: end!.feed_seq, place: end!.place };
  }
}

async function* passages(
  db: Db,
  event_id: string,
  { after, to }: { after: number; to: number },
): AsyncGenerator<NamedAdmission[]> {
  for (let beyond = { feed_seq: after + 1, id: '' }; ;) {
    const slice = await passagesBySeq(db, event_id, { to, limit: sliceRows, beyond });
    yield slice;
    if (slice.length < sliceRows) return;
    beyond = { feed_seq: slice.at(-1)!.feed_seq!, id: slice.at(-1)!.id };
  }
}

/** For a progress bar: how many there were a moment ago will do. */
const countedMs = 10_000;

async function placesOfEvent(ctx: Ctx, event_id: string): Promise<number> {
  const { counts } = pages(ctx);
  const known = counts.get(event_id);
  if (known && Math.abs(ctx.now() - known.at) < countedMs) return known.places;
  const counted = { at: ctx.now(), places: await countPlaces(ctx.db, event_id) };
  counts.set(event_id, counted);
  return counted.places;
}
