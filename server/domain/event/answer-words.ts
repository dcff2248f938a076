/** Italian words for the answers to a moved or cancelled evening, for the screen and for files. */
import { newerWord, withOther } from '#server/domain/text/newer-word.ts';
import type { AnswerFilter, DateAnswer } from './date-answers.ts';
import type { Answerer } from './postponement.ts';

export const answerNames = withOther<Record<AnswerFilter, string>>(
  {
    refund: 'Rimborso',
    exchange: 'Un’altra data',
    gift: 'Lascia il denaro al teatro',
    keep: 'Tiene il biglietto',
    silent: 'Non ha risposto',
  },
  newerWord,
);

export function answerWord(answer: DateAnswer | null): string {
  return answerNames[answer ?? 'silent'];
}

const answererNames = withOther<Record<Answerer, string>>(
  { buyer: 'Acquirente', office: 'Ufficio', deadline: 'Nessuno: il termine è passato' },
  newerWord,
);

/** Who gave an answer; the person of the office by name. */
export function answererWord({
  answered_by,
  answered_name,
}: {
  answered_by: Answerer | null;
  answered_name: string | null;
}): string {
  return answered_by === null ? '' : (answered_name ?? answererNames[answered_by]);
}
