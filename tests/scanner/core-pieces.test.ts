/** A first list that is written while it comes: most of it lies on the disk before its last byte, and nothing of it counts until then. */
import { expect, test } from 'vitest';
import { CallError } from '#apps/shared/api.ts';
import type { Core } from '#apps/scanner/scan/core.ts';
import { cutInPieces } from '#apps/scanner/list/pieces.ts';
import type { DoorList } from '#apps/scanner/list/list.ts';
import { readSealKey } from '#apps/scanner/list/seal-key.ts';
import type { StoredEvent } from '#apps/scanner/list/store.ts';
import { splitAnswer } from '#server/domain/door-block.ts';
import {
  blockAnswerOf,
  codeOfRow,
  doorPageOf,
  listedPlace,
} from '#tests/support/door/door-page.ts';
import { asBytes, lost, scanText, scriptLine } from '#tests/support/scripted-line.ts';

const count = 30_000;
const whole = doorPageOf({ places: Array.from({ length: count }, (_, n) => listedPlace(n)) });

/** The pieces on the disk, [generation, n]. */
async function piecesOf({ db }: Core): Promise<number[][]> {
  return (await db.parts.toArray()).map(({ generation, n }) => [generation, n]);
}

/** Waits for pieces that are still on their way to the disk. */
async function untilPieces(core: Core, least: number): Promise<number> {
  let found = await core.db.parts.count();
  while (found < least) found = await core.db.parts.count();
  return found;
}

/** A phone whose list comes slice by slice; `at` happens once, when so many bytes have come. */
async function openSlow(from: number, at: (core: Core) => Promise<void>) {
  const line = scriptLine(whole);
  let isDone = false;
  const core: Core = line.open(
    asBytes(line, {
      async passed(have) {
        if (isDone || have < from) return;
        isDone = true;
        await at(core);
      },
    }),
  );
  await core.pair('pairing-token-of-the-office');
  return { line, core };
}

test('most of a first list lies on the disk before its end, and the phone opens it again from its pieces', async () => {
  let early = 0;
  const { line, core } = await openSlow(1_300_000, async (phone) => {
    early = await untilPieces(phone, 2);
    expect([
      (await phone.db.events.get('serata'))?.generation,
      (await phone.recognise('serata', codeOfRow(1))).reading.kind,
    ]).toEqual([0, 'unknown']);
  });
  await core.syncOnce();
  expect(early).toBe(2);
  const { base, parts, generation, places } = (await core.db.events.get('serata'))!;
  expect([base > 2, parts, places]).toEqual([true, base, count]);
  expect(await piecesOf(core)).toEqual(Array.from({ length: base }, (_, n) => [generation, n]));
  expect((await scanText(core, codeOfRow(count - 1))).verdict).toBe('admit');
  core.stop();
  const again = line.open(asBytes(line));
  await again.ready();
  expect([
    (await scanText(again, codeOfRow(0))).verdict,
    (await scanText(again, codeOfRow(count - 1))).verdict,
  ]).toEqual(['admit', 'just_read']);
  // A list that follows comes as one, beside the scans, and leaves nothing of the pieces.
  line.changes = ({ since }) => {
    if (since === 'epoch.1') throw new CallError(409, 'resync_required', 'again');
    return since === undefined
      ? { ...whole, cursor: 'epoch.9' }
      : doorPageOf({ from: since, cursor: since });
  };
  await again.syncOnce();
  expect(await piecesOf(again)).toEqual([[(await again.db.events.get('serata'))!.generation, 0]]);
  again.stop();
});

test('a line that breaks in the middle, or an app that dies there, leaves nothing that the next list is made of', async () => {
  const { line, core } = await openSlow(1_300_000, async (phone) => {
    await untilPieces(phone, 2);
    throw lost();
  });
  await expect(core.syncOnce()).rejects.toMatchObject({ code: 'network' });
  expect((await piecesOf(core)).length).toBeGreaterThan(1);
  core.stop();
  const shorter = doorPageOf({ places: Array.from({ length: 40 }, (_, n) => listedPlace(n)) });
  line.list = shorter;
  const again = line.open(asBytes(line));
  await again.ready();
  expect((await again.recognise('serata', codeOfRow(1))).reading.kind).toBe('unknown');
  await again.syncOnce();
  expect([
    (await scanText(again, codeOfRow(39))).verdict,
    (await again.recognise('serata', codeOfRow(40))).reading.kind,
  ]).toEqual(['admit', 'unknown']);
  expect(await piecesOf(again)).toEqual([[(await again.db.events.get('serata'))!.generation, 0]]);
  again.stop();
});

