/** The door case by case, one line each, as a doorman would tell it: the same table is put to the rule, to the server and to the phone. */
import type {
  AdmissionAsk,
  AdmissionFacts,
  CountedScan,
  Direction,
  LastAdmission,
  Reading,
  ListedState,
  Verdict,
  VerifyPolicy,
} from '#server/domain/door/admission.ts';
import { standingOf } from '#server/domain/door/admission.ts';

/** What was done with the ticket before; `here` is the phone that reads now. In milliseconds before now. */
export interface Before {
  direction: Direction;
  ago: number;
  by: 'here' | 'there' | 'desk';
  revision: number;
  undone: boolean;
}

interface Given {
  /** Which revision of the place's code is held out; or a code of another event of ours; or no ticket at all. */
  reads?: number | 'another_event' | 'no_ticket';
  /** The newest ticket that is known here; null: none was ever sold, as far as is known here. */
  ticket?: ListedState | null;
  revision?: number;
  gates?: string[];
  /** A newer code of the place that was held out here earlier, before the list knew of it. */
  seen?: number;
  before?: Before[];
  /** Milliseconds from now. */
  opens?: number;
  closes?: number;
  cancelled?: true;
  policy?: 'admit';
  reentry?: false;
  /** The reader's gate; null: it stands at none. */
  gate?: string | null;
  out?: true;
  /** The supervisor's reason. */
  because?: string;
}

export interface DoorCase {
  says: string;
  given: Given;
  verdict: Verdict;
  counts: boolean;
  overridden: boolean;
}

const seconds = 1_000;
const minutes = 60 * seconds;
const hours = 60 * minutes;

function came(ago: number, by: Before['by'] = 'there', changes: Partial<Before> = {}): Before {
  return { direction: 'in', ago, by, revision: 1, undone: false, ...changes };
}

function left(ago: number, by: Before['by'] = 'there', changes: Partial<Before> = {}): Before {
  return { ...came(ago, by, changes), direction: 'out' };
}

const undone = { undone: true };
const second = { revision: 2 };

type Row = [says: string, given: Given, verdict: Verdict, what?: 'counts' | 'overridden'];

