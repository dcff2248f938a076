/** A value that says when it has changed: what lies outside React and is shown on a screen. */

export interface Observable<T> {
  read: () => T;
  /** The same value again is no change. */
  write: (value: T) => void;
  /** Until the returned function is called. */
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
