/** The door's rule, case by case: the same table speaks for server and phone, because both run this function. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { conflictsOf, decideAdmission, justReadMs, verdicts, type AdmissionAsk, type AdmissionFacts, type CountedScan, type Verdict } from '#server/domain/admission.ts';

const now = 1_800_000_000_000;

function makeFacts(changes: Partial<AdmissionFacts> = {}): AdmissionFacts {
  return {
    reading: { kind: 'place', place: 'Platea-A-1', revision: 1 },
    event: { cancelled: false, admits_from: null, verify_policy: 'ask', reentry: true },
    ticket: { revision: 1, state: 'valid', gates: [] }, newest: 1, last: null, ...changes,
  };
}

function makeAsk(changes: Partial<AdmissionAsk> = {}): AdmissionAsk {
  return { now, direction: 'in', phone_id: 'phone-a', gate: 'A', override: null, ...changes };
}

const inside = { direction: 'in', at: now - 60_000, phone_id: 'phone-b' } as const;
const outside = { direction: 'out', at: now - 60_000, phone_id: 'phone-b' } as const;
const event = makeFacts().event;

const cases: [name: string, facts: Partial<AdmissionFacts>, ask: Partial<AdmissionAsk>, verdict: Verdict, counts: boolean][] = [
  ['valid', {}, {}, 'admit', true],
  ['unknown text', { reading: { kind: 'unknown' } }, {}, 'invalid', false],
  ['another event', { reading: { kind: 'other_event' } }, {}, 'wrong_event', false],
  ['cancelled event', { event: { ...event, cancelled: true } }, {}, 'cancelled', false],
  ['already in elsewhere', { last: inside }, {}, 'already_in', false],
  ['already in here, a minute ago', { last: { ...inside, phone_id: 'phone-a' } }, {}, 'already_in', false],
  ['just read here', { last: { ...inside, at: now - 1, phone_id: 'phone-a' } }, {}, 'just_read', false],
  ['just read here cannot be overruled', { last: { ...inside, at: now - 1, phone_id: 'phone-a' } }, { override: 'bambino' }, 'just_read', false],
  ['just read at another gate', { last: { ...inside, at: now - 1 } }, {}, 'already_in', false],
  ['exactly at the end of just read', { last: { ...inside, at: now - justReadMs, phone_id: 'phone-a' } }, {}, 'already_in', false],
  ['back after an exit', { last: outside }, {}, 'admit', true],
  ['back after an exit where nobody may', { last: outside, event: { ...event, reentry: false } }, {}, 'already_in', false],
  ['exit', { last: inside }, { direction: 'out' }, 'out', true],
  ['exit without entry', {}, { direction: 'out' }, 'out', true],
  ['void', { ticket: { revision: 1, state: 'void', gates: [] } }, {}, 'cancelled', false],
  ['refunded', { ticket: { revision: 1, state: 'refunded', gates: [] } }, {}, 'refunded', false],
  ['unpaid', { ticket: { revision: 1, state: 'unpaid', gates: [] } }, {}, 'unpaid', false],
  ['unpaid, let in by a supervisor', { ticket: { revision: 1, state: 'unpaid', gates: [] } }, { override: 'paga dopo' }, 'admit', true],
  ['older revision', { ticket: { revision: 2, state: 'valid', gates: [] }, newest: 2 }, {}, 'replaced', false],
  ['older revision seen as such at a door only', { newest: 2 }, {}, 'replaced', false],
  ['older revision cannot be overruled', { newest: 2 }, { override: 'lo conosco' }, 'replaced', false],
  ['authentic, sold after the last update', { ticket: null, newest: 0 }, {}, 'verify', false],
  ['the same where the policy lets in', { ticket: null, newest: 0, event: { ...event, verify_policy: 'admit' } }, {}, 'verify', true],
  ['where the policy lets in, a supervisor has nothing to overrule', { ticket: null, newest: 0, event: { ...event, verify_policy: 'admit' } }, { override: 'x' }, 'verify', true],
  ['sold after the last update, a second time', { ticket: null, newest: 1, last: inside, event: { ...event, verify_policy: 'admit' } }, {}, 'already_in', false],
  ['sold after the last update, let in by a supervisor', { ticket: null, newest: 0 }, { override: 'visto l’ordine' }, 'admit', true],
  ['next revision than the one known', { reading: { kind: 'place', place: 'x', revision: 2 } }, {}, 'verify', false],
  ['right gate', { ticket: { revision: 1, state: 'valid', gates: ['A', 'B'] } }, {}, 'admit', true],
  ['wrong gate', { ticket: { revision: 1, state: 'valid', gates: ['B'] } }, {}, 'wrong_gate', false],
  ['the same gate, typed otherwise', { ticket: { revision: 1, state: 'valid', gates: ['Varco  B'] } }, { gate: ' varco b' }, 'admit', true],
  ['wrong gate, overruled', { ticket: { revision: 1, state: 'valid', gates: ['B'] } }, { override: 'in carrozzina' }, 'admit', true],
  ['a phone without a gate', { ticket: { revision: 1, state: 'valid', gates: ['B'] } }, { gate: null }, 'admit', true],
  ['too early', { event: { ...event, admits_from: now + 1 } }, {}, 'not_yet', false],
  ['on the minute', { event: { ...event, admits_from: now } }, {}, 'admit', true],
  ['too early, overruled', { event: { ...event, admits_from: now + 1 } }, { override: 'piove' }, 'admit', true],
  ['unknown text cannot be overruled', { reading: { kind: 'unknown' } }, { override: 'x' }, 'invalid', false],
  ['refunded cannot be overruled', { ticket: { revision: 1, state: 'refunded', gates: [] } }, { override: 'x' }, 'refunded', false],
  ['already in, overruled', { last: inside }, { override: 'bambino' }, 'admit', true],
];

test.each(cases)('%s', (_, facts, ask, verdict, counts) => {
  const decision = decideAdmission(makeFacts(facts), makeAsk(ask));
  expect([decision.verdict, decision.counts]).toEqual([verdict, counts]);
});

test('every verdict has a case', () => {
  expect(new Set(cases.map(([, , , verdict]) => verdict))).toEqual(new Set(verdicts));
});

test('whatever the facts, only a code of this event lets somebody in, and never twice without a word', () => {
  const facts = fc.record({
    reading: fc.oneof(fc.constant({ kind: 'unknown' as const }), fc.constant({ kind: 'other_event' as const }), fc.record({ kind: fc.constant('place' as const), place: fc.constant('p'), revision: fc.integer({ min: 1, max: 4 }) })),
    event: fc.record({ cancelled: fc.boolean(), admits_from: fc.option(fc.integer({ min: now - 5, max: now + 5 })), verify_policy: fc.constantFrom('ask' as const, 'admit' as const), reentry: fc.boolean() }),
    ticket: fc.option(fc.record({ revision: fc.integer({ min: 1, max: 3 }), state: fc.constantFrom('valid' as const, 'void' as const, 'refunded' as const, 'unpaid' as const), gates: fc.constantFrom([], ['A'], ['B']) })),
    newest: fc.integer({ min: 0, max: 4 }),
    last: fc.option(fc.record({ direction: fc.constantFrom('in' as const, 'out' as const), at: fc.integer({ min: now - 10_000, max: now }), phone_id: fc.option(fc.constantFrom('phone-a', 'phone-b')) })),
  });
  const ask = fc.record({ now: fc.constant(now), direction: fc.constantFrom('in' as const, 'out' as const), phone_id: fc.constant('phone-a'), gate: fc.constantFrom('A', null), override: fc.option(fc.constant('motivo')) });
  fc.assert(fc.property(facts, ask, (known, asked) => {
    const { verdict, counts, overridden } = decideAdmission(known, asked);
    if (counts) expect(known.reading.kind).toBe('place');
    if (counts && known.event.cancelled) expect(verdict).toBe('never');
    if (counts && asked.direction === 'in' && known.last?.direction === 'in') expect(overridden).toBe(true);
    if (overridden) expect(asked.override).not.toBeNull();
    if (verdict === 'admit') expect(counts).toBe(true);
  }), { numRuns: 2_000 });
});

test('of scans made apart exactly one opens each stay, whatever the order of arrival', () => {
  const scan = fc.record({ admission_id: fc.uuid(), direction: fc.constantFrom('in' as const, 'out' as const), corrected_at: fc.integer({ min: 0, max: 20 }), received: fc.integer({ min: 0, max: 20 }) });
  fc.assert(fc.property(fc.uniqueArray(scan, { selector: ({ admission_id }) => admission_id, maxLength: 12 }), fc.infiniteStream(fc.nat()), (scans: CountedScan[], chance) => {
    const shuffled = scans.map((one) => ({ one, key: chance.next().value as number })).toSorted((a, b) => a.key - b.key).map(({ one }) => one);
    const conflicts = conflictsOf(scans);
    expect(conflictsOf(shuffled)).toEqual(conflicts);
    const winners = scans.filter(({ admission_id }) => !conflicts.has(admission_id)).toSorted((a, b) => a.corrected_at - b.corrected_at || a.received - b.received || (a.admission_id < b.admission_id ? -1 : 1));
    for (const [index, one] of winners.entries()) if (one.direction === 'in' && index > 0) expect(winners[index - 1]!.direction).toBe('out');
  }));
});
