/** The door's list on the wire, in columns (wire 2): server/domain/door-list.ts says what each column holds. */
import * as v from 'valibot';
import { verifyPolicies } from '#server/domain/admission.ts';
import { timeOut } from './endpoint.ts';

const repeated = v.object({ of: v.array(v.string()), at: v.array(v.number()) });
const headed = v.object({ heads: repeated, tails: v.array(v.string()) });
const numbers = v.array(v.number());
const texts = v.nullable(v.array(v.nullable(v.string())));

export const placeColumns = v.object({
  place: headed,
  seat: headed,
  section: repeated,
  category: repeated,
  issued: numbers,
  hashes: v.string(),
  hash_counts: numbers,
  ticketed: numbers,
  revision: numbers,
  state: numbers,
  type_label: repeated,
  order_group: repeated,
  initials: repeated,
  gates: repeated,
  sealed_name: texts,
  name: texts,
  order_number: texts,
});

export const admissionColumns = v.object({
  admission_id: v.array(v.string()),
  place: headed,
  revision: numbers,
  direction: numbers,
  at: numbers,
  gate: repeated,
  phone_id: repeated,
  by: repeated,
  conflict_with: repeated,
  undone: numbers,
});

/**
 * `from`: the cursor that it begins after, null for a snapshot. With `form=block` a whole list is not JSON but application/octet-stream: the four letters BTG2, the
 * length of the block as four bytes, the block, and behind it to the end this page as JSON without `places` and `admissions`, which are in the block. The block
 * is what the phone keeps (server/domain/door-block.ts): all numbers little-endian; two of four bytes, the length of its head and where its columns begin; the head,
 * JSON, with the texts that repeat and for each column offset, entries and bytes of an entry; the columns, each at a multiple of eight.
 */
export const doorPage = v.object({
  wire: v.literal(2),
  kind: v.picklist(['snapshot', 'delta']),
  from: v.nullable(v.string()),
  cursor: v.string(),
  more: v.boolean(),
  server_time: timeOut,
  event: v.object({
    id: v.string(),
    title: v.string(),
    starts_at: timeOut,
    admits_from: v.nullable(timeOut),
    admits_until: v.nullable(timeOut),
    wipe_at: timeOut,
    cancelled: v.boolean(),
    tag: v.string(),
    salt: v.string(),
    verify_policy: v.picklist(verifyPolicies),
    reentry: v.boolean(),
    rehearsal: v.boolean(),
    /** Of the whole event, for the progress bar. */
    places: v.number(),
  }),
  other_events: v.array(v.object({ tag: v.string(), title: v.string(), starts_at: timeOut })),
  places: placeColumns,
  admissions: admissionColumns,
});
export type DoorPage = v.InferOutput<typeof doorPage>;
/** What a page says beside its list. */
export type DoorHead = Omit<DoorPage, 'places' | 'admissions'>;
