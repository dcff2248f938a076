/** Supervisors' consents: which keys a phone may trust, and whether a scan's consent is valid. */
import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import type { Db, Trx } from '#db/engine/dialect.ts';
import {
  allKeys,
  endKeys,
  keyOfPhone,
  putKey,
  supervisorsFor,
  usedApprovals,
} from '#db/door/phone-keys.ts';
import type { PhoneKeyRow, PhoneRow } from '#db/rows.ts';
import { transact } from '#db/engine/transact.ts';
import {
  isAbout,
  readQuestion,
  signedText,
  type Approval,
  type ApprovedScan,
} from '#server/domain/door/approval.ts';
import { clockWarningMs } from '#server/domain/door/phone.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { happened } from '#server/services/kit/happened.ts';
import type { Ctx } from '#server/services/context.ts';

/** The supervisors whose consent this phone accepts, each with the events that both work at. */
export async function trustedBy(db: Db, phone_id: string) {
  const rows = await supervisorsFor(db, phone_id);
  return [...Map.groupBy(rows, (row) => row.phone_id).values()].flatMap((some) =>
    some.slice(0, 1).map(({ phone_id: id, name, public_key }) => ({
      phone_id: id,
      name,
      public_key,
      event_ids: some.map(({ event_id }) => event_id),
    })),
  );
}

/**
 * Stores the key with which a supervisor's phone signs consents; does nothing for other phones.
 * @throws Refusal bad_request if the key is not a point of the curve
 */
export async function takeKey(
  ctx: Ctx,
  { id, role }: Pick<PhoneRow, 'id' | 'role'>,
  public_key: string | undefined,
): Promise<void> {
  if (role !== 'supervisor' || public_key === undefined) return;
  if (keyObjectOf(public_key) === null) throw new Refusal('bad_request');
  if ((await keyOfPhone(ctx.db, id)) === public_key) return;
  await transact(ctx.db, async (trx) => {
    await putKey(trx, { phone_id: id, public_key, now: ctx.now() });
    await happened(ctx, trx, { actor: `phone:${id}`, action: 'phone_key_set', subject: id });
  });
}

/** Call it when the phone is revoked, is paired again, or is no longer a supervisor's. */
export async function dropKeys(ctx: Ctx, trx: Trx, phone_id: string): Promise<void> {
  await endKeys(trx, phone_id, ctx.now());
}

/**
 * A valid consent: the phone that gave it, and its question's id, which no other scan may use.
 */
export interface ValidApproval {
  approved_by: string;
  approval_id: string;
}

interface ScanWithApproval extends ApprovedScan {
  admission_id: string;
  approval: Approval | null;
}

/**
 * The valid consents of these scans, by `admission_id`. A consent is valid if a supervisor's key
 * signed it while that key was valid, for exactly this scan, and if no other scan has used it.
 */
export async function validApprovals(
  db: Db,
  scans: readonly ScanWithApproval[],
): Promise<Map<string, ValidApproval>> {
  const valid = new Map<string, ValidApproval>();
  const asked = scans.flatMap((scan) => {
    if (!scan.approval) return [];
    const question = readQuestion(scan.approval.question);
    return question ? [{ scan, approval: scan.approval, question }] : [];
  });
  if (asked.length === 0) return valid;
  const ids = asked.map(({ question }) => question.id);
  const supervisors = asked.map(({ approval }) => approval.supervisor_id);
  const used = await usedApprovals(db, ids);
  const keys = Map.groupBy(await allKeys(db, [...new Set(supervisors)]), (key) => key.phone_id);
  for (const { scan, approval, question } of asked) {
    if (used.has(question.id) || !isAbout(question, scan)) continue;
    const ofPhone = keys.get(approval.supervisor_id) ?? [];
    if (!ofPhone.some((key) => counted(key, scan) && isSignedBy(key, approval))) continue;
    used.add(question.id);
    valid.set(scan.admission_id, {
      approved_by: approval.supervisor_id,
      approval_id: question.id,
    });
  }
  return valid;
}

/**
 * True while the key was valid. The corrected clocks of two phones may still differ by up to
 * `clockWarningMs`.
 */
function counted({ ended_at }: PhoneKeyRow, { corrected_at }: ApprovedScan): boolean {
  return ended_at === null || corrected_at <= ended_at + clockWarningMs;
}

function isSignedBy({ public_key }: PhoneKeyRow, { question, signature }: Approval): boolean {
  const key = keyObjectOf(public_key);
  if (key === null) return false;
  return verify(
    'sha256',
    Buffer.from(signedText(question)),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'hex'),
  );
}

/** Null if the text is not a point of the curve. */
function keyObjectOf(public_key: string): KeyObject | null {
  const point = Buffer.from(public_key, 'base64url');
  const x = point.toString('base64url', 1, 33);
  const y = point.toString('base64url', 33);
  try {
    return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  } catch {
    return null;
  }
}
