/** What this phone has read and what became of it: to be sent, sent, in conflict, or on the shelf. */
import { formatCount, formatShortDate, formatTimeWithSeconds } from '#apps/shared/format.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Badge, type BadgeTone } from '#apps/shared/ui/badge.tsx';
import { Icon, type IconName } from '#apps/shared/ui/icon.tsx';
import { verdictWords } from '#apps/shared/verdict-words.ts';
import { useQueueLength } from './status-line.tsx';
import { useStatus } from './status.ts';
import { db, type Fate, type QueuedScan } from './store.ts';
import { syncNow } from './sync.ts';
import { useLive } from './use-live.ts';
import { useNow } from './use-now.ts';

/** More than an evening's memory is not looked at on a phone. */
const shownRows = 200;

const fateWords: Record<Fate, { text: string; tone: BadgeTone; icon: IconName }> = {
  queued: { text: 'Da inviare', tone: 'warn', icon: 'upload' },
  stored: { text: 'Inviato', tone: 'good', icon: 'check' },
  conflict: { text: 'Conflitto', tone: 'bad', icon: 'warning' },
  unreadable: { text: 'Illeggibile', tone: 'bad', icon: 'warning' },
};

export function QueueView({ onBack }: { onBack: () => void }) {
  const scans = useLive(() => db.queue.orderBy('scanned_at').reverse().limit(shownRows).toArray());
  // However long ago: what a person must look at does not fall out of the list.
  const odd = useLive(() => db.queue.where('fate').anyOf('conflict', 'unreadable').reverse().sortBy('scanned_at')) ?? [];
  const waiting = useQueueLength() ?? 0;
  const { online, syncing } = useStatus();
  const now = useNow();
  return (
    <main className="page">
      <header className="page-head">
        <button type="button" className="round-button" aria-label="Indietro" onClick={onBack}><Icon name="back" size={26} /></button>
        <h1>Letture di questo telefono</h1>
      </header>
      <div className="card queue-summary" data-queue={waiting}>
        <p><strong>{waiting === 0 ? 'Tutto inviato' : formatCount(waiting, 'ingresso da inviare', 'ingressi da inviare')}</strong>
          <span>{waiting === 0 ? 'Il server ha ricevuto ogni lettura.' : online ? 'Partono da soli fra pochi secondi.' : 'Partono da soli appena torna la linea.'}</span></p>
        {waiting > 0 && <AsyncButton variant="primary" busy={syncing} onClick={syncNow}>Invia adesso</AsyncButton>}
      </div>
      {odd.length > 0 && (
        <section className="stack" aria-label="Da guardare">
          <h2>Da guardare</h2>
          <p className="soft">Conflitto: lo stesso biglietto era già entrato altrove. Illeggibile: il server non ha capito la lettura, che resta conservata qui. Ne decide l’ufficio.</p>
          <ul className="scans">{odd.map((scan) => <ScanRow key={scan.admission_id} scan={scan} now={now} />)}</ul>
        </section>
      )}
      <section className="stack" aria-label="Tutte le letture">
        <h2>Tutte</h2>
        {scans?.length === 0 && <p className="soft">Nessuna lettura ancora.</p>}
        <ul className="scans">{scans?.map((scan) => <ScanRow key={scan.admission_id} scan={scan} now={now} />)}</ul>
      </section>
    </main>
  );
}

function ScanRow({ scan, now }: { scan: QueuedScan; now: number }) {
  const { text, tone, icon } = fateWords[scan.fate];
  const words = verdictWords[scan.verdict];
  return (
    <li className="scan-row" data-fate={scan.fate}>
      <span className={`scan-row-mark tone-${words.tone}`}>
        <svg viewBox="0 0 24 24" width="24" height="24" fill="none" stroke="currentColor" strokeWidth="2.4" strokeLinecap="round" strokeLinejoin="round" aria-hidden="true"><path d={words.icon} /></svg>
      </span>
      <span className="scan-row-text">
        <strong>{words.big}{scan.direction === 'out' && scan.verdict !== 'out' ? ' (uscita)' : ''}</strong>
        <span>{scan.seat ?? scan.read ?? scan.place ?? ''}</span>
        <span className="soft">{now - scan.scanned_at < 20 * 3_600_000 ? formatTimeWithSeconds(scan.scanned_at) : formatShortDate(scan.scanned_at)}{scan.override === null ? '' : ` · ${scan.override}`}</span>
      </span>
      <Badge tone={tone} icon={icon}>{text}</Badge>
    </li>
  );
}
