/** What must be done about an order: decisions, open refunds, a failed mail, a payment. */
import { depositEndWords, sayDeposit } from '#server/domain/counter/deposit-words.ts';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { decisionsFor } from '#server/domain/order/order.ts';
import { hasFailed } from '#server/domain/payment/refund.ts';
import { formatEuro, formatListDate } from '#apps/shared/format.ts';
import { AttentionActions } from './attention-actions.tsx';
import { mailTroubleWords } from '#apps/admin/mail/words.ts';
import { attentionWords, failureWords } from '#apps/admin/order/refund/money-words.ts';
import { choicesOf, RefundActions } from '#apps/admin/order/refund/refund-actions.tsx';
import { Notice, type NoticeProps } from '#apps/admin/kit/page/notice.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import { useMay } from '#apps/admin/kit/session/session.ts';
import type { Order } from './shown-order.ts';
import buttonStyles from '#apps/admin/kit/buttons.module.css';
import formStyles from '#apps/admin/kit/form/form.module.css';
import styles from './order.module.css';

export function OrderNext({ order, onResend }: { order: Order; onResend: () => void }) {
  const mayDecide = useMay('change_orders');
  const mayRefund = useMay('refund');
  const mayMail = useMay('send_mail');
  const refunds = order.refunds.filter(
    (refund) => refund.settled_at === null && choicesOf(refund).length > 0,
  );
  // The refund's own task offers better choices for the same problem.
  const isCovered =
    refunds.length > 0 &&
    (order.needs_attention === 'refund_failed' || order.needs_attention === 'refunded_at_stripe');
  // An order of the till may have no address: then no mail is missing.
  const unsent =
    order.buyer_email === null
      ? []
      : lastOfKind(order.mails).filter((mail) => mail.state === 'failed');
  return (
    <>
      {order.needs_attention !== null && !isCovered && mayDecide && (
        <Undecided order={order} reason={order.needs_attention} />
      )}
      {(mayRefund ? refunds : []).map((refund) => (
        <OpenRefund key={refund.refund_id} refund={refund} order_id={order.order_id} />
      ))}
      {(mayMail ? unsent : []).map((mail) => (
        <UnsentMail
          key={mail.mail_id}
          mail={mail}
          onResend={mail.kind === 'tickets' && order.state === 'confirmed' ? onResend : null}
        />
      ))}
      {mayDecide && order.breaks.some((found) => found.settled_at === null) && (
        <Notice tone="warn">
          Il confronto con Stripe e con la pianta ha trovato una differenza.{' '}
          <Link to="/attention">Vai a «Da sistemare»</Link>
        </Notice>
      )}
      <Waiting order={order} />
      {order.money === 'processing' && (
        <Notice icon="clock">
          La banca sta verificando il pagamento: i posti restano riservati finché non risponde.
        </Notice>
      )}
    </>
  );
}

/** Until when an order waits for its money, and what of it is paid already. */
function Waiting({ order }: { order: Order }) {
  const { state, money, needs_attention, deposit_end } = order;
  const isUnpaid = money === 'unpaid' || money === 'deposit';
  if (state !== 'awaiting_payment' || !isUnpaid || needs_attention !== null) return null;
  return (
    <Notice icon="clock">
      {waitingWords(order)}
      <b>{formatListDate(order.pay_by)}</b>. Poi i posti tornano in vendita da soli.
      {deposit_end !== null && (
        <>
          {' '}
          <b>{sayDeposit(order.paid_cents, order.total_cents)}.</b> {depositEndWords[deposit_end]}
        </>
      )}
    </Notice>
  );
}

function waitingWords({ total_cents, checkout_session_status }: Order): string {
  if (total_cents === 0) return 'In attesa della conferma dalla e-mail, fino al ';
  return checkout_session_status === null
    ? 'Prenotato in cassa: si paga lì, entro '
    : 'In attesa del pagamento online, aperto fino al ';
}

interface TaskProps extends Pick<NoticeProps, 'tone' | 'icon'> {
  label: string;
  children: ReactNode;
}

function Task({ label, children, ...look }: TaskProps) {
  return (
    <Notice as="section" className={styles.next} aria-label={label} {...look}>
      <div className={formStyles.stack}>{children}</div>
    </Notice>
  );
}

function Undecided({ order, reason }: { order: Order; reason: string }) {
  return (
    <Task label="Aspetta una decisione" tone="bad">
      <p>
        <strong>Questo ordine aspetta una decisione.</strong> {attentionWords(reason)}
      </p>
      <AttentionActions
        order_id={order.order_id}
        reason={reason}
        decisions={decisionsFor(reason)}
        paid_cents={order.paid_cents}
        seats={order.lines.map((line) => line.seat)}
      />
    </Task>
  );
}

interface OpenRefundProps {
  refund: Order['refunds'][number];
  order_id: string;
}

function OpenRefund({ refund, order_id }: OpenRefundProps) {
  return (
    <Task
      label="Rimborso da decidere"
      tone={refund.state === 'asked' ? 'warn' : 'bad'}
      icon={refund.state === 'asked' ? 'user' : 'warning'}
    >
      <p>
        <strong>{titleOf(refund)}</strong> {refund.failure !== null && failureWords(refund.failure)}{' '}
        {refund.reason !== null && <>«{refund.reason}»</>}
      </p>
      {refund.seats.length > 0 && <p>{refund.seats.join(' · ')}</p>}
      <RefundActions refund={{ ...refund, order_id }} />
    </Task>
  );
}

interface UnsentMailProps {
  mail: Order['mails'][number];
  onResend: (() => void) | null;
}

/** `onResend` null: the mail has no tickets to send again. */
function UnsentMail({ mail, onResend }: UnsentMailProps) {
  return (
    <Task label="E-mail non arrivata" tone="warn" icon="mail">
      <p>
        <strong>Un’e-mail non è arrivata.</strong>{' '}
        {mail.trouble === null ? '' : mailTroubleWords[mail.trouble]}
      </p>
      <div className={buttonStyles.actions}>
        {onResend !== null && <Button small onClick={onResend} label="Rimanda i biglietti…" />}
        <Link className={`ui-button ${buttonStyles.small}`} to={`/settings/mail/${mail.mail_id}`}>
          Vedi il messaggio
        </Link>
      </div>
    </Task>
  );
}

function titleOf({ state, kind, origin, amount_cents }: Order['refunds'][number]): string {
  const sum = formatEuro(amount_cents);
  if (state === 'asked') return `L’acquirente chiede un rimborso di ${sum}.`;
  if (hasFailed(state)) return `Il rimborso di ${sum} non è riuscito.`;
  if (kind === 'manual') return `${sum} da restituire a mano.`;
  return origin === 'stripe'
    ? `${sum} rimborsati dal sito di Stripe: i biglietti valgono ancora?`
    : `Rimborso di ${sum}.`;
}

/** The last mail of each kind; `mails` is in the order of time. */
function lastOfKind(mails: Order['mails']): Order['mails'] {
  return [...new Map(mails.map((mail) => [mail.kind, mail])).values()];
}
