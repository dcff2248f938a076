/** What needs to be done about an order: decisions, refunds to settle, a mail that failed, an open payment. */
import { Link } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { readOrder } from '#server/contract/orders.ts';
import { decisionsFor } from '#server/domain/order.ts';
import { hasFailed } from '#server/domain/refund.ts';
import { formatEuro, formatListDate } from '#apps/shared/format.ts';
import { AttentionActions } from '#apps/admin/today/attention-actions.tsx';
import { mailTroubleWords } from '#apps/admin/mail/words.ts';
import { attentionWords, failureWords } from './money-words.ts';
import { choicesOf, RefundActions } from './refund-actions.tsx';
import { Notice } from '#apps/admin/kit/notice.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import buttonStyles from '#apps/admin/kit/buttons.module.css';
import formStyles from '#apps/admin/kit/form/form.module.css';
import styles from './order.module.css';

type Order = ReplyOf<typeof readOrder>;

export function OrderNext({ order, onResend }: { order: Order; onResend: () => void }) {
  const refunds = order.refunds.filter(
    (refund) => refund.settled_at === null && choicesOf(refund).length > 0,
  );
  // A refund tells the same story with better choices.
  const told =
    refunds.length > 0 &&
    (order.needs_attention === 'refund_failed' || order.needs_attention === 'refunded_at_stripe');
  // A person paid at the till may have no address: then nobody waits for a mail.
  const unsent =
    order.buyer_email === null
      ? []
      : lastOfKind(order.mails).filter((mail) => mail.state === 'failed');
  return (
    <>
      {order.needs_attention !== null && !told && (
        <Undecided order={order} reason={order.needs_attention} />
      )}
      {refunds.map((refund) => (
        <OpenRefund key={refund.refund_id} refund={refund} />
      ))}
      {unsent.map((mail) => (
        <UnsentMail
          key={mail.mail_id}
          mail={mail}
          onResend={mail.kind === 'tickets' && order.state === 'confirmed' ? onResend : null}
        />
      ))}
      {order.breaks.some((found) => found.settled_at === null) && (
        <Notice tone="warn">
          <span>
            Il confronto con Stripe e con la pianta ha trovato una differenza.{' '}
            <Link to="/attention">Vai a «Da sistemare»</Link>
          </span>
        </Notice>
      )}
      {order.state === 'awaiting_payment' &&
        order.money === 'unpaid' &&
        order.needs_attention === null && (
          <Notice icon="clock">
            <span>
              In attesa del pagamento online, aperto fino al <b>{formatListDate(order.pay_by)}</b>.
              Poi i posti tornano in vendita da soli.
            </span>
          </Notice>
        )}
      {order.money === 'processing' && (
        <Notice icon="clock">
          La banca sta verificando il pagamento: i posti restano riservati finché non risponde.
        </Notice>
      )}
    </>
  );
}

function Undecided({ order, reason }: { order: Order; reason: string }) {
  return (
    <Notice as="section" tone="bad" className={styles.next} aria-label="Aspetta una decisione">
      <div className={formStyles.stack}>
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
      </div>
    </Notice>
  );
}

function OpenRefund({ refund }: { refund: Order['refunds'][number] }) {
  return (
    <Notice
      as="section"
      tone={refund.state === 'asked' ? 'warn' : 'bad'}
      icon={refund.state === 'asked' ? 'user' : 'warning'}
      className={styles.next}
      aria-label="Rimborso da decidere"
    >
      <div className={formStyles.stack}>
        <p>
          <strong>{titleOf(refund)}</strong>{' '}
          {refund.failure !== null && failureWords(refund.failure)}{' '}
          {refund.reason !== null && <>«{refund.reason}»</>}
        </p>
        {refund.seats.length > 0 && <p>{refund.seats.join(' · ')}</p>}
        <RefundActions refund={refund} />
      </div>
    </Notice>
  );
}

interface UnsentMailProps {
  mail: Order['mails'][number];
  onResend: (() => void) | null;
}

/** `onResend`: for tickets that can be sent again. */
function UnsentMail({ mail, onResend }: UnsentMailProps) {
  return (
    <Notice
      as="section"
      tone="warn"
      icon="mail"
      className={styles.next}
      aria-label="E-mail non inviata"
    >
      <div className={formStyles.stack}>
        <p>
          <strong>Un’e-mail non è partita.</strong>{' '}
          {mail.trouble === null ? '' : mailTroubleWords[mail.trouble]}
        </p>
        <div className={buttonStyles.actions}>
          {onResend !== null && (
            <Button small onClick={onResend}>
              Rimanda i biglietti…
            </Button>
          )}
          <Link className={`ui-button ${buttonStyles.small}`} to={`/mailbox/${mail.mail_id}`}>
            Vedi il messaggio
          </Link>
        </div>
      </div>
    </Notice>
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

/** Lists are in the order of time: a later mail of the same kind has taken the place of the one before. */
function lastOfKind(mails: Order['mails']): Order['mails'] {
  return [...new Map(mails.map((mail) => [mail.kind, mail])).values()];
}
