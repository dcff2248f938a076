/** Named faults that we planted at the door: the simulation must find each of them. */
import type { Mutant } from './mutants.ts';

export const doorMutants: readonly Mutant[] = [
  {
    name: 'any-answer-clears-the-queue',
    file: 'apps/scanner/sync/hand-in.ts',
    find: "if (settled.size === 0) throw new CallError('unknown', 'unreadable', 'Unexpected answer');",
    replace:
      "if (settled.size === 0) for (const { admission_id } of batch) settled.set(admission_id, 'stored');",
  },
  {
    name: 'queue-cleared-before-the-answer',
    file: 'apps/scanner/sync/hand-in.ts',
    find: '      const reply = await inWire((wire) =>',
    replace:
      "      await settle(db, new Map(batch.map(({ admission_id }) => [admission_id, 'stored'])), ports.now());\n      const reply = await inWire((wire) =>",
  },
  {
    name: 'no-dedupe-on-the-server',
    file: 'server/services/door/scans.ts',
    find: '    ...bareScan,\n    id,\n    event_id,',
    replace: '    ...bareScan,\n    id: `${id}-${received_at}`,\n    event_id,',
  },
  {
    name: 'no-dedupe-on-the-server',
    file: 'server/services/door/scans.ts',
    find: '...added.map((row) => [row.id, row] as const)',
    replace: "...added.map((row) => [row.id.replace(/-\\d+$/, ''), row] as const)",
  },
  {
    name: 'delta-overwrites-local-scan',
    file: 'apps/scanner/list/list.ts',
    find: '  for (const { place, ...scan } of rows.admissions) {',
    replace: '  list.own.counted.clear();\n  for (const { place, ...scan } of rows.admissions) {',
  },
  {
    name: 'new-list-forgets-unsent-scans',
    file: 'apps/scanner/list/new-list.ts',
    find: 'image: block, own: ownOf(phone, event_id) });',
    replace:
      'image: block, own: { counted: new Map(), seen: new Map(), annulled: new Set(), latest: [] } });',
  },
  {
    name: 'cursor-before-the-rows',
    file: 'apps/scanner/list/log.ts',
    find: '    if (part) await db.parts.put(part);\n    await markOwn(phone, page.admissions)',
    replace: '    await markOwn(phone, page.admissions)',
  },
  {
    name: 'cursor-before-the-rows',
    file: 'apps/scanner/list/log.ts',
    find: '  if (!written) return false;\n  memory.events.set(event_id, written);',
    replace:
      '  if (!written) return false;\n  if (part) await db.parts.put(part);\n  memory.events.set(event_id, written);',
  },
  {
    name: 'own-scans-not-read-at-the-start',
    file: 'apps/scanner/list/memory.ts',
    find: "const scans = await phone.db.queue.orderBy('seq').toArray();",
    replace: 'const scans: QueuedScan[] = [];',
  },
  {
    name: 'numbers-begin-anew',
    file: 'apps/scanner/scan/admit.ts',
    find: "if (rows.length > 0) await writeMeta(db, 'seq', seq + rows.length);",
    replace: '',
  },
  {
    name: 'table-lets-in-one-only',
    file: 'apps/scanner/scan/admit.ts',
    find: '[...new Set(places)].map(async (place) => ({',
    replace: '[...new Set(places)].slice(0, 1).map(async (place) => ({',
  },
  {
    name: 'undo-not-heard',
    file: 'apps/scanner/list/list.ts',
    find: 'list.heard.set(place, scans.set(scan.admission_id, scan));',
    replace: 'list.heard.set(place, scans.set(scan.admission_id, { ...scan, undone: false }));',
  },
  {
    name: 'undo-not-told',
    file: 'server/services/door/passages.ts',
    find: 'scan.conflict_with !== old.conflict_with || scan.annulled_by !== old.annulled_by',
    replace: 'scan.conflict_with !== old.conflict_with',
  },
  {
    name: 'conflict-not-told',
    file: 'server/services/door/passages.ts',
    find: 'await markScan(trx, { ...scan, feed_seq });',
    replace: 'await markScan(trx, scan);',
  },
  {
    name: 'first-to-arrive-wins',
    file: 'server/services/door/passages.ts',
    find: 'corrected_at: scan.corrected_at, undone: scan.annulled_by !== null, reentry: free',
    replace: 'corrected_at: scan.received_at, undone: scan.annulled_by !== null, reentry: free',
  },
  {
    name: 'news-applied-with-a-gap',
    file: 'apps/scanner/sync/live.ts',
    find: 'const isTaken = known.cursor === from && page',
    replace: 'const isTaken = page',
  },
  {
    name: 'news-applied-with-a-gap',
    file: 'apps/scanner/list/log.ts',
    find: '!known || known.cursor !== page.from',
    replace: '!known',
  },
  {
    name: 'news-applied-with-a-gap',
    file: 'apps/scanner/list/log.ts',
    find: '!event || event.cursor !== page.from || event.generation',
    replace: '!event || event.generation',
  },
  {
    name: 'other-tab-not-seen',
    file: 'apps/scanner/scan/admit.ts',
    find: 'if (seq > memory.seq) for (const scan of await scansFrom(phone, memory.seq)) rememberScan(phone, scan);',
    replace: '',
  },
  {
    name: 'poison-blocks-the-queue',
    file: 'apps/scanner/sync/hand-in.ts',
    find: "if (result !== 'stored' && result !== 'conflict' && result !== 'unreadable') continue;",
    replace: "if (result !== 'stored' && result !== 'conflict') continue;",
  },
  {
    name: 'green-before-the-disk',
    file: 'apps/scanner/scan/admit.ts',
    find: 'await db.queue.bulkAdd(rows);',
    replace: 'phone.ports.after(1, () => void db.queue.bulkAdd(rows).catch(() => {}));',
  },
  {
    name: 'revoked-keeps-its-list',
    file: 'apps/scanner/list/wipe.ts',
    find: '  if (!(await wipeTickets(phone.db, pairing, phone.ports.now()))) return;\n',
    replace: '  await changeDevice(phone.db, pairing, { revoked_at: phone.ports.now() });\n',
  },
  {
    name: 'revoked-keeps-its-list',
    file: 'apps/scanner/list/wipe.ts',
    find: 'import { readMeta,',
    replace: 'import { changeDevice, readMeta,',
  },
  {
    name: 'clock-not-corrected',
    file: 'apps/scanner/kit/clock.ts',
    find: 'corrected: now + (clock?.offset_ms ?? 0) + watch.back_ms',
    replace: 'corrected: now',
  },
  {
    name: 'newer-code-not-remembered',
    file: 'apps/scanner/list/list.ts',
    find: 'list.own.seen.get(text) ?? 0, ',
    replace: '',
  },
  {
    name: 'steward-takes-back-anything',
    file: 'server/services/door/passages.ts',
    find: '{ phone_id: by.phone_id, supervisor, at: by.corrected_at },',
    replace: '{ phone_id: by.phone_id, supervisor: true, at: by.corrected_at },',
  },
  {
    name: 'revoked-phone-still-counts',
    file: 'server/domain/door/doubt.ts',
    find: "if (phone.ended_at !== null && scan.corrected_at > phone.ended_at) return 'phone_ended';",
    replace: '',
  },
  {
    name: 'invented-scan-counts',
    file: 'server/services/door/judging.ts',
    find: "return isByHand || row.code_check !== null ? null : 'no_proof';",
    replace: 'return null;',
  },
  {
    name: 'proof-is-not-compared',
    file: 'server/services/door/judging.ts',
    find: "timingSafeEqual(mac, Buffer.from(read.mac, 'base64url')) ? 'proved' : null",
    replace: "mac.length === Buffer.from(read.mac, 'base64url').length ? 'proved' : null",
  },
  {
    name: 'moved-paper-is-a-dead-end',
    file: 'apps/scanner/list/list.ts',
    find: 'return present?.ticket ? { place: present.place, revision: present.ticket.revision } : read;',
    replace: 'return read;',
  },
  {
    name: 'moved-paper-is-a-dead-end',
    file: 'apps/scanner/list/list.ts',
    find: 'if (ticket?.moved_from.some((code) => isSameCode(code, read)))',
    replace: 'if (false && ticket)',
  },
  {
    name: 'moved-paper-outlives-its-ticket',
    file: 'server/domain/door/moved-code.ts',
    find: 'to.place === place && to.revision === revision',
    replace: 'to.place === place && to.revision <= revision',
  },
  {
    name: 'moved-paper-proves-nothing',
    file: 'server/services/door/judging.ts',
    find: '(before) => before.place === read.place && before.revision === read.revision,',
    replace: '() => false,',
  },
  {
    name: 'moved-guest-comes-in-twice',
    file: 'apps/scanner/list/list.ts',
    find: '[{ place: text, revision }, ...before].flatMap((code) =>',
    replace: '[{ place: text, revision }].flatMap((code) =>',
  },
  {
    name: 'proof-of-another-scan',
    file: 'apps/scanner/scan/admit.ts',
    find: 'code_read: await proveRead(read, { admission_id, event_id, direction })',
    replace: "code_read: await proveRead(read, { admission_id: '', event_id, direction })",
  },
];
