/** One line about the list and the queue: how fresh, how large, and what is unsent. */
import { Fragment } from 'react';
import { clockWarningMs } from '#server/domain/door/phone.ts';
import { formatShortDate, formatTime } from '#apps/shared/format.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { spanWords } from '#apps/scanner/kit/clock.ts';
import { isOwnTrouble, type LineStatus } from '#apps/scanner/kit/line-status.ts';
import { isStrangeGate } from '#apps/scanner/device/gate.ts';
import type { Device, StoredEvent } from '#apps/scanner/kit/store.ts';
import { sayCount, sayUnsent } from './words.ts';
import { isOldList, listAge } from './list-age.ts';
import { useStatus, useUnsent } from './status.ts';
import { isRecent, useClockError, useNow } from './use-now.ts';
import parts from './parts.module.css';
import styles from './status-line.module.css';

interface StatusLineProps {
  event: StoredEvent;
  /**
   * Set on the scanning screen, where nothing else says what is wrong and the number of tickets
   * is shown already.
   */
  device?: Pick<Device, 'forgotten' | 'gate' | 'events'>;
}

export function StatusLine({ event, device }: StatusLineProps) {
  const status = useStatus();
  const { online, live } = status;
  const clockError = useClockError();
  const unsent = useUnsent();
  const waiting = unsent?.readings ?? 0;
  const now = useNow();
  const isOld = isOldList(event, now);
  const obstacle = device ? obstacleOf(device, status) : null;
  const wrongClock = device ? clockTrouble(clockError) : null;
  const isStrange = device !== undefined && isStrangeGate(device, event.event_id);
  const isBad = isOld || obstacle !== null || wrongClock !== null || isStrange;
  const { look, icon } = lookOf(isBad, online);
  const facts = [
    obstacle ?? (online ? null : 'Sei offline: puoi continuare'),
    wrongClock,
    isStrange ? `${device.gate} non è un varco di questo evento` : device?.gate,
    online || isOld ? freshness(event, now) : null,
    device ? null : sayCount(event.tickets, 'biglietto', 'biglietti'),
    unsent && waiting > 0 ? sayUnsent(unsent) : null,
  ].filter((part) => part != null);
  return (
    <p
      className={look}
      data-online={online}
      data-live={live}
      data-queue={waiting}
      data-obstacle={obstacle !== null}
    >
      {live && obstacle === null && wrongClock === null ? (
        <LiveDot />
      ) : (
        <Icon name={icon} size={18} />
      )}
      <span>
        {facts.map((part, index) => (
          <Fragment key={part}>
            <span className={part === obstacle || part === wrongClock ? undefined : parts.unbroken}>
              {part}
              {index < facts.length - 1 && ' ·'}
            </span>{' '}
          </Fragment>
        ))}
      </span>
    </p>
  );
}

function LiveDot() {
  return (
    <span className={styles.liveDot}>
      <span className="visually-hidden">In diretta</span>
    </span>
  );
}

function lookOf(isBad: boolean, online: boolean) {
  if (isBad) return { look: styles.old, icon: 'warning' } as const;
  return online
    ? ({ look: styles.line, icon: 'online' } as const)
    : ({ look: styles.offline, icon: 'offline' } as const);
}

/**
 * An obstacle that a person can remove; it is shown first, because waiting for the signal would
 * not help. Null: there is none, or only a lost signal.
 */
function obstacleOf(
  { forgotten }: Pick<Device, 'forgotten'>,
  { update_required, online, trouble }: LineStatus,
): string | null {
  if (forgotten) return 'L’abbinamento non vale più: abbina di nuovo il telefono in ufficio';
  if (update_required) return 'App troppo vecchia: torna alla preparazione e aggiorna';
  if (isOwnTrouble(trouble)) return trouble;
  return online || trouble === null ? null : `Puoi continuare. ${trouble.replace(/\.$/, '')}`;
}

function clockTrouble(error: number): string | null {
  return error > clockWarningMs
    ? `Orologio sbagliato di ${spanWords(error)}: controlla data e ora`
    : null;
}

function freshness(event: StoredEvent, now: number): string {
  if (isOldList(event, now)) {
    const age = listAge(event, now);
    return age === Infinity
      ? 'Dati forse vecchi: controlla data e ora'
      : `Dati vecchi di ${spanWords(age)}`;
  }
  const { updated_at } = event;
  if (updated_at === null) return 'Elenco non ancora scaricato';
  return isRecent(updated_at, now)
    ? `Aggiornato alle ${formatTime(updated_at)}`
    : `Aggiornato ${formatShortDate(updated_at)}`;
}
