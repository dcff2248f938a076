/**
 * A supervisor's phone as the server sees it: it has a key of its own and signs consents to the
 * questions of other phones.
 */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { ScanSent } from '#server/contract/door/admissions.ts';
import {
  questionMs,
  signedText,
  writeQuestion,
  type Approval,
  type Question,
} from '#server/domain/door/approval.ts';

export function makeConsentKey() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x, y } = publicKey.export({ format: 'jwk' });
  const point = [Buffer.from([4]), Buffer.from(x!, 'base64url'), Buffer.from(y!, 'base64url')];
  return {
    /** The public key in the form of the heartbeat. */
    public_key: Buffer.concat(point).toString('base64url'),
    consent(question: Question, supervisor_id: string): Approval {
      const text = writeQuestion(question);
      const signature = sign('sha256', Buffer.from(signedText(text)), {
        key: privateKey,
        dsaEncoding: 'ieee-p1363',
      });
      return {
        question: text,
        supervisor_id,
        signature: signature.toString('hex').toUpperCase(),
      };
    },
  };
}

/** The question that a steward's phone would ask about this scan. */
export function questionOf(
  scan: ScanSent,
  phone_id: string,
  changes: Partial<Question> = {},
): Question {
  return {
    id: randomBytes(16).toString('base64url'),
    phone_id,
    event_id: scan.event_id,
    act: 'overrule',
    place: scan.place!,
    revision: scan.revision!,
    annuls: scan.annuls ?? null,
    expires_at: Date.parse(scan.corrected_at) + questionMs / 2,
    ...changes,
  };
}
