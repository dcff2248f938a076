/** Deletes a draft after a question; the server refuses one that was ever on sale. */
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { deleteEvent } from '#server/contract/event-desk.ts';
import { AskButton } from '#apps/admin/kit/ask-button.tsx';
import { FailureNotice } from '#apps/admin/kit/notice.tsx';
import { tellFailure } from '#apps/admin/kit/loaded.tsx';
import { useAct, useMay } from '#apps/admin/shell/session.ts';
import type { DeskEvent } from './form/values.ts';

export function DeleteDraft({ event }: { event: DeskEvent }) {
  const mayDelete = useMay(deleteEvent.who);
  const act = useAct();
  const navigate = useNavigate();
  const [failure, setFailure] = useState<string | null>(null);
  if (event.status !== 'draft' || event.orders > 0 || !mayDelete) return null;

  async function remove() {
    const ask = { params: { eventId: event.id }, query: { version: String(event.version) } };
    try {
      await act(deleteEvent, ask);
    } catch (error) {
      setFailure(tellFailure(error));
      return;
    }
    await navigate('/events');
  }

  return (
    <>
      <FailureNotice text={failure} />
      <AskButton
        label="Elimina la bozza…"
        danger
        title="Eliminare questa bozza?"
        text={
          <p>
            «{event.title || event.id}» sparisce con testi, prezzi e pianta dei posti. Non si torna
            indietro.
          </p>
        }
        confirmLabel="Elimina la bozza"
        cancelLabel="Tienila"
        onConfirm={remove}
      />
    </>
  );
}
