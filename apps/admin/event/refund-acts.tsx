/** Stops the refunds of a cancelled event, and goes on with them. */
import { resumeRefunds, stopRefunds } from '#server/contract/order/refunds.ts';
import { formatCount } from '#apps/shared/format.ts';
import { AskButton } from '#apps/admin/kit/ask-button.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';
import { useMay } from '#apps/admin/kit/session/session.ts';

interface RefundActsProps {
  runId: string;
  act: 'stop' | 'resume' | null;
  /** Refunds that Stripe was asked for, and all that are due. */
  done: number;
  total: number;
}

export function RefundActs({ runId, act, done, total }: RefundActsProps) {
  const change = useChange();
  const may = useMay(stopRefunds.who);
  const params = { runId };
  if (!may || act === null) return null;
  if (act === 'resume')
    return (
      <AskButton
        label="Riprendi i rimborsi"
        title="Riprendere i rimborsi?"
        confirmLabel="Riprendi i rimborsi"
        text={
          <p>
            Ogni ordine è rimborsato una volta sola: chi è già stato rimborsato non riceve altro.
          </p>
        }
        onConfirm={() => change(resumeRefunds, { params })}
      />
    );
  return (
    <AskButton
      label="Ferma i rimborsi"
      title="Fermare i rimborsi?"
      confirmLabel="Ferma i rimborsi"
      danger
      text={
        <p>
          {done === 1
            ? '1 rimborso è già partito e resta.'
            : `${formatCount(done, 'rimborso', 'rimborsi')} già partiti restano.`}{' '}
          {formatCount(Math.max(0, total - done), 'ordine aspetta', 'ordini aspettano')} che
          qualcuno riprenda: nessun denaro parte intanto. L’evento resta annullato, e chi ha già
          ricevuto l’e-mail dell’annullamento la tiene.
        </p>
      }
      onConfirm={() => change(stopRefunds, { params })}
    />
  );
}
