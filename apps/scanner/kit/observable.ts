/** A value outside React that tells its listeners when it has changed. */

export interface Observable<T> {
  read: () => T;
  /** Writing the same value again does not call the listeners. */
  write: (value: T) => void;
  /** Listens until the returned function is called. */
  subscribe: (listener: () => void) => () => void;
}

export function observable<T>(first: T): Observable<T> {
  let value = first;
  const listeners = new Set<() => void>();
  return {
    read: () => value,
    write(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
