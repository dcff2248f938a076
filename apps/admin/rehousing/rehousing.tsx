/** Moves a sold evening to another hall; one screen per state: choose, plan, run, done. */
import { useState, type ReactNode } from 'react';
import { useParams } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { readEvent } from '#server/contract/event-desk.ts';
import { readRehousing } from '#server/contract/rehousings.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { BackLink } from '#apps/admin/kit/page/page-title.tsx';
import { ChooseHall } from './choose-hall.tsx';
import { RehousingOutcome } from './outcome.tsx';
import { PlanDesk } from './plan-desk.tsx';
import { Running } from './running.tsx';
import styles from './rehousing.module.css';

type State = ReplyOf<typeof readRehousing>;

const runPollMs = 1_500;
/** New orders arrive while the plan is open. */
const planPollMs = 30_000;

export function RehousingScreen() {
  const { eventId } = useParams() as { eventId: string };
  const params = { eventId };
  const event = useEndpoint(readEvent, { params });
  const state = useEndpoint(
    readRehousing,
    { params },
    { refetchInterval: ({ state: { data } }) => pollOf(data) },
  );
  return (
    <div className={styles.screen}>
      <BackLink to={`/events/${encodeURIComponent(eventId)}/seats`}>Pianta e blocchi</BackLink>
      <h2>Cambio di sala</h2>
      <Loaded query={event}>
        {({ form }) => (
          <Loaded query={state}>
            {(data) => (
              <OneState key={eventId} eventId={eventId} chartNow={form.chart_key} {...data} />
            )}
          </Loaded>
        )}
      </Loaded>
    </div>
  );
}

function pollOf(data: State | undefined): number {
  if (!data || data.rehousing?.state === 'planned') return planPollMs;
  const isLeaving = data.last !== null && data.last.mails_sent < data.last.mails;
  return data.rehousing !== null || isLeaving ? runPollMs : planPollMs;
}

interface OneStateProps extends State {
  eventId: string;
  /** Null: unknown. */ chartNow: string | null;
}

function OneState({ eventId, chartNow, rehousing, last }: OneStateProps): ReactNode {
  const [choosing, setChoosing] = useState(false);
  const choose = (onBack?: () => void) => (
    <ChooseHall
      eventId={eventId}
      chartNow={chartNow}
      plan={rehousing}
      onChosen={() => setChoosing(false)}
      onBack={onBack}
    />
  );
  if (rehousing !== null && rehousing.state !== 'planned')
    return <Running eventId={eventId} run={rehousing} />;
  if (choosing) return choose(() => setChoosing(false));
  if (rehousing !== null)
    return <PlanDesk eventId={eventId} plan={rehousing} onOther={() => setChoosing(true)} />;
  if (last !== null)
    return <RehousingOutcome eventId={eventId} done={last} onAgain={() => setChoosing(true)} />;
  return choose();
}
