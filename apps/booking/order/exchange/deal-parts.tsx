/** The parts of an event page that tell of a change of date: what it is, its sum, the question. */
import { Link } from 'react-router-dom';
import { quoteOwnExchange } from '#server/contract/order/exchanges.ts';
import { exchangeSums } from '#server/domain/order/exchange-sums.ts';
import { ownBackWords } from '#server/domain/order/exchange-words.ts';
import { formatEuro, formatShortDate } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { ConfirmDialog } from '#apps/shared/ui/confirm-dialog.tsx';
import { keptExchange, type WantedExchange } from './kept-exchange.ts';
import styles from './exchange.late.module.css';

function sayOld({ ticket_ids, starts_at }: WantedExchange): string {
  const count = ticket_ids.length;
  return `${count === 1 ? 'Il biglietto' : `I ${count} biglietti`} del ${formatShortDate(starts_at)}`;
}

export function DealBanner({ wanted }: { wanted: WantedExchange }) {
  const { worth_cents, ticket_ids, order_id } = wanted;
  return (
    <section className={`${styles.banner} no-print`} aria-labelledby="exchange-title">
      <h2 id="exchange-title">Cambio di data</h2>
      <p>
        {sayOld(wanted)} {ticket_ids.length === 1 ? 'vale' : 'valgono'}{' '}
        <strong>{formatEuro(worth_cents)}</strong>. Scegli i posti nuovi: fino alla conferma non
        cambia nulla.
      </p>
      <p>
        <Link
          className="ui-button"
          to={`/orders/${order_id}`}
          onClick={() => keptExchange.write(null)}
        >
          Lascia il cambio
        </Link>
      </p>
    </section>
  );
}

interface SumsProps {
  wanted: WantedExchange;
  /** The price of the chosen seats. */
  seats: number;
}

export function DealSums({ wanted, seats }: SumsProps) {
  const { fee, due, back } = exchangeSums(wanted, seats);
  return (
    <section className={`${styles.account} no-print`} aria-label="Conto del cambio">
      <dl className={styles.sums} aria-live="polite">
        <dt>Posti nuovi</dt>
        <dd>{formatEuro(seats)}</dd>
        {fee > 0 && (
          <>
            <dt>Costo del cambio</dt>
            <dd>{formatEuro(fee)}</dd>
          </>
        )}
        <dt>Biglietti di prima</dt>
        <dd>−{formatEuro(wanted.worth_cents)}</dd>
        <dt className={styles.result}>{back > 0 ? 'Ti torna' : 'Da pagare'}</dt>
        <dd className={styles.result}>{formatEuro(back > 0 ? back : due)}</dd>
      </dl>
      {back > 0 && <HowBack wanted={wanted} back={back} />}
    </section>
  );
}

/** How and when the money goes back, which the server knows for this very sum. */
function HowBack({ wanted, back: back_cents }: { wanted: WantedExchange; back: number }) {
  const { order_id, ticket_ids } = wanted;
  const { data } = useEndpoint(quoteOwnExchange, {
    params: { orderId: order_id },
    body: { ticket_ids, back_cents },
  });
  return data === undefined ? null : <p>{ownBackWords[data.back]}</p>;
}

interface QuestionProps extends SumsProps {
  answer: (agrees: boolean) => void;
}

export function LastQuestion({ wanted, seats, answer }: QuestionProps) {
  const { back } = exchangeSums(wanted, seats);
  return (
    <ConfirmDialog
      title="Vuoi cambiare data?"
      text={
        <>
          <p>
            {sayOld(wanted)} {wanted.ticket_ids.length === 1 ? 'smette' : 'smettono'} subito di
            valere, e ricevi quelli nuovi. Non si può tornare indietro.
          </p>
          {back > 0 ? (
            <>
              <p>
                Ti torna <strong>{formatEuro(back)}</strong>.
              </p>
              <HowBack wanted={wanted} back={back} />
            </>
          ) : (
            <p>Non c’è niente da pagare.</p>
          )}
        </>
      }
      confirmLabel="Sì, cambia data"
      onConfirm={() => answer(true)}
      onCancel={() => answer(false)}
    />
  );
}
