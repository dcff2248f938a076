/** The door's table on the phone: each row is lived through by real phones' cores and a real server, and then read with and without a line. */
import { expect, inject, test } from 'vitest';
import type { AdmissionRow } from '#db/rows.ts';
import type { Core } from '#apps/scanner/scan/core.ts';
import { guestsOn } from '#server/domain/door/admission.ts';
import { admitTicket } from '#server/services/door/admissions.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import { callOk } from '#tests/support/make.ts';
import { sendAdmissions } from '#server/contract/door/admissions.ts';
import { defaultGate, doorCases, readingOf, type Before } from '#tests/shared/admission-cases.ts';
import {
  scanOf,
  stageCases,
  undoneOf,
  type Stage,
  type StagedCase,
} from '#tests/shared/admission-stage.ts';
import { pairBare, pairingToken } from '#tests/shared/door-hall.ts';
import { openNodePhone, type NodePhone } from '#tests/shared/node-phone.ts';

const minute = 60_000;

interface Door {
  server: TestServer;
  stage: Stage;
  /** By gate. */ phones: Map<string | null, NodePhone>;
  there: { authorization: string };
  clock: { now: number };
  seq: number;
}

function phoneAt({ phones }: Door, { given: { gate = defaultGate } }: StagedCase): Core {
  return phones.get(gate)!.core;
}

/** What happened before, in the order of time, at the phone that will read, at another one or at the desk. */
async function live(door: Door, now: number): Promise<void> {
  const { stage, clock } = door;
  const scans = stage.cases.flatMap((row) =>
    (row.given.before ?? []).map((scan, nth) => ({
      ago: scan.ago,
      run: () => pass(door, row, { scan, nth }),
    })),
  );
  const glances = stage.cases.flatMap((row) =>
    row.given.seen === undefined
      ? []
      : [{ ago: 5 * minute, run: () => glance(door, row, row.given.seen!) }],
  );
  for (const { ago, run } of [...scans, ...glances].toSorted((a, b) => b.ago - a.ago)) {
    clock.now = now - ago;
    await run();
  }
  clock.now = now;
}

async function pass(
  door: Door,
  row: StagedCase,
  { scan, nth }: { scan: Before; nth: number },
): Promise<void> {
  const { server, stage, there, clock } = door;
  const code = await stage.codeOf(row, scan.revision);
  if (scan.by === 'desk') {
    await admitTicket(server.house.ctx, code, {
      user_id: 'desk',
      direction: scan.direction,
      override: null,
    });
    return;
  }
  if (scan.by === 'there') {
    const sent = scanOf(row, scan, { nth, seq: door.seq, time: clock.now });
    const items = scan.undone ? [sent, undoneOf(sent, door.seq + 1)] : [sent];
    door.seq += items.length;
    const { results } = await callOk(server, sendAdmissions, { body: { items } }, there);
    expect(results.map(({ result }) => result)).not.toContain('unreadable');
    return;
  }
  const core = phoneAt(door, row);
  const { event_id } = row;
  const shown = await core.admit({
    event_id,
    recognised: await core.recognise(event_id, code),
    direction: scan.direction,
    override: 'allora sì',
    means: 'code',
    note: null,
  });
  expect([row.says, shown.counts]).toEqual([row.says, true]);
  if (scan.undone)
    expect([
      row.says,
      (await core.undo({ event_id, admission_id: shown.admission_id, reason: 'Letto per sbaglio' }))
        .undone,
    ]).toEqual([row.says, true]);
}

/** A newer code was held out, and nobody was let in by it. */
async function glance(door: Door, row: StagedCase, revision: number): Promise<void> {
  const core = phoneAt(door, row);
  const shown = await core.admit({
    event_id: row.event_id,
    recognised: await core.recognise(row.event_id, await door.stage.codeOf(row, revision)),
    direction: 'in',
    override: null,
    means: 'code',
    note: null,
  });
  expect([row.says, shown.verdict, shown.counts]).toEqual([row.says, 'verify', false]);
}

const modes = [
  { says: 'with a line', offline: false, skew: 0 },
  { says: 'without a line, its clock two hours off', offline: true, skew: 2 * 60 * minute },
];

