/** The names on the tickets of an order: who is named, who is missing, and what may still be changed. */
import { Badge } from '#apps/shared/ui/badge.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { holderObstacleWords, isNameMissing, sayHolderRule } from './holder-words.ts';
import type { OrderReply } from '#apps/booking/shell/replies.ts';
import card from '#apps/booking/shell/card.module.css';
import styles from './holders.module.css';

export function HolderSection({
  order,
  onName,
}: {
  order: OrderReply;
  onName: (ticket_id: string) => void;
}) {
  const rule = sayHolderRule(order.event);
  const valid = order.tickets.filter((ticket) => ticket.state === 'valid');
  if (rule === null || valid.length === 0) return null;
  return (
    <section className={`${card.card} ${styles.section} no-print`} aria-labelledby="holders-title">
      <h2 id="holders-title">Intestatari</h2>
      <p>{rule}</p>
      <ul>
        {valid.map((ticket) => (
          <li key={ticket.ticket_id} className={styles.line}>
            <div>
              <p>
                <strong>
                  {ticket.holder ??
                    (isNameMissing(order.event, ticket) ? 'Intestatario mancante' : 'Senza nome')}
                </strong>
              </p>
              <p className="small soft">{ticket.seat}</p>
              {ticket.holder_obstacle !== null &&
                holderObstacleWords[ticket.holder_obstacle] !== null && (
                  <p className="small soft">{holderObstacleWords[ticket.holder_obstacle]}</p>
                )}
            </div>
            {ticket.holder_step !== null && (
              <button type="button" className="ui-button" onClick={() => onName(ticket.ticket_id)}>
                <Icon name={ticket.holder_step === 'name' ? 'user' : 'edit'} />{' '}
                {ticket.holder_step === 'name'
                  ? 'Indica il nome'
                  : ticket.holder === null
                    ? 'Passa ad altri'
                    : 'Cambia'}
                <span className="visually-hidden">: {ticket.seat}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** In front of everything else, as long as somebody could stand at the door without a code. */
export function MissingNames({
  order,
  onName,
}: {
  order: OrderReply;
  onName: (ticket_id: string) => void;
}) {
  const missing = order.tickets.filter((ticket) => isNameMissing(order.event, ticket));
  const [first] = missing;
  if (first === undefined) return null;
  return (
    <section
      className={`${card.card} ${card.warn} ${styles.section} ${styles.missing} no-print`}
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
        <Icon name="user" /> {missing.length === 1 ? 'Indica il nome' : 'Indica il primo nome'}
      </button>
    </section>
  );
}
