/** A short-lived cache for questions that many ask at the same moment: all who ask within a given time share one answer; a failure is not kept. */

interface Question<T> {
  now: number;
  ask: () => Promise<T>;
  /** Of several questions to one owner. */ key?: string;
}

interface Shared<T> {
  at: number;
  answer: Promise<T>;
}

/** The cache belongs to an owner (a connection, a context's memory), holds at most `mostKeys` answers of it, and ends with it. */
export function shareAnswers<T>(freshMs: number, mostKeys = 1_000) {
  const byOwner = new WeakMap<object, Map<string, Shared<T>>>();
  return {
    get(owner: object, { now, ask, key = '' }: Question<T>): Promise<T> {
      const answers = byOwner.get(owner) ?? new Map<string, Shared<T>>();
      byOwner.set(owner, answers);
      const isFresh = ({ at }: Shared<T>) => Math.abs(now - at) < freshMs;
      const last = answers.get(key);
      if (last && isFresh(last)) return last.answer;
      // Old ones go first: they may be large.
      for (const [known, shared] of answers) if (!isFresh(shared)) answers.delete(known);
      if (answers.size >= mostKeys) answers.delete(answers.keys().next().value!);
      const question = { at: now, answer: ask() };
      answers.set(key, question);
      question.answer.catch(() => {
        if (answers.get(key) === question) answers.delete(key);
      });
      return question.answer;
    },
    /** After a change that the next caller must see; without a key all answers to this owner. */
    forget(owner: object, key?: string): void {
      if (key === undefined) byOwner.delete(owner);
      else byOwner.get(owner)?.delete(key);
    },
  };
}
