/**
 * A ticket that two phones let in independently: when and where, so that a person can find out
 * what happened.
 */
import { useEffect, useState } from 'react';
import { formatTimeWithSeconds } from '#apps/shared/format.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { phone } from '#apps/scanner/scan/phone.ts';
import type { Passage } from '#apps/scanner/scan/look-up.ts';
import type { QueuedScan } from '#apps/scanner/kit/store.ts';
import { SeatWords } from '#apps/scanner/screens/scan/verdict/verdict-parts.tsx';
import { joinFacts } from '#apps/scanner/screens/words.ts';
import parts from '#apps/scanner/screens/parts.module.css';
import styles from './conflict-card.module.css';

/** `scan`: our own scan, the later one. The other may be unknown while the list is made anew. */
export function ConflictCard({ scan }: { scan: QueuedScan }) {
  const [other, setOther] = useState<Passage | null>(null);
  const { event_id, place, admission_id, corrected_at } = scan;
  useEffect(() => {
    let isWanted = true;
    if (place === null) return undefined;
    // A wiped event has no history any more.
    Promise.resolve()
      .then(() => phone.lookUp(event_id, phone.recognisePlace(event_id, place)))
      .then(
        ({ history }) => {
          if (isWanted) setOther(firstBefore(history, admission_id, corrected_at));
        },
        () => {},
      );
    return () => {
      isWanted = false;
    };
  }, [event_id, place, admission_id, corrected_at]);
  const before = other && joinFacts(formatTimeWithSeconds(other.at), other.gate, other.by);
  return (
    <li className={`${parts.card} ${styles.conflict}`} data-fate="conflict">
      <p className={styles.head}>
        <Icon name="warning" size={24} label="Conflitto" />
        <strong>
          <SeatWords seat={scan.seat ?? place ?? ''} />
        </strong>
      </p>
      <dl className={styles.passages}>
        <div>
          <dt>Prima</dt>
          <dd>{before ?? 'su un altro telefono'}</dd>
        </div>
        <div>
          <dt>Poi, qui</dt>
          <dd>{joinFacts(formatTimeWithSeconds(corrected_at), scan.gate)}</dd>
        </div>
      </dl>
      {other !== null && (
        <p className={parts.soft}>{`${gapWords(corrected_at - other.at)} tra le due letture.`}</p>
      )}
    </li>
  );
}

function gapWords(ms: number): string {
  const minutes = Math.round(Math.abs(ms) / 60_000);
  if (minutes === 0) return 'Meno di un minuto';
  return minutes === 1 ? 'Un minuto' : `${minutes} minuti`;
}

/** The entry before ours. */
function firstBefore(history: readonly Passage[], own: string, at: number): Passage | null {
  const others = history.filter(
    (passage) => passage.admission_id !== own && passage.direction === 'in' && !passage.undone,
  );
  return (
    others.filter((passage) => passage.at <= at).sort((a, b) => b.at - a.at)[0] ?? others[0] ?? null
  );
}