const rows: readonly Row[] = [
  // Tickets as they should be.
  ['a good ticket', {}, 'admit'],
  ['a good ticket at a reader without a gate', { gate: null }, 'admit'],
  ['a good ticket of a renewed place: its second code', { reads: 2, revision: 2 }, 'admit'],
  ['a good ticket, seventh of its place', { reads: 7, revision: 7 }, 'admit'],
  ['a good ticket at an event that lets nobody back in', { reentry: false }, 'admit'],
  ['a good ticket where unknown ones are let in too', { policy: 'admit' }, 'admit'],
  [
    'a good ticket needs no supervisor, and a reason is not noted',
    { because: 'lo conosco' },
    'admit',
  ],
  ['nobody has come in yet and somebody goes out: the way in was missed', { out: true }, 'out'],

  // What is no ticket of this evening.
  ['a supermarket’s code', { reads: 'no_ticket' }, 'invalid'],
  ['a supermarket’s code, going out', { reads: 'no_ticket', out: true }, 'invalid'],
  [
    'a supermarket’s code, and a supervisor',
    { reads: 'no_ticket', because: 'sembra vero' },
    'invalid',
  ],
  ['a supermarket’s code at a cancelled event', { reads: 'no_ticket', cancelled: true }, 'invalid'],
  [
    'a supermarket’s code where unknown tickets are let in',
    { reads: 'no_ticket', policy: 'admit' },
    'invalid',
  ],
  [
    'a supermarket’s code before the doors open',
    { reads: 'no_ticket', opens: 1 * hours },
    'invalid',
  ],
  ['tomorrow’s concert', { reads: 'another_event' }, 'wrong_event'],
  ['tomorrow’s concert, going out', { reads: 'another_event', out: true }, 'wrong_event'],
  [
    'tomorrow’s concert, and a supervisor',
    { reads: 'another_event', because: 'si è sbagliato' },
    'wrong_event',
  ],
  [
    'tomorrow’s concert, and tonight is cancelled',
    { reads: 'another_event', cancelled: true },
    'wrong_event',
  ],
  [
    'tomorrow’s concert after the last admission',
    { reads: 'another_event', closes: -1 },
    'wrong_event',
  ],

  // The evening does not take place.
  ['the event is cancelled', { cancelled: true }, 'cancelled'],
  [
    'the event is cancelled, and a supervisor',
    { cancelled: true, because: 'era già qui' },
    'cancelled',
  ],
  ['the event is cancelled, going out', { cancelled: true, out: true }, 'cancelled'],
  [
    'the event is cancelled, the ticket refunded',
    { cancelled: true, ticket: 'refunded' },
    'cancelled',
  ],
  ['the event is cancelled, the code an old one', { cancelled: true, revision: 2 }, 'cancelled'],
  [
    'the event is cancelled, the guest already in',
    { cancelled: true, before: [came(5 * minutes)] },
    'cancelled',
  ],
  [
    'the event is cancelled, the code read a second ago here',
    { cancelled: true, before: [came(1 * seconds, 'here')] },
    'cancelled',
  ],
  [
    'the event is cancelled, the ticket unknown, where unknown ones are let in',
    { cancelled: true, ticket: null, policy: 'admit' },
    'cancelled',
  ],
  [
    'the event is cancelled before its doors open',
    { cancelled: true, opens: 1 * hours },
    'cancelled',
  ],
  [
    'the event is cancelled, and this is another gate',
    { cancelled: true, gates: ['Varco B'] },
    'cancelled',
  ],

  // Tickets that are none any more, or not yet.
  ['a void ticket', { ticket: 'void' }, 'cancelled'],
  [
    'a void ticket, and a supervisor',
    { ticket: 'void', because: 'dice di aver pagato' },
    'cancelled',
  ],
  ['a void ticket, going out', { ticket: 'void', out: true }, 'cancelled'],
  ['a void ticket before the doors open', { ticket: 'void', opens: 1 * hours }, 'cancelled'],
  ['a void ticket at another gate', { ticket: 'void', gates: ['Varco B'] }, 'cancelled'],
  [
    'a void ticket whose guest had come in',
    { ticket: 'void', before: [came(20 * minutes)] },
    'already_in',
  ],
  ['a refunded ticket', { ticket: 'refunded' }, 'refunded'],
  [
    'a refunded ticket, and a supervisor',
    { ticket: 'refunded', because: 'dice di aver pagato' },
    'refunded',
  ],
  ['a refunded ticket, going out', { ticket: 'refunded', out: true }, 'refunded'],
  [
    'a refunded ticket after the last admission',
    { ticket: 'refunded', closes: -1 * hours },
    'refunded',
  ],
  [
    'a refunded ticket of a place that was sold again: its old code',
    { ticket: 'valid', revision: 2 },
    'replaced',
  ],
  [
    'a refunded ticket whose guest had gone out again',
    { ticket: 'refunded', before: [came(20 * minutes), left(10 * minutes)] },
    'refunded',
  ],
  ['a ticket that nobody has really paid', { ticket: 'trial' }, 'trial'],
  ['a trial, going out', { ticket: 'trial', out: true }, 'trial'],
  ['a trial at another gate', { ticket: 'trial', gates: ['Varco B'] }, 'trial'],
  ['a trial before the doors open', { ticket: 'trial', opens: 1 * hours }, 'trial'],
  ['a trial at a cancelled event', { ticket: 'trial', cancelled: true }, 'cancelled'],
  [
    'a trial, and a supervisor who shows the door',
    { ticket: 'trial', because: 'dimostrazione' },
    'admit',
    'overridden',
  ],
  ['an unpaid ticket', { ticket: 'unpaid' }, 'unpaid'],
  ['an unpaid ticket, going out', { ticket: 'unpaid', out: true }, 'unpaid'],
  [
    'an unpaid ticket, and a supervisor',
    { ticket: 'unpaid', because: 'paga domani' },
    'admit',
    'overridden',
  ],
  [
    'an unpaid ticket, going out, and a supervisor: nothing to overrule',
    { ticket: 'unpaid', out: true, because: 'esce' },
    'unpaid',
  ],
  [
    'an unpaid ticket at another gate: the money first',
    { ticket: 'unpaid', gates: ['Varco B'] },
    'unpaid',
  ],
  [
    'an unpaid ticket before the doors open: the money first',
    { ticket: 'unpaid', opens: 1 },
    'unpaid',
  ],
  [
    'an unpaid ticket that a supervisor had let in',
    { ticket: 'unpaid', before: [came(1 * hours)] },
    'already_in',
  ],

  // Already in.
  ['came in an hour ago at another gate', { before: [came(1 * hours)] }, 'already_in'],
  ['came in an hour ago here', { before: [came(1 * hours, 'here')] }, 'already_in'],
  ['came in a minute ago at the desk', { before: [came(1 * minutes, 'desk')] }, 'already_in'],
  ['came in this very millisecond at another gate', { before: [came(0)] }, 'already_in'],
  ['read a moment ago at another gate', { before: [came(1 * seconds)] }, 'already_in'],
  ['read a moment ago at the desk', { before: [came(1 * seconds, 'desk')] }, 'already_in'],
  ['read this very millisecond here', { before: [came(0, 'here')] }, 'just_read'],
  ['read a second ago here', { before: [came(1 * seconds, 'here')] }, 'just_read'],
  ['read 4.999 seconds ago here', { before: [came(4_999, 'here')] }, 'just_read'],
  ['read five seconds ago here', { before: [came(5_000, 'here')] }, 'already_in'],
  ['read 5.001 seconds ago here', { before: [came(5_001, 'here')] }, 'already_in'],
  [
    'read here 4.999 seconds from now: the clock was set back a little',
    { before: [came(-4_999, 'here')] },
    'just_read',
  ],
  [
    'read here two hours from now: the clock was set back a lot',
    { before: [came(-2 * hours, 'here')] },
    'already_in',
  ],
  [
    'read a second ago here at a reader without a gate',
    { gate: null, before: [came(1 * seconds, 'here')] },
    'just_read',
  ],
  [
    'read a second ago here, and a supervisor: still in front of him',
    { before: [came(1 * seconds, 'here')], because: 'bambino' },
    'just_read',
  ],
  [
    'read a second ago here, now going out',
    { before: [came(1 * seconds, 'here')], out: true },
    'out',
  ],
  [
    'already in, and a supervisor',
    { before: [came(1 * hours)], because: 'ha perso l’amico' },
    'admit',
    'overridden',
  ],
  [
    'already in where nobody comes back, and a supervisor',
    { reentry: false, before: [came(1 * hours)], because: 'era in bagno' },
    'admit',
    'overridden',
  ],
  [
    'already in, at another gate than his own',
    { gates: ['Varco B'], before: [came(1 * hours)] },
    'already_in',
  ],
  [
    'already in, and the doors do not open yet',
    { opens: 1 * hours, before: [came(1 * minutes)] },
    'already_in',
  ],
  ['already in, and it is too late', { closes: -1, before: [came(1 * hours)] }, 'already_in'],
  [
    'already in by the place’s newer code, which is held out again',
    { reads: 2, revision: 2, before: [came(1 * hours, 'there', second)] },
    'already_in',
  ],
  [
    'the holder changed after the old code came in: the new one has not',
    { reads: 2, revision: 2, before: [came(1 * hours)] },
    'admit',
  ],
  [
    'let in twice by two phones apart',
    { before: [came(12 * minutes), came(10 * minutes, 'here')] },
    'already_in',
  ],
  [
    'let in twice by two phones apart, the other one later',
    { before: [came(12 * minutes, 'here'), came(10 * minutes)] },
    'already_in',
  ],
  [
    'let in twice, and a supervisor',
    { before: [came(12 * minutes), came(10 * minutes, 'here')], because: 'visto di persona' },
    'admit',
    'overridden',
  ],

  // Out and in again.
  ['goes out', { before: [came(1 * hours)], out: true }, 'out'],
  ['goes out where he came in', { before: [came(1 * hours, 'here')], out: true }, 'out'],
  [
    'came in, then the event was cancelled, and goes out: he is not in the house any more',
    { cancelled: true, before: [came(1 * hours)], out: true },
    'out',
  ],
  [
    'came in, then his ticket was made void, and goes out',
    { ticket: 'void', before: [came(1 * hours)], out: true },
    'out',
  ],
  [
    'came in, then his ticket was refunded, and goes out',
    { ticket: 'refunded', before: [came(1 * hours)], out: true },
    'out',
  ],
  [
    'came in with a ticket that has a new holder since, and goes out',
    { revision: 2, before: [came(1 * hours)], out: true },
    'out',
  ],
  [
    'his refunded ticket was read out already, and is held out for going out again',
    { ticket: 'refunded', before: [came(1 * hours), left(5 * minutes)], out: true },
    'refunded',
  ],
  [
    'goes out by a gate that is not his: out is out',
    { gates: ['Varco B'], before: [came(1 * hours)], out: true },
    'out',
  ],
  [
    'goes out before the doors open',
    { opens: 1 * hours, before: [came(1 * hours)], out: true },
    'out',
  ],
  [
    'goes out after the last admission',
    { closes: -2 * hours, before: [came(3 * hours)], out: true },
    'out',
  ],
  [
    'goes out where nobody comes back',
    { reentry: false, before: [came(1 * hours)], out: true },
    'out',
  ],
  ['goes out a second time', { before: [came(1 * hours), left(30 * minutes)], out: true }, 'out'],
  [
    'goes out, and a supervisor: nothing to overrule',
    { before: [came(1 * hours)], out: true, because: 'esce' },
    'out',
  ],
  ['comes back after a smoke', { before: [came(1 * hours), left(10 * minutes)] }, 'admit'],
  [
    'comes back a second after he left by this gate',
    { before: [came(1 * hours, 'here'), left(1 * seconds, 'here')] },
    'admit',
  ],
  [
    'comes back for the third time',
    {
      before: [
        came(60 * minutes),
        left(50 * minutes),
        came(40 * minutes, 'here'),
        left(30 * minutes),
        came(20 * minutes),
        left(10 * minutes, 'here'),
      ],
    },
    'admit',
  ],
  [
    'comes back where nobody may',
    { reentry: false, before: [came(1 * hours), left(10 * minutes)] },
    'already_in',
  ],
  [
    'comes back where nobody may, a second after he left by this gate',
    { reentry: false, before: [came(1 * hours, 'here'), left(1 * seconds, 'here')] },
    'just_read',
  ],
  [
    'comes back where nobody may, and a supervisor',
    { reentry: false, before: [came(1 * hours), left(10 * minutes)], because: 'medicina in auto' },
    'admit',
    'overridden',
  ],
  [
    'comes back at another gate than his own',
    { gates: ['Varco B'], before: [came(1 * hours), left(10 * minutes)] },
    'wrong_gate',
  ],
  [
    'comes back after the last admission',
    { closes: -1 * minutes, before: [came(1 * hours), left(10 * minutes)] },
    'too_late',
  ],
  [
    'came back already',
    { before: [came(3 * hours), left(2 * hours), came(1 * hours)] },
    'already_in',
  ],
  [
    'came back a second ago, here',
    { before: [came(3 * hours), left(2 * hours), came(1 * seconds, 'here')] },
    'just_read',
  ],
  ['went out without coming in, and comes', { before: [left(10 * minutes)] }, 'admit'],
  [
    'went out without coming in, and comes, where nobody comes back',
    { reentry: false, before: [left(10 * minutes)] },
    'already_in',
  ],

  // Revisions: which code of the place.
  ['the old code of a ticket with a new holder', { revision: 2 }, 'replaced'],
  [
    'the old code of a ticket with a new holder, and a supervisor',
    { revision: 2, because: 'è la stessa persona' },
    'replaced',
  ],
  ['the old code of a ticket with a new holder, going out', { revision: 2, out: true }, 'replaced'],
  ['a code five tickets old', { reads: 2, revision: 7 }, 'replaced'],
  [
    'the old code, whose guest had come in before the change',
    { revision: 2, before: [came(1 * hours)] },
    'replaced',
  ],
  [
    'the old code a second after it was read here, and then changed',
    { revision: 2, before: [came(1 * seconds, 'here')] },
    'replaced',
  ],
  ['the old code before the doors open', { revision: 2, opens: 1 * hours }, 'replaced'],
  [
    'the old code of a place whose new ticket is refunded',
    { revision: 2, ticket: 'refunded' },
    'replaced',
  ],
  ['the listed code, after a newer one was held out here', { seen: 2 }, 'replaced'],
  [
    'the listed code, after a newer one was held out here, and a supervisor',
    { seen: 2, because: 'è lui' },
    'replaced',
  ],
  ['the listed code, after one two ahead was held out here', { seen: 3 }, 'replaced'],
  [
    'the first code of a place that the list has unsold, after the second was held out here',
    { ticket: null, seen: 2 },
    'replaced',
  ],
  ['the newer code itself, a second time after it was not let in', { reads: 2, seen: 2 }, 'verify'],
  ['one code ahead of the list', { reads: 2 }, 'verify'],
  ['two codes ahead of the list', { reads: 3 }, 'verify'],
  ['three codes ahead of the list: nobody here can know it', { reads: 4 }, 'invalid'],
  ['two ahead, after one ahead was held out here', { reads: 3, seen: 2 }, 'verify'],
  ['one ahead, after two ahead was held out here', { reads: 2, seen: 3 }, 'replaced'],
  ['one code ahead of a void ticket', { ticket: 'void', reads: 2 }, 'verify'],
  [
    'one code ahead of a refunded ticket: the place was sold again',
    { ticket: 'refunded', reads: 2 },
    'verify',
  ],

  // Authentic, but not on this list: sold after the last update.
  ['sold after the last update', { ticket: null }, 'verify'],
  ['sold twice after the last update', { ticket: null, reads: 2 }, 'verify'],
  [
    'three times sold after the last update: nobody here can know it',
    { ticket: null, reads: 3 },
    'invalid',
  ],
  [
    'sold after the last update, and a supervisor',
    { ticket: null, because: 'ha la ricevuta' },
    'admit',
    'overridden',
  ],
  ['sold after the last update, going out', { ticket: null, out: true }, 'out'],
  [
    'sold after the last update, where such are let in',
    { ticket: null, policy: 'admit' },
    'verify',
    'counts',
  ],
  [
    'sold after the last update, where such are let in: no supervisor needed',
    { ticket: null, policy: 'admit', because: 'va bene' },
    'verify',
    'counts',
  ],
  [
    'sold after the last update, where such are let in, a second time',
    { ticket: null, policy: 'admit', before: [came(1 * hours)] },
    'already_in',
  ],
  [
    'sold after the last update, where such are let in, read again at once',
    { ticket: null, policy: 'admit', before: [came(1 * seconds, 'here')] },
    'just_read',
  ],
  [
    'sold after the last update, let in by a supervisor, a second time',
    { ticket: null, before: [came(1 * hours, 'here')] },
    'already_in',
  ],
  [
    'sold after the last update, where such are let in, back after an exit',
    { ticket: null, policy: 'admit', before: [came(1 * hours, 'here'), left(10 * minutes)] },
    'verify',
    'counts',
  ],
  [
    'sold after the last update, where nobody comes back, after an exit',
    {
      ticket: null,
      policy: 'admit',
      reentry: false,
      before: [came(1 * hours), left(10 * minutes)],
    },
    'already_in',
  ],
  [
    'sold after the last update, where such are let in, before the doors open',
    { ticket: null, policy: 'admit', opens: 1 },
    'not_yet',
  ],
  [
    'sold after the last update, where such are let in, after the last admission',
    { ticket: null, policy: 'admit', closes: 0 },
    'too_late',
  ],
  [
    'sold after the last update, before the doors open',
    { ticket: null, opens: 1 * hours },
    'not_yet',
  ],
  [
    'one code ahead of the list, where such are let in',
    { reads: 2, policy: 'admit' },
    'verify',
    'counts',
  ],
  [
    'one code ahead of the list, where such are let in, after the old one came in',
    { reads: 2, policy: 'admit', before: [came(1 * hours)] },
    'verify',
    'counts',
  ],

  // Gates.
  ['his own gate', { gates: ['Varco A'] }, 'admit'],
  [
    'his own gate, written otherwise at the reader',
    { gates: ['Varco B'], gate: ' varco  b' },
    'admit',
  ],
  ['his own gate, one of two', { gates: ['Varco B', 'Varco A'] }, 'admit'],
  ['another gate', { gates: ['Varco B'] }, 'wrong_gate'],
  ['neither of his two gates', { gates: ['Varco B', 'Varco C'] }, 'wrong_gate'],
  [
    'another gate, and a supervisor',
    { gates: ['Varco B'], because: 'in carrozzina' },
    'admit',
    'overridden',
  ],
  ['a reader without a gate takes all', { gates: ['Varco B'], gate: null }, 'admit'],
  [
    'another gate, before the doors open: the gate first',
    { gates: ['Varco B'], opens: 1 },
    'wrong_gate',
  ],
  [
    'another gate, after the last admission: the gate first',
    { gates: ['Varco B'], closes: -1 },
    'wrong_gate',
  ],
  ['another gate, a renewed ticket', { gates: ['Varco B'], reads: 2, revision: 2 }, 'wrong_gate'],
  ['another gate, and an old code', { gates: ['Varco B'], revision: 2 }, 'replaced'],
  ['another gate, going out without having come in', { gates: ['Varco B'], out: true }, 'out'],

  // The hours of the door, to the millisecond.
  ['a millisecond before the doors open', { opens: 1 }, 'not_yet'],
  ['the very millisecond the doors open', { opens: 0 }, 'admit'],
  ['a millisecond after the doors opened', { opens: -1 }, 'admit'],
  ['two hours early', { opens: 2 * hours }, 'not_yet'],
  ['a millisecond early, and a supervisor', { opens: 1, because: 'piove' }, 'admit', 'overridden'],
  ['a millisecond before the last admission', { closes: 1 }, 'admit'],
  ['the very millisecond of the last admission', { closes: 0 }, 'too_late'],
  ['a millisecond after the last admission', { closes: -1 }, 'too_late'],
  [
    'two hours late, and a supervisor',
    { closes: -2 * hours, because: 'treno in ritardo' },
    'admit',
    'overridden',
  ],
  ['between the two hours', { opens: -1 * hours, closes: 1 * hours }, 'admit'],
  ['a door that is open for a millisecond', { opens: 0, closes: 1 }, 'admit'],
  ['a door that closes before it opens: early is said first', { opens: 1, closes: -1 }, 'not_yet'],
  ['early at an event that lets nobody back in', { opens: 1 * minutes, reentry: false }, 'not_yet'],
  ['late, an unpaid ticket: the money first', { ticket: 'unpaid', closes: -1 }, 'unpaid'],

  // Taken back.
  ['his way in was taken back', { before: [came(5 * minutes, 'there', undone)] }, 'admit'],
  [
    'his way in was taken back here, a second after it was read',
    { before: [came(1 * seconds, 'here', undone)] },
    'admit',
  ],
  ['came in at the desk five minutes ago', { before: [came(5 * minutes, 'desk')] }, 'already_in'],
  [
    'his way in was taken back, where nobody comes back',
    { reentry: false, before: [came(5 * minutes, 'there', undone)] },
    'admit',
  ],
  [
    'of two ways in the first was taken back',
    { before: [came(12 * minutes, 'there', undone), came(10 * minutes, 'here')] },
    'already_in',
  ],
  [
    'of two ways in the second was taken back',
    { before: [came(12 * minutes), came(10 * minutes, 'here', undone)] },
    'already_in',
  ],
  [
    'both ways in were taken back',
    { before: [came(9 * minutes, 'there', undone), came(8 * minutes, 'here', undone)] },
    'admit',
  ],
  [
    'his way out was taken back: he is still in',
    { before: [came(1 * hours), left(5 * minutes, 'here', undone)] },
    'already_in',
  ],
  [
    'his way out was taken back, and he goes out',
    { before: [came(1 * hours), left(5 * minutes, 'there', undone)], out: true },
    'out',
  ],
  [
    'his way in was taken back, and the gate is another',
    { gates: ['Varco B'], before: [came(5 * minutes, 'there', undone)] },
    'wrong_gate',
  ],
  [
    'his way in was taken back, and the ticket refunded since',
    { ticket: 'refunded', before: [came(5 * minutes, 'there', undone)] },
    'refunded',
  ],
  [
    'sold after the last update, where such are let in, taken back and read again',
    { ticket: null, policy: 'admit', before: [came(5 * minutes, 'here', undone)] },
    'verify',
    'counts',
  ],
];

