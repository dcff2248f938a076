/** The door's list on the wire: the head beside its block, and the rows of later changes. */
import * as v from 'valibot';
import {
  directions,
  listedStates,
  verifyPolicies,
  type ListedState,
  type VerifyPolicy,
} from '#server/domain/door/admission.ts';
import { headReasons, type HeadReason } from '#server/domain/door/heads.ts';
import { endedWhys } from '#server/domain/door/ended-code.ts';
import { timeIn } from '#server/contract/endpoint.ts';

/** Times are ISO text; a reader may turn them into integer ms (`timeIn`). */
const timeText = v.pipe(v.string(), v.isoTimestamp());

const movedFrom = v.array(v.object({ place: v.string(), revision: v.number() }));
const revisions = v.array(v.number());
const lostSpans = v.array(v.tuple([v.number(), v.number()]));

/**
 * What differs between writing and reading the list: a reader knows its moments as integers, and
 * what an older server leaves out or a newer one adds (server/domain/door/wire.ts).
 */
const written = {
  time: timeText,
  reason: v.picklist(headReasons),
  licensed: v.optional(v.nullable(v.number())),
  state: v.picklist(listedStates),
  policy: v.picklist(verifyPolicies),
  why: v.nullable(v.picklist(endedWhys)),
  moved_policy: v.optional(v.picklist(verifyPolicies)),
  reentry: v.nullable(v.boolean()),
  note: v.nullable(v.string()),
  moved_from: movedFrom,
  lost: lostSpans,
  given: v.optional(revisions),
  kept_minutes: v.optional(v.number()),
};
const anyState: ListedState = 'other';
const anyPolicy: VerifyPolicy = 'ask';
const anyReason: HeadReason = 'other';
const received = {
  time: timeIn,
  reason: v.fallback(v.picklist(headReasons), anyReason),
  licensed: v.optional(v.nullable(v.number()), null),
  state: v.fallback(v.picklist(listedStates), anyState),
  policy: v.fallback(v.picklist(verifyPolicies), anyPolicy),
  why: v.fallback(v.nullable(v.picklist(endedWhys)), null),
  moved_policy: v.optional(v.fallback(v.picklist(verifyPolicies), anyPolicy), anyPolicy),
  reentry: v.optional(v.nullable(v.boolean()), null),
  note: v.optional(v.nullable(v.string()), null),
  moved_from: v.optional(movedFrom, []),
  lost: v.optional(lostSpans, []),
  given: v.optional(revisions),
  kept_minutes: v.optional(v.number()),
};
type Parts = typeof written | typeof received;

/** How a code ended (server/domain/door/ended-code.ts). */
// @__NO_SIDE_EFFECTS__
function endedCode<const P extends Parts>({ why, time }: P) {
  return v.object({
    revision: v.number(),
    why: why as P['why'],
    at: time as P['time'],
    note: v.nullable(v.string()),
    order_number: v.nullable(v.string()),
    was: v.optional(movedFrom),
  });
}

/** What a phone may know about a place (server/domain/door/door-list.ts). */
// @__NO_SIDE_EFFECTS__
function placeForPhone<const P extends Parts>(parts: P) {
  const { state, reentry, note, moved_from, lost, given, kept_minutes } = parts;
  return v.object({
    place: v.string(),
    seat: v.string(),
    section: v.nullable(v.string()),
    category: v.string(),
    entrance: v.nullable(v.string()),
    marks: v.optional(v.array(v.string())),
    issued: v.number(),
    hashes: v.array(v.string()),
    lost: lost as P['lost'],
    given: given as P['given'],
    ended: v.optional(v.array(endedCode(parts))),
    ticket: v.nullable(
      v.object({
        revision: v.number(),
        state: state as P['state'],
        kept_minutes: kept_minutes as P['kept_minutes'],
        type_label: v.string(),
        order_group: v.string(),
        initials: v.nullable(v.string()),
        sealed_name: v.nullable(v.string()),
        gates: v.array(v.string()),
        name: v.nullable(v.string()),
        buyer: v.optional(v.string()),
        order_number: v.nullable(v.string()),
        reentry: reentry as P['reentry'],
        note: note as P['note'],
        door_note: v.optional(v.string()),
        moved_from: moved_from as P['moved_from'],
        was: v.optional(movedFrom),
      }),
    ),
  });
}

/** A scan that let a person in or out (server/domain/door/door-list.ts). */
// @__NO_SIDE_EFFECTS__
export function admissionForPhone<const T extends v.GenericSchema>(time: T) {
  return v.object({
    admission_id: v.string(),
    place: v.string(),
    revision: v.number(),
    direction: v.picklist(directions),
    at: time,
    gate: v.nullable(v.string()),
    phone_id: v.nullable(v.string()),
    by: v.string(),
    conflict_with: v.nullable(v.string()),
    undone: v.boolean(),
  });
}

/** A count of people without a ticket, for every phone of the event (RULES A15). */
// @__NO_SIDE_EFFECTS__
function headsForPhone<const P extends Parts>(parts: P) {
  return v.object({
    head_id: v.string(),
    direction: v.picklist(directions),
    people: v.number(),
    reason: parts.reason as P['reason'],
    at: parts.time as P['time'],
    gate: v.nullable(v.string()),
    phone_id: v.nullable(v.string()),
    by: v.string(),
    undone: v.boolean(),
  });
}

/** The event and the state of the list; the next call sends its `cursor`. */
// @__NO_SIDE_EFFECTS__
function headWith<const P extends Parts>(parts: P) {
  const time = parts.time as P['time'];
  return {
    cursor: v.string(),
    event: v.object({
      id: v.string(),
      title: v.string(),
      starts_at: time,
      admits_from: v.nullable(time),
      admits_until: v.nullable(time),
      wipe_at: time,
      cancelled: v.boolean(),
      tag: v.string(),
      salt: v.string(),
      verify_policy: parts.policy as P['policy'],
      moved_policy: parts.moved_policy as P['moved_policy'],
      reentry: v.boolean(),
      rehearsal: v.boolean(),
      /** How many people the hall is licensed for; null: unknown. */
      licensed: parts.licensed as P['licensed'],
    }),
    /**
     * Tags of the organiser's other events, so that the phone can name an event of such a ticket.
     */
    other_events: v.array(v.object({ tag: v.string(), title: v.string(), starts_at: time })),
    /**
     * Counts of people without a ticket: all in the head of a list, the changed ones in changes.
     * A server of before 1.3.0 sends none.
     */
    heads: v.optional(v.array(headsForPhone(parts)), []),
  };
}

// @__NO_SIDE_EFFECTS__
function changesWith<const P extends Parts>(parts: P) {
  return v.object({
    ...headWith(parts),
    /** The cursor after which they begin. */
    from: v.string(),
    server_time: v.string(),
    places: v.array(placeForPhone(parts)),
    admissions: v.array(admissionForPhone(parts.time as P['time'])),
  });
}

/** The head as the server sends it. */
const doorHead = v.object(headWith(written));
export const doorChanges = changesWith(written);
export type DoorHead = v.InferOutput<typeof doorHead>;
export type DoorChanges = v.InferOutput<typeof doorChanges>;

/** The head as a phone reads it. */
export const receivedHead = v.object(headWith(received));
export const receivedChanges = changesWith(received);
export type ReceivedHead = v.InferOutput<typeof receivedHead>;
export type ReceivedChanges = v.InferOutput<typeof receivedChanges>;
