/** One conflict, a ticket admitted twice: both scans side by side, and the decision about them. */
import { useState } from 'react';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { settleConflict, type listConflicts } from '#server/contract/door/conflicts.ts';
import { conflictAnswers } from '#server/domain/door/admission.ts';
import { formatTimeWithSeconds } from '#apps/shared/format.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { formatSpan } from '#apps/admin/kit/clock.ts';
import { useAct } from '#apps/admin/kit/session/session.ts';
import { conflictWords } from '#apps/admin/kit/words.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import { StateBadge } from '#apps/admin/kit/state-badge.tsx';
import textStyles from '#apps/admin/kit/page/text.module.css';
import { Answers, Settled, UnsettledCard } from './unsettled-card.tsx';
import styles from './conflicts.module.css';

type Conflict = ReplyOf<typeof listConflicts>['items'][number];

/** A scan that arrived later than this shows its delay. */
const lateMs = 60_000;

interface ConflictCardProps {
  conflict: Conflict;
  maySettle: boolean;
  onSettled: () => void;
}

const answers = conflictAnswers.map((as) => ({ as, ...conflictWords[as] }));

export function ConflictCard({ conflict, maySettle, onSettled }: ConflictCardProps) {
  const act = useAct();
  const [again, setAgain] = useState(false);
  const { settled, seat } = conflict;
  return (
    <UnsettledCard
      scan={conflict}
      heading="h2"
      badge={
        settled === null ? (
          <StateBadge tone="bad" icon="warning" word="Da chiarire" />
        ) : (
          <StateBadge tone="good" icon="check" word={conflictWords[settled.as].word} />
        )
      }
    >
      <Sides conflict={conflict} />
      {settled !== null && !again && (
        <Settled settled={settled}>
          {maySettle && <Button small onClick={() => setAgain(true)} label="Cambia risposta" />}
        </Settled>
      )}
      {maySettle && (settled === null || again) && (
        <Answers
          scan={conflict}
          question={`Che cosa è successo, ${seat}`}
          answers={answers}
          onAnswer={async (body) => {
            await act(settleConflict, { params: { admissionId: conflict.admission_id }, body });
            setAgain(false);
            onSettled();
          }}
        >
          {settled !== null && (
            <Button look="quiet" onClick={() => setAgain(false)} label="Lascia com’era" />
          )}
        </Answers>
      )}
    </UnsettledCard>
  );
}

function Sides({ conflict: { first, second } }: { conflict: Conflict }) {
  const apart = Date.parse(second.at) - Date.parse(first.at);
  return (
    <div className={styles.sides}>
      <Side title="Primo ingresso" side={first} />
      <p className={styles.apart}>
        <Icon name="clock" size={16} /> {formatSpan(Math.max(0, apart))} dopo
      </p>
      <Side title="Secondo ingresso" side={second} />
    </div>
  );
}

function Side({ title, side }: { title: string; side: Conflict['first'] }) {
  const delay = Date.parse(side.received_at) - Date.parse(side.at);
  return (
    <section className={styles.side}>
      <h3>{title}</h3>
      <p>
        <b>{side.gate ?? 'Senza varco'}</b> ·{' '}
        <time dateTime={side.at}>{formatTimeWithSeconds(side.at)}</time>
      </p>
      <p className={textStyles.soft}>
        {side.by}
        {side.offline && ' · senza rete'}
        {side.means === 'search' && ' · trovato a mano'}
        {side.means === 'group' && ' · con tutto l’ordine'}
        {delay > lateMs && ` · arrivata dopo ${formatSpan(delay)}`}
      </p>
      {side.override !== null && <p className={textStyles.warn}>Forzato: {side.override}</p>}
    </section>
  );
}
