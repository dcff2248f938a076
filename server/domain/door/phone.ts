/** The states of a door phone. */

export const phoneStates = ['waiting', 'paired', 'revoked'] as const;
export type PhoneState = (typeof phoneStates)[number];

/**
 * A steward scans; a supervisor also overrules alone, searches by name, takes other phones' scans
 * back and consents to what stewards ask.
 */
export const phoneRoles = ['steward', 'supervisor'] as const;
export type PhoneRole = (typeof phoneRoles)[number];

/**
 * The supervisors' PIN, sent to their own phones only: it opens the key with which that phone
 * consents (RULES A10). `hash` (32 bytes) is PBKDF2-SHA256 of the digits in UTF-8, `salt` has 16
 * bytes; both are base64url. Null: the office has set no PIN, and a steward may overrule with a
 * reason alone.
 */
export interface DoorPin {
  salt: string;
  hash: string;
  iterations: number;
}
export const pinDigits = { least: 4, most: 8 } as const;
export const pinIterations = 200_000;

/**
 * Four digits can be guessed, so after three wrong tries each further one costs a wait: 15 s,
 * doubled each time, at most a quarter of an hour. `wrong`: the number of wrong tries in a row.
 */
export function pinWaitMs(wrong: number): number {
  return wrong < 3 ? 0 : Math.min(15 * 60_000, 15_000 * 2 ** (wrong - 3));
}

/** A pairing link is valid for ten minutes (RULES A6). */
export const pairingMs = 10 * 60_000;

/** A revoked phone may still send its queue for this long after it learns so. */
export const handInMs = 10 * 60_000;

/** The phone warns if its clock differs by more than this from the server's. */
export const clockWarningMs = 60_000;

export function phoneStateOf(phone: {
  paired_at: number | null;
  revoked_at: number | null;
}): PhoneState {
  if (phone.revoked_at !== null) return 'revoked';
  return phone.paired_at === null ? 'waiting' : 'paired';
}