export const doorCases: readonly DoorCase[] = rows.map(([says, given, verdict, what]) => ({
  says,
  given,
  verdict,
  counts: what !== undefined || verdict === 'admit' || verdict === 'out',
  overridden: what === 'overridden',
}));

export const defaultGate = 'Varco A';

/** How many codes were ever issued on the place, as far as is known here. */
export function issuedOf({ ticket, revision = 1 }: Given): number {
  return ticket === null ? 0 : revision;
}

/** A list knows the codes of all tickets issued and of the next two (RULES C3). */
const revisionsAhead = 2;

/** What the recogniser makes of the code that is held out. */
export function readingOf(given: Given): Reading {
  const { reads = 1 } = given;
  if (reads === 'another_event') return { kind: 'other_event' };
  if (reads === 'no_ticket' || reads > issuedOf(given) + revisionsAhead) return { kind: 'unknown' };
  return { kind: 'place', place: 'Platea-A-1', revision: reads };
}

export interface EventRules {
  cancelled: boolean;
  opens: number | null;
  closes: number | null;
  policy: VerifyPolicy;
  reentry: boolean;
}

export function rulesOf({ cancelled, opens, closes, policy, reentry }: Given): EventRules {
  return {
    cancelled: cancelled ?? false,
    opens: opens ?? null,
    closes: closes ?? null,
    policy: policy ?? 'ask',
    reentry: reentry ?? true,
  };
}

