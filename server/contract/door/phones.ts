/** Phones on the wire: made and revoked in the office, paired once at the door. */
import * as v from 'valibot';
import { publicKeyPattern } from '#server/domain/door/approval.ts';
import { mostHeadsTold } from '#server/domain/door/heads.ts';
import { phoneRoles, phoneStates, pinDigits } from '#server/domain/door/phone.ts';
import { guestForPhone } from './against.ts';
import {
  endpoint,
  listAsk,
  pageOf,
  text,
  timeOut,
  trimmed,
  yesNo,
} from '#server/contract/endpoint.ts';

const phone = v.object({
  id: v.string(),
  name: v.string(),
  gate: v.nullable(v.string()),
  state: v.picklist(phoneStates),
  events: v.array(v.object({ id: v.string(), title: v.string() })),
  created_at: timeOut,
  paired_at: v.nullable(timeOut),
  last_seen_at: v.nullable(timeOut),
  revoked_at: v.nullable(timeOut),
  queue_length: v.nullable(v.number()),
  shelf_length: v.nullable(v.number()),
  clock_offset_ms: v.nullable(v.number()),
  battery: v.nullable(v.number()),
  app_version: v.nullable(v.string()),
  wire_version: v.nullable(v.number()),
  missing_scans: v.number(),
  role: v.picklist(phoneRoles),
  chooses_gate: v.boolean(),
});

export const listPhones = endpoint('GET', '/api/admin/phones/', {
  who: 'see_devices',
  summary: 'The phones of the door, the newest first',
  /**
   * `q`: name, gate, event, or the whole id. `revoked`: only revoked phones, or only the others.
   */
  query: v.object({ ...listAsk, revoked: yesNo }),
  reply: v.object(pageOf(phone)),
});

/**
 * The link is shown once and valid for ten minutes: `<public origin>/scanner/#pair=<token>`. The
 * fragment never reaches a server log.
 */
const pairing = v.object({ phone, pairing_url: v.string(), expires_at: timeOut });

export const makePhone = endpoint('POST', '/api/admin/phones/', {
  who: 'change_devices',
  refusals: ['event_not_found'],
  summary: 'Make a phone and its pairing link',
  body: v.object({
    name: trimmed(60, 1),
    gate: v.optional(v.nullable(v.pipe(text(60), v.trim()))),
    event_ids: v.pipe(v.array(text(100, 1)), v.minLength(1), v.maxLength(50)),
    role: v.optional(v.picklist(phoneRoles)),
    /** Whether the person at the door may choose the gate; missing: yes. */
    chooses_gate: v.optional(v.boolean()),
  }),
  reply: pairing,
});

/**
 * Changes name, gate, events, role and choice of a phone in use; the phone learns of it at its next
 * contact. Missing fields stay as they are.
 */
export const changePhone = endpoint('PUT', '/api/admin/phones/:phoneId', {
  who: 'change_devices',
  refusals: ['phone_not_found', 'phone_revoked', 'event_not_found'],
  summary: 'Change what a phone is for',
  body: v.object({
    name: v.optional(trimmed(60, 1)),
    gate: v.optional(v.nullable(v.pipe(text(60), v.trim()))),
    event_ids: v.optional(v.pipe(v.array(text(100, 1)), v.minLength(1), v.maxLength(50))),
    role: v.optional(v.picklist(phoneRoles)),
    chooses_gate: v.optional(v.boolean()),
  }),
  reply: phone,
});

/** The older link and device token stop working. */
export const pairAgain = endpoint('POST', '/api/admin/phones/:phoneId/pairing', {
  who: 'change_devices',
  refusals: ['phone_not_found', 'phone_revoked'],
  summary: 'A new pairing link for a phone that was not paired or lost its data',
  reply: pairing,
});

export const revokePhone = endpoint('POST', '/api/admin/phones/:phoneId/revoke', {
  who: 'change_devices',
  refusals: ['phone_not_found'],
  summary: 'Stop a phone at its next contact',
  reply: phone,
});

/**
 * What a phone is and what it may do. `supervisor_pin`: sent to supervisors' phones only, null
 * where the office has set none. `asks_supervisor`: this phone overrules only with a supervisor's
 * consent (RULES A10). `supervisors`: the phones that may consent, each for the events that it
 * shares with this phone; `public_key` is the `signing_key` of their heartbeats.
 */
