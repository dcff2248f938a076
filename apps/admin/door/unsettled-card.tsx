/** The card of a scan that the office must settle: ticket, scan, and answers with a note. */
import { nameOfEvent } from '#apps/admin/kit/date-name.ts';
import { useId, useState, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { formatListDate } from '#apps/shared/format.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { joinClasses } from '#apps/admin/kit/join-classes.ts';
import { joinParts } from '#apps/admin/kit/join-parts.ts';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './conflicts.module.css';

interface Unsettled {
  admission_id: string;
  ticket_id: string | null;
  seat: string;
  category: string;
  type_label: string | null;
  event_title: string;
  event_starts_at: string;
  settled: { at: string; by: string; note: string | null } | null;
}

interface UnsettledCardProps {
  scan: Unsettled;
  /** The card's heading, one level below the screen's title. */
  heading: 'h2' | 'h3';
  badge: ReactNode;
  children: ReactNode;
}

export function UnsettledCard({ scan, heading: Heading, badge, children }: UnsettledCardProps) {
  const id = useId();
  return (
    <Panel
      as="article"
      className={joinClasses(styles.conflict, scan.settled === null && styles.open)}
      aria-labelledby={id}
    >
      <header className={styles.head}>
        <Heading id={id}>
          <Seat scan={scan} />
        </Heading>
        {badge}
        <p className={textStyles.soft}>
          {joinParts(scan.category, scan.type_label, nameOfEvent(scan))}
        </p>
      </header>
      {children}
    </Panel>
  );
}

/** Links to the scan among all scans of its ticket. */
function Seat({ scan: { ticket_id, admission_id, seat } }: { scan: Unsettled }) {
  if (ticket_id === null) return seat;
  const params = new URLSearchParams({ ticket: ticket_id, scan: admission_id });
  return <Link to={`/door/scans?${params.toString()}`}>{seat}</Link>;
}

interface SettledProps {
  settled: NonNullable<Unsettled['settled']>;
  children?: ReactNode;
}

export function Settled({ settled: { by, at, note }, children }: SettledProps) {
  return (
    <p className={styles.settled}>
      <span>
        {by}, {formatListDate(at)}
        {note !== null && note !== '' && <>: «{note}»</>}
      </span>
      {children}
    </p>
  );
}

export interface Answer<As extends string> {
  as: As;
  word: string;
  hint: string;
}

interface AnswersProps<As extends string> {
  scan: Unsettled;
  /** Screen readers read the question before the answers. */
  question: string;
  answers: readonly Answer<As>[];
  onAnswer: (body: { as: As; note: string | null }) => Promise<unknown>;
  children?: ReactNode;
}

export function Answers<As extends string>({
  scan,
  question,
  answers,
  onAnswer,
  children,
}: AnswersProps<As>) {
  const [note, setNote] = useState(scan.settled?.note ?? '');
  return (
    <div className={styles.answers}>
      <TextField label="Nota (facoltativa)" value={note} onChange={setNote} maxLength={200} />
      <fieldset className={styles.buttons}>
        <legend className="visually-hidden">{question}</legend>
        {answers.map(({ as, word, hint }) => (
          <AsyncButton
            key={as}
            title={hint}
            onClick={() => onAnswer({ as, note: note.trim() === '' ? null : note.trim() })}
          >
            {word}
          </AsyncButton>
        ))}
      </fieldset>
      {children}
    </div>
  );
}
