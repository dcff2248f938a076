/** A search field whose text lives in the address and applies after a short pause in typing. */
import { useEffect, useState } from 'react';

const typingPauseMs = 250;

export interface TypedSearch {
  typed: string;
  type: (text: string) => void;
  /** Applies the text without waiting. */ apply: () => void;
}

/** `q` is the text in the address; `onSearch` writes the trimmed text there. */
export function useTypedSearch(q: string, onSearch: (text: string) => void): TypedSearch {
  const [typed, setTyped] = useState(q);
  const [seen, setSeen] = useState(q);
  // Back or "Mostra tutti" change the address: then the field takes its text.
  if (q !== seen) {
    setSeen(q);
    setTyped(q);
  }
  useEffect(() => {
    if (typed.trim() === q) return;
    const timer = setTimeout(() => apply(), typingPauseMs);
    return () => clearTimeout(timer);
  });

  function apply() {
    setSeen(typed.trim());
    onSearch(typed.trim());
  }
  return { typed, type: setTyped, apply };
}
