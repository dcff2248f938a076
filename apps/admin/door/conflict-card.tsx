/** One conflict, a ticket admitted twice: both scans side by side, and the decision about them. */
import { useId, useState } from 'react';
import { Link } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { settleConflict, type listConflicts } from '#server/contract/conflicts.ts';
import { conflictAnswers, type ConflictAnswer } from '#server/domain/admission.ts';
import { formatListDate, formatTimeWithSeconds } from '#apps/shared/format.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { formatSpan } from '#apps/admin/kit/clock.ts';
import { useAct } from '#apps/admin/shell/session.ts';
import { conflictWords } from '#apps/admin/kit/words.ts';
import { Panel } from '#apps/admin/kit/panel.tsx';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import { StateBadge } from '#apps/admin/kit/state-badge.tsx';
import { joinParts } from '#apps/admin/kit/join-parts.ts';
import textStyles from '#apps/admin/kit/text.module.css';
import styles from './conflicts.module.css';

export type Conflict = ReplyOf<typeof listConflicts>['items'][number];

/** A scan that needed longer to arrive is shown with how long. */
const lateMs = 60_000;

interface ConflictCardProps {
  conflict: Conflict;
  maySettle: boolean;
  onSettled: () => void;
}

export function ConflictCard({ conflict, maySettle, onSettled }: ConflictCardProps) {
  const id = useId();
  const [again, setAgain] = useState(false);
  const { settled } = conflict;
  const apart = Date.parse(conflict.second.at) - Date.parse(conflict.first.at);
  return (
    <Panel
      as="article"
      className={settled === null ? `${styles.conflict} ${styles.open}` : styles.conflict}
      aria-labelledby={id}
    >
      <header className={styles.head}>
        <h2 id={id}>
          {conflict.ticket_id === null ? (
            conflict.seat
          ) : (
            <Link
              to={`/door/scans?ticket=${encodeURIComponent(conflict.ticket_id)}&scan=${encodeURIComponent(conflict.admission_id)}`}
            >
              {conflict.seat}
            </Link>
          )}
        </h2>
        {settled === null ? (
          <StateBadge tone="bad" icon="warning" word="Da chiarire" />
        ) : (
          <StateBadge tone="good" icon="check" word={conflictWords[settled.as].word} />
        )}
        <p className={textStyles.soft}>
          {joinParts(conflict.category, conflict.type_label, conflict.event_title)}
        </p>
      </header>
      <div className={styles.sides}>
        <Side title="Primo ingresso" side={conflict.first} />
        <p className={styles.apart}>
          <Icon name="clock" size={16} /> {formatSpan(Math.max(0, apart))} dopo
        </p>
        <Side title="Secondo ingresso" side={conflict.second} />
      </div>
      {settled !== null && !again && (
        <p className={styles.settled}>
          <span>
            {settled.by}, {formatListDate(settled.at)}
            {settled.note !== null && settled.note !== '' && <>: «{settled.note}»</>}
          </span>
          {maySettle && <Button small onClick={() => setAgain(true)} label="Cambia risposta" />}
        </p>
      )}
      {maySettle && (settled === null || again) && (
        <Answers
          conflict={conflict}
          onSettled={() => {
            setAgain(false);
            onSettled();
          }}
          onKeep={settled === null ? null : () => setAgain(false)}
        />
      )}
    </Panel>
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

interface AnswersProps {
  conflict: Conflict;
  onSettled: () => void;
  onKeep: (() => void) | null;
}

/** `onKeep`: the answer that was given before stays; null where there is none yet. */
function Answers({ conflict, onSettled, onKeep }: AnswersProps) {
  const act = useAct();
  const [note, setNote] = useState(conflict.settled?.note ?? '');

  async function answer(as: ConflictAnswer) {
    await act(settleConflict, {
      params: { admissionId: conflict.admission_id },
      body: { as, note: note.trim() === '' ? null : note.trim() },
    });
    onSettled();
  }

  return (
    <div className={styles.answers}>
      <TextField label="Nota (facoltativa)" value={note} onChange={setNote} maxLength={200} />
      <fieldset className={styles.buttons}>
        <legend className="visually-hidden">Che cosa è successo, {conflict.seat}</legend>
        {conflictAnswers.map((as) => (
          <AsyncButton key={as} title={conflictWords[as].hint} onClick={() => answer(as)}>
            {conflictWords[as].word}
          </AsyncButton>
        ))}
      </fieldset>
      {onKeep !== null && <Button look="quiet" onClick={onKeep} label="Lascia com’era" />}
    </div>
  );
}
