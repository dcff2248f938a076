/** A phone of the door: where it stands in its life. */

export const phoneStates = ['waiting', 'paired', 'revoked'] as const;
export type PhoneState = (typeof phoneStates)[number];

/** Pairing links live ten minutes (decisions §7). */
export const pairingMs = 10 * 60_000;

/** A revoked phone that was told so may hand in its queue for this long. */
export const handInMs = 10 * 60_000;

/** Over this difference from the server's clock the phone warns. */
export const clockWarningMs = 60_000;

export function phoneStateOf(phone: { paired_at: number | null; revoked_at: number | null }): PhoneState {
  if (phone.revoked_at !== null) return 'revoked';
  return phone.paired_at === null ? 'waiting' : 'paired';
}
