/** The phone's own scans: durable before they are told, never forgotten, never undone by somebody who may not. */
import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { CallError } from '#apps/shared/api.ts';
import { macBytes, macText } from '#server/domain/door/scan-proof.ts';
import { codeOfRow, doorPageOf, listedPlace, listedScan } from '#tests/support/door/door-page.ts';
import { lost, openPaired, scanText, scriptLine, verdictOf } from '#tests/support/scripted-line.ts';

const minute = 60_000;
const places = Array.from({ length: 104 }, (_, n) => listedPlace(n));

function oneEvening(admissions = [listedScan(7)]) {
  return scriptLine(doorPageOf({ places, admissions }));
}

test('a scan that cannot be written is not told, and the guest is not held to be in', async () => {
  const core = await openPaired(oneEvening());
  let isFull = true;
  core.db.queue.hook('creating', () => {
    if (isFull) throw new DOMException('The quota is full', 'QuotaExceededError');
  });
  await expect(scanText(core, codeOfRow(1))).rejects.toThrow();
  expect(core.presence('serata').inside).toBe(1);
  isFull = false;
  expect(await scanText(core, codeOfRow(1))).toMatchObject({ verdict: 'admit', seq: 0 });
  expect(core.presence('serata').inside).toBe(2);
});

test('what one tab has written the other knows inside its very next scan: the same number is never given twice', async () => {
  const line = oneEvening();
  const one = await openPaired(line);
  const other = line.open();
  await other.ready();
  expect(await verdictOf(one, codeOfRow(1))).toBe('admit');
  expect(await scanText(other, codeOfRow(1))).toMatchObject({ verdict: 'just_read', seq: 1 });
  const both = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      scanText(n % 2 === 0 ? one : other, codeOfRow(20 + (n >> 1))),
    ),
  );
  expect(both.map(({ seq }) => seq).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 20 }, (_, n) => n + 2),
  );
  expect(both.filter(({ verdict }) => verdict === 'admit')).toHaveLength(10);
  // And a list that one of them has taken.
  line.list = doorPageOf({
    cursor: 'epoch.2',
    places: [...places.slice(0, 50), listedPlace(50, { ticket: { state: 'refunded' } })],
  });
  line.changes = ({ since }) => {
    if (since === 'epoch.1') throw new CallError(409, 'resync_required', 'again');
    return line.list;
  };
  await one.syncOnce();
  expect([await verdictOf(other, codeOfRow(50)), await verdictOf(other, codeOfRow(60))]).toEqual([
    'refunded',
    'invalid',
  ]);
});

test('two codes of one ticket at the same moment let in one guest', async () => {
  const core = await openPaired(oneEvening());
  const verdicts = (
    await Promise.all(Array.from({ length: 6 }, () => scanText(core, codeOfRow(9))))
  ).map(({ verdict }) => verdict);
  expect(verdicts.toSorted()).toEqual([
    'admit',
    'just_read',
    'just_read',
    'just_read',
    'just_read',
    'just_read',
  ]);
});

test('a newer code seen at the door ends the older ones at once, also after a restart without a line', async () => {
  const line = oneEvening();
  const core = await openPaired(line);
  line.failure = lost();
  expect(await verdictOf(core, codeOfRow(5, 2))).toBe('verify');
  expect(await verdictOf(core, codeOfRow(5))).toBe('replaced');
  core.stop();
  const again = line.open();
  expect(await verdictOf(again, codeOfRow(5))).toBe('replaced');
});

test('a list that does not know of our scans forgets none of them, and a difference leaves them as they are', async () => {
  const line = oneEvening();
  const core = await openPaired(line);
  const inside = await scanText(core, codeOfRow(1));
  line.changes = ({ since }) => {
    if (since === 'epoch.1') throw new CallError(409, 'resync_required', 'again');
    return since === undefined
      ? doorPageOf({ cursor: 'other.1', places })
      : doorPageOf({
          from: since,
          cursor: 'other.2',
          places: [listedPlace(1)],
          admissions: [listedScan(30)],
        });
  };
  await core.syncOnce();
  await core.syncOnce();
  expect(line.asked.map(({ since }) => since)).toEqual([
    undefined,
    'epoch.1',
    'epoch.1',
    undefined,
    'other.1',
    'other.2',
  ]);
  expect([
    await verdictOf(core, codeOfRow(1)),
    await verdictOf(core, codeOfRow(30)),
    core.presence('serata').inside,
  ]).toEqual(['just_read', 'already_in', 2]);
  expect(
    (await core.lookUp('serata', core.recognisePlace('serata', listedPlace(1).place))).history.map(
      ({ admission_id }) => admission_id,
    ),
  ).toEqual([inside.admission_id]);
});

