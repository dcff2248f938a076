/**
 * Tickets for the door: one fills the screen, a swipe shows the next, and the screen stays on
 * meanwhile.
 */
import { useEffect, useRef, useState } from 'react';
import { useAwake } from '#apps/shared/awake.ts';
import { formatShortDate } from '#apps/shared/format.ts';
import { Dialog } from '#apps/shared/ui/dialog.tsx';
import { trialWords } from '#server/domain/door/trial.ts';
import { isolate } from '#server/domain/text/direction.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { QrCode } from '#apps/shared/ui/qr-code.tsx';
import type { OrderReply } from '#apps/booking/shell/replies.ts';
import { CardTurner, scrollToCard, useShownCard } from './reel.tsx';
import { WayIn } from './ticket-card.tsx';
import card from './ticket-card.module.css';
import turner from './reel.module.css';
import styles from './ticket-screen.late.module.css';

type Ticket = Pick<
  OrderReply['tickets'][number],
  | 'ticket_id'
  | 'seat'
  | 'code'
  | 'code_for_people'
  | 'trial'
  | 'type_label'
  | 'holder'
  | 'gate'
  | 'entrance'
>;
interface TicketScreenProps {
  tickets: readonly Ticket[];
  event: Pick<OrderReply['event'], 'title' | 'starts_at'>;
  /** The first ticket to show. */ first: number;
  onClose: () => void;
}

export function TicketScreen({ tickets, event, first, onClose }: TicketScreenProps) {
  const reel = useRef<HTMLUListElement>(null);
  const { shown, turnTo } = useShownCard(reel, tickets.length);
  const [begun] = useState(first);
  useAwake();
  useEffect(() => scrollToCard(reel.current, begun, 'instant'), [begun]);
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
            className={`${turner.round} ${styles.close}`}
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
            <TicketPage
              key={ticket.ticket_id}
              ticket={ticket}
              position={`${index + 1} di ${tickets.length}`}
            />
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

function TicketPage({ ticket, position }: { ticket: Ticket; position: string }) {
  return (
    <li>
      <div className={styles.qr}>
        <QrCode text={ticket.code} label={`Codice QR del biglietto ${position}: ${ticket.seat}`} />
      </div>
      {ticket.trial && <p>{trialWords}</p>}
      <p className={styles.seat}>{ticket.seat}</p>
      <WayIn ticket={ticket} />
      <p>
        {ticket.type_label}
        {ticket.holder !== null && ` · ${isolate(ticket.holder)}`}
      </p>
      <p className={`${card.letters} ${styles.letters}`}>{ticket.code_for_people}</p>
    </li>
  );
}
