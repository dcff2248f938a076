/**
 * A question that the office takes back in the moment in which a buyer answers it: the database
 * lets only one of both through (RULES N4).
 */
import { isReferenceViolation } from '#db/engine/dialect.ts';
import { Refusal, type RefusalCode } from '#server/domain/refusal.ts';

/** For `catch`: this refusal where an answer has no question, or a question has an answer. */
export function refuseTakenBack(code: RefusalCode): (error: unknown) => never {
  return (error) => {
    if (isReferenceViolation(error)) throw new Refusal(code, undefined, error);
    throw error;
  };
}
