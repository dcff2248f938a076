/** One ticket: a QR code large enough for a poor camera, the seat, and the code in letters. */
import { newerWord, withOther } from '#server/domain/text/newer-word.ts';
import type { ReactNode } from 'react';
import { formatLongDate, formatListDate, sayPrice } from '#apps/shared/format.ts';
import { Badge } from '#apps/shared/ui/badge.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { QrCode } from '#apps/shared/ui/qr-code.tsx';
import type { TicketState } from '#server/domain/door/admission.ts';
import { wayInWords } from '#server/domain/door/gate.ts';
import { holderWords } from '#server/domain/order/holder.ts';
import { toldTicketState } from '#server/domain/order/order-words.ts';
import { fiscalWords } from '#server/domain/papers/regime.ts';
import { feeWords } from '#server/domain/price/pricing.ts';
import { needsHolderName } from './holder-words.ts';
import type { OrderReply } from '#apps/booking/shell/replies.ts';
import styles from './ticket-card.module.css';

/** A guest's ticket says nothing of prices. */
type Priced = 'price_cents' | 'fee_cents' | 'service_cents' | 'fiscal';
type Told = OrderReply['tickets'][number];
type Ticket = Omit<Told, Priced | 'holder_step' | 'holder_obstacle' | 'link' | 'handed_on'> &
  Partial<Pick<Told, Priced>>;

/** An invalid ticket must not look like a valid one. */
const stateWords = withOther<Record<Exclude<TicketState, 'valid'>, string>>(
  {
    void: 'Annullato',
    refunded: 'Rimborsato',
    unpaid: 'Da pagare',
  },
  newerWord,
);

interface TicketCardProps {
  ticket: Ticket;
  event: Pick<OrderReply['event'], 'title' | 'starts_at' | 'venue_title' | 'nominative'>;
  /** The refunds of the whole order. */ refundedCents: number;
  /** It was given for another date. */ isExchanged?: boolean;
  /** Makes code and seat fit onto a phone's first screen. */ forDoor: boolean;
  position: string;
  onShow: (() => void) | null;
  onName: (() => void) | null;
  /** The buttons for wallets. */ children?: ReactNode;
  /** Gives the ticket to a guest; below the seat, which stands on the first screen. */
  hand?: ReactNode;
}

/**
 * `onShow` shows the code on the whole screen, `onName` asks for the missing name; null: not
 * possible.
 */
export function TicketCard({
  forDoor,
  refundedCents,
  isExchanged = false,
  hand,
  ...card
}: TicketCardProps) {
  const { ticket, event, position } = card;
  const looks = [
    styles.ticket,
    ticket.state === 'valid' ? '' : styles.off,
    forDoor ? styles.forDoor : '',
  ];
  return (
    <li className={looks.join(' ').trim()}>
      <div className={styles.head}>
        <p className={styles.event}>{event.title}</p>
        <p className={styles.when}>{formatLongDate(event.starts_at)}</p>
        <p className={`${styles.when} ${styles.where}`}>{event.venue_title}</p>
      </div>
      <div className={styles.code}>
        <TicketCode {...card} />
      </div>
      <TicketSeat
        ticket={ticket}
        refundedCents={refundedCents}
        isExchanged={isExchanged}
        position={position}
        hand={hand}
      />
    </li>
  );
}

function TicketCode({
  ticket,
  event,
  position,
  onShow,
  onName,
  children,
}: Omit<TicketCardProps, 'forDoor' | 'refundedCents' | 'isExchanged' | 'hand'>) {
  if (needsHolderName(event, ticket))
    return (
      <>
        <p className={styles.ended}>
          <Icon name="user" size={40} /> Intestatario mancante: il codice QR compare quando indichi
          il nome.
        </p>
        {onName !== null && (
          <button type="button" className={`${styles.button} no-print`} onClick={onName}>
            Indica il nome<span className="visually-hidden"> per {ticket.seat}</span>
          </button>
        )}
      </>
    );
  if (!hasCode(ticket))
    return (
      <p className={styles.ended}>
        <Icon name="cross" size={40} /> Con questo biglietto non si entra più.
      </p>
    );
  return (
    <>
      <div className={styles.qr}>
        <QrCode text={ticket.code} label={`Codice QR del biglietto ${position}: ${ticket.seat}`} />
      </div>
      <p className={styles.letters}>{ticket.code_for_people}</p>
      {onShow !== null && (
        <button type="button" className={`${styles.button} no-print`} onClick={onShow}>
          <Icon name="phone" /> Mostra a tutto schermo
        </button>
      )}
      {onShow !== null && children}
    </>
  );
}

interface Ended {
  ticket: Ticket;
  state: Exclude<TicketState, 'valid'>;
  isExchanged: boolean | undefined;
}

function endedWord({ ticket, state, isExchanged }: Ended): string {
  if (ticket.let_go) return 'Posto assegnato ad altri';
  return isExchanged && state !== 'unpaid' ? 'Cambiato con un’altra data' : stateWords[state];
}

/** The gate and stairs to the seat. */
export function WayIn({ ticket }: { ticket: Pick<Ticket, 'gate' | 'entrance'> }) {
  const words = wayInWords(ticket);
  return (
    words !== null && (
      <p className={styles.gate}>
        <Icon name="door" size={20} /> <strong>{words}</strong>
      </p>
    )
  );
}

function hasCode({ state }: Ticket): boolean {
  return state === 'valid' || state === 'unpaid';
}

function TicketPrice({
  price_cents,
  fee_cents = 0,
  service_cents = 0,
}: Partial<Pick<Told, Priced>>) {
  if (price_cents === undefined) return null;
  return (
    <>
      {' '}
      · {sayPrice(price_cents + fee_cents)}
      {fee_cents > 0 && <span className="small"> ({feeWords({ fee_cents, service_cents })})</span>}
    </>
  );
}

function TicketSeat({
  ticket,
  refundedCents,
  isExchanged,
  position,
  hand,
}: Pick<TicketCardProps, 'ticket' | 'refundedCents' | 'isExchanged' | 'position' | 'hand'>) {
  const state = toldTicketState(ticket.state, refundedCents);
  return (
    <div className={styles.seat}>
      {ticket.trial && (
        <Badge tone="warn" icon="warning">
          PROVA
        </Badge>
      )}
      {state !== 'valid' && (
        <Badge tone="bad" icon="cross">
          {endedWord({ ticket, state, isExchanged })}
        </Badge>
      )}
      {state === 'valid' && ticket.let_go && (
        <Badge tone="warn" icon="clock">
          Posto liberato
        </Badge>
      )}
      {state === 'valid' && ticket.admitted_at !== null && (
        <Badge tone="neutral" icon="check">
          Entrato il {formatListDate(ticket.admitted_at)}
        </Badge>
      )}
      <h3 className={styles.place}>{ticket.seat}</h3>
      {/* Missing in orders that this browser stored in an older version. */}
      {ticket.remarks?.map((remark) => (
        <p key={remark} className={styles.remark}>
          {remark.charAt(0).toUpperCase() + remark.slice(1)}
        </p>
      ))}
      {state === 'valid' && <WayIn ticket={ticket} />}
      <p>
        {ticket.type_label}
        <TicketPrice {...ticket} />
      </p>
      {ticket.holder !== null && <p>{holderWords(ticket.holder)}</p>}
      {hand}
      {ticket.fiscal && <p className="small">{fiscalWords(ticket.fiscal)}</p>}
      <p className={styles.note}>
        <span>{hasCode(ticket) ? 'Ogni codice vale per una sola entrata' : ''}</span>
        <span>{position}</span>
      </p>
    </div>
  );
}
