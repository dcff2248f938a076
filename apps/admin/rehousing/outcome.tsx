/** The result of a change of hall, and what is left to do. */
import { Link } from 'react-router-dom';
import { resumeSale } from '#server/contract/rehousings.ts';
import { isolate } from '#server/domain/text/direction.ts';
import { formatCount, formatEuro, formatListDate } from '#apps/shared/format.ts';
import { AskButton } from '#apps/admin/kit/ask-button.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import { Fact, Facts } from '#apps/admin/kit/page/facts.tsx';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';
import textStyles from '#apps/admin/kit/page/text.module.css';
import type { Done } from './plan.ts';
import styles from './rehousing.module.css';

interface OutcomeProps {
  eventId: string;
  done: Done;
  onAgain: () => void;
}

export function RehousingOutcome({ eventId, done, onAgain }: OutcomeProps) {
  const { orders } = done;
  const tickets = orders.reduce((sum, order) => sum + order.tickets.length, 0);
  const refunds = -orders.reduce((sum, { difference_cents }) => sum + difference_cents, 0);
  return (
    <>
      <Notice tone="good" role="status">
        Cambio di sala fatto {formatListDate(done.done_at)}: i codici di prima non valgono più.
      </Notice>
      {done.sale_paused && <Resume eventId={eventId} keptSeats={done.kept_seats} />}
      <Panel>
        <Facts wide>
          <Fact name="Biglietti spostati">
            {tickets.toLocaleString('it-IT')} in {formatCount(orders.length, 'ordine', 'ordini')}
          </Fact>
          <Fact name="E-mail partite">
            {done.mails_sent.toLocaleString('it-IT')} di {done.mails.toLocaleString('it-IT')}
          </Fact>
          {done.refunded.length > 0 && (
            <Fact name="Rimborsati perché senza posto">
              {formatEuro(done.refunded.reduce((sum, { amount_cents }) => sum + amount_cents, 0))}
            </Fact>
          )}
          {refunds > 0 && <Fact name="Differenze da rimborsare">{formatEuro(refunds)}</Fact>}
        </Facts>
        {done.asks && (
          <p>
            Il luogo è cambiato:{' '}
            <Link to={`/events/${encodeURIComponent(eventId)}/answers`}>
              guarda che cosa rispondono gli acquirenti
            </Link>
          </p>
        )}
        <details className={styles.moved}>
          <summary>Chi si è spostato</summary>
          <ul className={styles.lines}>
            {orders.map(({ order_id, number, buyer_name, tickets: moved }) => (
              <li key={order_id}>
                <Link className={textStyles.code} to={`/orders/${encodeURIComponent(order_id)}`}>
                  {number}
                </Link>{' '}
                {isolate(buyer_name ?? 'Senza nome')}:{' '}
                {moved.map(({ from, to }) => `${from} → ${to}`).join('; ')}
              </li>
            ))}
          </ul>
        </details>
        <LeftOutOrders orders={done.refunded} />
        <Button small onClick={onAgain} label="Prepara un altro cambio" />
      </Panel>
    </>
  );
}

function LeftOutOrders({ orders }: { orders: Done['refunded'] }) {
  if (orders.length === 0) return null;
  return (
    <details className={styles.moved}>
      <summary>Chi è rimasto senza posto</summary>
      <ul className={styles.lines}>
        {orders.map(({ order_id, number, buyer_name, tickets, amount_cents, by_hand_cents }) => (
          <li key={order_id}>
            <Link className={textStyles.code} to={`/orders/${encodeURIComponent(order_id)}`}>
              {number}
            </Link>{' '}
            {isolate(buyer_name ?? 'Senza nome')}: {formatCount(tickets, 'biglietto', 'biglietti')},{' '}
            {formatEuro(amount_cents)}
            {by_hand_cents > 0 && `, di cui ${formatEuro(by_hand_cents)} da restituire a mano`}
          </li>
        ))}
      </ul>
    </details>
  );
}

function Resume({ eventId, keptSeats }: { eventId: string; keptSeats: boolean }) {
  const change = useChange();
  return (
    <Notice as="div" tone="warn">
      <p>
        <b>La vendita è ancora sospesa.</b>{' '}
        {keptSeats &&
          'Blocchi e contingenti della vecchia sala sono finiti: se servono ancora, rimettili sulla pianta prima di vendere.'}{' '}
        <Link to={`/events/${encodeURIComponent(eventId)}/seats`}>Vai alla pianta</Link>
      </p>
      <AskButton
        label="Riprendi la vendita…"
        title="Riprendere la vendita?"
        text="I posti liberi della nuova sala si vendono subito, sul sito e alla cassa."
        confirmLabel="Riprendi la vendita"
        onConfirm={() => change(resumeSale, { params: { eventId } })}
      />
    </Notice>
  );
}
