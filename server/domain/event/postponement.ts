/**
 * The rules of an event that moved to another day or place: what its buyers may answer, until
 * when, and what silence means (RULES E3).
 */

export const postponementAnswers = ['keep', 'refund'] as const;
export type PostponementAnswer = (typeof postponementAnswers)[number];
/** What an order has answered; `exchange`: all its tickets have become some of another date. */
export const givenAnswers = [...postponementAnswers, 'exchange'] as const;
export type GivenAnswer = (typeof givenAnswers)[number];
export const answerers = ['buyer', 'office', 'deadline'] as const;
export type Answerer = (typeof answerers)[number];

interface Question {
  answer_by: number;
  closed_at: number | null;
}

/**
 * Whether a buyer may give this answer now. A buyer who asked for a refund or took another date
 * has no ticket any more; one who keeps the ticket may still change their mind.
 */
export function mayAnswer(
  question: Question,
  { now, before }: { now: number; before: GivenAnswer | null },
): boolean {
  return (
    question.closed_at === null &&
    now <= question.answer_by &&
    (before === null || before === 'keep')
  );
}

/** An answer is due in the future, and before the event. */
export function isAnswerTimeWrong({
  starts_at,
  answer_by,
  now,
}: {
  starts_at: number;
  answer_by: number;
  now: number;
}): boolean {
  return answer_by <= now || answer_by >= starts_at;
}

type PostponementFault = 'starts_at' | 'answer_by';

/**
 * The wrong fields: the new day must be another one and in the future, and the answer is due
 * before it.
 */
export function postponementFaults(
  event: { starts_at: number },
  { starts_at, answer_by, now }: { starts_at: number; answer_by: number; now: number },
): PostponementFault[] {
  const wrong: Record<PostponementFault, boolean> = {
    starts_at: starts_at <= now || starts_at === event.starts_at,
    answer_by: isAnswerTimeWrong({ starts_at, answer_by, now }),
  };
  return (Object.keys(wrong) as PostponementFault[]).filter((field) => wrong[field]);
}