test('a server that came back from a backup gets again what it had stored and no longer tells of', async () => {
  const line = oneEvening();
  const core = await openPaired(line);
  const kept = await scanText(core, codeOfRow(1));
  const lostScan = await scanText(core, codeOfRow(2));
  await scanText(core, codeOfRow(2));
  await core.syncOnce();
  expect([line.sent.length, await core.db.queue.where('fate').equals('queued').count()]).toEqual([
    3, 0,
  ]);
  line.changes = ({ since }) => {
    if (since === 'epoch.1') throw new CallError(409, 'resync_required', 'again');
    return since === undefined
      ? doorPageOf({
          cursor: 'other.1',
          places,
          admissions: [listedScan(1, { admission_id: kept.admission_id, phone_id: 'p1' })],
        })
      : doorPageOf({ from: since, cursor: since });
  };
  await core.syncOnce();
  await core.syncOnce();
  expect(line.sent.slice(3).map(({ admission_id }) => admission_id)).toEqual([
    lostScan.admission_id,
  ]);
});

test('the last way in may be taken back for ten minutes, another’s only by a supervisor, and what was taken back elsewhere counts no more', async () => {
  const line = oneEvening();
  const core = await openPaired(line);
  const first = await scanText(core, codeOfRow(1));
  expect(core.lastUndoable('serata')).toMatchObject({
    admission_id: first.admission_id,
    place: listedPlace(1).place,
    verdict: 'admit',
  });
  expect(core.lastUndoable('serata')).toBe(core.lastUndoable('serata'));
  expect(
    await core.undo({
      event_id: 'serata',
      admission_id: listedScan(7).admission_id,
      reason: 'Letto per sbaglio',
    }),
  ).toMatchObject({ undone: false });
  line.clock.now += 10 * minute + 1;
  expect([
    core.lastUndoable('serata'),
    (await core.undo({ event_id: 'serata', admission_id: first.admission_id, reason: 'Tardi' }))
      .undone,
  ]).toEqual([null, false]);
  line.clock.now -= 2;
  expect(
    await core.undo({
      event_id: 'serata',
      admission_id: first.admission_id,
      reason: 'Non è entrato',
    }),
  ).toEqual({ undone: true, count: 1, seat: listedPlace(1).seat });
  expect([
    core.lastUndoable('serata'),
    (await core.undo({ event_id: 'serata', admission_id: first.admission_id, reason: 'Due volte' }))
      .undone,
  ]).toEqual([null, false]);
  expect([core.presence('serata').inside, await verdictOf(core, codeOfRow(1))]).toEqual([
    1,
    'admit',
  ]);
  const approval = { question: 'asked', supervisor_id: 'p9', signature: 'signed' };
  expect(
    (
      await core.undo({
        event_id: 'serata',
        admission_id: listedScan(7).admission_id,
        reason: 'Non è entrato',
        consent: { approval, by: 'Sara' },
      })
    ).undone,
  ).toBe(true);
  expect(await verdictOf(core, codeOfRow(7))).toBe('admit');
  await core.syncOnce();
  expect(
    line.sent
      .filter(({ verdict }) => verdict === 'undone')
      .map(({ annuls, note, counts, seq }) => [annuls, note, counts, seq]),
  ).toEqual([
    [first.admission_id, 'Non è entrato', false, 1],
    [listedScan(7).admission_id, 'Non è entrato', false, 3],
  ]);

  const own = await scanText(core, codeOfRow(12));
  line.changes = ({ since }) =>
    doorPageOf({
      from: since!,
      cursor: 'epoch.2',
      admissions: [
        listedScan(12, { admission_id: own.admission_id, phone_id: 'p1', undone: true }),
      ],
    });
  await core.syncOnce();
  // What the other phone took back is passed over, for the scan before it.
  expect([core.lastUndoable('serata')?.place, await verdictOf(core, codeOfRow(12))]).toEqual([
    listedPlace(7).place,
    'admit',
  ]);
});

