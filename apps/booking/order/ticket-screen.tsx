/** Tickets for the door: one fills the screen, a swipe brings the next, and the screen stays awake as long as they are shown. */
import { useEffect, useRef, useState } from 'react';
import { formatShortDate } from '#apps/shared/format.ts';
import { Dialog } from '#apps/shared/ui/dialog.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { QrCode } from '#apps/shared/ui/qr-code.tsx';
import { CardTurner } from './card-turner.tsx';
import type { OrderReply } from '#apps/booking/shell/replies.ts';
import { useShownCard } from './use-shown-card.ts';
import card from './ticket-card.module.css';
import styles from './ticket-screen.module.css';

type Ticket = OrderReply['tickets'][number];
interface TicketScreenProps {
  tickets: readonly Ticket[];
  event: OrderReply['event'];
  /** The one to begin with. */ first: number;
  onClose: () => void;
}

export function TicketScreen({ tickets, event, first, onClose }: TicketScreenProps) {
  const reel = useRef<HTMLUListElement>(null);
  const { shown, turnTo, jumpTo } = useShownCard(reel, tickets.length);
  const [begun] = useState(first);
  useWakeLock();
  useEffect(() => jumpTo(begun), [jumpTo, begun]);
  return (
    <Dialog className={styles.screen} labelledBy="ticket-screen-title" onClose={onClose}>
      <div className={styles.frame}>
        <header className={styles.head}>
          <p id="ticket-screen-title">
            <strong>{event.title}</strong>
            <span>{formatShortDate(event.starts_at)}</span>
          </p>
          <button
            type="button"
            className={styles.close}
            aria-label="Chiudi"
            data-autofocus
            onClick={onClose}
          >
            <Icon name="cross" />
          </button>
        </header>
        <ul
          className={styles.reel}
          ref={reel}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a list that scrolls sideways must be reachable with the keyboard
          tabIndex={tickets.length > 1 ? 0 : undefined}
          aria-label="Biglietti"
        >
          {tickets.map((ticket, index) => (
            <li key={ticket.ticket_id}>
              <div className={styles.qr}>
                <QrCode
                  text={ticket.code}
                  label={`Codice QR del biglietto ${index + 1} di ${tickets.length}: ${ticket.seat}`}
                />
              </div>
              <p className={styles.seat}>{ticket.seat}</p>
              {ticket.gate && (
                <p className={card.gate}>
                  <Icon name="door" size={20} /> Ingresso: <strong>{ticket.gate}</strong>
                </p>
              )}
              <p>
                {ticket.type_label}
                {ticket.holder !== null && ` · ${ticket.holder}`}
              </p>
              <p className={`${card.letters} ${styles.letters}`}>{ticket.code_for_people}</p>
            </li>
          ))}
        </ul>
        <CardTurner
          shown={shown}
          count={tickets.length}
          turnTo={turnTo}
          className={styles.turner}
        />
        <p className={styles.hint}>Alza la luminosità dello schermo: il lettore fa prima.</p>
      </div>
    </Dialog>
  );
}

/** Browsers give it back when the page is hidden: it is asked for again. */
function useWakeLock(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | null = null;
    let over = false;
    const ask = () => {
      if (document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return;
      // A low battery may refuse it: then the screen goes dark as it always does.
      navigator.wakeLock.request('screen').then(
        (given) => {
          if (over) void given.release();
          else lock = given;
        },
        () => {},
      );
    };
    ask();
    document.addEventListener('visibilitychange', ask);
    return () => {
      over = true;
      document.removeEventListener('visibilitychange', ask);
      void lock?.release();
    };
  }, []);
}
