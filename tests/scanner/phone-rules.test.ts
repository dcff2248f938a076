/** The phone's pure parts: what it says, what it takes for a code, which clock it believes, when it tries again. */
import { expect, test } from 'vitest';
import type { Shown } from '#apps/scanner/scan/admit.ts';
import {
  betterClock,
  correctedNow,
  measureClock,
  newWatch,
  spanWords,
} from '#apps/scanner/kit/clock.ts';
import { readFates, sentForm } from '#apps/scanner/sync/hand-in.ts';
import { pairingTokenOf } from '#apps/scanner/device/pairing.ts';
import { agoOf, reasonOf, staysMs, typeNotice } from '#apps/scanner/screens/scan/verdict/reason.ts';
import type { QueuedScan } from '#apps/scanner/kit/store.ts';
import { waitAfter } from '#apps/scanner/sync/rhythm.ts';
import * as v from 'valibot';
import { scan } from '#server/contract/door/admissions.ts';

const at = Date.parse('2026-11-21T19:59:00Z');
const shown: Shown = {
  read: null,
  admission_id: 'a',
  verdict: 'admit',
  counts: true,
  overridden: false,
  direction: 'in',
  at,
  offline: false,
  phone_id: 'p1',
  seq: 0,
  party: { companions: [], size: 1, inside: 0, let_in_at: null },
  place: {
    place: 'Platea-A-1',
    revision: 1,
    seat: 'Platea, fila A, posto 1',
    section: 'Platea',
    category: 'Platea',
    entrance: null,
    issued: 1,
    lost: [],
    ticket: {
      name: null,
      order_number: null,
      revision: 1,
      state: 'valid',
      type_label: 'Intero',
      order_group: 'o',
      initials: null,
      sealed_name: null,
      gates: ['Varco B'],
      reentry: true,
      note: null,
      moved_from: [],
    },
  },
  left: null,
  ended: null,
  first: null,
  name: null,
  other_event: null,
  updated_at: at - 60_000,
  approved_by: null,
  event: {
    title: 'La locandiera',
    starts_at: at,
    admits_from: at - 1,
    admits_until: null,
    rehearsal: false,
    wipe_at: at + 1,
    cancelled: false,
    tag: 'AAAA',
    salt: 's',
    verify_policy: 'ask',
    moved_policy: 'admit',
    reentry: true,
    licensed: null,
  },
};
const scanBefore = {
  admission_id: 'b',
  revision: 1,
  direction: 'in' as const,
  at: at - 18 * 60_000,
  gate: 'Varco A',
  phone_id: 'p2',
  by: 'Luca',
  conflict_with: null,
  undone: false,
};

/** What the screen says of a scan that differs so from a plain admission. */
const said = (changes: Partial<Shown>) => reasonOf({ ...shown, ...changes });
const hourMs = 3_600_000;

test('a lost ticket whose place was sold again is nobody’s fault, and a person is asked', () => {
  const place = { ...shown.place!, issued: 9, ticket: { ...shown.place!.ticket!, revision: 9 } };
  expect(said({ verdict: 'verify', counts: false, place })).toBe(
    'Biglietto autentico di una vendita andata persa: il posto è stato venduto di nuovo. Chiedi al responsabile',
  );
});

