/** A hook for a search field whose text lives in the address; typing counts after a short pause. */
import { useEffect, useState } from 'react';

const typingPauseMs = 250;

export interface TypedSearch {
  typed: string;
  type: (text: string) => void;
  /** Takes what is typed at once. */ apply: () => void;
}

/** `q` is the text of the address; `onSearch` writes the trimmed text there. */
export function useTypedSearch(q: string, onSearch: (text: string) => void): TypedSearch {
  const [typed, setTyped] = useState(q);
  const [seen, setSeen] = useState(q);
  // The address may change by itself (back, "Mostra tutti"): the field follows it without
  // overtaking the typing.
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
