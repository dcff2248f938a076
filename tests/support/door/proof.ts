/** The proof that a code was read, as a phone makes it, for tests that send scans by themselves. */
import { createHmac } from 'node:crypto';
import type { ScanSent } from '#server/contract/door/admissions.ts';
import { macBytes, macText, type CodeRead } from '#server/domain/door/scan-proof.ts';
import { codeOf } from '#server/services/order/tickets.ts';

/** The data from which the codes of an event are made. */
export type CodeMaker = Parameters<typeof codeOf>[0];

type Read = Omit<CodeRead, 'mac'>;

/** The proof for this scan by the code of this place, its own unless told. */
export function proofOf(
  codes: CodeMaker,
  scan: ScanSent,
  { place, revision }: Read = { place: scan.place!, revision: scan.revision! },
): CodeRead {
  const code = codeOf(codes, { place, revision, earlier_codes: 0 });
  const mac = createHmac('sha256', code).update(macText(scan)).digest().subarray(0, macBytes);
  return { place, revision, mac: mac.toString('base64url') };
}

/** Adds the proof, unless the scan has one already or needs none. */
export function proved<S extends ScanSent>(codes: CodeMaker, scan: S): S {
  const isByCode = (scan.means ?? 'code') === 'code' && scan.annuls == null;
  return isByCode && scan.place !== null && scan.revision !== null && scan.code_read === undefined
    ? { ...scan, code_read: proofOf(codes, scan) }
    : scan;
}
