/** The door's table on the server: each row in real rows, its history handed in by phones and desk, then asked and admitted at the desk. */
import { expect, inject, test } from 'vitest';
import { admitTicket, readAdmission, sendAdmissions } from '#server/contract/door/admissions.ts';
import { ask, callOk, makeAdmin } from '#tests/support/make.ts';
import { startServer, type DatabaseKind, type TestServer } from '#tests/support/server.ts';
import { pairBare } from '#tests/shared/door-hall.ts';
import { doorCases, type DoorCase } from '#tests/shared/admission-cases.ts';
import {
  isForHalls,
  scanOf,
  stageCases,
  undoneOf,
  type Stage,
} from '#tests/shared/admission-stage.ts';

/** A desk has no gate and is no phone, and it speaks of tickets that were issued. */
function isForDesk(row: DoorCase): boolean {
  const { reads = 1, ticket = 'valid', revision = 1, gates = [], seen } = row.given;
  const isIssued =
    typeof reads === 'number' && ticket !== null && reads <= revision && seen === undefined;
  const isForPhones =
    row.verdict === 'just_read' ||
    row.verdict === 'wrong_gate' ||
    (row.overridden && gates.length > 0);
  return isForHalls(row) && isIssued && !isForPhones;
}

interface Desk {
  server: TestServer;
  admin: { cookie: string };
  phones: Record<'here' | 'there', { headers: Record<string, string> }>;
}

/** What happened before, in the order of time, told by whoever saw it. */
async function tellHistory(
  { server, admin, phones }: Desk,
  stage: Stage,
  { now, at }: { now: number; at: (time: number) => void },
): Promise<void> {
  const scans = stage.cases
    .flatMap((row) => (row.given.before ?? []).map((scan, nth) => ({ row, scan, nth })))
    .toSorted((a, b) => b.scan.ago - a.scan.ago);
  const seqs = { here: 0, there: 0 };
  for (const { row, scan, nth } of scans) {
    at(now - scan.ago);
    if (scan.by === 'desk')
      await callOk(
        server,
        admitTicket,
        {
          params: { ticketId: await stage.codeOf(row, scan.revision) },
          body: { direction: scan.direction },
        },
        admin,
      );
    else {
      const items = [scanOf(row, scan, { nth, seq: seqs[scan.by]++, time: now - scan.ago })];
      if (scan.undone) items.push(undoneOf(items[0]!, seqs[scan.by]++));
      const { results } = await callOk(
        server,
        sendAdmissions,
        { body: { items } },
        phones[scan.by].headers,
      );
      expect(results.map(({ result }) => result)).not.toContain('unreadable');
    }
  }
  at(now);
}

/**
 * One database each: the rules are the same, and so must the rows be. `every`: of so many rows one
 * is asked, because domain/admission.test.ts puts them all to the rule.
 */
export function testDeskOn(database: DatabaseKind, every = 1): void {
  test(`the desk says of every row of the door’s table what the row says, before and while it admits (${database})`, async () => {
    const time = { now: Date.now() };
    await using server = await startServer({
      database,
      postgresUrl: inject('postgresUrl'),
      now: () => time.now,
    });
    await askDesk(server, time, every);
    expect(server.logged).toEqual([]);
  });
}

async function askDesk(server: TestServer, time: { now: number }, every: number): Promise<void> {
  const { now } = time;
  const at = (moment: number) => {
    time.now = moment;
  };
  const rows = doorCases.filter(isForDesk).filter((_, nth) => nth % every === 0);
  const stage = await stageCases(server.house.ctx, rows);
  expect(stage.cases.length).toBeGreaterThan(80 / every);
  const admin = await makeAdmin(server);
  const pair = (name: string) => pairBare(server.house.ctx, { name, event_ids: stage.event_ids });
  const phones = { here: await pair('Varco A'), there: await pair('Varco B') };
  await tellHistory({ server, admin, phones }, stage, { now, at });
  await stage.settle(now);

  for (const {
    code,
    given: { out, because, before = [] },
    ...row
  } of stage.cases) {
    const asked = { params: { ticketId: code } };
    const first = await callOk(server, readAdmission, asked, admin);
    if (!out && because === undefined)
      expect([row.says, first.verdict]).toEqual([row.says, row.verdict]);
    const answer = await callOk(
      server,
      admitTicket,
      {
        ...asked,
        body: {
          direction: out ? 'out' : 'in',
          ...(because === undefined ? {} : { override: because }),
        },
      },
      admin,
    );
    expect([row.says, answer.verdict, answer.counts]).toEqual([row.says, row.verdict, row.counts]);
    const { history } = await callOk(server, readAdmission, asked, admin);
    const scan = history.find(({ admission_id }) => admission_id === answer.admission_id);
    expect([row.says, scan?.verdict, scan?.counts, scan?.override ?? null]).toEqual([
      row.says,
      row.verdict,
      row.counts,
      row.overridden ? because : null,
    ]);
    // Whatever was read before is still there, what was taken back included.
    expect([row.says, history.length]).toEqual([
      row.says,
      1 + before.length + before.filter(({ undone }) => undone).length,
    ]);
  }
  // What is no ticket of anybody has no row to speak of.
  expect(
    (
      await ask(server, 'POST', '/api/admin/admissions/8001120905420', {
        body: {},
        headers: admin,
      })
    ).status,
  ).toBe(404);
}
