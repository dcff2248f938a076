/** One line that says how fresh the list is, how large, and what still has to be sent. */
import { Dexie } from 'dexie';
import { Fragment } from 'react';
import { formatShortDate, formatTime } from '#apps/shared/format.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { sayCount } from './count.ts';
import { diskTrouble, type LineStatus } from './line-status.ts';
import { db } from './phone.ts';
import { useStatus } from './status.ts';
import type { Device, StoredEvent } from './store.ts';
import { useLive } from './use-live.ts';
import { useNow } from './use-now.ts';

/** Past this age the doorman is told in red: another door may have let in anybody. */
const oldMs = 5 * 60_000;

export function isOldList(event: StoredEvent, now: number): boolean {
  return event.updated_at !== null && now - event.updated_at > oldMs;
}

export function useQueueLength(): number | undefined {
  return useLive(() => db.queue.where('[fate+seq]').between(['queued', Dexie.minKey], ['queued', Dexie.maxKey]).count());
}

/** What keeps this phone from the server and a person can mend: said before all else, because waiting for the signal would not help. Null: nothing, or only the signal. */
function obstacleOf({ forgotten }: Pick<Device, 'forgotten'>, { update_required, online, trouble }: LineStatus): string | null {
  if (forgotten) return 'L’abbinamento non vale più: abbina di nuovo il telefono in ufficio';
  if (update_required) return 'App troppo vecchia: torna alla preparazione e aggiorna';
  if (trouble === diskTrouble) return trouble;
  return online || trouble === null ? null : `Puoi continuare. ${trouble.replace(/\.$/, '')}`;
}

/** `device`: where nothing else on the screen says what is wrong. `isShort`: where the number of tickets already stands on it. */
export function StatusLine({ event, device, isShort = false }: { event: StoredEvent; device?: Pick<Device, 'forgotten'>; isShort?: boolean }) {
  const status = useStatus();
  const { online, live } = status;
  const obstacle = device ? obstacleOf(device, status) : null;
  const waiting = useQueueLength() ?? 0;
  const now = useNow();
  const isOld = isOldList(event, now);
  const updated = isOld ? staleWords(now - event.updated_at!) : updatedWords(event.updated_at, now);
  const facts = [
    obstacle ?? (online ? null : 'Sei offline: puoi continuare'),
    online || isOld ? updated : null,
    isShort ? null : sayCount(event.tickets, 'biglietto', 'biglietti'),
    waiting === 0 ? null : sayCount(waiting, 'ingresso da inviare', 'ingressi da inviare'),
  ].filter((part) => part !== null);
  const look = isOld || obstacle !== null ? ' status-line-old' : online ? '' : ' status-line-offline';
  return (
    <p className={`status-line${look}`} data-online={online} data-live={live} data-queue={waiting} data-obstacle={obstacle !== null}>
      {live && obstacle === null ? <span className="live-dot"><span className="visually-hidden">In diretta</span></span> : <Icon name={isOld || obstacle !== null ? 'warning' : online ? 'online' : 'offline'} size={18} />}
      <span>{facts.map((part, index) => <Fragment key={part}><span className={part === obstacle ? undefined : 'unbroken'}>{part}{index < facts.length - 1 && ' ·'}</span>{' '}</Fragment>)}</span>
    </p>
  );
}

function updatedWords(at: number | null, now: number): string {
  if (at === null) return 'Elenco non ancora scaricato';
  return now - at < 20 * 3_600_000 ? `Aggiornato alle ${formatTime(at)}` : `Aggiornato ${formatShortDate(at)}`;
}

function staleWords(age: number): string {
  const minutes = Math.floor(age / 60_000);
  if (minutes < 60) return `Dati vecchi di ${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return `Dati vecchi di ${hours === 1 ? 'un’ora' : `${hours} ore`}`;
}
