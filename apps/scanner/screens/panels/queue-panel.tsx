/** This phone's scans and their fate: to be sent, sent, in conflict, or not understood. */
import { useEffect } from 'react';
import { formatDayAndSeconds, formatTimeWithSeconds } from '#apps/shared/format.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Badge, type BadgeTone } from '#apps/shared/ui/badge.tsx';
import type { IconName } from '#apps/shared/ui/icon.tsx';
import { verdictWords } from '#apps/shared/verdict-words.ts';
import { joinFacts, sayUnsent } from '#apps/scanner/screens/words.ts';
import { ConflictCard } from './conflict-card.tsx';
import { GuestCard } from './guest-card.tsx';
import { ExportQueue } from './export-queue.tsx';
import { Panel } from './panel.tsx';
import { phone } from '#apps/scanner/scan/phone.ts';
import { useLive, useStatus, useUnsent } from '#apps/scanner/screens/status.ts';
import { guestsAgainst, seeConflicts } from '#apps/scanner/list/conflicts.ts';
import type { Fate, QueuedScan } from '#apps/scanner/kit/store.ts';
import { isRecent, useNow } from '#apps/scanner/screens/use-now.ts';
import { SeatWords, VerdictIcon } from '#apps/scanner/screens/scan/verdict/verdict-parts.tsx';
import parts from '#apps/scanner/screens/parts.module.css';
import rows from './rows.module.css';
import styles from './queue-panel.module.css';

/** How many of the newest scans are listed. */
const shownRows = 200;

const fateWords: Record<Fate, { text: string; tone: BadgeTone; icon: IconName }> = {
  queued: { text: 'Da inviare', tone: 'warn', icon: 'upload' },
  stored: { text: 'Inviato', tone: 'good', icon: 'check' },
  conflict: { text: 'Conflitto', tone: 'bad', icon: 'warning' },
  unreadable: { text: 'Illeggibile', tone: 'bad', icon: 'warning' },
};

export function QueuePanel({ onClose }: { onClose: () => void }) {
  const scans = useLive(() =>
    phone.db.queue.orderBy('scanned_at').reverse().limit(shownRows).toArray(),
  );
  const unsent = useUnsent() ?? { readings: 0, entries: 0 };
  return (
    <Panel title="Letture di questo telefono" onClose={onClose}>
      <Summary unsent={unsent} />
      <ExportQueue
        title={unsent.readings > 0 ? 'Se la linea non torna' : 'Quello che il server non ha capito'}
      />
      <Unsettled />
      <section className={parts.stack} aria-label="Tutte le letture">
        <h2>Tutte</h2>
        {scans?.length === 0 && <p className={parts.soft}>Nessuna lettura ancora.</p>}
        <ScanList scans={scans ?? []} />
      </section>
    </Panel>
  );
}

function Summary({ unsent }: { unsent: NonNullable<ReturnType<typeof useUnsent>> }) {
  const { online, syncing } = useStatus();
  const waiting = unsent.readings;
  const isAllSent = waiting === 0;
  const leave = waiting === 1 ? 'Parte da sola' : 'Partono da sole';
  const whenSent = `${leave} ${online ? 'fra pochi secondi' : 'appena torna la linea'}.`;
  return (
    <div className={`${parts.card} ${styles.summary}`} data-queue={waiting}>
      <p>
        <strong>{isAllSent ? 'Tutto inviato' : sayUnsent(unsent)}</strong>
        <span>{isAllSent ? 'Il server ha ricevuto ogni lettura.' : whenSent}</span>
      </p>
      {!isAllSent && (
        <AsyncButton variant="primary" busy={syncing} onClick={phone.syncNow}>
          Invia adesso
        </AsyncButton>
      )}
    </div>
  );
}

/** The scans that a person must look at, however old they are. */
function Unsettled() {
  const scans =
    useLive(() =>
      phone.db.queue.where('fate').anyOf('conflict', 'unreadable').reverse().sortBy('scanned_at'),
    ) ?? [];
  const guests = useLive(() => guestsAgainst(phone.db)) ?? [];
  const ids = [...scans, ...guests].map(({ admission_id }) => admission_id).join(' ');
  useEffect(() => {
    if (ids !== '') void seeConflicts(phone.db);
  }, [ids]);
  if (scans.length + guests.length === 0) return null;
  const conflicts = scans.filter(({ fate }) => fate === 'conflict');
  const unreadable = scans.filter(({ fate }) => fate === 'unreadable');
  return (
    <section className={parts.stack} aria-label="Da guardare">
      <h2>Da guardare</h2>
      {guests.length > 0 && (
        <>
          <p className={parts.soft}>
            Dentro senza un biglietto valido: parlaci di persona. Decide l’ufficio.
          </p>
          <ul className={parts.stack}>
            {guests.map((guest) => (
              <GuestCard key={guest.admission_id} guest={guest} />
            ))}
          </ul>
        </>
      )}
      {conflicts.length > 0 && (
        <p className={parts.soft}>Lo stesso biglietto era già entrato altrove. Decide l’ufficio.</p>
      )}
      <ul className={parts.stack}>
        {conflicts.map((scan) => (
          <ConflictCard key={scan.admission_id} scan={scan} />
        ))}
      </ul>
      {unreadable.length > 0 && (
        <p className={parts.soft}>
          Illeggibile: il server non ha capito la lettura, che resta conservata qui finché l’ufficio
          non la guarda.
        </p>
      )}
      <ScanList scans={unreadable} />
    </section>
  );
}

function ScanList({ scans }: { scans: readonly QueuedScan[] }) {
  const now = useNow();
  return (
    <ul className={rows.list}>
      {scans.map((scan) => (
        <ScanRow key={scan.admission_id} scan={scan} now={now} />
      ))}
    </ul>
  );
}

function ScanRow({ scan, now }: { scan: QueuedScan; now: number }) {
  const { text, tone, icon } = fateWords[scan.fate];
  const words = verdictWords[scan.verdict];
  const time = isRecent(scan.scanned_at, now)
    ? formatTimeWithSeconds(scan.scanned_at)
    : formatDayAndSeconds(scan.scanned_at);
  const details = joinFacts(time, scan.override ?? scan.note);
  return (
    <li className={rows.row} data-fate={scan.fate}>
      <VerdictIcon path={words.icon} className={`${rows.icon} ${parts[words.tone]}`} />
      <span className={rows.text}>
        <strong>
          {words.big}
          {scan.direction === 'out' && scan.verdict !== 'out' ? ' (uscita)' : ''}
        </strong>
        <span>
          {scan.seat === null ? (scan.read ?? scan.place) : <SeatWords seat={scan.seat} />}
        </span>
        <span className={parts.soft}>{details}</span>
      </span>
      <Badge tone={tone} icon={icon}>
        {text}
      </Badge>
    </li>
  );
}
