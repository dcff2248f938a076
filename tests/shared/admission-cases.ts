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
  /** Re-entry by the terms of the ticket's own sale. */
  terms?: boolean;
  /** The code is from before the ticket's move to this place; what the event does with such codes. */
  moved?: true;
  moves?: 'ask';
  /** The house has lost the sale of this code in a restore. */
  lost?: true;
  /** Minutes before the start until which the place is kept, and milliseconds from now until the start. */
  kept?: number;
  starts?: number;
  /** The place was let go and has another guest. */
  away?: true;
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
const inside = [came(1 * hours)];
const insideByHere = [came(1 * hours, 'here')];
const justByHere = [came(1 * seconds, 'here')];
const outside = [came(1 * hours), left(10 * minutes)];
const justOutHere = [came(1 * hours, 'here'), left(1 * seconds, 'here')];
const twiceIn = [came(12 * minutes), came(10 * minutes, 'here')];
const takenBack = [came(5 * minutes, 'there', undone)];
const elsewhere = ['Varco B'];

type Row = [says: string, given: Given, verdict: Verdict, what?: 'counts' | 'overridden'];

/** Rows of one kind: their names begin alike, and so does what is given. */
function each(kind: string, common: Given, rowsOfKind: readonly Row[]): Row[] {
  return rowsOfKind.map(([says, given, ...end]) => [kind + says, { ...common, ...given }, ...end]);
}

