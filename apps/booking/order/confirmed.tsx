/**
 * The confirmed order: its number and its tickets, in a sideways row on a phone, side by side on
 * a wide screen, all on paper.
 */
import { useRef, useState, type ReactNode } from 'react';
import { formatCount } from '#apps/shared/format.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Icon, type IconName } from '#apps/shared/ui/icon.tsx';
import { trialWords } from '#server/domain/door/trial.ts';
import { useOverflow } from '#apps/shared/ui/use-overflow.ts';
import { HandOn } from './ticket/hand-on.tsx';
import { HolderForm } from './ticket/holder-form.tsx';
import { HolderSection, MissingNames } from './ticket/holder-section.tsx';
import type { OrderReply } from '#apps/booking/shell/replies.ts';
import { shareLink } from '#apps/booking/shell/share.ts';
import { CancelledEvening } from './cancelled/cancelled-evening.tsx';
import { givenIn, sayExchanged } from './exchange/exchange-words.ts';
import { OtherOrder } from './exchange/other-order.tsx';
import { NewLink } from './new-link.tsx';
import { Postponed } from './postponed.tsx';
import { CardTurner, useShownCard } from './ticket/reel.tsx';
import { SavedNotice } from './saved-notice.tsx';
import { TicketDocuments, TicketWallets } from './ticket/take-away.tsx';
import { TicketCard } from './ticket/ticket-card.tsx';
import { TicketScreen } from './ticket/ticket-screen.tsx';
import type { ShownOrder } from './use-order.ts';
import frame from '#apps/booking/shell/page/frame.module.css';
import state from './state.module.css';
import styles from './confirmed.module.css';

interface ConfirmedOrderProps {
  order: OrderReply;
  saved: ShownOrder['saved'];
  /** True some time after the purchase, when the buyer wants the code and not the news. */
  forDoor: boolean;
  onChanged: () => Promise<unknown>;
}

export function ConfirmedOrder({ order, saved, forDoor, onChanged }: ConfirmedOrderProps) {
  const [naming, setNaming] = useState<string | null>(null);
  const head = (
    <OrderHead order={order} look={state.good} icon="check" title="Ordine confermato!" />
  );
  const named = order.tickets.find((ticket) => ticket.ticket_id === naming);
  // Missing in orders that this browser stored in an older version.
  const cancellation = (order.cancellation as OrderReply['cancellation'] | undefined) ?? null;
  if (cancellation !== null && saved === null)
    return <CancelledEvening order={order} question={cancellation} onChanged={onChanged} />;
  if (order.tickets.every(hasEnded)) return <EndedOrder order={order} />;
  return (
    <>
      {saved !== null && <SavedNotice saved={saved} />}
      {!forDoor && head}
      {order.tickets.some(({ trial }) => trial) && <p className={styles.trial}>{trialWords}</p>}
      {saved === null && <MissingNames order={order} onName={setNaming} />}
      {saved === null && <Postponed order={order} onChanged={onChanged} />}
      <TicketReel order={order} forDoor={forDoor} onName={saved === null ? setNaming : null} />
      {/* At the door the code comes before the rest. */}
      {forDoor && head}
      {saved === null && <KeepPage order={order} onChanged={onChanged} />}
      <section className={`${styles.help} no-print`}>
        <p className="soft">
          All’ingresso mostra il codice QR dal telefono o stampato. Ogni codice vale per una sola
          entrata: non pubblicarne la foto. {order.event.reentry_rule}
        </p>
        {saved === null && <TicketDocuments order={order} />}
      </section>
      {saved === null && <HolderSection order={order} onName={setNaming} />}
      {named !== undefined && named.holder_step !== null && (
        <HolderForm
          key={named.ticket_id}
          order={order}
          ticket={named}
          onDone={onChanged}
          onGoOn={setNaming}
        />
      )}
    </>
  );
}

/** True when the tickets are no longer valid: the page shows no codes and no downloads. */
function EndedOrder({ order }: { order: OrderReply }) {
  return (
    <OrderHead order={order} look="" icon="ticket" title={endedTitle(order)}>
      <p className="soft">
        {order.event.cancelled && 'L’evento è stato annullato. '}
        Con i biglietti di questo ordine non si entra più.
      </p>
      {givenIn(order).map((exchange) => (
        <p key={exchange.number}>
          {sayExchanged(exchange)} <OtherOrder exchange={exchange} />
        </p>
      ))}
    </OrderHead>
  );
}

