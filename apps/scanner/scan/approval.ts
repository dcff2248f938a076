/**
 * A supervisor's consent without any connection: a steward's phone asks and checks the answer, a
 * supervisor's phone reads the question and signs it.
 */
import type { Verdict } from '#server/domain/door/admission.ts';
import { requireValue } from '#server/domain/require-value.ts';
import {
  isLate,
  questionId,
  questionMs,
  readAnswer,
  readQuestion,
  signedText,
  writeAnswer,
  writeQuestion,
  type Approval,
  type Question,
} from '#server/domain/door/approval.ts';
import { base64urlOf, bytesOf } from '#apps/scanner/kit/base64url.ts';
import { isSignedBy, publicKeyOf, sign } from '#apps/scanner/device/signing-key.ts';
import { isKeyOpen } from '#apps/scanner/device/supervisor.ts';
import { placeIn } from '#apps/scanner/list/list.ts';
import type { Phone } from '#apps/scanner/list/memory.ts';
import type { Identity } from '#apps/scanner/kit/store.ts';
import { correctedNow } from '#apps/scanner/kit/clock.ts';

type Supervisor = Identity['supervisors'][number];

/** A valid answer, and the supervisor who gave it. */
export interface Consent {
  approval: Approval;
  by: string;
}

/**
 * `other`: the text is not an answer. `unknown`: the answer is from a supervisor that this phone
 * does not know, or to another question.
 */
export type AnswerRead =
  | { kind: 'consent'; consent: Consent }
  | { kind: 'other' | 'unknown' | 'late' };

/** `verdict`: what the consent overrules. */
export type Asked = Pick<Question, 'event_id' | 'act' | 'place' | 'revision' | 'annuls'> & {
  verdict: Verdict | null;
};

/** A new question; its time is the server's, as far as this phone can tell. */
export function askSupervisor(phone: Phone, { verdict, ...asked }: Asked): Question {
  const { ports, memory } = phone;
  return {
    ...asked,
    id: questionId(base64urlOf(ports.random(16)), verdict),
    phone_id: requireValue(memory.device, 'pairing').phone_id,
    expires_at: Math.round(correctedNow(phone, memory.clock).corrected) + questionMs,
  };
}

/** The supervisors whose consent counts for this event, by the last contact with the server. */
export function supervisorsOf({ memory }: Phone, event_id: string): Supervisor[] {
  const known = memory.device?.supervisors ?? [];
  return known.filter(({ event_ids }) => event_ids.includes(event_id));
}

/** Reads a text from the camera as the answer to this question. */
export async function readConsent(
  phone: Phone,
  question: Question,
  text: string,
): Promise<AnswerRead> {
  const signature = readAnswer(text);
  if (signature === null) return { kind: 'other' };
  if (correctedNow(phone, phone.memory.clock).corrected > question.expires_at)
    return { kind: 'late' };
  const words = writeQuestion(question);
  for (const { phone_id, name, public_key } of supervisorsOf(phone, question.event_id)) {
    const signed = { text: signedText(words), signature };
    if (!(await isSignedBy(bytesOf(public_key), signed))) continue;
    const approval = { question: words, supervisor_id: phone_id, signature };
    return { kind: 'consent', consent: { approval, by: name } };
  }
  return { kind: 'unknown' };
}

/** Why this phone may not answer a question; null when it may. */
export type Refused = 'not_supervisor' | 'other_event' | 'late' | 'own';

export function refusalOf(phone: Phone, question: Question): Refused | null {
  const { device, clock } = phone.memory;
  if (device?.role !== 'supervisor') return 'not_supervisor';
  if (question.phone_id === device.phone_id) return 'own';
  if (!device.events.some(({ id }) => id === question.event_id)) return 'other_event';
  return isLate(question, correctedNow(phone, clock).corrected) ? 'late' : null;
}

/** The seat's name for the supervisor, where this phone has the list. */
export function seatAskedAbout({ memory }: Phone, { event_id, place }: Question): string {
  const list = memory.lists.get(event_id);
  return (list && placeIn(list, place)?.seat) ?? place;
}

/**
 * The signed answer as the text of a QR code.
 * @throws where this phone may not answer, or its PIN was not entered
 */
export async function answer(phone: Phone, text: string): Promise<string> {
  const question = readQuestion(text);
  const { device } = phone.memory;
  if (!question || !device || refusalOf(phone, question) !== null || !isKeyOpen(phone))
    throw new Error('This phone may not answer');
  await publicKeyOf(phone.db, device);
  return writeAnswer(await sign(phone.db, phone.memory.openKey, signedText(text)));
}
