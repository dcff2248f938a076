/** Sends a form, never twice at the same time, and says in Italian why it failed. */
import { useState, type FormEvent } from 'react';
import { tellFailure } from '#apps/admin/kit/page/loaded.tsx';

export function useSubmit(send: () => Promise<unknown>) {
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
    /** For faults found before sending. */
    setFailure,
    submit(event: FormEvent) {
      event.preventDefault();
      if (!busy) void run();
    },
  };
}
