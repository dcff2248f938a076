/**
 * A date that moves to another day: what its buyers may answer, until when, and what silence
 * means (RULES E3).
 */

export const postponementAnswers = ['keep', 'refund'] as const;
export type PostponementAnswer = (typeof postponementAnswers)[number];
export const answerers = ['buyer', 'office', 'deadline'] as const;
export type Answerer = (typeof answerers)[number];

interface Question {
  answer_by: number;
  closed_at: number | null;
}

/**
 * Whether that may be answered now. A buyer who has asked for the money has no ticket any more;
 * one who keeps the ticket may still change their mind.
 */
export function mayAnswer(
  question: Question,
  { now, before }: { now: number; before: PostponementAnswer | null },
): boolean {
  return question.closed_at === null && now <= question.answer_by && before !== 'refund';
}

type PostponementFault = 'starts_at' | 'answer_by';

/**
 * The fields that are wrong: the new day is another and to come, and the answer is due before it.
 */
export function postponementFaults(
  event: { starts_at: number },
  { starts_at, answer_by, now }: { starts_at: number; answer_by: number; now: number },
): PostponementFault[] {
  const wrong: Record<PostponementFault, boolean> = {
    starts_at: starts_at <= now || starts_at === event.starts_at,
    answer_by: answer_by <= now || answer_by >= starts_at,
  };
  return (Object.keys(wrong) as PostponementFault[]).filter((field) => wrong[field]);
}
