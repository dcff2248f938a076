/**
 * Remembers answers for an owner (a connection, a context's memory) as long as the owner exists.
 * The number of answers is limited, calls for the same answer share one reading, a failure is
 * remembered only for `quietMs`, and a known answer may serve while a new one is fetched.
 */
import { inPatience } from './patience.ts';

interface Terms {
  /** How long an answer is fresh, counted from the call that asked for it. */
  freshMs: number;
  /** An answer is fresh for at least this many times as long as it took to get it. */
  restFactor?: number;
  /** The most answers of one owner; the oldest is removed. */
  most?: number;
  /** How long `last` returns an answer that is no longer fresh. */
  keptMs?: number;
  /**
   * While a new answer is fetched, one no older than this is returned; while the provider fails,
   * one of any age up to `keptMs`. 0: the caller waits.
   */
  servedMs?: number;
  /**
   * For this time after a failure nothing is asked for the owner; later only one caller waits for
   * a provider that still does not answer. The others get what is known, or the failure.
   */
  quietMs?: number;
}

interface Question<T> {
  ask: () => Promise<T>;
  /** Distinguishes the answers of one owner. */
  key?: string;
  now?: () => number;
  /** How long the caller waits for a new answer before a known one is returned; usually 0. */
  waitMs?: number;
}

interface Known<T> {
  at: number;
  tookMs: number;
  answer: Promise<T>;
  isOpen: boolean;
  /** True: the last value has turned out to be wrong, so callers wait for the new one. */
  isDoubted: boolean;
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
    get(
      owner: object,
      { ask, key = '', now = () => performance.now(), waitMs = 0 }: Question<T>,
    ): Promise<T> {
      const owned = ownedBy(owner);
      const asked = now();
      const age = (at: number) => Math.abs(asked - at);
      const isFresh = ({ at, tookMs }: Known<T>) =>
        age(at) < Math.max(freshMs, restFactor * tookMs);
      const isKept = (known: Known<T>) =>
        isFresh(known) || age(known.last?.at ?? known.at) <= keptMs;
      const before = owned.answers.get(key);
      const isShared = before !== undefined && isFresh(before);
      if (isShared && !before.isOpen) return before.answer;
      const last = before && isKept(before) ? before.last : undefined;
      const serves = last !== undefined && servedMs > 0;
      const failure = quietMs > 0 ? owned.failure : null;
      if (failure !== null && (isShared || age(failure.at) < quietMs))
        return serves ? Promise.resolve(last.value) : Promise.reject(failure.error as Error);
      if (!isShared) makeRoom(owned.answers, most, isKept);
      const known = isShared ? before : fetchAnew(owned, { key, ask, now, before, last });
      if (!serves) return known.answer;
      const answer = known.answer.catch(() => last.value);
      const isServed = failure !== null || (!known.isDoubted && age(last.at) < servedMs);
      return isServed ? inPatience(answer, last.value, waitMs) : answer;
    },
    /** The last value, however old. */
    last: (owner: object, key = '') => owners.get(owner)?.answers.get(key)?.last,
    /** Makes an answer stale, though `last` still returns it; without a key, all answers. */
    outdate(owner: object, key?: string): void {
      const { answers } = ownedBy(owner);
      ownedBy(owner).failure = null;
      for (const [name, known] of answers)
        if (key === undefined || name === key)
          Object.assign(known, { at: Number.NEGATIVE_INFINITY, isDoubted: true });
    },
    /** Removes an answer after a change that callers must see; without a key, all answers. */
    forget(owner: object, key?: string): void {
      if (key === undefined) owners.delete(owner);
      else owners.get(owner)?.answers.delete(key);
    },
  };
}

interface Fetching<T> extends Pick<Known<T>, 'last'> {
  key: string;
  ask: () => Promise<T>;
  now: () => number;
  before: Known<T> | undefined;
}

/** Asks, and remembers the answer or the failure when it comes. */
function fetchAnew<T>(owned: Owned<T>, { key, ask, now, before, last }: Fetching<T>): Known<T> {
  const { answers } = owned;
  const [at, began] = [now(), performance.now()];
  const isDoubted = before?.isDoubted ?? false;
  const known: Known<T> = { at, tookMs: 0, answer: ask(), isOpen: true, isDoubted, last };
  answers.delete(key);
  answers.set(key, known);
  known.answer.then(
    (value) => {
      const tookMs = performance.now() - began;
      Object.assign(known, { last: { at, value }, tookMs, isOpen: false, isDoubted: false });
      owned.failure = null;
    },
    (error: unknown) => {
      owned.failure = { at: now(), error };
      Object.assign(known, { at: Number.NEGATIVE_INFINITY, isOpen: false });
      if (!last && answers.get(key) === known) answers.delete(key);
    },
  );
  return known;
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
