/**
 * A supervisor's consent to one act on a steward's phone: the question that the steward's phone
 * shows as a code, and the signed answer that the supervisor's phone shows (RULES A10).
 */
import type { ScanMethod, Verdict } from './admission.ts';
import { clockWarningMs } from './phone.ts';

/**
 * Let in against the rule; let in or out without a code; take back another phone's scan or an old
 * one.
 */
const supervisedActs = ['overrule', 'by_hand', 'undo'] as const;
export type SupervisedAct = (typeof supervisedActs)[number];

/** The question, the phone that asks it, and until when an answer is valid. */
export interface Question {
  /** 128 random bits and the verdict (see `questionId`), so that every question is unique. */
  id: string;
  phone_id: string;
  event_id: string;
  act: SupervisedAct;
  place: string;
  revision: number;
  /** The scan to take back. */
  annuls: string | null;
  /** Milliseconds by the server's clock, as far as the phone knows it. */
  expires_at: number;
}

/** The time for an answer is short, because both people stand before the same guest. */
export const questionMs = 2 * 60_000;

/**
 * A consent as it is sent with its scan: the exact question, the phone that signed it, and the
 * signature.
 */
export interface Approval {
  question: string;
  supervisor_id: string;
  /** ECDSA P-256 over SHA-256, r and s, hexadecimal in upper case. */
  signature: string;
}

/** An uncompressed point begins with the byte 4, in base64url with B. */
export const publicKeyPattern = /^B[\w-]{86}$/;
export const signaturePattern = /^[0-9A-F]{128}$/;

/**
 * The verdicts that a consent may overrule. They are only added, at the end: a question names one
 * by its number, and one that this app does not know is none.
 */
const overruled: readonly Verdict[] = [
  'already_in',
  'wrong_gate',
  'not_yet',
  'too_late',
  'moved',
  'unpaid',
  'trial',
  'verify',
];
const base64url = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * The id of a question that is about this verdict, if it overrules one. Of the 22 letters of 16
 * random bytes the last one has four bits to spare: they hold the number of the verdict, so that
 * also phones of before 1.3.0, which read no further field, understand the question.
 */
export function questionId(random: string, verdict: Verdict | null): string {
  const number = verdict === null ? 0 : overruled.indexOf(verdict) + 1;
  return random.slice(0, 21) + base64url[(base64url.indexOf(random[21] ?? 'A') & 48) | number];
}

/** The verdict that a consent to this question overrules; null: none, or an older phone asks. */
export function verdictAsked({ id }: Pick<Question, 'id'>): Verdict | null {
  return overruled[(base64url.indexOf(id[21] ?? 'A') & 15) - 1] ?? null;
}

const questionMark = 'BTG.ASK';
const answerMark = 'BTG.OK.';

/** Only ASCII: decoders guess the alphabet of anything else. */
export function writeQuestion(question: Question): string {
  const { id, phone_id, event_id, act, place, revision, annuls, expires_at } = question;
  return [questionMark, id, phone_id, event_id, act, place, revision, annuls ?? '', expires_at]
    .map(encodeURIComponent)
    .join('|');
}

/** Null: another text, or one that no phone of ours would write. */
export function readQuestion(text: string): Question | null {
  const fields = text.split('|');
  if (fields.length !== 9 || fields[0] !== questionMark) return null;
  const [
    ,
    id = '',
    phone_id = '',
    event_id = '',
    act,
    place = '',
    revision,
    annuls = '',
    expires_at,
  ] = fields.map(decoded);
  const question = {
    id,
    phone_id,
    event_id,
    act: act as SupervisedAct,
    place,
    revision: Number(revision),
    annuls: annuls === '' ? null : annuls,
    expires_at: Number(expires_at),
  };
  const isWhole =
    /^[\w-]{22}$/.test(question.id) &&
    supervisedActs.includes(question.act) &&
    (question.act === 'undo') === (question.annuls !== null);
  // Only one spelling of each question is accepted.
  return isWhole && writeQuestion(question) === text ? question : null;
}

function decoded(field: string): string {
  try {
    return decodeURIComponent(field);
  } catch {
    return '';
  }
}

/**
 * The text that a supervisor's key signs; its first words keep a signature of anything else from
 * being accepted.
 */
export function signedText(question: string): string {
  return `botteghino approval 1\n${question}`;
}

/** The text has only digits, capitals and dots, which give the smallest QR code. */
export function writeAnswer(signature: string): string {
  return answerMark + signature;
}

/** The signature in an answer; null: another text. */
export function readAnswer(text: string): string | null {
  const signature = text.trim().slice(answerMark.length);
  return text.trim().startsWith(answerMark) && signaturePattern.test(signature) ? signature : null;
}

/**
 * `late` also covers a question that ends later than any phone would write: it was made in
 * advance.
 */
export function isLate({ expires_at }: Question, now: number): boolean {
  return now > expires_at + clockWarningMs || now < expires_at - questionMs - clockWarningMs;
}

/** The parts of a scan that a question is about. */
export interface ApprovedScan {
  /** The phone's id, and the ids that it had before it was paired again. */
  phone_ids: readonly string[];
  event_id: string;
  place: string | null;
  revision: number | null;
  override: string | null;
  means: ScanMethod;
  annuls: string | null;
  corrected_at: number;
}

/**
 * Whether the question is about this very scan, in its time; the signature is checked elsewhere.
 */
export function isAbout(question: Question, scan: ApprovedScan): boolean {
  return (
    scan.phone_ids.includes(question.phone_id) &&
    question.event_id === scan.event_id &&
    question.place === scan.place &&
    question.revision === scan.revision &&
    question.annuls === scan.annuls &&
    question.act === actOf(scan) &&
    !isLate(question, scan.corrected_at)
  );
}

/**
 * The act for which a scan needs a supervisor, or null. Taking back one's own recent scan counts
 * as `undo`, too.
 */
function actOf({
  means,
  override,
  annuls,
}: Pick<ApprovedScan, 'means' | 'override' | 'annuls'>): SupervisedAct | null {
  if (annuls !== null) return 'undo';
  if (means === 'search') return 'by_hand';
  return override === null ? null : 'overrule';
}

/**
 * Whether a scan lets in against the rule, or in or out by hand, without the consent that its
 * phone needs. The right to take a scan back is checked elsewhere.
 */
export function lacksConsent(
  scan: Pick<ApprovedScan, 'means' | 'override' | 'annuls'>,
  { asks_supervisor, approved }: { asks_supervisor: boolean; approved: boolean },
): boolean {
  const act = actOf(scan);
  return asks_supervisor && !approved && act !== null && act !== 'undo';
}
