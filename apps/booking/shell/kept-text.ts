/** A text in the browser's storage; if storage is refused or full, the page's memory holds it. */

export interface KeptText {
  read: () => string | null;
  /** Null removes the text. */
  write: (text: string | null) => void;
}

/** Parses JSON; null if it is unreadable or missing. */
export function parseKept(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}

/** Session storage belongs to a tab, local storage to the browser. */
export function keptText(storage: 'sessionStorage' | 'localStorage', key: string): KeptText {
  /** Undefined: the text is in storage. */
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
