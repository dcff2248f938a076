/** What the buyers of a cancelled evening may say where the office asks first (RULES E5). */

/** `gift`: the buyer leaves the money to the house. */
export const cancellationAnswers = ['refund', 'exchange', 'gift'] as const;
export type CancellationAnswer = (typeof cancellationAnswers)[number];

/** The answers by a click: another date is said by booking it. */
export const clickedAnswers = ['refund', 'gift'] as const;
export type ClickedAnswer = (typeof clickedAnswers)[number];

interface Asking {
  asks_until: number | null;
  finished_at: number | null;
}

/** Whether the buyers of the evening may answer now. */
export function isAsking({ asks_until, finished_at }: Asking, now: number): boolean {
  return asks_until !== null && finished_at === null && now <= asks_until;
}

/** The longest time that buyers have to answer. */
export const longestAskMs = 60 * 86_400_000;

export function isAskTime(asks_until: number, now: number): boolean {
  return asks_until > now && asks_until <= now + longestAskMs;
}

/** A refund and another date happen at once; what is left to the house, at the deadline. */
export function mayAnswerCancellation(before: CancellationAnswer | null): boolean {
  return before === null || before === 'gift';
}