test('a group that was let in by mistake is taken back one after the other, as far as ten minutes reach', async () => {
  const line = oneEvening([]);
  const core = await openPaired(line);
  const early = await scanText(core, codeOfRow(20));
  line.clock.now += 9 * minute;
  const { companions } = (await scanText(core, codeOfRow(4))).party;
  await core.admitGroup({
    event_id: 'serata',
    leader: await core.recognise('serata', codeOfRow(4)),
    places: companions.map(({ place }) => place),
    direction: 'in',
  });
  const placeAt = (n: number) => core.lastUndoable('serata', listedPlace(n).place)?.place;
  expect([placeAt(5), placeAt(20), placeAt(8)]).toEqual([
    ...[5, 20].map((n) => listedPlace(n).place),
    undefined,
  ]);
  const undoLast = async () => {
    const { admission_id, place } = core.lastUndoable('serata')!;
    expect(
      await core.undo({ event_id: 'serata', admission_id, reason: 'Letto per sbaglio' }),
    ).toMatchObject({ undone: true });
    return place;
  };
  expect([await undoLast(), await undoLast(), await undoLast()]).toEqual(
    [7, 6, 5].map((n) => listedPlace(n).place),
  );
  expect([core.lastUndoable('serata')?.place, core.presence('serata').inside]).toEqual([
    listedPlace(4).place,
    2,
  ]);
  await undoLast();
  expect(core.lastUndoable('serata')?.admission_id).toBe(early.admission_id);
  line.clock.now += minute + 1;
  expect(core.lastUndoable('serata')).toBe(null);
});

test('the rest of an order goes in with one tap, each with a verdict and a scan of its own', async () => {
  const line = scriptLine(
    doorPageOf({
      places: [
        ...places.slice(0, 6),
        listedPlace(6, { ticket: { state: 'refunded' } }),
        listedPlace(7, { ticket: { gates: ['Varco Z'] } }),
      ],
    }),
  );
  const core = await openPaired(line);
  const { companions } = (await scanText(core, codeOfRow(4))).party;
  expect(companions.map(({ place, initials }) => [place, initials])).toEqual([
    [listedPlace(5).place, 'N. D.'],
    [listedPlace(7).place, 'N. D.'],
  ]);
  const shown = await core.admitGroup({
    event_id: 'serata',
    leader: await core.recognise('serata', codeOfRow(4)),
    places: companions.map(({ place }) => place),
    direction: 'in',
  });
  expect(shown.map(({ verdict, counts, seq }) => [verdict, counts, seq])).toEqual([
    ['admit', true, 1],
    ['wrong_gate', false, 2],
  ]);
  const rows = await core.db.queue.orderBy('seq').toArray();
  expect(rows.map(({ means }) => means)).toEqual(['code', 'group', 'group']);
  // Each is proved by the leader's code, for itself.
  for (const { admission_id, direction, code_read } of rows) {
    const text = macText({ admission_id, direction, event_id: 'serata' });
    const mac = createHmac('sha256', codeOfRow(4)).update(text).digest().subarray(0, macBytes);
    const { place } = listedPlace(4);
    expect(code_read).toEqual({ place, revision: 1, mac: mac.toString('base64url') });
  }
  // Of a leader without a code the others are found by hand, too.
  const leader = core.recognisePlace('serata', listedPlace(0).place);
  const rest = [listedPlace(1).place];
  await core.admitGroup({ event_id: 'serata', leader, places: rest, direction: 'in' });
  const last = await core.db.queue.orderBy('seq').last();
  expect([last!.means, last!.code_read]).toEqual(['search', null]);
  const left = await scanText(core, codeOfRow(0), { direction: 'out' });
  expect(left.party.companions.map(({ place }) => place)).toEqual(rest);
});

