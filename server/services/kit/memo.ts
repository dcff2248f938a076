/**
 * Remembers answers for an owner (a connection, a context's memory) as long as the owner exists.
 * The number of answers is limited, calls for the same answer share one reading, and a failure is
 * remembered only for `quietMs`.
 */

interface Terms {
  /** How long an answer is fresh, counted from the call that asked for it. */
  freshMs: number;
  /** An answer is fresh for at least this many times as long as it took to get it. */
  restFactor?: number;
  /** The most answers of one owner; the oldest is removed. */
  most?: number;
  /** How long `last` returns an answer that is no longer fresh. */
  keptMs?: number;
  /** An answer no older than this is returned while a new one is fetched; 0: the caller waits. */
  servedMs?: number;
  /**
   * For this time after a failure all calls of the owner fail, so that only one caller waits for
   * a provider that does not answer.
   */
  quietMs?: number;
}

interface Question<T> {
  ask: () => Promise<T>;
  /** Distinguishes the answers of one owner. */
  key?: string;
  now?: () => number;
}

interface Known<T> {
  at: number;
  tookMs: number;
  answer: Promise<T>;
  /** The last value of this key, perhaps from an earlier reading. */
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
    /** The last value, however old. */
    last: (owner: object, key = '') => owners.get(owner)?.answers.get(key)?.last,
    /** Makes an answer stale, though `last` still returns it; without a key, all answers. */
    outdate(owner: object, key?: string): void {
      const { answers } = ownedBy(owner);
      ownedBy(owner).failure = null;
      for (const [name, known] of answers)
        if (key === undefined || name === key) known.at = Number.NEGATIVE_INFINITY;
    },
    /** Removes an answer after a change that callers must see; without a key, all answers. */
    forget(owner: object, key?: string): void {
      if (key === undefined) owners.delete(owner);
      else owners.get(owner)?.answers.delete(key);
    },
  };
}

/** Removes answers beyond the limit: the map begins with the oldest. */
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
