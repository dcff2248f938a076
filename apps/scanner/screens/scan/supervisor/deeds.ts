/**
 * What a steward does besides reading codes, with a reason; on some phones it needs a
 * supervisor's consent.
 */
import type { Direction, ScanMethod, Verdict } from '#server/domain/door/admission.ts';
import type { Asked } from '#apps/scanner/scan/approval.ts';
import type { Recognised } from '#apps/scanner/list/recognise.ts';

/** The ticket that a decision is about, and how it was presented. */
export interface PresentedTicket {
  recognised: Recognised;
  means: ScanMethod;
  note: string | null;
}

export interface TakenBack {
  admission_id: string;
  /** Where the ticket is. */
  place: string;
  /** Where the scan was made, if elsewhere: the ticket has moved since. */
  made_on?: string;
  revision: number;
  seat: string | null;
  direction: Direction;
}

export type Deed =
  /** `verdict`: what it overrules. */
  | { kind: 'overrule'; ticket: PresentedTicket; verdict: Verdict; reason: string }
  | {
      kind: 'by_hand';
      recognised: Recognised;
      direction: Direction;
      /** Null: the ticket would be let in, if it had its code. */
      overrules: Verdict | null;
      reason: string;
    }
  /** `together`: ids of other scans that are taken back with it. */
  | { kind: 'undo'; scan: TakenBack; reason: string; together?: readonly string[] };

/** The supervisor's consent is the reason, so none has to be typed. */
export const supervisorDecided = 'Deciso dal responsabile';

/** The question for a supervisor. A reading without a place is never overruled. */
export function askedAbout(event_id: string, deed: Deed): Asked {
  if (deed.kind === 'undo') {
    const { place, made_on = place, revision, admission_id } = deed.scan;
    return { event_id, act: 'undo', place: made_on, revision, annuls: admission_id, verdict: null };
  }
  const { reading } = deed.kind === 'overrule' ? deed.ticket.recognised : deed.recognised;
  if (reading.kind !== 'place') throw new Error('Nothing was read that could be overruled');
  const { place, revision } = reading;
  const isByHand = deed.kind === 'by_hand' || deed.ticket.means === 'search';
  const verdict = deed.kind === 'overrule' ? deed.verdict : deed.overrules;
  const act = isByHand ? 'by_hand' : 'overrule';
  return { event_id, act, place, revision, annuls: null, verdict };
}
