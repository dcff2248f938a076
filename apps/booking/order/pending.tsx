/** The head of the order page without tickets: what happened and what to do. */
import { useEffect, useState, type ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import { formatEuro, formatLongDate } from '#apps/shared/format.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Icon, type IconName } from '#apps/shared/ui/icon.tsx';
import { depositEndWords, sayDeposit } from '#server/domain/counter/deposit-words.ts';
import { creditWords } from '#server/domain/order/order-words.ts';
import { CancelOrder } from './cancel-order.tsx';
import { FreePending } from './free-pending.tsx';
import { discardOrder } from './open/last-order.ts';
import type { OrderReply } from '#apps/booking/shell/replies.ts';
import { openQuestion, sayOpenOrder } from './open/open-order-words.ts';
import { SameSeats } from './open/same-seats.tsx';
import type { OrderStage } from './stage.ts';
import frame from '#apps/booking/shell/page/frame.module.css';
import state from './state.module.css';

/** Payments are usually confirmed earlier; after this time the page says what may be wrong. */
const longWaitMs = 12_000;

interface PendingOrderProps {
  order: OrderReply;
  stage: Exclude<OrderStage, 'confirmed'>;
  since: number;
  onChanged: () => Promise<unknown>;
}

export function PendingOrder({ order, stage, since, onChanged }: PendingOrderProps) {
  const waitedLong = useLongWait(since);
  const isOpen = order.checkout_session_status === 'open';
  const proceed = order.checkout_url !== null && (
    <a className="ui-button ui-button-primary" href={order.checkout_url}>
      Prosegui
    </a>
  );
  switch (stage) {
    case 'to_confirm':
      return <FreePending order={order} onChanged={onChanged} />;
    case 'verifying':
      return (
        <Head
          look="waiting"
          title="Pagamento in corso di verifica…"
          actions={waitedLong && isOpen ? proceed : null}
        >
          {waitedLong ? longWaitWords(isOpen) : 'Di solito bastano pochi secondi.'}
        </Head>
      );
    case 'preparing':
      return <Preparing order={order} waitedLong={waitedLong} />;
    case 'open':
      return (
        <Head
          look="warn"
          icon="clock"
          title="Il pagamento non è ancora concluso"
          actions={
            <>
              {proceed}
              <CancelOrder order={order} onChanged={onChanged} />
            </>
          }
        >
          <strong className={state.facts}>{sayOpenOrder(order)}</strong>
          {openQuestion}
        </Head>
      );
    case 'reserved':
      return <Reserved order={order} />;
    default:
      return <LostOrder order={order} stage={stage} />;
  }
}

function Preparing({ order, waitedLong }: { order: OrderReply; waitedLong: boolean }) {
  return (
    <Head
      look="waiting"
      title={
        order.total_cents === 0 ? 'Stiamo prenotando i posti…' : 'Stiamo preparando il pagamento…'
      }
    >
      {waitedLong ? 'Ci vuole più del solito. La' : 'Un momento: la'} pagina si aggiorna da sola.
    </Head>
  );
}

/** Seats that wait at the counter for their money (RULES K5). */
function Reserved({ order }: { order: OrderReply }) {
  return (
    <Head look="warn" icon="clock" title="Prenotato">
      <strong className={state.facts}>
        Si paga in cassa entro {formatLongDate(order.pay_by)}:{' '}
        {formatEuro(order.total_cents - order.paid_cents)}.
      </strong>
      {order.deposit_end && (
        <span className={state.facts}>{sayDeposit(order.paid_cents, order.total_cents)}</span>
      )}
      <span className={state.facts}>
        Ordine n. <strong>{order.number}</strong>
      </span>
      Passato quel tempo i posti tornano in vendita.
      {order.deposit_end && ` ${depositEndWords[order.deposit_end]}`}
    </Head>
  );
}

function longWaitWords(isOpen: boolean): string {
  return isOpen
    ? 'Il pagamento non risulta ancora. Se non l’hai concluso, puoi proseguire da qui.'
    : 'Ci vuole più del solito. Salva l’indirizzo di questa pagina: i biglietti appaiono qui appena il pagamento risulta.';
}

interface LostOrderProps {
  order: OrderReply;
  stage: 'expired' | 'failed' | 'paid_back' | 'deleted';
}

/** An order that will have no tickets. */
function LostOrder({ order, stage }: LostOrderProps) {
  const navigate = useNavigate();
  const mayRetry =
    stage !== 'paid_back' && !(stage === 'deleted' && order.end_reason === 'event_cancelled');
  const titles = {
    expired: 'Sessione di pagamento scaduta.',
    failed: 'Pagamento non riuscito.',
    paid_back: 'Ordine annullato.',
    deleted: 'Ordine annullato.',
  };
  function startAgain() {
    discardOrder(order.order_id);
    return navigate(`/event/${order.event.id}`);
  }
  return (
    <Head
      look="bad"
      icon={stage === 'expired' ? 'clock' : 'cross'}
      title={titles[stage]}
      actions={
        mayRetry && (
          <>
            <AsyncButton variant="primary" onClick={startAgain}>
              <Icon name="refresh" /> Riprova
            </AsyncButton>
            {order.state === 'deleted' && <SameSeats orderId={order.order_id} />}
          </>
        )
      }
    >
      {lostWords(order, stage)}
    </Head>
  );
}

function lostWords(order: OrderReply, stage: LostOrderProps['stage']): string {
  switch (stage) {
    case 'expired':
      return `${order.order_deleted_at === null ? '' : 'Ordine annullato. '}Nessun importo è stato addebitato. Puoi scegliere di nuovo i tuoi posti.`;
    case 'failed':
      return 'Ordine annullato: la banca non ha autorizzato l’addebito. Puoi scegliere di nuovo i tuoi posti.';
    case 'paid_back':
      if (order.deposit_end) return lostDeposit(order);
      return `Il pagamento di ${formatEuro(order.paid_cents)} non ha potuto confermare l’ordine: te lo restituiamo per intero. ${creditWords}`;
    case 'deleted':
      return endWords(order);
  }
}

/** A reservation of which only a part was paid; a cancelled evening always gives it back. */
function lostDeposit({ deposit_end, end_reason, paid_cents }: OrderReply): string {
  const sum = formatEuro(paid_cents);
  if (end_reason === 'event_cancelled')
    return `L’evento è stato annullato: l’acconto di ${sum} ti viene restituito in biglietteria.`;
  const over = 'La prenotazione è finita e i posti sono tornati in vendita.';
  return deposit_end === 'kept'
    ? `${over} L’acconto di ${sum} resta al teatro.`
    : `${over} L’acconto di ${sum} ti viene restituito in biglietteria.`;
}

function endWords({ end_reason, total_cents }: OrderReply): string {
  if (total_cents === 0) return freeEndWords(end_reason);
  if (end_reason === 'event_cancelled')
    return 'L’evento è stato annullato. Nessun importo è stato addebitato.';
  if (end_reason === 'seats_lost')
    return 'Qualcuno ha preso i posti prima di te. Nessun importo è stato addebitato: puoi sceglierne altri.';
  return 'Nessun importo è stato addebitato e i posti sono tornati disponibili. Puoi sceglierli di nuovo.';
}

/** Nothing was to pay, so no sentence speaks of money. */
function freeEndWords(end_reason: OrderReply['end_reason']): string {
  if (end_reason === 'event_cancelled') return 'L’evento è stato annullato.';
  if (end_reason === 'seats_lost') return 'I posti sono andati ad altri: puoi sceglierne altri.';
  const late = end_reason === 'click_expired' ? 'Il tempo per confermare è finito. ' : '';
  return `${late}I posti sono tornati disponibili: puoi sceglierli di nuovo.`;
}

interface HeadProps {
  look: 'waiting' | 'warn' | 'bad';
  icon?: IconName;
  title: string;
  actions?: ReactNode;
  children: ReactNode;
}

function Head({ look, icon, title, actions, children }: HeadProps) {
  return (
    <section className={state.state}>
      <span className={`${state.sign} ${state[look]} no-print`}>
        {icon === undefined ? (
          <span className="ui-spinner-ring" aria-hidden="true" />
        ) : (
          <Icon name={icon} size={40} />
        )}
      </span>
      <h1 className={frame.title} tabIndex={-1} aria-live="polite">
        {title}
      </h1>
      <p className="soft">{children}</p>
      {actions && <div className={state.actions}>{actions}</div>}
    </section>
  );
}

function useLongWait(since: number): boolean {
  const [long, setLong] = useState(() => Date.now() - since > longWaitMs);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), Math.max(0, since + longWaitMs - Date.now()));
    return () => clearTimeout(timer);
  }, [since]);
  return long;
}
