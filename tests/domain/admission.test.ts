/** The door's rule against the table of cases, and what holds whatever the facts. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  decideAdmission,
  directions,
  justReadMs,
  mayOverrule,
  listedStates,
  verdicts,
  verifyPolicies,
  type AdmissionAsk,
  type AdmissionFacts,
  type Verdict,
} from '#server/domain/door/admission.ts';
import { askOf, doorCases, factsOf } from '#tests/shared/admission-cases.ts';

const now = 1_800_000_000_000;

test.each(doorCases)('$says: $verdict', ({ given, ...expected }) => {
  const { verdict, counts, overridden } = decideAdmission(factsOf(given, now), askOf(given, now));
  expect({ verdict, counts, overridden }).toEqual({
    verdict: expected.verdict,
    counts: expected.counts,
    overridden: expected.overridden,
  });
});

/** No reading gets it. */
const neverRead: readonly Verdict[] = ['undone'];

test('the table has at least 120 rows, each said once, and a row for every verdict that a reading can get', () => {
  expect(doorCases.length).toBeGreaterThanOrEqual(120);
  expect(new Set(doorCases.map(({ says }) => says)).size).toBe(doorCases.length);
  expect(new Set(doorCases.map(({ given }) => JSON.stringify(given))).size).toBe(doorCases.length);
  expect(new Set([...doorCases.map(({ verdict }) => verdict), ...neverRead])).toEqual(
    new Set(verdicts),
  );
});

const near = fc.oneof(
  fc.integer({ min: now - 6_000, max: now + 6_000 }),
  fc.integer({ min: now - 10_800_000, max: now + 10_800_000 }),
);
const anyFacts: fc.Arbitrary<AdmissionFacts> = fc.record({
  reading: fc.oneof(
    fc.constant({ kind: 'unknown' as const }),
    fc.constant({ kind: 'other_event' as const }),
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('place' as const),
        place: fc.constant('p'),
        revision: fc.integer({ min: 1, max: 4 }),
      }),
    },
  ),
  moved: fc.boolean(),
  event: fc.record({
    cancelled: fc.boolean(),
    starts_at: near,
    admits_from: fc.option(near),
    admits_until: fc.option(near),
    verify_policy: fc.constantFrom(...verifyPolicies),
    moved_policy: fc.constantFrom(...verifyPolicies),
    reentry: fc.boolean(),
  }),
  ticket: fc.option(
    fc.record({
      revision: fc.integer({ min: 1, max: 3 }),
      state: fc.constantFrom(...listedStates),
      kept_minutes: fc.constantFrom(0, 15),
      gates: fc.constantFrom([], ['A'], ['B'], ['A', 'B']),
      reentry: fc.option(fc.boolean()),
    }),
  ),
  newest: fc.integer({ min: 0, max: 4 }),
  lost: fc.boolean(),
  last: fc.option(
    fc.record({
      direction: fc.constantFrom(...directions),
      at: near,
      phone_id: fc.option(fc.constantFrom('phone-a', 'phone-b')),
    }),
  ),
});
const anyAsk: fc.Arbitrary<AdmissionAsk> = fc.record({
  now: fc.constant(now),
  direction: fc.constantFrom(...directions),
  phone_id: fc.option(fc.constantFrom('phone-a', 'phone-b')),
  gate: fc.constantFrom('A', 'B', null),
  override: fc.option(fc.constant('motivo')),
});

/** Each with a thousand worlds. */
function holds(
  name: string,
  check: (
    facts: AdmissionFacts,
    ask: AdmissionAsk,
    decision: ReturnType<typeof decideAdmission>,
  ) => void,
): void {
  test(name, () => {
    fc.assert(
      fc.property(anyFacts, anyAsk, (facts, ask) => check(facts, ask, decideAdmission(facts, ask))),
      { numRuns: 1_000 },
    );
  });
}

holds(
  'every reading gets one of the verdicts, the same each time, and nobody’s facts are changed',
  (facts, ask, decision) => {
    const before = structuredClone({ facts, ask });
    expect(verdicts).toContain(decision.verdict);
    expect(neverRead).not.toContain(decision.verdict);
    expect(decideAdmission(facts, ask)).toEqual(decision);
    expect({ facts, ask }).toEqual(before);
  },
);