test('who came in before is told with hour, gate, person and how long ago', () => {
  const before = (changes: Partial<typeof scanBefore>) =>
    said({ verdict: 'already_in', first: { ...scanBefore, ...changes } });
  expect(before({})).toBe('alle 20:41 al Varco A, da Luca – 18 minuti fa');
  const own = { phone_id: 'p1', gate: null as never };
  expect(before(own)).toBe('alle 20:41, da questo telefono – 18 minuti fa');
  const yesterday = at - 26 * hourMs;
  expect(before({ at: yesterday, gate: 'Ingresso nord' })).toBe(
    'ven 20 nov · 18:59 (Ingresso nord), da Luca – 26 ore fa',
  );
  // Where an exit uses the ticket up, it is the exit that stands against him, and its hour is not taken for that of his entry.
  const left = { ...scanBefore, direction: 'out' as const };
  const gone = (first: typeof left) => said({ verdict: 'already_in', first });
  expect(gone(left)).toBe('È uscito alle 20:41: non può rientrare');
  expect(gone({ ...left, at: yesterday })).toBe('È uscito ven 20 nov · 18:59: non può rientrare');
  expect([-5, 1_000, 59_400, 60_000, hourMs, 72 * hourMs].map(agoOf)).toEqual([
    '0 secondi fa',
    'un secondo fa',
    '59 secondi fa',
    'un minuto fa',
    'un’ora fa',
    '3 giorni fa',
  ]);
});

test('each other verdict says in one sentence what to do', () => {
  const event = (changes: Partial<Shown['event']>) => ({ event: { ...shown.event, ...changes } });
  const other_event = {
    tag: 'BBBB',
    title: 'Concerto di Natale',
    starts_at: Date.parse('2026-12-12T20:00:00Z'),
  };
  const { place } = shown;
  /** A state of a later release. */
  const withState = (changes: { note?: string }) => ({
    place: { ...place!, ticket: { ...place!.ticket!, state: 'other' as const, ...changes } },
  });
  const cases: [changes: Partial<Shown>, words: string][] = [
    [{ verdict: 'wrong_gate' }, 'Questo biglietto entra da: Varco B'],
    [{ verdict: 'moved', counts: true }, 'Può entrare: il posto è cambiato'],
    [{ verdict: 'moved', counts: false }, 'Il posto è cambiato. Chiedi al responsabile'],
    [
      { verdict: 'verify', counts: false, ...withState({ note: 'Cambiato con sab 12' }) },
      'Cambiato con sab 12. Chiedi al responsabile',
    ],
    [
      { verdict: 'verify', counts: false, ...withState({}) },
      'Il biglietto ha uno stato nuovo. Chiedi al responsabile',
    ],
    [{ verdict: 'wrong_event', other_event }, 'È per Concerto di Natale, sab 12 dic · 21:00'],
    [{ verdict: 'not_yet', ...event({ admits_from: at + hourMs / 2 }) }, 'Ingresso dalle 21:29'],
    [
      { verdict: 'not_yet', ...event({ admits_from: at + 24 * hourMs }) },
      'Ingresso da dom 22 nov · 20:59',
    ],
    [
      { verdict: 'too_late', ...event({ admits_until: at - 60_000 }) },
      'Si entrava fino alle 20:58',
    ],
    [
      { verdict: 'too_late', ...event({ admits_until: at - 24 * hourMs }) },
      'Si entrava fino a ven 20 nov · 20:59',
    ],
    [
      { verdict: 'verify', counts: false },
      'Biglietto autentico, venduto dopo l’ultimo aggiornamento (20:58). Chiedi al responsabile',
    ],
    [{ offline: true }, 'Ingresso salvato: sarà inviato appena torna la linea'],
    [{ verdict: 'out', direction: 'out', first: scanBefore }, 'alle 20:59 · può rientrare'],
  ];
  for (const [changes, words] of cases) expect(said(changes)).toBe(words);
  expect(said({ verdict: 'verify', counts: true })).toContain('Può entrare');
});

test('a reduced price asks for a document, full price and guests do not, and green stays long enough to read it', () => {
  expect(['Intero', 'Omaggio', 'Ridotto under 26', ''].map(typeNotice)).toEqual([
    null,
    null,
    'Ridotto under 26: controlla il documento',
    null,
  ]);
  expect(staysMs(shown)).toBe(1_500);
  expect(
    staysMs({
      ...shown,
      place: { ...shown.place!, ticket: { ...shown.place!.ticket!, type_label: 'Ridotto' } },
    }),
  ).toBe(3_000);
  expect(staysMs({ ...shown, verdict: 'already_in', counts: false })).toBeNull();
});