test('of a table of ten six go in with one tap, each by a scan of its own, and go out or are taken back together', async () => {
  const order = { order_group: 'tavolo' };
  const placeOf = (n: number) => `T4#${n}`;
  // As a list brings them that was made of texts; the last place is closed, the eleventh elsewhere.
  // Half of the tickets are free and their places kept, as those of a whole evening may be.
  const kept = { ...order, state: 'kept' } as const;
  const table = [1, 10, 2, 3, 4, 5, 6, 7, 8, 9, 11].map((n) => ({
    ...listedPlace(n, { ticket: n === 9 ? null : n % 2 === 0 ? kept : order }),
    place: placeOf(n),
  }));
  const beside = listedPlace(0, { ticket: { ...order, gates: ['Varco B'] } });
  const line = scriptLine(doorPageOf({ places: [beside, ...table.slice(0, -1)] }));
  const core = await openPaired(line);
  const { admission_id, party } = await scanText(core, codeOfRow(1));
  expect([party.inside, party.size]).toEqual([1, 10]);
  expect(party.companions.map(({ place }) => place)).toEqual([
    ...[2, 3, 4, 5, 6, 7, 8, 10].map(placeOf),
    beside.place,
  ]);
  const pass = async (places: string[], direction: 'in' | 'out' = 'in') => {
    const leader = await core.recognise('serata', codeOfRow(1));
    line.clock.now += 1_000;
    return core.admitGroup({ event_id: 'serata', leader, places, direction });
  };
  const [last] = (await pass([2, 3, 4, 5, 6].map(placeOf))).slice(-1);
  expect(last!.party).toMatchObject({ inside: 6, size: 10 });
  const rows = await core.db.queue.orderBy('seq').toArray();
  expect(new Set([admission_id, ...rows.map((row) => row.admission_id)]).size).toBe(6);
  expect(rows.map(({ seq, place }) => [seq, place])).toEqual(
    [1, 2, 3, 4, 5, 6].map((n) => [n - 1, placeOf(n)]),
  );
  // Another phone has let one of them in; the one at the other door stays outside.
  line.changes = ({ since }) =>
    doorPageOf({
      from: since ?? '',
      cursor: 'epoch.2',
      places: since === undefined ? [beside, ...table] : [],
      admissions: [{ ...listedScan(7), place: placeOf(7) }],
    });
  await core.syncOnce();
  expect(
    (await pass([7, 8, 10].map(placeOf).concat(beside.place))).map((one) => one.verdict),
  ).toEqual(['already_in', 'admit', 'admit', 'wrong_gate']);
  expect(core.presence('serata').inside).toBe(9);

  const undoLast = async () => {
    const scan = core.lastUndoable('serata')!;
    const together = core.undoableWith(scan);
    return core.undo({ ...scan, together, reason: 'Letto per sbaglio' });
  };
  expect([await undoLast(), core.presence('serata').inside]).toMatchObject([{ count: 2 }, 7]);
  const { party: inside } = await scanText(core, codeOfRow(1), { direction: 'out' });
  expect(inside.companions.map(({ place }) => place)).toEqual([2, 3, 4, 5, 6, 7].map(placeOf));
  const gone = await pass([2, 3].map(placeOf), 'out');
  expect([gone.map(({ verdict }) => verdict), gone[1]!.party.inside]).toEqual([['out', 'out'], 4]);
  expect([await undoLast(), core.presence('serata').inside]).toMatchObject([{ count: 2 }, 6]);
  // What was read by its own code is taken back alone.
  expect(await undoLast()).toMatchObject({ count: 1, seat: table[0]!.seat });
});

test('reading a ticket again brings the rest of its order back for a minute on the phone that has let it in, and on no other', async () => {
  const line = oneEvening([listedScan(8)]);
  const core = await openPaired(line);
  const placesOf = ({ party }: Awaited<ReturnType<typeof scanText>>) =>
    party.companions.map(({ place }) => place);
  const rest = [5, 6, 7].map((n) => listedPlace(n).place);
  expect(placesOf(await scanText(core, codeOfRow(4)))).toEqual(rest);
  const again = await scanText(core, codeOfRow(4));
  expect([again.verdict, placesOf(again)]).toEqual(['just_read', rest]);
  line.clock.now += minute / 2;
  const later = await scanText(core, codeOfRow(4));
  expect([later.verdict, placesOf(later)]).toEqual(['already_in', rest]);
  const leader = await core.recognise('serata', codeOfRow(4));
  await core.admitGroup({ event_id: 'serata', leader, places: rest.slice(1), direction: 'in' });
  expect(placesOf(await scanText(core, codeOfRow(4)))).toEqual(rest.slice(0, 1));
  // The minute is that of the order's last entry here; then whoever shows the code comes alone.
  line.clock.now += minute;
  expect(placesOf(await scanText(core, codeOfRow(4)))).toEqual(rest.slice(0, 1));
  line.clock.now += 1;
  const late = await scanText(core, codeOfRow(4));
  expect([late.verdict, placesOf(late)]).toEqual(['already_in', []]);
  // Another door's guest: whoever holds this ticket now may be anybody.
  const elsewhere = await scanText(core, codeOfRow(8));
  expect([elsewhere.verdict, placesOf(elsewhere)]).toEqual(['already_in', []]);
});

test('a look at a ticket stores nothing and says who came in, when and where', async () => {
  const core = await openPaired(oneEvening());
  await scanText(core, codeOfRow(1));
  const before = await core.db.queue.count();
  expect(await core.lookUp('serata', await core.recognise('serata', codeOfRow(7)))).toMatchObject({
    verdict: 'already_in',
    place: { seat: listedPlace(7).seat, revision: 1 },
    history: [{ direction: 'in', gate: 'Varco B', by: 'Sara', undone: false, conflict: false }],
  });
  expect(
    await core.lookUp('serata', core.recognisePlace('serata', listedPlace(1).place)),
  ).toMatchObject({ verdict: 'just_read', history: [{ by: 'Luca', gate: 'Varco A' }] });
  expect(
    (await core.lookUp('serata', await core.recognise('serata', 'https://example.com'))).verdict,
  ).toBe('invalid');
  expect(await core.db.queue.count()).toBe(before);
});
