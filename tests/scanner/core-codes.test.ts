/** No code leaves the camera for the disk or the line: neither one of this evening, nor one that opens another evening's door (RULES A4). */
import { expect, test } from 'vitest';
import { writeTicketCode } from '#server/domain/door/ticket-code.ts';
import { codeOfRow, doorPageOf, listedPlace, pageTag } from '#tests/support/door/door-page.ts';
import { openPaired, scriptLine, verdictOf } from '#tests/support/scripted-line.ts';

const places = Array.from({ length: 8 }, (_, n) => listedPlace(n));

test('of a ticket of another evening, of a made-up code and of one that nobody knows the phone keeps and sends only the tag and the end', async () => {
  const line = scriptLine(doorPageOf({ places }));
  const core = await openPaired(line);
  const body = crypto.getRandomValues(new Uint8Array(16));
  const codes = [
    codeOfRow(1),
    ...['BBBB', pageTag, 'ZZZZ'].map((tag) => writeTicketCode(tag, body)),
  ];
  const masked = codes.map((code) => `${code.slice(0, 4)}…${code.slice(-4)}`);
  const texts = [
    ...codes,
    codes[1]!
      .toLowerCase()
      .match(/.{1,4}/g)!
      .join('-'),
    'https://example.com/1',
    'https://teatro.it/scanner/#pair=0123456789abcdefghijkl',
    `${'Anna '.repeat(39)}Anna😀`,
  ];
  const verdicts: string[] = [];
  for (const text of texts) verdicts.push(await verdictOf(core, text));
  expect(verdicts).toEqual([
    'admit',
    'wrong_event',
    'invalid',
    'invalid',
    'wrong_event',
    'invalid',
    'invalid',
    'invalid',
  ]);
  const file = await (await core.exportQueue()).blob.text();
  await core.syncOnce();
  const read = [
    null,
    ...masked.slice(1),
    masked[1],
    'https://example.com/1',
    'https://teatro.it/scanner/#pair=…',
    // The last character would be half a one.
    `${'Anna '.repeat(39)}Anna`,
  ];
  expect(line.sent.map((scan) => scan.read)).toEqual(read);
  expect(
    (JSON.parse(file) as { items: { read: string | null }[] }).items.map((scan) => scan.read),
  ).toEqual(read);

  const kept = await Promise.all(core.db.tables.map((table) => table.toArray()));
  // However it is spelled: the middle of none of them is anywhere.
  const everything = JSON.stringify([kept, line.sent, file])
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '');
  for (const code of codes) expect(everything).not.toContain(code.slice(4, -4));
});