test('an exit of somebody who was not inside is doubted, and stays until somebody has seen it', () => {
  const out = { ...shown, verdict: 'out' as const, direction: 'out' as const };
  for (const first of [null, { ...scanBefore, direction: 'out' as const }]) {
    expect([reasonOf({ ...out, first }), staysMs({ ...out, first })]).toEqual([
      'Non risultava entrato: sei su «Uscita»?',
      null,
    ]);
  }
  expect(staysMs({ ...out, first: scanBefore })).toBe(1_500);
});

test('the clock with the shortest trip is believed, until one cannot be explained by its trip', () => {
  const first = measureClock(new Date(10_000).toISOString(), { began: 4_900, ended: 5_100 })!;
  expect(first).toEqual({ offset_ms: 5_000, round_trip_ms: 200, measured_at: 5_100 });
  const slower = { offset_ms: 5_400, round_trip_ms: 900, measured_at: 6_000 };
  expect(betterClock(first, slower)).toBe(first);
  expect(betterClock(first, { ...slower, round_trip_ms: 50 }).offset_ms).toBe(5_400);
  expect(betterClock(first, { ...slower, offset_ms: 3_600_000 }).offset_ms).toBe(3_600_000);
  expect(betterClock(first, { ...slower, measured_at: 5_100 + 11 * 60_000 }).offset_ms).toBe(5_400);
  expect(measureClock('yesterday', { began: 0, ended: 1 })).toBeNull();
});

test('a clock that is set while the server is asked, and an answer that a sleeping phone finds when it wakes, are no measure', () => {
  const server_time = new Date(10_000).toISOString();
  const measure = (ended: number, stopwatch?: number) =>
    measureClock(server_time, { began: 5_000, ended, stopwatch });
  expect(measure(7_000, 2_000)).toMatchObject({ offset_ms: 4_000, round_trip_ms: 2_000 });
  expect(measure(7_000 + 90_000, 2_000)).toBeNull();
  expect(measure(7_000 + 7_200_000, 2_000)).toBeNull();
  expect(measure(7_000, 32_000)).toBeNull();
  expect(measure(5_000 + 2_400_000, 2_400_000)).toBeNull();
  expect(measure(5_000 + 2_400_000)).toBeNull();
  // Without a stopwatch a short trip is believed.
  expect(measure(7_000)).toMatchObject({ offset_ms: 4_000 });
});

test('how wrong a clock is, and how old a list, is said in the unit that a person would take', () => {
  expect(
    [240_000, 59 * 60_000, 3_600_000, 3 * 3_600_000 - 400, 47 * 3_600_000, 72 * 3_600_000].map(
      spanWords,
    ),
  ).toEqual(['4 min', '59 min', 'un’ora', '3 ore', '47 ore', '3 giorni']);
});

test('a clock that is set back in mid-evening is seen by the stopwatch until the server says the time again; a phone that slept is believed', () => {
  const phone = { watch: newWatch(), ports: { now: () => 0, elapsed: () => 0 } as never };
  const look = (
    now: number,
    elapsed: number,
    clock = { offset_ms: 100, round_trip_ms: 1, measured_at: 5 },
  ) =>
    correctedNow({ ...phone, ports: { now: () => now, elapsed: () => elapsed } as never }, clock)
      .corrected;
  expect([look(1_000_000, 10), look(1_010_000, 10_010)]).toEqual([1_000_100, 1_010_100]);
  // Two hours back within a second.
  expect([look(1_011_000 - 7_200_000, 11_010), look(1_012_000 - 7_200_000, 12_010)]).toEqual([
    1_011_100, 1_012_100,
  ]);
  // The pocket: the stopwatch stood still.
  expect(look(1_600_000 - 7_200_000, 13_010)).toBe(1_600_100);
  expect(
    look(1_601_000 - 7_200_000, 14_010, { offset_ms: 7_200_100, round_trip_ms: 1, measured_at: 6 }),
  ).toBe(1_601_100);
});

