/** What is asked of the phone at the door: to let in or out, or to take a scan back. */
import type { Direction, ScanMethod } from '#server/domain/door/admission.ts';
import type { CodeRead } from '#server/domain/door/scan-proof.ts';
import type { Recognised } from '#apps/scanner/list/recognise.ts';
import type { QueuedScan } from '#apps/scanner/kit/store.ts';
import type { Consent } from './approval.ts';

export interface AdmitAsk {
  event_id: string;
  recognised: Recognised;
  direction: Direction;
  /** A supervisor's reason to let in against the rule. */
  override: string | null;
  means: ScanMethod;
  note: string | null;
  /** A supervisor's consent, where this phone asks for one. */
  consent?: Consent | null;
}

export type NamedScan = Pick<QueuedScan, 'admission_id'> & { code_read: CodeRead | null };
/** A request with the scan's id and the proof of its code, which are made before it is stored. */
export type NamedAsk = AdmitAsk & NamedScan;

export interface UndoAsk {
  event_id: string;
  admission_id: string;
  /** Other scans that are taken back in the same transaction. */
  together?: readonly string[];
  reason: string;
  /** A supervisor's consent, for what this phone may not take back alone. */
  consent?: Consent | null;
}
