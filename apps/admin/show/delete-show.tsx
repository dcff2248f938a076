/** Deletes a show that has no dates any more, after a question. */
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { deleteShow, type readShow } from '#server/contract/shows.ts';
import { AskButton } from '#apps/admin/kit/ask-button.tsx';
import { FailureNotice } from '#apps/admin/kit/notice.tsx';
import { tellFailure } from '#apps/admin/kit/loaded.tsx';
import { useAct, useMay } from '#apps/admin/shell/session.ts';

export function DeleteShow({ show }: { show: ReplyOf<typeof readShow> }) {
  const mayDelete = useMay(deleteShow.who);
  const act = useAct();
  const navigate = useNavigate();
  const [failure, setFailure] = useState<string | null>(null);
  if (show.dates.length > 0 || !mayDelete) return null;

  async function remove() {
    const ask = { params: { showId: show.id }, query: { version: String(show.version) } };
    try {
      await act(deleteShow, ask);
    } catch (error) {
      setFailure(tellFailure(error));
      return;
    }
    await navigate('/shows');
  }

  return (
    <>
      <FailureNotice text={failure} />
      <AskButton
        label="Elimina lo spettacolo…"
        danger
        title="Eliminare questo spettacolo?"
        text={
          <p>«{show.title || show.id}» non ha date. Spariscono i suoi testi e i suoi prezzi.</p>
        }
        confirmLabel="Elimina lo spettacolo"
        cancelLabel="Tienilo"
        onConfirm={remove}
      />
    </>
  );
}