const isOneInFive = (_: unknown, nth: number) => nth % 5 === 0;

for (const { says, offline, skew } of modes) {
  test(`a phone says of every row of the door’s table what the row says, ${says}`, async () => {
    const now = Date.now();
    const clock = { now };
    await using server = await startServer({
      database: 'sqlite',
      postgresUrl: inject('postgresUrl'),
      now: () => clock.now,
    });
    const { ctx } = server.house;
    // A line changes nothing of the rule: some rows show it.
    const stage = await stageCases(ctx, offline ? doorCases : doorCases.filter(isOneInFive));
    using phones = new DisposableStack();
    const byGate = new Map<string | null, NodePhone>();
    for (const gate of new Set(
      stage.cases.map(({ given }) => (given.gate === undefined ? defaultGate : given.gate)),
    )) {
      const token = await pairingToken(ctx, {
        name: `Telefono ${byGate.size}`,
        gate,
        event_ids: stage.event_ids,
      });
      byGate.set(
        gate,
        phones.use(await openNodePhone(server, { now: () => clock.now + skew }, token)),
      );
    }
    const there = await pairBare(ctx, {
      name: 'Altrove',
      gate: 'Varco B',
      event_ids: stage.event_ids,
    });
    const door: Door = { server, stage, phones: byGate, there: there.headers, clock, seq: 0 };
    await live(door, now);
    await stage.settle(now);
    for (const { core } of byGate.values()) await core.syncOnce();
    for (const { core } of byGate.values()) core.setNoNetwork(offline);

    const made = new Map<string, StagedCase>();
    for (const row of stage.cases) {
      const {
        event_id,
        given: { out, because },
      } = row;
      const core = phoneAt(door, row);
      const recognised = await core.recognise(event_id, row.code);
      expect([row.says, recognised.reading.kind]).toEqual([row.says, readingOf(row.given).kind]);
      if (!out && because === undefined)
        expect([row.says, (await core.lookUp(event_id, recognised)).verdict]).toEqual([
          row.says,
          row.verdict,
        ]);
      const shown = await core.admit({
        event_id,
        recognised,
        direction: out ? 'out' : 'in',
        override: because ?? null,
        means: 'code',
        note: null,
      });
      expect([row.says, shown.verdict, shown.counts, shown.overridden]).toEqual([
        row.says,
        row.verdict,
        row.counts,
        row.overridden,
      ]);
      expect([row.says, shown.at]).toEqual([row.says, now]);
      made.set(shown.admission_id, row);
    }

    for (const { core } of byGate.values()) core.setNoNetwork(false);
    for (const { core } of byGate.values()) await core.syncOnce();
    const stored = await ctx.db<AdmissionRow>('admissions').whereIn('id', [...made.keys()]);
    expect(stored.length).toBe(stage.cases.length);
    for (const { id, verdict, counts, override, offline: wasOffline, conflict_with } of stored) {
      const row = made.get(id)!;
      expect([row.says, verdict, counts === 1, override, wasOffline === 1]).toEqual([
        row.says,
        row.verdict,
        row.counts,
        row.overridden ? row.given.because : null,
        offline,
      ]);
      // Whoever was let in by the rule alone stands against nobody but an older code of the same place that is in.
      if (counts === 1 && !row.overridden)
        expect([row.says, conflict_with !== null]).toEqual([row.says, isOlderIn(row)]);
    }
    for (const { core } of byGate.values())
      expect(await core.db.queue.where('fate').anyOf('queued', 'unreadable').count()).toBe(0);
    expect(server.logged).toEqual([]);
  }, 180_000);
}

/** Somebody else has the place by a code that was replaced since. */
function isOlderIn({ given: { before = [], reads = 1, out } }: StagedCase): boolean {
  if (out === true) return false;
  const older = before
    .filter(({ revision }) => revision !== reads)
    .map(({ ago, ...scan }, nth) => ({
      ...scan,
      place: 'C7',
      admission_id: String(nth),
      corrected_at: -ago,
    }));
  return guestsOn(older, () => undefined).inside > 0;
}
