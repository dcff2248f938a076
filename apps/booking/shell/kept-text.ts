/**
 * A text that the browser keeps under a key of ours; one that keeps nothing (private mode, storage
 * refused or full) has this page's memory instead.
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
  /** Undefined: what the storage says is right. */
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
