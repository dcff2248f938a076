/** How far work of the server is: a bar, how much is done, how fast, or since when it stands. */
import type { StartedUnit } from '#server/domain/user/started.ts';
import { formatCount } from '#apps/shared/format.ts';
import { formatSpan } from './clock.ts';
import styles from './progress.module.css';

interface Course {
  /** When it began and when its last step was, and what time it is, by the server's clock. */
  started_at: string;
  moved_at: string | null;
  at: string;
}

interface ProgressProps {
  label: string;
  unit: StartedUnit;
  done: number;
  /** Null: not known yet. */
  total: number | null;
  /** Without a total there is nothing to draw at the end. */
  ended?: boolean;
  /** Missing: how fast it goes is not told. */
  course?: Course | undefined;
}

export function Progress({ label, unit, done, total, ended = false, course }: ProgressProps) {
  return (
    <div className={styles.progress}>
      {total !== null && <progress aria-label={label} value={done} max={Math.max(1, total)} />}
      {total === null && !ended && <progress aria-label={label} />}
      <p className={styles.said}>
        <span>{amountOf(unit, done, total)}</span>
        {course && (
          <Pace {...course} left={total === null ? null : total - done} done={done} unit={unit} />
        )}
      </p>
    </div>
  );
}

/** Work whose last step is older than this stands still. */
const stillMs = 60_000;
/** A rate over a shorter time says nothing. */
const measuredMs = 20_000;
const minute = 60_000;

interface PaceProps extends Course {
  unit: StartedUnit;
  done: number;
  left: number | null;
}

function Pace({ started_at, moved_at, at, unit, done, left }: PaceProps) {
  const [begun, moved, now] = [
    Date.parse(started_at),
    Date.parse(moved_at ?? started_at),
    Date.parse(at),
  ];
  if (now - moved > stillMs)
    return <span className={styles.still}>fermo da {formatSpan(now - moved)}</span>;
  if (done === 0 || moved - begun < measuredMs) return null;
  const perMinute = (done / (moved - begun)) * minute;
  return (
    <>
      <span>circa {amountOf(unit, Math.max(1, Math.round(perMinute)), null)} al minuto</span>
      {left !== null && left > 0 && (
        <span>ancora circa {formatSpan((left / perMinute) * minute)}</span>
      )}
    </>
  );
}

const unitWords: Record<Exclude<StartedUnit, 'bytes'>, [one: string, many: string]> = {
  mails: ['e-mail', 'e-mail'],
  refunds: ['rimborso', 'rimborsi'],
  tickets: ['biglietto', 'biglietti'],
  orders: ['ordine', 'ordini'],
};

/** As in "12 di 300 e-mail" and "1,2 MB". */
function amountOf(unit: StartedUnit, done: number, total: number | null): string {
  if (unit === 'bytes') return sizeText(done);
  const [one, many] = unitWords[unit] ?? ['', ''];
  return total === null
    ? formatCount(done, one, many)
    : `${done.toLocaleString('it-IT')} di ${formatCount(total, one, many)}`;
}

/** As in "12 kB" and "1,2 MB". */
export function sizeText(bytes: number): string {
  return bytes < 1e6
    ? `${Math.ceil(bytes / 1e3)} kB`
    : `${(bytes / 1e6).toFixed(1).replace('.', ',')} MB`;
}
