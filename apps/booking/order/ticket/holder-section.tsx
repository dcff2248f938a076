/** The holders of an order's tickets: who is named, who is missing, and what can still change. */
import { useEffect, useRef } from 'react';
import { Badge } from '#apps/shared/ui/badge.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { holderObstacleWords, needsHolderName } from './holder-words.ts';
import type { OrderReply } from '#apps/booking/shell/replies.ts';
import card from '#apps/booking/shell/page/card.module.css';
import styles from './holders.module.css';

interface HoldersProps {
  order: OrderReply;
  onName: (ticket_id: string) => void;
}

export function HolderSection({ order, onName }: HoldersProps) {
  const rule = order.event.names_rule;
  const valid = order.tickets.filter((ticket) => ticket.state === 'valid');
  if (rule === null || valid.length === 0) return null;
  return (
    <section className={`${card.section} no-print`} aria-labelledby="holders-title">
      <h2 id="holders-title">Intestatari</h2>
      <p>{rule}</p>
      <ul>
        {valid.map((ticket) => (
          <li key={ticket.ticket_id} className={styles.line}>
            <div>
              <p>
                <strong>
                  {ticket.holder ??
                    (needsHolderName(order.event, ticket) ? 'Intestatario mancante' : 'Senza nome')}
                </strong>
              </p>
              <p className="small soft">{ticket.seat}</p>
              {ticket.holder_obstacle !== null && holderObstacleWords[ticket.holder_obstacle] && (
                <p className="small soft">{holderObstacleWords[ticket.holder_obstacle]}</p>
              )}
            </div>
            {ticket.holder_step !== null && (
              <button type="button" className="ui-button" onClick={() => onName(ticket.ticket_id)}>
                <Icon name={ticket.holder_step === 'name' ? 'user' : 'edit'} /> {stepWords(ticket)}
                <span className="visually-hidden">: {ticket.seat}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function stepWords({ holder_step, holder }: OrderReply['tickets'][number]): string {
  if (holder_step === 'name') return 'Indica il nome';
  return holder === null ? 'Passa ad altri' : 'Cambia';
}

/** The button that opened the form is gone once its ticket has a name: the heading comes next. */
function useFocusAfterName({ tickets }: OrderReply): void {
  const missing = tickets.filter(({ holder_step }) => holder_step === 'name').length;
  const before = useRef(missing);
  useEffect(() => {
    if (missing < before.current && document.activeElement === document.body)
      document.querySelector<HTMLElement>('h1[tabindex]')?.focus();
    before.current = missing;
  }, [missing]);
}

/** Shown first while a ticket lacks the name that its code needs. */
export function MissingNames({ order, onName }: HoldersProps) {
  useFocusAfterName(order);
  const missing = order.tickets.filter((ticket) => needsHolderName(order.event, ticket));
  const [first] = missing;
  if (first === undefined) return null;
  return (
    <section
      className={`${card.section} ${card.warn} ${styles.missing} no-print`}
      aria-labelledby="names-missing-title"
    >
      <Badge tone="warn" icon="user">
        Intestatario mancante
      </Badge>
      <h2 id="names-missing-title">
        {missing.length === 1
          ? 'Chi userà il biglietto?'
          : `Chi userà i biglietti? Mancano ${missing.length} nomi`}
      </h2>
      <p>Indica nome e cognome come sul documento: il codice QR compare subito dopo.</p>
      <button
        type="button"
        className="ui-button ui-button-primary"
        onClick={() => onName(first.ticket_id)}
      >
        <Icon name="user" /> {missing.length === 1 ? 'Indica il nome' : 'Indica i nomi'}
      </button>
    </section>
  );
}
