/** The answers of buyers whose evening has moved or was cancelled, as the office lists them. */
import { cancellationAnswers, clickedAnswers } from './cancellation.ts';
import { postponementAnswers } from './postponement.ts';

export const questionKinds = ['cancelled', 'postponed'] as const;
export type QuestionKind = (typeof questionKinds)[number];

export const dateAnswers = [...cancellationAnswers, 'keep'] as const;
export type DateAnswer = (typeof dateAnswers)[number];

/** `silent`: no answer yet. */
export const answerFilters = [...dateAnswers, 'silent'] as const;
export type AnswerFilter = (typeof answerFilters)[number];

/** What the office enters for a buyer; another date is entered by booking it. */
export const enteredAnswers = ['refund', 'gift', 'keep'] as const;
export type EnteredAnswer = (typeof enteredAnswers)[number];

/** The answers by a click to each question. */
export const answersTo = {
  cancelled: clickedAnswers,
  postponed: postponementAnswers,
} as const satisfies Record<QuestionKind, readonly EnteredAnswer[]>;