const identity = {
  /**
   * The house at whose door the phone is. `logo`: an address of ours. `accent`: readable on light
   * and on dark pages; null: the product's own.
   */
  house: v.object({
    name: v.string(),
    logo: v.nullable(v.string()),
    accent: v.nullable(v.object({ light: v.string(), dark: v.string() })),
  }),
  name: v.string(),
  gate: v.nullable(v.string()),
  /** Whether the person at the door may choose one of the events' gates, or none. */
  chooses_gate: v.boolean(),
  role: v.picklist(phoneRoles),
  events: v.array(
    v.object({
      id: v.string(),
      title: v.string(),
      starts_at: timeOut,
      rehearsal: v.boolean(),
      gates: v.array(v.string()),
    }),
  ),
  supervisor_pin: v.nullable(
    v.object({ salt: v.string(), hash: v.string(), iterations: v.number() }),
  ),
  asks_supervisor: v.boolean(),
  supervisors: v.array(
    v.object({
      phone_id: v.string(),
      name: v.string(),
      public_key: v.string(),
      event_ids: v.array(v.string()),
    }),
  ),
  server_time: timeOut,
  wire_version: v.number(),
};

/** Once per pairing token; the device token is never shown again and only its hash is stored. */
export const pairPhone = endpoint('POST', '/api/scanner/pair', {
  who: 'public',
  limit: 'pair',
  refusals: ['pairing_invalid'],
  summary: 'Exchange the pairing link for a device token',
  /**
   * `previous_token`: this phone's token of an earlier pairing, under which it may still have
   * unsent scans.
   */
  body: v.object({
    token: text(100, 16),
    app_version: v.optional(text(40)),
    previous_token: v.optional(v.pipe(v.string(), v.regex(/^[\w-]{20,100}$/))),
  }),
  reply: v.object({
    device_token: v.string(),
    phone_id: v.string(),
    ...identity,
    /**
     * The next number for a phone that has lost its data, so that the office sees a gap for the
     * lost scans.
     */
    next_seq: v.number(),
  }),
});

const upTo = (most: number) => v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(most));

/** The office gets the phone's state; the phone gets the time and whether something changed. */
export const heartbeat = endpoint('POST', '/api/scanner/heartbeat', {
  who: 'phone',
  limit: 'sync',
  summary: 'A phone says that it is there',
  body: v.object({
    queue_length: upTo(1_000_000),
    /** Items that the server answered as unreadable. */
    shelf_length: v.optional(upTo(1_000_000)),
    /** The number of the phone's next scan. */
    next_seq: v.optional(upTo(1e9)),
    /**
     * Of each event: how many of the waiting scans let a guest in, and how many people this phone
     * has ever counted in by hand (RULES A15), exits that were taken back among them.
     */
    events: v.optional(
      v.pipe(
        v.array(
          v.object({
            event_id: text(100, 1),
            unsent_entries: upTo(1_000_000),
            heads_told: upTo(mostHeadsTold),
          }),
        ),
        v.maxLength(100),
      ),
    ),
    clock_offset_ms: v.optional(
      v.nullable(v.pipe(v.number(), v.integer(), v.minValue(-1e12), v.maxValue(1e12))),
    ),
    /**
     * The gate that the person at the door has chosen, and the one of before: if the office has
     * changed it since, or allows no choice, the office's stays.
     */
    gate_choice: v.optional(
      v.object({ gate: v.nullable(text(60, 1)), over: v.nullable(text(60)) }),
    ),
    battery: v.optional(v.nullable(v.pipe(v.number(), v.minValue(0), v.maxValue(1)))),
    app_version: v.optional(text(40)),
    wire_version: v.optional(upTo(1_000_000)),
    /**
     * Only from a supervisor's phone: the public half of the key with which it consents, an
     * uncompressed point of P-256 in base64url. The last one sent is valid.
     */
    signing_key: v.optional(v.pipe(v.string(), v.regex(publicKeyPattern))),
  }),
  /** `guests_against`: undecided entries against the book, only for a supervisor's phone. */
  reply: v.object({ ...identity, guests_against: v.optional(v.array(guestForPhone)) }),
});

const pinState = v.object({
  set: v.boolean(),
  set_at: v.nullable(timeOut),
  set_by: v.nullable(v.string()),
  /** Phones that can consent. */
  supervisor_phones: v.number(),
});

/**
 * Whether stewards' phones ask a supervisor before they overrule; the answer never has the PIN
 * itself.
 */
export const readDoorPin = endpoint('GET', '/api/admin/door/pin', {
  who: 'change_devices',
  summary: 'Whether the supervisors have a PIN',
  reply: pinState,
});

/**
 * The supervisors' phones get the PIN at their next contact, the stewards' only whether there is
 * one; null removes it.
 */
export const setDoorPin = endpoint('PUT', '/api/admin/door/pin', {
  who: 'change_devices',
  summary: 'Set or take away the supervisors’ PIN',
  body: v.object({
    pin: v.nullable(
      v.pipe(v.string(), v.regex(new RegExp(`^\\d{${pinDigits.least},${pinDigits.most}}$`))),
    ),
  }),
  reply: pinState,
});
