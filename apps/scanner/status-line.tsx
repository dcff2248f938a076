/** One line that says how fresh the list is, how large, and what still has to be sent. */
import { Dexie } from 'dexie';
import { Fragment } from 'react';
import { formatCount, formatShortDate, formatTime } from '#apps/shared/format.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { useStatus } from './status.ts';
import { db, type StoredEvent } from './store.ts';
import { useLive } from './use-live.ts';
import { useNow } from './use-now.ts';

/** Past this age the doorman is told, whatever the line says. */
const oldMs = 3_600_000;

export function useQueueLength(): number | undefined {
  return useLive(() => db.queue.where('[fate+seq]').between(['queued', Dexie.minKey], ['queued', Dexie.maxKey]).count());
}

export function StatusLine({ event }: { event: StoredEvent }) {
  const { online } = useStatus();
  const waiting = useQueueLength() ?? 0;
  const now = useNow();
  const age = event.updated_at === null ? 0 : now - event.updated_at;
  const toSend = waiting === 0 ? null : formatCount(waiting, 'ingresso da inviare', 'ingressi da inviare');
  const facts = online
    ? [age > oldMs ? staleWords(age) : updatedWords(event.updated_at, age), formatCount(event.tickets, 'biglietto', 'biglietti')]
    : ['Sei offline: puoi continuare', age > oldMs ? staleWords(age) : null];
  return (
    <p className={online ? 'status-line' : 'status-line status-line-offline'} data-online={online} data-queue={waiting}>
      <Icon name={online ? 'online' : 'offline'} size={18} />
      <span>{[...facts, toSend].filter((part) => part !== null).map((part, index) => <Fragment key={part}>{index > 0 && ' · '}<span className="unbroken">{part}</span></Fragment>)}</span>
    </p>
  );
}

function updatedWords(at: number | null, age: number): string {
  if (at === null) return 'Elenco non ancora scaricato';
  return age < 20 * 3_600_000 ? `Aggiornato alle ${formatTime(at)}` : `Aggiornato ${formatShortDate(at)}`;
}

function staleWords(age: number): string {
  const hours = Math.floor(age / 3_600_000);
  return `Dati vecchi di ${hours === 1 ? 'un’ora' : `${hours} ore`}: collegati prima di aprire le porte`;
}
