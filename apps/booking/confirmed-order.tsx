/** The confirmed order: its number and its tickets, one by one with the thumb on a phone, side by side on a wide screen, all of them on paper. */
import { useEffect, useRef, useState, type RefObject } from 'react';
import { formatCount } from '#apps/shared/format.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import type { OrderReply } from './replies.ts';
import { TicketCard } from './ticket-card.tsx';
import { TicketDocuments } from './ticket-documents.tsx';

export function ConfirmedOrder({ order }: { order: OrderReply }) {
  if (order.tickets.every((ticket) => ticket.state === 'void' || ticket.state === 'refunded')) return <EndedOrder order={order} />;
  return (
    <>
      <section className="order-state order-done">
        <span className="overlay-sign overlay-good"><Icon name="check" size={32} /></span>
        <h1 className="order-title" aria-live="polite">Ordine confermato!</h1>
        <p className="order-number">Ordine n. <strong>{order.number}</strong></p>
        <KeepPage order={order} />
      </section>
      <TicketReel order={order} />
      <section className="order-help no-print">
        <p className="soft">All’ingresso mostra il codice QR dal telefono o stampato. Ogni codice vale per una sola entrata: non pubblicarne la foto.</p>
        <TicketDocuments order={order} />
      </section>
    </>
  );
}

/** Nothing of it lets anybody in any more: no codes to keep, no address to save. */
function EndedOrder({ order }: { order: OrderReply }) {
  return (
    <section className="order-state order-done">
      <span className="overlay-sign overlay-waiting"><Icon name="ticket" size={32} /></span>
      <h1 className="order-title" aria-live="polite">{order.refunded_cents > 0 ? 'Ordine rimborsato' : 'Biglietti annullati'}</h1>
      <p className="order-number">Ordine n. <strong>{order.number}</strong></p>
      <p className="soft">Con i biglietti di questo ordine non si entra più.</p>
    </section>
  );
}

/** A mail may go astray, and an order of the box office has none: this address is the sure way back to the tickets. */
function KeepPage({ order }: { order: OrderReply }) {
  const [copied, setCopied] = useState(false);
  const url = `${location.origin}/orders/${order.order_id}`;

  async function keep() {
    // Whoever closes the share sheet has changed his mind: no error.
    if (navigator.share) await navigator.share({ title: order.event.title, text: `I miei biglietti per ${order.event.title}`, url }).catch(() => {});
    // The clipboard exists only on secure addresses.
    else if (!navigator.clipboard) prompt('Copia il link dei tuoi biglietti', url);
    else await navigator.clipboard.writeText(url).then(() => setCopied(true));
  }
  return (
    <div className="order-keep no-print">
      <p>I biglietti sono in questa pagina: <strong>salvane l’indirizzo</strong> per ritrovarli. Se hai indicato un’e-mail, li trovi anche lì.</p>
      <AsyncButton onClick={keep}><Icon name="copy" /> {copied ? 'Link copiato' : 'Salva o condividi il link'}</AsyncButton>
    </div>
  );
}

function TicketReel({ order }: { order: OrderReply }) {
  const { tickets, event } = order;
  const reel = useRef<HTMLUListElement>(null);
  const [shown, setShown] = useShownTicket(reel, tickets.length);
  return (
    <section className="tickets" aria-labelledby="tickets-title">
      <h2 id="tickets-title" className="tickets-title">{formatCount(tickets.length, 'biglietto', 'biglietti')}</h2>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a list that scrolls sideways must be reachable with the keyboard */}
      <ul className="ticket-reel" ref={reel} tabIndex={tickets.length > 1 ? 0 : undefined} aria-labelledby="tickets-title">
        {tickets.map((ticket, index) => <TicketCard key={ticket.ticket_id} ticket={ticket} event={event} position={`${index + 1} di ${tickets.length}`} />)}
      </ul>
      {tickets.length > 1 && (
        <div className="ticket-turn no-print">
          <button type="button" className="round" aria-label="Biglietto precedente" disabled={shown === 0} onClick={() => setShown(shown - 1)}><Icon name="back" /></button>
          <span aria-live="polite">{shown + 1} di {tickets.length}</span>
          <button type="button" className="round" aria-label="Biglietto successivo" disabled={shown === tickets.length - 1} onClick={() => setShown(shown + 1)}><Icon name="forward" /></button>
        </div>
      )}
    </section>
  );
}

/** Which ticket stands in the middle of the reel, by scrolling or by the arrows. */
function useShownTicket(reel: RefObject<HTMLUListElement | null>, count: number): [number, (index: number) => void] {
  const [shown, setShown] = useState(0);
  useEffect(() => {
    const list = reel.current!;
    const look = () => {
      const middle = list.scrollLeft + list.clientWidth / 2;
      const passed = [...list.children].findIndex((card) => (card as HTMLElement).offsetLeft + (card as HTMLElement).offsetWidth > middle);
      setShown(passed === -1 ? count - 1 : passed);
    };
    list.addEventListener('scroll', look, { passive: true });
    return () => list.removeEventListener('scroll', look);
  }, [reel, count]);
  // The list moves, not the page: scrollIntoView would pull the whole page along.
  const turnTo = (index: number) => {
    const list = reel.current!;
    const card = list.children[index] as HTMLElement;
    list.scrollTo({ left: card.offsetLeft - (list.clientWidth - card.offsetWidth) / 2, behavior: 'smooth' });
  };
  return [shown, turnTo];
}
