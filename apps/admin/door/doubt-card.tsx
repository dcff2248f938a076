/** One scan in doubt: what it says, why it does not count, and the office's decision. */
import { useId, useState } from 'react';
import { Link } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { settleDoubt, type listDoubts } from '#server/contract/doubts.ts';
import type { DoubtAnswer } from '#server/domain/doubt.ts';
import { formatListDate } from '#apps/shared/format.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { useAct } from '#apps/admin/shell/session.ts';
import { doubtWords } from '#apps/admin/kit/words.ts';
import { Notes } from '#apps/admin/kit/notes.tsx';
import { Panel } from '#apps/admin/kit/panel.tsx';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { StateBadge } from '#apps/admin/kit/state-badge.tsx';
import { joinParts } from '#apps/admin/kit/join-parts.ts';
import textStyles from '#apps/admin/kit/text.module.css';
import styles from './conflicts.module.css';

export type Doubtful = ReplyOf<typeof listDoubts>['items'][number];

interface DoubtCardProps {
  doubt: Doubtful;
  maySettle: boolean;
  onSettled: () => void;
}

export function DoubtCard({ doubt, maySettle, onSettled }: DoubtCardProps) {
  const id = useId();
  const { settled } = doubt;
  return (
    <Panel
      as="article"
      className={settled === null ? `${styles.conflict} ${styles.open}` : styles.conflict}
      aria-labelledby={id}
    >
      <header className={styles.head}>
        <h3 id={id}>
          <Seat doubt={doubt} />
        </h3>
        {settled === null ? (
          <StateBadge tone="warn" icon="warning" word="In dubbio" />
        ) : (
          <StateBadge tone="neutral" icon="cross" word="Non vale" />
        )}
        <p className={textStyles.soft}>
          {joinParts(doubt.category, doubt.type_label, doubt.event_title)}
        </p>
      </header>
      <div className={styles.side}>
        <p>
          <b>{whatItSays(doubt)}</b> · <time dateTime={doubt.at}>{formatListDate(doubt.at)}</time>
        </p>
        <p className={textStyles.soft}>
          {joinParts(
            doubt.by,
            doubt.gate !== doubt.by && doubt.gate,
            `ricevuta ${formatListDate(doubt.received_at)}`,
          )}
        </p>
        <Notes
          notes={[
            doubt.note !== null && { icon: 'edit', text: doubt.note },
            { tone: 'warn', icon: 'warning', text: doubtWords[doubt.doubt] },
          ]}
        />
      </div>
      {settled !== null && (
        <p className={styles.settled}>
          <span>
            {settled.by}, {formatListDate(settled.at)}
            {settled.note !== null && settled.note !== '' && <>: «{settled.note}»</>}
          </span>
        </p>
      )}
      {maySettle && <Decision doubt={doubt} onSettled={onSettled} />}
    </Panel>
  );
}

function Seat({ doubt }: { doubt: Doubtful }) {
  if (doubt.ticket_id === null) return doubt.seat;
  const params = new URLSearchParams({ ticket: doubt.ticket_id, scan: doubt.admission_id });
  return <Link to={`/door/scans?${params.toString()}`}>{doubt.seat}</Link>;
}

function whatItSays({ verdict, direction, annuls }: Doubtful): string {
  if (verdict !== 'undone') return direction === 'in' ? 'Ingresso' : 'Uscita';
  if (annuls === null) return 'Annullamento';
  return `Annullamento della lettura di ${annuls.by}`;
}

function Decision({ doubt, onSettled }: { doubt: Doubtful; onSettled: () => void }) {
  const act = useAct();
  const [note, setNote] = useState(doubt.settled?.note ?? '');

  async function answer(as: DoubtAnswer) {
    await act(settleDoubt, {
      params: { admissionId: doubt.admission_id },
      body: { as, note: note.trim() === '' ? null : note.trim() },
    });
    onSettled();
  }

  return (
    <div className={styles.answers}>
      <TextField label="Nota (facoltativa)" value={note} onChange={setNote} maxLength={200} />
      <fieldset className={styles.buttons}>
        <legend className="visually-hidden">Questa lettura vale? {doubt.seat}</legend>
        <AsyncButton
          title="Conta come ogni altra lettura; si può annullare in Letture."
          onClick={() => answer('counts')}
        >
          Vale
        </AsyncButton>
        {doubt.settled === null && (
          <AsyncButton title="Resta scritta, e non conta." onClick={() => answer('counts_not')}>
            Non vale
          </AsyncButton>
        )}
      </fieldset>
    </div>
  );
}
