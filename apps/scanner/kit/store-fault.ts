/** Tells from an error why the phone could not write or read its database. */

/**
 * `full`: there is no space left. `lost`: the browser has dropped the connection to the database
 * or does not open it, so opening it again or a reload may help.
 */
export type StoreFault = 'full' | 'lost';

/**
 * What the browsers call a lost connection, in whatever step it is met. A transaction that ended
 * too early or did not end counts, too: whether it wrote anything is unknown.
 */
const lostNames: ReadonlySet<unknown> = new Set([
  'UnknownError',
  'InvalidStateError',
  'DatabaseClosedError',
  'OpenFailedError',
  'AbortError',
  'TransactionInactiveError',
  'PrematureCommitError',
  'TimeoutError',
]);

interface Causes {
  name?: unknown;
  /** Dexie puts the browser's own error here. */
  inner?: unknown;
  /** The errors of a bulk write. */
  failures?: unknown;
}

/** Null: the database is not the cause. */
export function storeFault(error: unknown): StoreFault | null {
  const chain = causesOf(error);
  if (chain.some(({ name }) => name === 'QuotaExceededError')) return 'full';
  const isLost = chain.some((cause) => lostNames.has(cause.name) && !isLineError(cause));
  return isLost ? 'lost' : null;
}

/** An aborted or late call to the server has the same names, but is the browser's own error. */
function isLineError(error: Causes): boolean {
  return (
    error instanceof DOMException && (error.name === 'AbortError' || error.name === 'TimeoutError')
  );
}

function causesOf(error: unknown, depth = 0): Causes[] {
  if (typeof error !== 'object' || error === null || depth > 5) return [];
  const { inner, failures } = error as Causes;
  const more = Array.isArray(failures) ? failures.slice(0, 1) : [];
  return [error, ...[inner, ...more].flatMap((cause) => causesOf(cause, depth + 1))];
}