/** The row as the rule is told it. */
export function factsOf(given: Given, now: number): AdmissionFacts {
  const { ticket = 'valid', revision = 1, gates = [], seen = 0, before = [] } = given;
  const { cancelled, opens, closes, policy, reentry } = rulesOf(given);
  const reading = readingOf(given);
  return {
    reading,
    ticket: ticket === null ? null : { revision, state: ticket, gates },
    event: {
      cancelled,
      admits_from: opens === null ? null : now + opens,
      admits_until: closes === null ? null : now + closes,
      verify_policy: policy,
      reentry,
    },
    newest: Math.max(issuedOf(given), seen, ...before.map((scan) => scan.revision)),
    last:
      reading.kind === 'place'
        ? lastOf(
            before.filter((scan) => scan.revision === reading.revision),
            now,
          )
        : null,
  };
}

const phoneOf: Record<Before['by'], string | null> = { here: 'here', there: 'there', desk: null };

function lastOf(before: readonly Before[], now: number): LastAdmission | null {
  const scans = before.map((scan, index): CountedScan & LastAdmission => ({
    admission_id: `scan-${index}`,
    direction: scan.direction,
    corrected_at: now - scan.ago,
    undone: scan.undone,
    at: now - scan.ago,
    phone_id: phoneOf[scan.by],
  }));
  return standingOf(scans).last;
}

export function askOf({ out, gate = defaultGate, because }: Given, now: number): AdmissionAsk {
  return {
    now,
    direction: out ? 'out' : 'in',
    phone_id: phoneOf.here,
    gate,
    override: because ?? null,
  };
}
