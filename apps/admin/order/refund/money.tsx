/** How an order was paid: payments, checkout sessions, disputes. */

import { methodName } from '#server/domain/order/order-words.ts';
import { formatEuro, formatListDate } from '#apps/shared/format.ts';
import { CheckoutSession } from '#apps/admin/order/checkout-session.tsx';
import { Fact, Facts } from '#apps/admin/kit/page/facts.tsx';
import { disputeReasonWords, disputeStatusWords } from './money-words.ts';
import { sayEntry } from '#apps/admin/order/timeline-words.ts';
import { checkoutWords, paymentWords } from '#apps/admin/kit/words.ts';
import { TechnicalDetails } from '#apps/admin/kit/page/technical-details.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import panelStyles from '#apps/admin/kit/page/panel.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { StateBadge } from '#apps/admin/kit/state-badge.tsx';
import { keptCents, type Order } from '#apps/admin/order/shown-order.ts';
import { OutLink } from '#apps/admin/kit/out-link.tsx';
import styles from '#apps/admin/order/order.module.css';

export function OrderMoney({ order }: { order: Order }) {
  const left = order.left_cents;
  const kept = keptCents(order);
  const back = order.refunded_cents - order.exchanged_cents - left - kept;
  return (
    <Panel>
      <h2>Pagamento</h2>
      {order.payments.map((payment) => (
        <Payment key={payment.payment_id} payment={payment} />
      ))}
      {order.payments.length === 0 && (
        <p className={textStyles.soft}>
          {order.paid_by === 'free'
            ? 'Nessun incasso: ordine gratuito.'
            : 'Nessun pagamento arrivato.'}
        </p>
      )}
      <Declines order={order} />
      {order.refunded_cents > 0 && (
        <Facts>
          {order.exchanged_cents > 0 && (
            <Fact name="Cambiati con un’altra data">{formatEuro(order.exchanged_cents)}</Fact>
          )}
          {left > 0 && <Fact name="Lasciati al teatro">{formatEuro(left)}</Fact>}
          {kept > 0 && <Fact name="Acconto trattenuto">{formatEuro(kept)}</Fact>}
          {back > 0 && <Fact name="Rimborsati">{formatEuro(back)}</Fact>}
          <Fact name="Restano">
            <b>{formatEuro(order.paid_cents - order.refunded_cents)}</b>
          </Fact>
        </Facts>
      )}
      {order.disputes.map((dispute) => (
        <Dispute key={dispute.dispute_id} dispute={dispute} />
      ))}
      {order.sessions.length > 0 && (
        <details>
          <summary>
            {order.sessions.length === 1
              ? 'Sessione di pagamento'
              : `${order.sessions.length} sessioni di pagamento`}
          </summary>
          <ul className={`${panelStyles.cards} ${styles.cards}`}>
            {order.sessions.map((session) => (
              <li key={session.session_id} className={textStyles.soft}>
                {formatListDate(session.created_at)} · {checkoutWords[session.status]} ·{' '}
                {paymentWords(session.payment_status)} · {formatEuro(session.amount_total)}
                <TechnicalDetails>
                  <code>{session.session_id}</code>
                </TechnicalDetails>
              </li>
            ))}
          </ul>
        </details>
      )}
      {order.checkout_session_status !== null && (
        <CheckoutSession orderId={order.order_id} total_cents={order.total_cents} />
      )}
    </Panel>
  );
}

/** Refused payments, so that a buyer who calls can be told the reason. */
function Declines({ order }: { order: Order }) {
  const declines = order.timeline.filter(({ action }) => action === 'payment_declined');
  if (declines.length === 0) return null;
  return (
    <ul className={`${panelStyles.cards} ${styles.cards}`} aria-label="Tentativi non riusciti">
      {declines.map((entry) => (
        <li key={`${entry.at} ${JSON.stringify(entry.detail)}`}>
          {sayEntry(entry).text}, {formatListDate(entry.at)}
        </li>
      ))}
    </ul>
  );
}

function wayWords({ kind, method }: Order['payments'][number]): string {
  if (kind === 'exchange') return methodName(kind);
  return method === null ? 'Stripe' : methodName(method);
}

function Payment({ payment }: { payment: Order['payments'][number] }) {
  return (
    <Facts>
      <Fact name="Importo">
        <b>{formatEuro(payment.amount_cents)}</b>
        {payment.disputed && (
          <>
            {' '}
            <StateBadge tone="bad" icon="warning" word="Contestato" />
          </>
        )}
      </Fact>
      <Fact name="Metodo">{wayWords(payment)}</Fact>
      <Fact name="Quando">{formatListDate(payment.paid_at)}</Fact>
      {payment.note !== null && (
        <Fact name="Motivo">
          «{payment.note}» <span className={textStyles.soft}>({payment.actor})</span>
        </Fact>
      )}
      {payment.kind === 'stripe' && (
        <>
          <Fact name="Ricevuta">
            {payment.receipt_number === null ? (
              <span className={textStyles.soft}>non ancora arrivata</span>
            ) : (
              <code>{payment.receipt_number}</code>
            )}
            {payment.receipt_url !== null && (
              <>
                {' '}
                <OutLink href={payment.receipt_url}>Apri</OutLink>
              </>
            )}
          </Fact>
          <Fact name="Costo Stripe">
            {payment.stripe_fee_cents === null ? (
              <span className={textStyles.soft}>non ancora noto</span>
            ) : (
              formatEuro(payment.stripe_fee_cents)
            )}
          </Fact>
          <Fact name="Codice">
            <TechnicalDetails>
              <code>{payment.payment_intent}</code>
            </TechnicalDetails>
          </Fact>
        </>
      )}
    </Facts>
  );
}

function Dispute({ dispute }: { dispute: Order['disputes'][number] }) {
  return (
    <Notice as="div" tone={dispute.closed_at === null ? 'bad' : undefined} icon="warning">
      <b>
        Contestazione di {formatEuro(dispute.amount_cents)}: {disputeStatusWords(dispute.status)}
      </b>
      <p>
        {formatListDate(dispute.created_at)} · {disputeReasonWords(dispute.reason)}
      </p>
      {dispute.closed_at === null && dispute.due_by !== null && (
        <p>
          Le prove vanno caricate sul sito di Stripe entro il{' '}
          <b>{formatListDate(dispute.due_by)}</b>. Finché è aperta non si può rimborsare.
        </p>
      )}
      {dispute.closed_at !== null && (
        <p className={textStyles.soft}>Chiusa il {formatListDate(dispute.closed_at)}.</p>
      )}
    </Notice>
  );
}