test('a phone that is told to forget while its list comes keeps no piece of it', async () => {
  const line = scriptLine(whole);
  const core = line.open();
  const ground = {
    key: await readSealKey(core.db),
    draft: { generation: 7, parts: 0, cursor: null, places: 0, of: 0 },
  };
  const row: StoredEvent = {
    event_id: 'serata',
    generation: 0,
    base: 0,
    parts: 0,
    cursor: null,
    updated_at: null,
    tickets: 0,
    places: 0,
    facts: null,
    other_events: [],
    draft: ground.draft,
  };
  const answer = blockAnswerOf(whole);
  const download = async (between: () => Promise<unknown>) => {
    await Promise.all([core.db.parts.clear(), core.db.events.put(row)]);
    const pieces = cutInPieces(
      { db: core.db, memory: { lists: new Map() } },
      'serata',
      Promise.resolve(ground),
    );
    pieces.grow(new Uint8Array(answer), 600_000);
    await untilPieces(core, 1);
    await between();
    pieces.grow(new Uint8Array(answer), answer.byteLength);
    const last = await pieces.finish(ground, splitAnswer(answer)!.block);
    return { last: last.n, written: await core.db.parts.count() };
  };
  const { last, written } = await download(async () => {});
  expect([last > 1, written]).toEqual([true, last]);
  // As another window does it, or the office.
  expect(
    (await download(() => Promise.all([core.db.events.clear(), core.db.parts.clear()]))).written,
  ).toBe(0);
  // Another list of the event was begun meanwhile.
  expect(
    (
      await download(() =>
        core.db.events.put({ ...row, draft: { ...ground.draft, generation: 9 } }),
      )
    ).written,
  ).toBe(1);
  core.stop();
});

test('pieces of a list that never came whole go with their evening', async () => {
  const { line, core } = await openSlow(1_300_000, async (phone) => {
    await untilPieces(phone, 2);
    throw lost();
  });
  await core.syncOnce().catch(() => {});
  line.failure = lost();
  line.clock.now += 47 * 3_600_000;
  await core.syncOnce().catch(() => {});
  expect(await core.db.parts.count()).toBeGreaterThan(1);
  line.clock.now += 2 * 3_600_000;
  await core.syncOnce().catch(() => {});
  expect([await core.db.parts.count(), await core.db.events.count()]).toEqual([0, 0]);
  core.stop();
});

test('where another event has its list already, nothing is written before the end: scans would wait for it', async () => {
  const line = scriptLine(whole);
  const core = line.open();
  const ground = {
    key: await readSealKey(core.db),
    draft: { generation: 7, parts: 0, cursor: null, places: 0, of: 0 },
  };
  await core.db.events.put({
    event_id: 'serata',
    generation: 0,
    base: 0,
    parts: 0,
    cursor: null,
    updated_at: null,
    tickets: 0,
    places: 0,
    facts: null,
    other_events: [],
    draft: ground.draft,
  });
  const answer = blockAnswerOf(whole);
  const lists = new Map<string, DoorList>();
  const pieces = cutInPieces({ db: core.db, memory: { lists } }, 'serata', Promise.resolve(ground));
  pieces.grow(new Uint8Array(answer), 600_000);
  lists.set('other', {} as DoorList);
  pieces.grow(new Uint8Array(answer), answer.byteLength);
  const { block } = splitAnswer(answer)!;
  const last = await pieces.finish(ground, block);
  expect([
    last.n,
    last.sealed.byteLength > block.length - 600_000,
    await core.db.parts.count(),
  ]).toEqual([1, true, 1]);
  core.stop();
});

test('a piece that was lost makes the list none: it comes again', async () => {
  const { line, core } = await openSlow(Infinity, async () => {});
  await core.syncOnce();
  const { generation } = (await core.db.events.get('serata'))!;
  await core.db.parts.delete(['serata', generation, 1]);
  core.stop();
  const again = line.open(asBytes(line));
  await again.ready();
  expect(await again.db.events.get('serata')).toMatchObject({ generation: 0, cursor: null });
  await again.syncOnce();
  expect((await scanText(again, codeOfRow(count - 1))).verdict).toBe('admit');
  again.stop();
});
