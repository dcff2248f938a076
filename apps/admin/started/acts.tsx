/** What can be done with work that runs or is stopped; each asks first. */
import { stopStarted } from '#server/contract/started.ts';
import { AskButton } from '#apps/admin/kit/ask-button.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';
import { RefundActs } from '#apps/admin/event/refund-acts.tsx';
import { useTakeBack } from '#apps/admin/mail/announcements.tsx';
import { MessageActs } from '#apps/admin/mail/message-acts.tsx';
import { CallOffHall } from '#apps/admin/rehousing/running.tsx';
import { isFile, type Started } from './words.ts';

export function StartedActs({ item }: { item: Started }) {
  const { work_id, kind, event_id, stop, resume, done, total, begins_at } = item;
  const counts = { done, total: total ?? done };
  const going = resume ? 'resume' : null;
  if (kind === 'message')
    return (
      <MessageActs
        messageId={work_id}
        act={stop === 'call_off' ? null : (stop ?? going)}
        begins_at={begins_at}
        {...counts}
      />
    );
  if (stop === 'withdraw') return <TakeBack item={item} />;
  if (kind === 'refunds')
    return <RefundActs runId={work_id} act={stop === 'stop' ? stop : going} {...counts} />;
  if (kind === 'rehousing' && stop !== null && event_id !== null)
    return <CallOffHall small eventId={event_id} />;
  return isFile(item) && item.own && stop !== null ? <StopFile workId={work_id} /> : null;
}

/** The act goes back, and its mails do not leave. */
function TakeBack({ item: { kind, work_id } }: { item: Started }) {
  const takeBack = useTakeBack(kind === 'refunds' ? 'event_cancelled' : 'event_saved');
  if (takeBack === undefined) return null;
  return (
    <AskButton
      label="Annulla"
      title="Annullare?"
      confirmLabel="Annulla"
      cancelLabel="Lascia così"
      text="Non parte nessuna e-mail, e tutto torna come prima."
      danger
      onConfirm={() => takeBack(work_id)}
    />
  );
}

function StopFile({ workId }: { workId: string }) {
  const change = useChange();
  return (
    <AskButton
      label="Ferma il file"
      title="Fermare il file?"
      confirmLabel="Ferma il file"
      text="Nel browser resta un file incompleto, da buttare. Qui non cambia nulla, e lo puoi scaricare di nuovo."
      danger
      onConfirm={() => change(stopStarted, { params: { workId } })}
    />
  );
}