holds(
  'who goes in or out does so by a word that says it: ENTRA, USCITO, or VERIFICA and SPOSTATO where the event lets these in',
  (facts, ask, { verdict, counts }) => {
    if (verdict === 'admit' || verdict === 'out') expect(counts).toBe(true);
    if (counts) expect(['admit', 'out', 'verify', 'moved']).toContain(verdict);
    if (counts && verdict === 'moved') expect(facts.event.moved_policy).toBe('admit');
    if (counts && verdict === 'verify') expect(facts.event.verify_policy).toBe('admit');
    if (verdict === 'admit') expect(ask.direction).toBe('in');
    if (verdict === 'out') expect(ask.direction).toBe('out');
  },
);

holds(
  'nobody goes in or out by what is no code of this event; by an older code, or when the event is cancelled, only who is in goes out',
  (facts, { direction }, { counts, overridden }) => {
    if (!counts) return;
    expect(facts.reading.kind).toBe('place');
    if (direction === 'out' && facts.last?.direction === 'in') return;
    expect(facts.event.cancelled).toBe(false);
    const isOld = facts.reading.kind === 'place' && facts.reading.revision < facts.newest;
    // Of two honest buyers of one place a supervisor says who comes in.
    expect(isOld && !(facts.lost && overridden)).toBe(false);
  },
);

holds(
  'a supervisor changes only what may be overruled, only on the way in, and only to ENTRA',
  (facts, ask, { verdict, overridden }) => {
    const plain = decideAdmission(facts, { ...ask, override: null });
    expect(plain.overridden).toBe(false);
    expect(overridden).toBe(
      ask.override !== null && mayOverrule(plain.verdict, ask.direction, plain.counts),
    );
    if (overridden) expect([verdict, ask.direction, plain.counts]).toEqual(['admit', 'in', false]);
    else expect(verdict).toBe(plain.verdict);
  },
);

holds(
  'whoever is in does not come in again without a supervisor’s word',
  (facts, ask, { counts, overridden }) => {
    if (counts && ask.direction === 'in' && facts.last?.direction === 'in')
      expect(overridden).toBe(true);
    const mayComeBack = facts.ticket?.reentry || facts.event.reentry;
    if (counts && ask.direction === 'in' && facts.last !== null && !mayComeBack)
      expect(overridden).toBe(true);
  },
);

holds(
  'APPENA LETTO is said only by the phone that let in, within five seconds, and never to somebody who goes out',
  ({ last }, ask, { verdict }) => {
    if (verdict !== 'just_read') return;
    expect(ask.direction).toBe('in');
    expect(last!.phone_id).not.toBeNull();
    expect(last!.phone_id).toBe(ask.phone_id);
    expect(Math.abs(now - last!.at)).toBeLessThan(justReadMs);
  },
);

holds(
  'outside the door’s hours nobody comes in without a supervisor’s word',
  ({ event }, ask, { counts, overridden }) => {
    const isOpen =
      (event.admits_from === null || now >= event.admits_from) &&
      (event.admits_until === null || now < event.admits_until);
    if (counts && ask.direction === 'in' && !isOpen) expect(overridden).toBe(true);
  },
);

holds(
  'a ticket that is void or paid back lets nobody in, whoever says what, and one that is unpaid only a supervisor',
  ({ ticket, reading }, ask, { counts, overridden }) => {
    if (
      !ticket ||
      reading.kind !== 'place' ||
      reading.revision !== ticket.revision ||
      ask.direction === 'out'
    )
      return;
    if (ticket.state === 'void' || ticket.state === 'refunded') expect(counts).toBe(false);
    const isPaid = ticket.state !== 'unpaid' && ticket.state !== 'trial';
    expect(overridden || isPaid || !counts).toBe(true);
  },
);

holds(
  'a ticket for other gates is let in at this one only by a supervisor',
  ({ ticket, reading }, ask, { counts, overridden }) => {
    if (
      !ticket ||
      reading.kind !== 'place' ||
      reading.revision !== ticket.revision ||
      ask.direction === 'out'
    )
      return;
    if (counts && ask.gate !== null && ticket.gates.length > 0 && !ticket.gates.includes(ask.gate))
      expect(overridden).toBe(true);
  },
);

holds(
  'only the last scan of this ticket matters for who is in, not how long ago it was made',
  (facts, ask, { verdict }) => {
    if (facts.last === null || verdict === 'just_read') return;
    const older = decideAdmission(
      { ...facts, last: { ...facts.last, at: facts.last.at - 7 * 86_400_000 } },
      ask,
    );
    expect(older.verdict).toBe(verdict);
  },
);