const rows: readonly Row[] = [
  // Tickets as they should be.
  ...each('a good ticket', {}, [
    ['', {}, 'admit'],
    [' at a reader without a gate', { gate: null }, 'admit'],
    [' of a renewed place: its second code', { reads: 2, revision: 2 }, 'admit'],
    [', seventh of its place', { reads: 7, revision: 7 }, 'admit'],
    [' at an event that lets nobody back in', { reentry: false }, 'admit'],
    [' where unknown ones are let in too', { policy: 'admit' }, 'admit'],
    [' needs no supervisor, and a reason is not noted', { because: 'lo conosco' }, 'admit'],
  ]),
  ['nobody has come in yet and somebody goes out: the way in was missed', { out: true }, 'out'],

  // What is no ticket of this evening.
  ...each('a supermarket’s code', { reads: 'no_ticket' }, [
    ['', {}, 'invalid'],
    [', going out', { out: true }, 'invalid'],
    [', and a supervisor', { because: 'sembra vero' }, 'invalid'],
    [' at a cancelled event', { cancelled: true }, 'invalid'],
    [' where unknown tickets are let in', { policy: 'admit' }, 'invalid'],
    [' before the doors open', { opens: 1 * hours }, 'invalid'],
  ]),
  ...each('tomorrow’s concert', { reads: 'another_event' }, [
    ['', {}, 'wrong_event'],
    [', going out', { out: true }, 'wrong_event'],
    [', and a supervisor', { because: 'si è sbagliato' }, 'wrong_event'],
    [', and tonight is cancelled', { cancelled: true }, 'wrong_event'],
    [' after the last admission', { closes: -1 }, 'wrong_event'],
  ]),

  // The evening does not take place.
  ...each('the event is cancelled', { cancelled: true }, [
    ['', {}, 'cancelled'],
    [', and a supervisor', { because: 'era già qui' }, 'cancelled'],
    [', going out', { out: true }, 'cancelled'],
    [', the ticket refunded', { ticket: 'refunded' }, 'cancelled'],
    [', the code an old one', { revision: 2 }, 'cancelled'],
    [', the guest already in', { before: [came(5 * minutes)] }, 'cancelled'],
    [', the code read a second ago here', { before: justByHere }, 'cancelled'],
    [
      ', the ticket unknown, where unknown ones are let in',
      { ticket: null, policy: 'admit' },
      'cancelled',
    ],
    [' before its doors open', { opens: 1 * hours }, 'cancelled'],
    [', and this is another gate', { gates: elsewhere }, 'cancelled'],
  ]),

  // Tickets that are none any more, or not yet.
  ...each('a void ticket', { ticket: 'void' }, [
    ['', {}, 'cancelled'],
    [', and a supervisor', { because: 'dice di aver pagato' }, 'cancelled'],
    [', going out', { out: true }, 'cancelled'],
    [' before the doors open', { opens: 1 * hours }, 'cancelled'],
    [' at another gate', { gates: elsewhere }, 'cancelled'],
    [' whose guest had come in', { before: [came(20 * minutes)] }, 'cancelled'],
  ]),
  ...each('a refunded ticket', { ticket: 'refunded' }, [
    ['', {}, 'refunded'],
    [', and a supervisor', { because: 'dice di aver pagato' }, 'refunded'],
    [', going out', { out: true }, 'refunded'],
    [' after the last admission', { closes: -1 * hours }, 'refunded'],
    [' of a place that was sold again: its old code', { ticket: 'valid', revision: 2 }, 'replaced'],
    [
      ' whose guest had gone out again',
      { before: [came(20 * minutes), left(10 * minutes)] },
      'refunded',
    ],
  ]),
  ['a ticket that nobody has really paid', { ticket: 'trial' }, 'trial'],
  ...each('a trial', { ticket: 'trial' }, [
    [', going out', { out: true }, 'trial'],
    [' at another gate', { gates: elsewhere }, 'trial'],
    [' before the doors open', { opens: 1 * hours }, 'trial'],
    [' at a cancelled event', { cancelled: true }, 'cancelled'],
    [', and a supervisor who shows the door', { because: 'dimostrazione' }, 'admit', 'overridden'],
  ]),
  ...each('an unpaid ticket', { ticket: 'unpaid' }, [
    ['', {}, 'unpaid'],
    [', going out', { out: true }, 'unpaid'],
    [', and a supervisor', { because: 'paga domani' }, 'admit', 'overridden'],
    [
      ', going out, and a supervisor: nothing to overrule',
      { out: true, because: 'esce' },
      'unpaid',
    ],
    [' at another gate: the money first', { gates: elsewhere }, 'unpaid'],
    [' before the doors open: the money first', { opens: 1 }, 'unpaid'],
    [' that a supervisor had let in', { before: inside }, 'already_in'],
  ]),

  // Already in.
  ['came in an hour ago at another gate', { before: inside }, 'already_in'],
  ['came in an hour ago here', { before: insideByHere }, 'already_in'],
  ['came in a minute ago at the desk', { before: [came(1 * minutes, 'desk')] }, 'already_in'],
  ['came in this very millisecond at another gate', { before: [came(0)] }, 'already_in'],
  ['read a moment ago at another gate', { before: [came(1 * seconds)] }, 'already_in'],
  ['read a moment ago at the desk', { before: [came(1 * seconds, 'desk')] }, 'already_in'],
  ['read this very millisecond here', { before: [came(0, 'here')] }, 'just_read'],
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
  ...each('read a second ago here', { before: justByHere }, [
    ['', {}, 'just_read'],
    [' at a reader without a gate', { gate: null }, 'just_read'],
    [', and a supervisor: still in front of him', { because: 'bambino' }, 'just_read'],
    [', now going out', { out: true }, 'out'],
  ]),
  ...each('already in', { before: inside }, [
    [', and a supervisor', { because: 'ha perso l’amico' }, 'admit', 'overridden'],
    [
      ' where nobody comes back, and a supervisor',
      { reentry: false, because: 'era in bagno' },
      'admit',
      'overridden',
    ],
    [', at another gate than his own', { gates: elsewhere }, 'already_in'],
    [
      ', and the doors do not open yet',
      { opens: 1 * hours, before: [came(1 * minutes)] },
      'already_in',
    ],
    [', and it is too late', { closes: -1 }, 'already_in'],
    [
      ' by the place’s newer code, which is held out again',
      { reads: 2, revision: 2, before: [came(1 * hours, 'there', second)] },
      'already_in',
    ],
  ]),
  [
    'the holder changed after the old code came in: the new one has not',
    { reads: 2, revision: 2, before: inside },
    'admit',
  ],
  ...each('let in twice', { before: twiceIn }, [
    [' by two phones apart', {}, 'already_in'],
    [
      ' by two phones apart, the other one later',
      { before: [came(12 * minutes, 'here'), came(10 * minutes)] },
      'already_in',
    ],
    [', and a supervisor', { because: 'visto di persona' }, 'admit', 'overridden'],
  ]),

  // Out and in again.
  ['goes out where he came in', { before: insideByHere, out: true }, 'out'],
  ...each('came in, then ', { before: inside, out: true }, [
    [
      'the event was cancelled, and goes out: he is not in the house any more',
      { cancelled: true },
      'out',
    ],
    ['his ticket was made void, and goes out', { ticket: 'void' }, 'out'],
    ['his ticket was refunded, and goes out', { ticket: 'refunded' }, 'out'],
  ]),
  [
    'came in with a ticket that has a new holder since, and goes out',
    { revision: 2, before: inside, out: true },
    'out',
  ],
  ...each('a ticket that ended while its guest is inside', { before: inside }, [
    [': refunded', { ticket: 'refunded' }, 'refunded'],
    [': void', { ticket: 'void' }, 'cancelled'],
    [': no supervisor lets in another', { ticket: 'refunded', because: 'è con lui' }, 'refunded'],
    [': void, and a supervisor', { ticket: 'void', because: 'è con lui' }, 'cancelled'],
    [', read a moment ago here', { ticket: 'refunded', before: justByHere }, 'refunded'],
  ]),
  [
    'his refunded ticket was read out already, and is held out for going out again',
    { ticket: 'refunded', before: [came(1 * hours), left(5 * minutes)], out: true },
    'refunded',
  ],
  ...each('goes out', { before: inside, out: true }, [
    ['', {}, 'out'],
    [' by a gate that is not his: out is out', { gates: elsewhere }, 'out'],
    [' before the doors open', { opens: 1 * hours }, 'out'],
    [' after the last admission', { closes: -2 * hours, before: [came(3 * hours)] }, 'out'],
    [' where nobody comes back', { reentry: false }, 'out'],
    [' a second time', { before: [came(1 * hours), left(30 * minutes)] }, 'out'],
    [', and a supervisor: nothing to overrule', { because: 'esce' }, 'out'],
  ]),
  ...each('comes back', { before: outside }, [
    [' after a smoke', {}, 'admit'],
    [' a second after he left by this gate', { before: justOutHere }, 'admit'],
    [
      ' for the third time',
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
    [' where nobody may', { reentry: false }, 'already_in'],
    [
      ' where nobody may, a second after he left by this gate',
      { reentry: false, before: justOutHere },
      'just_read',
    ],
    [
      ' where nobody may, and a supervisor',
      { reentry: false, because: 'medicina in auto' },
      'admit',
      'overridden',
    ],
    [' at another gate than his own', { gates: elsewhere }, 'wrong_gate'],
    [' after the last admission', { closes: -1 * minutes }, 'too_late'],
  ]),
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
  ...each('went out without coming in, and comes', { before: [left(10 * minutes)] }, [
    ['', {}, 'admit'],
    [', where nobody comes back', { reentry: false }, 'already_in'],
  ]),

  // A paper from before its ticket moved here: all is as with the new code, but its seat.
  ...each('an old paper of a moved ticket', { moved: true }, [
    ['', {}, 'moved', 'counts'],
    [' where a person is asked', { moves: 'ask' }, 'moved'],
    [
      ' where a person is asked, and a supervisor',
      { moves: 'ask', because: 'visto' },
      'admit',
      'overridden',
    ],
    [', going out', { out: true }, 'out'],
    [', whose guest is in', { before: inside }, 'already_in'],
    [', whose guest came in here a second ago', { before: justByHere }, 'just_read'],
    [', whose guest goes out', { before: inside, out: true }, 'out'],
    [', whose guest comes back', { before: outside }, 'moved', 'counts'],
    [' to another gate', { gates: elsewhere }, 'wrong_gate'],
    [' before the doors open', { opens: 1 * hours }, 'not_yet'],
    [' of a cancelled event', { cancelled: true }, 'cancelled'],
    [' that is not paid', { ticket: 'unpaid' }, 'unpaid'],
    [' whose new code was held out here in a newer form', { seen: 2 }, 'replaced'],
  ]),
  // What a later release says of a ticket.
  ...each('a ticket in a state of a later release', { ticket: 'other' }, [
    ['', {}, 'verify'],
    [' where unknown ones are let in', { policy: 'admit' }, 'verify'],
    [', and a supervisor', { because: 'chiesto in ufficio' }, 'admit', 'overridden'],
    [' before the doors open', { opens: 1 * hours }, 'not_yet'],
  ]),
  // A free place that is kept until fifteen minutes before the start.
  ...each('a kept free place', { ticket: 'kept', kept: 15 }, [
    [' in time', {}, 'admit'],
    [' a moment before its time', { starts: 15 * minutes + 1 }, 'admit'],
    [' at its time', { starts: 15 * minutes }, 'verify'],
    [' after it, where unknown ones are let in', { starts: 0, policy: 'admit' }, 'verify'],
    [' after it, and a supervisor', { starts: 0, because: 'è qui' }, 'admit', 'overridden'],
    [' in time, at another gate', { gates: elsewhere }, 'wrong_gate'],
    [' after it, whose guest is in', { starts: 0, before: inside }, 'already_in'],
    [' after it, whose guest goes out', { starts: 0, before: inside, out: true }, 'out'],
    [' after it, before the doors open', { starts: 0, opens: 1 * hours }, 'not_yet'],
    [' after it, whose guest comes back', { starts: 0, before: outside }, 'admit'],
  ]),
  ...each('a free place that was let go', { ticket: 'let_go' }, [
    ['', {}, 'verify'],
    [' where unknown ones are let in', { policy: 'admit' }, 'verify', 'counts'],
    [', and a supervisor', { because: 'è libero' }, 'admit', 'overridden'],
    [', whose guest is in', { before: inside }, 'already_in'],
    [' of a cancelled event', { cancelled: true }, 'cancelled'],
  ]),
  ...each('a ticket whose place went to another guest', { away: true, revision: 2 }, [
    ['', {}, 'cancelled'],
    [', and a supervisor', { because: 'protesta' }, 'cancelled'],
    [', whose guest goes out', { before: inside, out: true }, 'out'],
  ]),
  ...each('a guest who went out', { before: outside }, [
    [', sold and let in where no one comes back', { terms: false, reentry: false }, 'already_in'],
    [', sold where no one came back, as the office allows it now', { terms: false }, 'admit'],
    [', sold before the event let no one back', { terms: true, reentry: false }, 'admit'],
  ]),

  // A sale that was lost in a restore; its place was sold again.
  ...each('a ticket of a lost sale, its place sold again', { lost: true, revision: 2 }, [
    ['', {}, 'verify'],
    [' where unknown ones are let in', { policy: 'admit' }, 'verify'],
    [', and a supervisor', { because: 'due sedie' }, 'admit', 'overridden'],
    [', whose guest is in', { before: inside }, 'already_in'],
    [', whose guest goes out', { before: inside, out: true }, 'out'],
    [', going out without having come in', { out: true }, 'verify'],
    [' before the doors open', { opens: 1 * hours }, 'not_yet'],
    [' of a cancelled event', { cancelled: true }, 'cancelled'],
  ]),
  [
    'a ticket of a lost sale, its place free, where unknown ones are let in',
    { lost: true, ticket: null, policy: 'admit' },
    'verify',
    'counts',
  ],

  // Revisions: which code of the place.
  ...each('the old code', { revision: 2 }, [
    [' of a ticket with a new holder', {}, 'replaced'],
    [
      ' of a ticket with a new holder, and a supervisor',
      { because: 'è la stessa persona' },
      'replaced',
    ],
    [' of a ticket with a new holder, going out', { out: true }, 'replaced'],
    [', whose guest had come in before the change', { before: inside }, 'replaced'],
    [' a second after it was read here, and then changed', { before: justByHere }, 'replaced'],
    [' before the doors open', { opens: 1 * hours }, 'replaced'],
    [' of a place whose new ticket is refunded', { ticket: 'refunded' }, 'replaced'],
  ]),
  ['a code five tickets old', { reads: 2, revision: 7 }, 'replaced'],
  ...each('the listed code, after ', { seen: 2 }, [
    ['a newer one was held out here', {}, 'replaced'],
    ['a newer one was held out here, and a supervisor', { because: 'è lui' }, 'replaced'],
    ['one two ahead was held out here', { seen: 3 }, 'replaced'],
  ]),
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
  ...each('one code ahead of ', { reads: 2 }, [
    ['a void ticket', { ticket: 'void' }, 'verify'],
    ['a refunded ticket: the place was sold again', { ticket: 'refunded' }, 'verify'],
  ]),

  // Authentic, but not on this list: sold after the last update.
  ...each('sold after the last update', { ticket: null }, [
    ['', {}, 'verify'],
    [', and a supervisor', { because: 'ha la ricevuta' }, 'admit', 'overridden'],
    [', going out', { out: true }, 'out'],
    [', let in by a supervisor, a second time', { before: insideByHere }, 'already_in'],
    [', before the doors open', { opens: 1 * hours }, 'not_yet'],
  ]),
  ['sold twice after the last update', { ticket: null, reads: 2 }, 'verify'],
  [
    'three times sold after the last update: nobody here can know it',
    { ticket: null, reads: 3 },
    'invalid',
  ],
  ...each('sold after the last update, where such are let in', { ticket: null, policy: 'admit' }, [
    ['', {}, 'verify', 'counts'],
    [': no supervisor needed', { because: 'va bene' }, 'verify', 'counts'],
    [', a second time', { before: inside }, 'already_in'],
    [', read again at once', { before: justByHere }, 'just_read'],
    [
      ', back after an exit',
      { before: [came(1 * hours, 'here'), left(10 * minutes)] },
      'verify',
      'counts',
    ],
    [', before the doors open', { opens: 1 }, 'not_yet'],
    [', after the last admission', { closes: 0 }, 'too_late'],
    [
      ', taken back and read again',
      { before: [came(5 * minutes, 'here', undone)] },
      'verify',
      'counts',
    ],
  ]),
  [
    'sold after the last update, where nobody comes back, after an exit',
    { ticket: null, policy: 'admit', reentry: false, before: outside },
    'already_in',
  ],
  ...each('one code ahead of the list, where such are let in', { reads: 2, policy: 'admit' }, [
    ['', {}, 'verify', 'counts'],
    [', after the old one came in', { before: inside }, 'verify', 'counts'],
  ]),

  // Gates.
  ...each('his own gate', { gates: elsewhere }, [
    ['', { gates: ['Varco A'] }, 'admit'],
    [', written otherwise at the reader', { gate: ' varco  b' }, 'admit'],
    [', one of two', { gates: ['Varco B', 'Varco A'] }, 'admit'],
  ]),
  ['neither of his two gates', { gates: ['Varco B', 'Varco C'] }, 'wrong_gate'],
  ['a reader without a gate takes all', { gates: elsewhere, gate: null }, 'admit'],
  ...each('another gate', { gates: elsewhere }, [
    ['', {}, 'wrong_gate'],
    [', and a supervisor', { because: 'in carrozzina' }, 'admit', 'overridden'],
    [', before the doors open: the gate first', { opens: 1 }, 'wrong_gate'],
    [', after the last admission: the gate first', { closes: -1 }, 'wrong_gate'],
    [', a renewed ticket', { reads: 2, revision: 2 }, 'wrong_gate'],
    [', and an old code', { revision: 2 }, 'replaced'],
    [', going out without having come in', { out: true }, 'out'],
  ]),

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
  ...each('his way in was taken back', { before: takenBack }, [
    ['', {}, 'admit'],
    [' here, a second after it was read', { before: [came(1 * seconds, 'here', undone)] }, 'admit'],
    [', where nobody comes back', { reentry: false }, 'admit'],
    [', and the gate is another', { gates: elsewhere }, 'wrong_gate'],
    [', and the ticket refunded since', { ticket: 'refunded' }, 'refunded'],
  ]),
  ['came in at the desk five minutes ago', { before: [came(5 * minutes, 'desk')] }, 'already_in'],
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
  const { moved = false, moves = 'admit', lost = false, terms, kept = 0, away = false } = given;
  const { cancelled, opens, closes, policy, reentry } = rulesOf(given);
  const reading = readingOf(given);
  return {
    reading,
    ticket:
      ticket === null
        ? null
        : { revision, state: ticket, kept_minutes: kept, gates, reentry: terms ?? null },
    moved,
    event: {
      cancelled,
      starts_at: now + (given.starts ?? 1 * hours),
      admits_from: opens === null ? null : now + opens,
      admits_until: closes === null ? null : now + closes,
      verify_policy: policy,
      moved_policy: moves,
      reentry,
    },
    lost,
    given: away,
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
