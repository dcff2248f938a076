/** The panel of a waiting visitor: the place in the queue, and possible wishes. */
import { useEffect, useRef } from 'react';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Icon, type IconName } from '#apps/shared/ui/icon.tsx';
import type { EventReply } from '#apps/booking/shell/replies.ts';
import { DrawWords } from './draw-words.tsx';
import { MembersCode } from './members-code.tsx';
import type { QueueStage, Room } from './stage.ts';
import type { Queue } from './use-queue.ts';
import { useCalmText, useTabWord, useTurnSound } from './use-turn.ts';
import { Wishes } from './wishes.tsx';
import { say, sayQueue, sayTab } from './words.ts';
import styles from './queue.late.module.css';

const icons: Partial<Record<QueueStage, IconName>> = {
  called: 'check',
  expired: 'warning',
  closed: 'lock',
  done: 'ticket',
};

const waitingStages: readonly QueueStage[] = ['gathering', 'numberless', 'waiting', 'paused'];

export function WaitingPanel({ page, queue }: { page: EventReply; queue: Queue }) {
  const { facts, room, place, isLost } = queue;
  const { stage } = facts;
  const { title, text } = sayQueue(facts);
  const sound = useTurnSound(stage === 'called');
  const aloud = useCalmText(stage === 'called' ? '' : `${title}. ${text}`, stage);
  useTabWord(sayTab(facts));
  const waits = waitingStages.includes(stage);
  const panel = useInSight(stage);
  return (
    <section
      ref={panel}
      className={`${styles.room} ${stage === 'called' ? styles.called : ''} no-print`}
      aria-labelledby="queue-title"
    >
      <div className={styles.head}>
        <Icon name={icons[stage] ?? 'clock'} size={32} />
        <div role={stage === 'called' ? 'alert' : undefined}>
          <h2 id="queue-title">{title}</h2>
          <p>{text}</p>
        </div>
      </div>
      <output className="visually-hidden" aria-label="Sala d’attesa">
        {aloud}
      </output>
      {isLost && (
        <p className={styles.lost} role="status">
          <Icon name="warning" size={20} /> Non riusciamo ad aggiornare la pagina: riproviamo da
          soli. Il tuo posto resta tuo.
        </p>
      )}
      {room.message !== null && (
        <div className={styles.message}>
          <strong>Dalla biglietteria</strong>
          <p>{room.message}</p>
        </div>
      )}
      {stage === 'waiting' && facts.number !== null && (
        <Progress number={facts.number} queue={queue} />
      )}
      <Act queue={queue} />
      {waits && <Wishes eventId={page.event.id} queue={queue} sound={sound} />}
      {room.has_code && takesCode(room.phase, stage) && <MembersCode onCode={queue.goIn} />}
      <DrawWords eventId={page.event.id} room={room} place={place} />
    </section>
  );
}

/** On a phone the panel is below the prices, so a new stage scrolls it into view. */
function useInSight(stage: QueueStage) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    if (stage !== 'outside') panel.current?.scrollIntoView({ block: 'nearest' });
  }, [stage]);
  return panel;
}

/** A code is useless before the opening, and once the visitor's turn has come. */
function takesCode(phase: Room['phase'], stage: QueueStage): boolean {
  return phase !== 'before' && phase !== 'closed' && stage !== 'called';
}

function Progress({ number, queue: { room } }: { number: number; queue: Queue }) {
  return (
    <div className={styles.progress}>
      <progress max={number} value={room.serving} aria-label="Avanzamento della fila" />
      <p className="small soft">
        {room.serving === 0
          ? 'La fila sta per partire'
          : `Chiamati fino al numero ${say(room.serving)}`}
        {room.per_minute > 0 && ` · circa ${say(room.per_minute)} al minuto`}
      </p>
    </div>
  );
}

function Act({ queue: { facts, enter, goIn, goBack } }: { queue: Queue }) {
  switch (facts.stage) {
    case 'called':
      return (
        <AsyncButton variant="primary" onClick={() => goIn()}>
          Entra e scegli i posti
        </AsyncButton>
      );
    case 'outside':
      return (
        <AsyncButton variant="primary" onClick={enter}>
          Entra in sala d’attesa
        </AsyncButton>
      );
    case 'done':
      return (
        <div className={styles.acts}>
          <AsyncButton variant="primary" onClick={goBack}>
            Torna alla pianta
          </AsyncButton>
          <AsyncButton onClick={enter}>Rientra in sala d’attesa</AsyncButton>
        </div>
      );
    case 'expired':
      return (
        <AsyncButton variant="primary" onClick={enter}>
          Rientra in sala d’attesa
        </AsyncButton>
      );
    default:
      return null;
  }
}
