/**
 * The proof that a phone has read a ticket's code: a code of authentication over the scan, whose
 * key is the ticket's code itself (RULES A12).
 */
import type { Direction } from './admission.ts';

/** What was read, which may differ from where the scan counts, and the proof of it. */
export interface CodeRead {
  place: string;
  revision: number;
  /** The first `macBytes` of HMAC-SHA-256 in base64url; the key is the canonical code. */
  mac: string;
}

/** 128 bits, as many as a code has. */
export const macBytes = 16;
export const macPattern = /^[\w-]{22}$/;

/** The text under the code: a proof fits one scan only, one event and one direction. */
export function macText(scan: {
  admission_id: string;
  event_id: string;
  direction: Direction;
}): string {
  return `botteghino scan 1\n${scan.direction}\n${scan.event_id}\n${scan.admission_id}`;
}

/**
 * `unchecked`: the code was made with a secret that the event no longer has (RULES C4). A scan
 * without either has no good proof.
 */
export const codeChecks = ['proved', 'unchecked'] as const;
export type CodeCheck = (typeof codeChecks)[number];
