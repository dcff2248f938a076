/** A short-lived cache for questions that many ask at the same moment: all who ask within a given time share one answer; a failure is not kept. */

/** Keys are few (events of one hall): the limit only keeps a flood of made-up ones from growing. */
const mostKeys = 1_000;

export interface Question<T> {
  now: number;
  ask: () => Promise<T>;
  /** Of several questions to one owner. */ key?: string;
}

/** The cache belongs to an owner (a connection, a context) and ends with it. */
export function shareAnswers<T>(freshMs: number) {
  const byOwner = new WeakMap<object, Map<string, { at: number; answer: Promise<T> }>>();
  return {
    get(owner: object, { now, ask, key = '' }: Question<T>): Promise<T> {
      const answers = byOwner.get(owner) ?? new Map<string, { at: number; answer: Promise<T> }>();
      byOwner.set(owner, answers);
      const last = answers.get(key);
      if (last && Math.abs(now - last.at) < freshMs) return last.answer;
      if (answers.size >= mostKeys) answers.clear();
      const question = { at: now, answer: ask() };
      answers.set(key, question);
      question.answer.catch(() => {
        if (answers.get(key) === question) answers.delete(key);
      });
      return question.answer;
    },
    /** After a change that the next caller must see. */
    forget(owner: object): void {
      byOwner.delete(owner);
    },
  };
}
