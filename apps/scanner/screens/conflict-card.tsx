/** Two phones that did not hear of each other let in the same ticket: what a person needs to find out which guest it was. */
import { useEffect, useState } from 'react';
import { formatTime } from '#apps/shared/format.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { lookUp, recognisePlace } from '#apps/scanner/scan/phone.ts';
import type { TicketView } from '#apps/scanner/scan/look-up.ts';
import type { QueuedScan } from '#apps/scanner/list/store.ts';
import { SeatWords } from './scan/verdict-parts.tsx';

type Passage = TicketView['history'][number];

/** `scan`: ours, the later one. The other may be unknown while the list is being made anew. */
export function ConflictCard({ scan }: { scan: QueuedScan }) {
  const [other, setOther] = useState<Passage | null>(null);
  const { event_id, place, admission_id, corrected_at } = scan;
  useEffect(() => {
    let isWanted = true;
    if (place === null) return undefined;
    // An event that was wiped has no history any more.
    Promise.resolve()
      .then(() => lookUp(event_id, recognisePlace(event_id, place)))
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
  const minutes = other === null ? null : Math.round(Math.abs(corrected_at - other.at) / 60_000);
  return (
    <li className="card conflict" data-fate="conflict">
      <p className="conflict-head">
        <Icon name="warning" size={24} label="Conflitto" />
        <strong>
          <SeatWords seat={scan.seat ?? place ?? ''} />
        </strong>
      </p>
      <dl className="conflict-two">
        <div>
          <dt>Prima</dt>
          <dd>
            {other === null
              ? 'su un altro telefono'
              : `${formatTime(other.at)} · ${[other.gate, other.by].filter(Boolean).join(' · ')}`}
          </dd>
        </div>
        <div>
          <dt>Poi, qui</dt>
          <dd>
            {formatTime(corrected_at)}
            {scan.gate === null ? '' : ` · ${scan.gate}`}
          </dd>
        </div>
      </dl>
      {minutes !== null && (
        <p className="soft">
          {minutes === 0
            ? 'Meno di un minuto tra le due letture.'
            : minutes === 1
              ? 'Un minuto tra le due letture.'
              : `${minutes} minuti tra le due letture.`}
        </p>
      )}
    </li>
  );
}

/** The way in that ours came second to. */
function firstBefore(history: readonly Passage[], own: string, at: number): Passage | null {
  const others = history.filter(
    (passage) => passage.admission_id !== own && passage.direction === 'in' && !passage.undone,
  );
  return (
    others.filter((passage) => passage.at <= at).sort((a, b) => b.at - a.at)[0] ?? others[0] ?? null
  );
}
