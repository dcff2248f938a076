/** What this phone has read and what became of it: to be sent, sent, in conflict, or on the shelf. */
import { formatShortDate, formatTimeWithSeconds } from '#apps/shared/format.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Badge, type BadgeTone } from '#apps/shared/ui/badge.tsx';
import type { IconName } from '#apps/shared/ui/icon.tsx';
import { verdictWords } from '#apps/shared/verdict-words.ts';
import { sayCount } from './count.ts';
import { ConflictCard } from './conflict-card.tsx';
import { ExportQueue } from './export-queue.tsx';
import { Panel } from './panel.tsx';
import { db, syncNow } from '#apps/scanner/scan/phone.ts';
import { useQueueLength } from './status-line.tsx';
import { useStatus } from './status.ts';
import type { Fate, QueuedScan } from '#apps/scanner/list/store.ts';
import { useLive } from './use-live.ts';
import { useNow } from './use-now.ts';
import { SeatWords, VerdictIcon } from './scan/verdict-parts.tsx';

/** More than an evening's memory is not looked at on a phone. */
const shownRows = 200;

const fateWords: Record<Fate, { text: string; tone: BadgeTone; icon: IconName }> = {
  queued: { text: 'Da inviare', tone: 'warn', icon: 'upload' },
  stored: { text: 'Inviato', tone: 'good', icon: 'check' },
  conflict: { text: 'Conflitto', tone: 'bad', icon: 'warning' },
  unreadable: { text: 'Illeggibile', tone: 'bad', icon: 'warning' },
};

export function QueuePanel({ onClose }: { onClose: () => void }) {
  const scans = useLive(() => db.queue.orderBy('scanned_at').reverse().limit(shownRows).toArray());
  // However long ago: what a person must look at does not fall out of the list.
  const odd =
    useLive(() =>
      db.queue.where('fate').anyOf('conflict', 'unreadable').reverse().sortBy('scanned_at'),
    ) ?? [];
  const waiting = useQueueLength() ?? 0;
  const { online, syncing } = useStatus();
  const now = useNow();
  const conflicts = odd.filter(({ fate }) => fate === 'conflict');
  const shelf = odd.filter(({ fate }) => fate === 'unreadable');
  return (
    <Panel title="Letture di questo telefono" onClose={onClose}>
      <div className="card queue-summary" data-queue={waiting}>
        <p>
          <strong>
            {waiting === 0
              ? 'Tutto inviato'
              : sayCount(waiting, 'ingresso da inviare', 'ingressi da inviare')}
          </strong>
          <span>
            {waiting === 0
              ? 'Il server ha ricevuto ogni lettura.'
              : online
                ? 'Partono da soli fra pochi secondi.'
                : 'Partono da soli appena torna la linea.'}
          </span>
        </p>
        {waiting > 0 && (
          <AsyncButton variant="primary" busy={syncing} onClick={syncNow}>
            Invia adesso
          </AsyncButton>
        )}
      </div>
      <ExportQueue
        title={waiting > 0 ? 'Se la linea non torna' : 'Quello che il server non ha capito'}
      />
      {odd.length > 0 && (
        <section className="stack" aria-label="Da guardare">
          <h2>Da guardare</h2>
          {conflicts.length > 0 && (
            <p className="soft">Lo stesso biglietto era già entrato altrove. Decide l’ufficio.</p>
          )}
          <ul className="stack">
            {conflicts.map((scan) => (
              <ConflictCard key={scan.admission_id} scan={scan} />
            ))}
          </ul>
          {shelf.length > 0 && (
            <p className="soft">
              Illeggibile: il server non ha capito la lettura, che resta conservata qui finché
              l’ufficio non la guarda.
            </p>
          )}
          <ul className="scans">
            {shelf.map((scan) => (
              <ScanRow key={scan.admission_id} scan={scan} now={now} />
            ))}
          </ul>
        </section>
      )}
      <section className="stack" aria-label="Tutte le letture">
        <h2>Tutte</h2>
        {scans?.length === 0 && <p className="soft">Nessuna lettura ancora.</p>}
        <ul className="scans">
          {scans?.map((scan) => (
            <ScanRow key={scan.admission_id} scan={scan} now={now} />
          ))}
        </ul>
      </section>
    </Panel>
  );
}

function ScanRow({ scan, now }: { scan: QueuedScan; now: number }) {
  const { text, tone, icon } = fateWords[scan.fate];
  const words = verdictWords[scan.verdict];
  return (
    <li className="scan-row" data-fate={scan.fate}>
      <VerdictIcon path={words.icon} className={`scan-row-icon tone-${words.tone}`} />
      <span className="scan-row-text">
        <strong>
          {words.big}
          {scan.direction === 'out' && scan.verdict !== 'out' ? ' (uscita)' : ''}
        </strong>
        <span>
          {scan.seat === null ? (scan.read ?? scan.place) : <SeatWords seat={scan.seat} />}
        </span>
        <span className="soft">
          {[
            now - scan.scanned_at < 20 * 3_600_000
              ? formatTimeWithSeconds(scan.scanned_at)
              : formatShortDate(scan.scanned_at),
            scan.override ?? scan.note,
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </span>
      <Badge tone={tone} icon={icon}>
        {text}
      </Badge>
    </li>
  );
}
