/** Sends a form once at a time, and says in Italian why it failed. */
import { useState, type FormEvent } from 'react';
import { tellFailure } from '#apps/admin/kit/loaded.tsx';

export interface Submit {
  busy: boolean;
  failure: string | null;
  /** For what can be refused without asking the server. */
  setFailure: (text: string | null) => void;
  submit: (event: FormEvent) => void;
}

export function useSubmit(send: () => Promise<unknown>): Submit {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  async function run() {
    setBusy(true);
    setFailure(null);
    try {
      await send();
    } catch (error) {
      setFailure(tellFailure(error));
    } finally {
      setBusy(false);
    }
  }

  return {
    busy,
    failure,
    setFailure,
    submit(event) {
      event.preventDefault();
      if (!busy) void run();
    },
  };
}
