/** The door's table in a real browser, as far as it can be brought there by a reader that types; the phone's core has all of it in admission-table.test.ts. */
import { expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { openPhone, typeCode, verdictAfter } from '#tests/support/door/phone.ts';
import { startServer } from '#tests/support/server.ts';
import { callOk } from '#tests/support/make.ts';
import { sendAdmissions } from '#server/contract/door/admissions.ts';
import { defaultGate, doorCases, rulesOf, type DoorCase } from '#tests/shared/admission-cases.ts';
import { scanOf, stageCases, undoneOf } from '#tests/shared/admission-stage.ts';
import { pairBare, pairingToken } from '#tests/shared/door-hall.ts';

/** What a real browser's phone can be brought to by its wedge alone, without waiting: the way in, at its own gate, whatever others did before. */
function isForBrowser({
  given: { out, because, gate, seen, before = [], ...given },
}: DoorCase): boolean {
  return (
    !out &&
    because === undefined &&
    gate === undefined &&
    seen === undefined &&
    before.every(({ by }) => by === 'there') &&
    JSON.stringify(rulesOf(given)) === JSON.stringify(rulesOf({}))
  );
}

test('in a real browser a reader that types brings up the verdict of its row, with a line and without one', async () => {
  await using server = await startServer({ database: 'sqlite' });
  const { ctx } = server.house;
  const rows = doorCases.filter(isForBrowser);
  // The tickets of another event need one.
  const stage = await stageCases(ctx, [
    ...rows,
    doorCases.find(({ given }) => given.reentry === false)!,
  ]);
  const there = await pairBare(ctx, {
    name: 'Altrove',
    gate: 'Varco B',
    event_ids: stage.event_ids,
  });
  const now = server.clock.now();
  const history = stage.cases
    .flatMap((row) => (row.given.before ?? []).map((scan, nth) => ({ row, scan, nth })))
    .toSorted((a, b) => b.scan.ago - a.scan.ago);
  const items = history.flatMap(({ row, scan, nth }, seq) => {
    const sent = scanOf(row, scan, { nth, seq: seq * 2, time: now - scan.ago });
    return scan.undone ? [sent, undoneOf(sent, seq * 2 + 1)] : [sent];
  });
  await callOk(server, sendAdmissions, { body: { items } }, there.headers);
  await stage.settle(now);

  const browser = await launchBrowser();
  try {
    await using phone = await openPhone(
      browser,
      `${server.url}/scanner/#pair=${await pairingToken(ctx, { name: 'Porta', gate: defaultGate, event_ids: ['serata-0'] })}`,
    );
    const sample = stage.cases.filter(({ event_id }) => event_id === 'serata-0');
    const said: [string, string][] = [];
    for (const offline of [false, true]) {
      await phone.context.setOffline(offline);
      for (const row of sample.filter((_, index) => (index % 2 === 1) === offline))
        said.push([row.says, await verdictAfter(phone.page, () => typeCode(phone.page, row.code))]);
    }
    const expected = new Map(sample.map(({ says, verdict }) => [says, verdict]));
    expect(said).toEqual(said.map(([says]) => [says, expected.get(says)]));
    expect(said.length).toBe(sample.length);
    expect(new Set(said.map(([, verdict]) => verdict)).size).toBeGreaterThanOrEqual(9);
  } finally {
    await browser.close();
  }
}, 180_000);
