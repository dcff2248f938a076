/**
 * Remembers answers for an owner (a connection, a context's memory) and ends with it: bounded,
 * asked once by all who want the same at the same moment. A failure is not kept.
 */

interface Terms {
  /** An answer serves so long from the moment it was asked for. */
  freshMs: number;
  /** An answer that took long serves at least so many times as long as it took. */
  restFactor?: number;
  /** So many answers for each owner; the oldest goes first. */
  most?: number;
  /** So long `last` knows an answer that no longer serves. */
  keptMs?: number;
  /** An answer up to this age serves at once while it is asked anew; 0: the caller waits. */
  servedMs?: number;
  /**
   * After a failure the owner's questions fail alike for so long: only one caller waits for a
   * silent vendor.
   */
  quietMs?: number;
}

interface Question<T> {
  ask: () => Promise<T>;
  /** Of several questions to one owner. */
  key?: string;
  now?: () => number;
}

interface Known<T> {
  at: number;
  tookMs: number;
  answer: Promise<T>;
  /** What came last, by this question or the one before. */
  last: { at: number; value: T } | undefined;
}

interface Owned<T> {
  answers: Map<string, Known<T>>;
  failure: { at: number; error: unknown } | null;
}

export function memo<T>({ freshMs, restFactor = 0, most = 1_000, ...terms }: Terms) {
  const { keptMs = freshMs, servedMs = 0, quietMs = 0 } = terms;
  const owners = new WeakMap<object, Owned<T>>();
  const ownedBy = (owner: object): Owned<T> => {
    const owned = owners.get(owner) ?? { answers: new Map<string, Known<T>>(), failure: null };
    owners.set(owner, owned);
    return owned;
  };
  return {
    get(owner: object, { ask, key = '', now = () => performance.now() }: Question<T>): Promise<T> {
      const owned = ownedBy(owner);
      const { answers, failure } = owned;
      const asked = now();
      const age = (at: number) => Math.abs(asked - at);
      const isFresh = ({ at, tookMs }: Known<T>) =>
        age(at) < Math.max(freshMs, restFactor * tookMs);
      const isKept = (known: Known<T>) =>
        isFresh(known) || age(known.last?.at ?? known.at) <= keptMs;
      const before = answers.get(key);
      if (before && isFresh(before)) return before.answer;
      if (failure && age(failure.at) < quietMs) return Promise.reject(failure.error as Error);
      const last = before && isKept(before) ? before.last : undefined;
      makeRoom(answers, most, isKept);
      const began = performance.now();
      const known: Known<T> = { at: asked, tookMs: 0, answer: ask(), last };
      answers.delete(key);
      answers.set(key, known);
      known.answer.then(
        (value) => {
          known.last = { at: asked, value };
          known.tookMs = performance.now() - began;
          owned.failure = null;
        },
        (error: unknown) => {
          owned.failure = { at: now(), error };
          known.at = Number.NEGATIVE_INFINITY;
          if (!last && answers.get(key) === known) answers.delete(key);
        },
      );
      return last && age(last.at) < servedMs ? Promise.resolve(last.value) : known.answer;
    },
    /** The last answer that came, however old it is by now. */
    last: (owner: object, key = '') => owners.get(owner)?.answers.get(key)?.last,
    /** What is remembered serves no more, but `last` knows it still; without a key all of it. */
    outdate(owner: object, key?: string): void {
      const { answers } = ownedBy(owner);
      ownedBy(owner).failure = null;
      for (const [name, known] of answers)
        if (key === undefined || name === key) known.at = Number.NEGATIVE_INFINITY;
    },
    /** After a change that the next caller must see; without a key all of it. */
    forget(owner: object, key?: string): void {
      if (key === undefined) owners.delete(owner);
      else owners.get(owner)?.answers.delete(key);
    },
  };
}

/** They stand in the order in which they were asked for, so that the old ones are in front. */
function makeRoom<T>(
  answers: Map<string, Known<T>>,
  most: number,
  isKept: (known: Known<T>) => boolean,
): void {
  for (const [key, known] of answers) {
    if (answers.size < most && isKept(known)) return;
    answers.delete(key);
  }
}
