/** One line that says how fresh the list is, how large, and what still has to be sent. */
import { Dexie } from 'dexie';
import { Fragment } from 'react';
import { clockWarningMs } from '#server/domain/phone.ts';
import { formatShortDate, formatTime } from '#apps/shared/format.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { spanWords } from '#apps/scanner/sync/clock.ts';
import { sayCount } from './count.ts';
import { diskTrouble, type LineStatus } from '#apps/scanner/sync/line-status.ts';
import { db } from '#apps/scanner/scan/phone.ts';
import { useStatus } from './status.ts';
import type { Device, StoredEvent } from '#apps/scanner/list/store.ts';
import { useLive } from './use-live.ts';
import { useClockError, useNow } from './use-now.ts';

/** Past this age the doorman is told in red: another door may have let in anybody. */
const oldMs = 5 * 60_000;

/** Infinite where the clock was set back since: then nobody knows. What the screen takes for now may be some seconds behind. */
export function listAge({ updated_at }: StoredEvent, now: number): number {
  const age = updated_at === null ? 0 : now - updated_at;
  return age < -clockWarningMs ? Infinity : age;
}

export function isOldList(event: StoredEvent, now: number): boolean {
  return listAge(event, now) > oldMs;
}

export function useQueueLength(): number | undefined {
  return useLive(() =>
    db.queue
      .where('[fate+seq]')
      .between(['queued', Dexie.minKey], ['queued', Dexie.maxKey])
      .count(),
  );
}

/** What keeps this phone from the server and a person can mend: said before all else, because waiting for the signal would not help. Null: nothing, or only the signal. */
function obstacleOf(
  { forgotten }: Pick<Device, 'forgotten'>,
  { update_required, online, trouble }: LineStatus,
): string | null {
  if (forgotten) return 'L’abbinamento non vale più: abbina di nuovo il telefono in ufficio';
  if (update_required) return 'App troppo vecchia: torna alla preparazione e aggiorna';
  if (trouble === diskTrouble) return trouble;
  return online || trouble === null ? null : `Puoi continuare. ${trouble.replace(/\.$/, '')}`;
}

/** `device`: where nothing else on the screen says what is wrong. `isShort`: where the number of tickets already stands on it. */
export function StatusLine({
  event,
  device,
  isShort = false,
}: {
  event: StoredEvent;
  device?: Pick<Device, 'forgotten'>;
  isShort?: boolean;
}) {
  const status = useStatus();
  const { online, live } = status;
  const obstacle = device ? obstacleOf(device, status) : null;
  const clockError = useClockError();
  const wrongClock =
    device && clockError > clockWarningMs
      ? `Orologio sbagliato di ${spanWords(clockError)}: controlla data e ora`
      : null;
  const waiting = useQueueLength() ?? 0;
  const now = useNow();
  const isOld = isOldList(event, now);
  const updated = isOld ? staleWords(listAge(event, now)) : updatedWords(event.updated_at, now);
  const facts = [
    obstacle ?? (online ? null : 'Sei offline: puoi continuare'),
    wrongClock,
    online || isOld ? updated : null,
    isShort ? null : sayCount(event.tickets, 'biglietto', 'biglietti'),
    waiting === 0 ? null : sayCount(waiting, 'ingresso da inviare', 'ingressi da inviare'),
  ].filter((part) => part !== null);
  const isBad = isOld || obstacle !== null || wrongClock !== null;
  const look = isBad ? ' status-line-old' : online ? '' : ' status-line-offline';
  return (
    <p
      className={`status-line${look}`}
      data-online={online}
      data-live={live}
      data-queue={waiting}
      data-obstacle={obstacle !== null}
    >
      {live && obstacle === null && wrongClock === null ? (
        <span className="live-dot">
          <span className="visually-hidden">In diretta</span>
        </span>
      ) : (
        <Icon name={isBad ? 'warning' : online ? 'online' : 'offline'} size={18} />
      )}
      <span>
        {facts.map((part, index) => (
          <Fragment key={part}>
            <span className={part === obstacle || part === wrongClock ? undefined : 'unbroken'}>
              {part}
              {index < facts.length - 1 && ' ·'}
            </span>{' '}
          </Fragment>
        ))}
      </span>
    </p>
  );
}

function updatedWords(at: number | null, now: number): string {
  if (at === null) return 'Elenco non ancora scaricato';
  return now - at < 20 * 3_600_000
    ? `Aggiornato alle ${formatTime(at)}`
    : `Aggiornato ${formatShortDate(at)}`;
}

function staleWords(age: number): string {
  return age === Infinity
    ? 'Dati forse vecchi: controlla data e ora'
    : `Dati vecchi di ${spanWords(age)}`;
}
