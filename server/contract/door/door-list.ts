/** The door's list on the wire: the head beside its block, and the rows of later changes. */
import * as v from 'valibot';
import { directions, listedStates, verifyPolicies } from '#server/domain/door/admission.ts';
import { timeIn } from '#server/contract/endpoint.ts';

/** Times are ISO text; a reader may turn them into integer ms (`timeIn`). */
const timeText = v.pipe(v.string(), v.isoTimestamp());
type Time = typeof timeText | typeof timeIn;

/** What a phone may know about a place (server/domain/door/door-list.ts). */
const placeForPhone = v.object({
  place: v.string(),
  seat: v.string(),
  section: v.nullable(v.string()),
  category: v.string(),
  entrance: v.nullable(v.string()),
  issued: v.number(),
  hashes: v.array(v.string()),
  ticket: v.nullable(
    v.object({
      revision: v.number(),
      state: v.picklist(listedStates),
      type_label: v.string(),
      order_group: v.string(),
      initials: v.nullable(v.string()),
      sealed_name: v.nullable(v.string()),
      gates: v.array(v.string()),
      name: v.nullable(v.string()),
      order_number: v.nullable(v.string()),
    }),
  ),
});

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

/** The event and the state of the list; the next call sends its `cursor`. */
// @__NO_SIDE_EFFECTS__
function headWith<const T extends Time>(time: T) {
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
      verify_policy: v.picklist(verifyPolicies),
      reentry: v.boolean(),
      rehearsal: v.boolean(),
    }),
    /**
     * Tags of the organiser's other events, so that the phone can name an event of such a ticket.
     */
    other_events: v.array(v.object({ tag: v.string(), title: v.string(), starts_at: time })),
  };
}

// @__NO_SIDE_EFFECTS__
function changesWith<const T extends Time>(time: T) {
  return v.object({
    ...headWith(time),
    /** The cursor after which they begin. */
    from: v.string(),
    server_time: v.string(),
    places: v.array(placeForPhone),
    admissions: v.array(admissionForPhone(time)),
  });
}

/** The head as the server sends it. */
const doorHead = v.object(headWith(timeText));
export const doorChanges = changesWith(timeText);
export type DoorHead = v.InferOutput<typeof doorHead>;
export type DoorChanges = v.InferOutput<typeof doorChanges>;

/** The head as a phone reads it. */
export const receivedHead = v.object(headWith(timeIn));
export const receivedChanges = changesWith(timeIn);
export type ReceivedHead = v.InferOutput<typeof receivedHead>;
export type ReceivedChanges = v.InferOutput<typeof receivedChanges>;
