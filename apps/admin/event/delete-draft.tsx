/** Deletes a draft after a question; the server refuses it if it was ever on sale. */
import { deleteEvent } from '#server/contract/event-desk.ts';
import { DeleteButton } from '#apps/admin/kit/delete-button.tsx';
import { useAct, useMay } from '#apps/admin/kit/session/session.ts';
import type { DeskEvent } from './form/values.ts';

export function DeleteDraft({
  event: { id, title, status, orders, version },
}: {
  event: DeskEvent;
}) {
  const mayDelete = useMay(deleteEvent.who);
  const act = useAct();
  if (status !== 'draft' || orders > 0 || !mayDelete) return null;
  const ask = { params: { eventId: id }, query: { version: String(version) } };
  return (
    <DeleteButton
      label="Elimina la bozza"
      keepLabel="Tienila"
      title="Eliminare questa bozza?"
      text={
        <p>«{title || id}» sparisce con testi, prezzi e pianta dei posti. Non si torna indietro.</p>
      }
      onDelete={() => act(deleteEvent, ask)}
      leaveTo="/events"
    />
  );
}
