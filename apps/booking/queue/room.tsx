/**
 * An event with a waiting room: those who wait see their place, those inside choose seats until
 * their turn ends.
 */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { call } from '#apps/shared/api.ts';
import { keyOf } from '#apps/shared/query.ts';
import { ErrorView } from '#apps/shared/ui/error-view.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { Spinner } from '#apps/shared/ui/spinner.tsx';
import { takeQueueHold } from '#server/contract/queue.ts';
import type { EventReply } from '#apps/booking/shell/replies.ts';
import { sayMinutes, useTimeLeft } from '#apps/booking/shell/time-left.ts';
import type { QueueStage } from './stage.ts';
import { useQueue, type Queue } from './use-queue.ts';
import { WaitingPanel } from './waiting-panel.tsx';
import styles from './queue.late.module.css';

interface RoomProps {
  page: EventReply;
  selection: { wait: (waits: boolean) => void };
  state: { choices: readonly unknown[]; expired: boolean };
  /** Draws the seat map; `holdToken` belongs to a visitor inside. */
  chart: (holdToken?: string) => ReactNode;
}

export function QueueRoom({ page, selection, state, chart }: RoomProps) {
  const queue = useQueue(page.event.id);
  const stage = queue === null || queue instanceof Error ? null : queue.facts.stage;
  const keepsCart = useKeptCart(stage, state.choices.length > 0);
  const chooses = keepsCart || stage === 'free' || stage === 'inside';
  useEffect(() => selection.wait(!chooses), [selection, chooses]);
  if (queue === null) return <Spinner text="Guardiamo la sala d’attesa…" />;
  if (queue instanceof Error)
    return (
      <ErrorView
        text="La sala d’attesa non si è caricata."
        detail="Controlla la connessione e riprova."
      />
    );
  if (stage === 'free' || keepsCart) return chart();
  if (stage === 'inside')
    return <Inside page={page} expired={state.expired} chart={chart} queue={queue} />;
  return (
    <>
      <WaitingPanel page={page} queue={queue} />
      {stage === 'outside' && page.sales.state === 'not_yet' && chart()}
    </>
  );
}

/**
 * When a waiting room starts by itself, visitors who had chosen seats may finish, because their
 * hold is still valid (RULES F4).
 */
function useKeptCart(stage: QueueStage | null, hasChosen: boolean): boolean {
  const [wasFree, setWasFree] = useState(false);
  if (stage === 'free' && !wasFree) setWasFree(true);
  return wasFree && stage === 'outside' && hasChosen;
}

interface InsideProps extends Pick<RoomProps, 'page' | 'chart'> {
  expired: boolean;
  queue: Queue;
}

function Inside({ page, expired, chart, queue }: InsideProps) {
  const ask = { params: { eventId: page.event.id } };
  const hold = useQuery({
    queryKey: keyOf(takeQueueHold, ask),
    queryFn: () => call(takeQueueHold, ask),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const { refetch } = hold;
  // The held seats are free again, but the turn continues with a new hold.
  useEffect(() => {
    if (expired) void refetch();
  }, [expired, refetch]);
  return (
    <>
      {queue.place?.until && <TurnClock until={queue.toLocal(queue.place.until)} />}
      {hold.data !== undefined && chart(hold.data.hold_token)}
      {hold.isPending && <Spinner text="Ti facciamo entrare…" />}
      {hold.data === undefined && hold.isError && (
        <ErrorView
          text="Non riusciamo a farti entrare."
          onRetry={() => Promise.all([queue.refresh(), refetch()])}
        />
      )}
    </>
  );
}

const soonMs = 120_000;

function TurnClock({ until }: { until: number }) {
  const left = useTimeLeft(until);
  const isSoon = left <= soonMs;
  return (
    <div className={isSoon ? `${styles.turn} ${styles.soon}` : styles.turn}>
      <Icon name="clock" />
      <p>
        È il tuo turno: hai <strong role="timer">{sayMinutes(left)}</strong> per scegliere e
        procedere al pagamento.
      </p>
      <output className="visually-hidden" aria-label="Turno">
        {isSoon ? 'Il tuo turno finisce tra meno di due minuti.' : ''}
      </output>
    </div>
  );
}