function endedTitle(order: OrderReply): string {
  if (givenIn(order).length > 0) return 'Biglietti cambiati';
  return order.refunded_cents > 0 ? 'Ordine rimborsato' : 'Biglietti annullati';
}

interface OrderHeadProps {
  order: OrderReply;
  look: string | undefined;
  icon: IconName;
  title: string;
  children?: ReactNode;
}

function OrderHead({ order, look, icon, title, children }: OrderHeadProps) {
  return (
    <section className={`${state.state} ${state.done}`}>
      <span className={`${state.sign} ${look} no-print`}>
        <Icon name={icon} size={32} />
      </span>
      <h1 className={frame.title} tabIndex={-1} aria-live="polite">
        {title}
      </h1>
      <p className={state.number}>
        Ordine n. <strong>{order.number}</strong>
      </p>
      {children}
    </section>
  );
}

/**
 * The buyer should keep the page's address, because the mail may be lost and an order of the box
 * office may have none.
 */
function KeepPage({ order, onChanged }: Pick<ConfirmedOrderProps, 'order' | 'onChanged'>) {
  const [copied, setCopied] = useState(false);

  async function keep() {
    const url = `${location.origin}/orders/${order.order_id}`;
    const text = `I miei biglietti per ${order.event.title}`;
    setCopied(await shareLink({ title: order.event.title, text, url }));
  }
  return (
    <div className={`${styles.keep} no-print`}>
      <p>
        I biglietti sono in questa pagina: <strong>salvane l’indirizzo</strong> per ritrovarli.
        {order.mailed && ' Li trovi anche nella tua e-mail.'} Chi apre il link può agire al posto
        tuo: non inoltrarlo.
      </p>
      <AsyncButton onClick={keep}>
        <Icon name="copy" /> {copied ? 'Link copiato' : 'Salva il link'}
      </AsyncButton>
      <NewLink order={order} onChanged={onChanged} />
    </div>
  );
}

interface TicketReelProps {
  order: OrderReply;
  forDoor: boolean;
  onName: ((ticket_id: string) => void) | null;
}

function hasEnded({ state }: OrderReply['tickets'][number]): boolean {
  return state === 'void' || state === 'refunded';
}

function TicketReel({ order, forDoor, onName }: TicketReelProps) {
  // Valid tickets come first.
  const tickets = order.tickets.toSorted((a, b) => Number(hasEnded(a)) - Number(hasEnded(b)));
  const reel = useRef<HTMLUListElement>(null);
  const { shown, turnTo } = useShownCard(reel, tickets.length);
  const scrolls = useOverflow(reel);
  const [onScreen, setOnScreen] = useState<string | null>(null);
  const scannable = tickets.filter((ticket) => ticket.state === 'valid' && ticket.code !== '');
  return (
    <section
      className={forDoor ? `${styles.tickets} ${styles.forDoor}` : styles.tickets}
      aria-labelledby="tickets-title"
    >
      <h2 id="tickets-title" className={forDoor ? 'visually-hidden' : `${styles.count} no-print`}>
        {formatCount(tickets.length, 'biglietto', 'biglietti')}
      </h2>
      <ul
        className={styles.reel}
        ref={reel}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a list that scrolls sideways with no button in it must be reachable with the keyboard
        tabIndex={scrolls && scannable.length === 0 ? 0 : undefined}
        aria-labelledby="tickets-title"
      >
        {tickets.map((ticket, index) => (
          <TicketCard
            key={ticket.ticket_id}
            ticket={ticket}
            event={order.event}
            refundedCents={order.refunded_cents}
            isExchanged={givenIn(order).some(({ seats }) => seats.includes(ticket.seat))}
            forDoor={forDoor}
            position={`${index + 1} di ${tickets.length}`}
            onShow={scannable.includes(ticket) ? () => setOnScreen(ticket.ticket_id) : null}
            onName={onName === null ? null : () => onName(ticket.ticket_id)}
            hand={scannable.length > 1 && <HandOn order={order} ticket={ticket} />}
          >
            {/* Passes are made by the server, so they need signal. */}
            {onName !== null && (
              <TicketWallets order_id={order.order_id} ticket={ticket} wallets={order.wallets} />
            )}
          </TicketCard>
        ))}
      </ul>
      <CardTurner
        shown={shown}
        count={tickets.length}
        turnTo={turnTo}
        className={`${styles.turner} no-print`}
      />
      {onScreen !== null && (
        <TicketScreen
          tickets={scannable}
          event={order.event}
          first={scannable.findIndex((ticket) => ticket.ticket_id === onScreen)}
          onClose={() => setOnScreen(null)}
        />
      )}
    </section>
  );
}
