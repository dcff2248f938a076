/** The progress of the run, which continues when this page is closed. */
import { callOffRehousing } from '#server/contract/rehousings.ts';
import { AskButton } from '#apps/admin/kit/ask-button.tsx';
import { formatCountdown, useNow } from '#apps/admin/kit/clock.ts';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { Progress } from '#apps/admin/kit/progress.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';
import { StateBadge } from '#apps/admin/kit/state-badge.tsx';
import panelStyles from '#apps/admin/kit/page/panel.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import type { Plan } from './plan.ts';

const stateWords: Partial<Record<Plan['state'], { title: string; text: string }>> = {
  taking: {
    title: 'Si prendono i posti nella nuova sala',
    text: 'Chi sta pagando proprio ora finisce prima. Nessuno è stato ancora spostato.',
  },
  waiting: {
    title: 'Tutti i posti sono presi',
    text: 'Puoi ancora annullare: nessuno è stato spostato e nessuna e-mail è partita.',
  },
  moved: {
    title: 'I biglietti sono nella nuova sala',
    text: 'I codici di prima non valgono più e le e-mail partono. Si libera la vecchia sala.',
  },
  giving_back: {
    title: 'Il cambio viene annullato',
    text: 'Si liberano i posti della nuova sala: tutti restano dove sono, con i loro biglietti.',
  },
};

export function Running({ eventId, run }: { eventId: string; run: Plan }) {
  const words = stateWords[run.state] ?? { title: '', text: '' };
  const { counts } = run;
  return (
    <Panel aria-live="polite">
      <div className={panelStyles.title}>
        <h3>{words.title}</h3>
        <StateBadge tone="warn" icon="clock" word="Vendita sospesa" />
      </div>
      <Progress
        label="Posti presi nella nuova sala"
        unit="tickets"
        done={run.state === 'moved' ? counts.tickets : counts.taken}
        total={counts.tickets - counts.refunded}
      />
      <p>{words.text}</p>
      {run.state === 'waiting' && <Countdown until={run.commit_at} />}
      {(run.state === 'taking' || run.state === 'waiting') && <CallOffHall eventId={eventId} />}
      <p className={textStyles.soft}>
        Puoi chiudere questa pagina: il cambio va avanti da solo, e qui lo ritrovi.
      </p>
    </Panel>
  );
}

export function CallOffHall({ eventId, small = false }: { eventId: string; small?: boolean }) {
  const change = useChange();
  return (
    <AskButton
      small={small}
      label="Annulla il cambio…"
      title="Annullare il cambio di sala?"
      text="Nessuno è stato ancora spostato: tutti restano nella vecchia sala con i biglietti che hanno, e la vendita riprende. La proposta resta."
      confirmLabel="Annulla il cambio"
      danger
      onConfirm={() => change(callOffRehousing, { params: { eventId } })}
    />
  );
}

function Countdown({ until }: { until: string | null }) {
  const now = useNow(1_000);
  if (until === null) return null;
  const left = Date.parse(until) - now;
  return (
    <p aria-live="off">
      {left > 0 ? (
        <>
          Si può annullare ancora per <b>{formatCountdown(left)}</b>.
        </>
      ) : (
        'Ora i biglietti passano nella nuova sala.'
      )}
    </p>
  );
}
