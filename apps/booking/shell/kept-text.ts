/**
 * A text that the browser keeps under one of our keys; where storage is refused or full, this
 * page's memory is used instead.
 */

export interface KeptText {
  read: () => string | null;
  /** Null: forget it. */
  write: (text: string | null) => void;
}

/** What such a text says; null where it is unreadable or missing. */
export function parseKept(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}

/** Session storage belongs to the tab, local storage to the browser. */
export function keptText(storage: 'sessionStorage' | 'localStorage', key: string): KeptText {
  /** Undefined: the storage holds the current text. */
  let memory: string | null | undefined;
  return {
    read() {
      if (memory !== undefined) return memory;
      try {
        return globalThis[storage].getItem(key);
      } catch {
        return null;
      }
    },
    write(text) {
      try {
        if (text === null) globalThis[storage].removeItem(key);
        else globalThis[storage].setItem(key, text);
        memory = undefined;
      } catch {
        memory = text;
      }
    },
  };
}
