/** Asks the user to confirm their identity before a sensitive act, one question at a time. */
import { useSyncExternalStore } from 'react';

export interface Ways {
  totp: boolean;
  passkey: boolean;
}
interface Question {
  ways: Ways;
  answer: (confirmed: boolean) => void;
}

let open: Question | null = null;
const listeners = new Set<() => void>();

function show(question: Question | null): void {
  open = question;
  for (const listener of listeners) listener();
}

/** False: the user closed the question. */
export async function askToConfirm(ways: Ways): Promise<boolean> {
  open?.answer(false);
  const confirmed = await new Promise<boolean>((answer) => show({ ways, answer }));
  show(null);
  return confirmed;
}

export function useQuestion(): Question | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => open,
  );
}