test('a clock that falls back to 1970 for a moment and is set right again is right, not decades ahead', () => {
  const phone = { watch: newWatch() };
  const look = (now: number, elapsed: number) =>
    correctedNow(
      { ...phone, ports: { now: () => now, elapsed: () => elapsed } as never },
      { offset_ms: 100, round_trip_ms: 1, measured_at: 5 },
    ).corrected;
  expect([look(at, 10), look(4, 20), look(at + 1_000, 1_010), look(at + 2_000, 2_010)]).toEqual([
    at + 100,
    at + 110,
    at + 1_100,
    at + 2_100,
  ]);
});

test('waiting doubles with each failure, never passes a minute and a half, and differs from phone to phone', () => {
  expect([0, 1, 2, 3, 4, 5, 20].map((failures) => waitAfter(failures, 0.5))).toEqual([
    5_000, 5_000, 10_000, 20_000, 40_000, 60_000, 60_000,
  ]);
  expect(waitAfter(20, 1)).toBe(90_000);
  expect(waitAfter(3, 0)).toBe(10_000);
});

test('a pairing token is taken from the link, from its fragment or alone, and from nothing else', () => {
  const token = 'a1B2-c3D4_e5F6g7H8';
  expect(
    [`https://x.it/scanner/#pair=${token}`, `#pair=${token}`, ` ${token} `].map(pairingTokenOf),
  ).toEqual([token, token, token]);
  expect(
    [
      '',
      '#pair=short',
      'https://x.it/scanner/',
      'not a token at all',
      `https://x.it/?pair=${token}`,
    ].map(pairingTokenOf),
  ).toEqual([null, null, null, null, null]);
});

const queued: QueuedScan = {
  admission_id: 'abcdefghijklmnopqrstuv',
  phone_id: 'p1',
  seq: 3,
  event_id: 'e',
  place: 'P-1',
  revision: 1,
  read: null,
  direction: 'in',
  gate: null,
  verdict: 'admit',
  counts: true,
  override: null,
  scanned_at: at,
  corrected_at: at + 5,
  offline: true,
  means: 'search',
  note: 'Telefono scarico',
  annuls: null,
  fate: 'queued',
  answered_at: null,
  seat: 'Platea, posto 1',
};

test('what a phone sends is what the contract reads, and nothing that is only for its screen', () => {
  const sent = sentForm(queued);
  expect(v.parse(scan, sent)).toMatchObject({
    admission_id: queued.admission_id,
    scanned_at: at,
    corrected_at: at + 5,
  });
  expect(Object.keys(sent)).not.toContain('seat');
  expect(Object.keys(sent).toSorted()).toEqual(Object.keys(scan.entries).toSorted());
});

test('an answer settles only scans that it names; an unreadable one may be named by its place in the batch', () => {
  const batch = [queued, { ...queued, admission_id: 'zyxwvutsrqponmlkjihgfe' }];
  const result = (
    admission_id: string | null,
    index: number,
    result: 'stored' | 'conflict' | 'unreadable',
  ) => ({ admission_id, index, result, verdict: null, conflict_with: null });
  const read = (results: ReturnType<typeof result>[]) =>
    Object.fromEntries(readFates(batch, { results, server_time: '' }));
  expect(
    read([result(batch[1]!.admission_id, 0, 'conflict'), result(null, 0, 'unreadable')]),
  ).toEqual({ [batch[1]!.admission_id]: 'conflict', [queued.admission_id]: 'unreadable' });
  expect(
    read([
      result(null, 0, 'stored'),
      result('somebody-elses-scan-id', 1, 'stored'),
      result(null, 9, 'unreadable'),
    ]),
  ).toEqual({});
  // A captive portal's page, an empty object.
  for (const nonsense of ['<html></html>', null, {}, { results: 'no' }])
    expect(readFates(batch, nonsense as never).size).toBe(0);
});
