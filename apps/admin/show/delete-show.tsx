/** Deletes a show without dates, after a question. */
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { deleteShow, type readShow } from '#server/contract/shows.ts';
import { DeleteButton } from '#apps/admin/kit/delete-button.tsx';
import { useAct, useMay } from '#apps/admin/kit/session/session.ts';

export function DeleteShow({ show }: { show: ReplyOf<typeof readShow> }) {
  const { id, title, dates, version } = show;
  const mayDelete = useMay(deleteShow.who);
  const act = useAct();
  if (dates.length > 0 || !mayDelete) return null;
  const ask = { params: { showId: id }, query: { version: String(version) } };
  return (
    <DeleteButton
      label="Elimina lo spettacolo"
      keepLabel="Tienilo"
      title="Eliminare questo spettacolo?"
      text={<p>«{title || id}» non ha date. Spariscono i suoi testi e i suoi prezzi.</p>}
      onDelete={() => act(deleteShow, ask)}
      leaveTo="/shows"
    />
  );
}
