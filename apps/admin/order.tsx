/** One order for the office: what was bought, by whom, how it was paid, and what became of it. */
import { Link, useParams } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { listOrderTickets, readOrder } from '#server/contract/orders.ts';
import { formatEuro, formatListDate } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Badge } from '#apps/shared/ui/badge.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { CheckoutSession } from './checkout-session.tsx';
import { Fact } from './facts.tsx';
import { PageTitle } from './layout.tsx';
import { Loaded } from './loaded.tsx';
import { OrderBadges } from './orders.tsx';
import { actionWords, actorWords, attentionWords, checkoutWords, ticketStateWords } from './words.ts';

type Order = ReplyOf<typeof readOrder>;
type Ticket = ReplyOf<typeof listOrderTickets>['items'][number];

export function OrderScreen() {
  const { orderId } = useParams() as { orderId: string };
  const order = useEndpoint(readOrder, { params: { orderId } }, { refetchInterval: 15_000 });
  return (
    <>
      <Link className="back" to="/orders"><Icon name="back" size={16} /> Ordini</Link>
      <Loaded query={order}>{(data) => <OrderFacts order={data} />}</Loaded>
    </>
  );
}

function OrderFacts({ order }: { order: Order }) {
  return (
    <>
      <PageTitle title={`Ordine ${order.number}`}><OrderBadges order={order} /></PageTitle>
      {order.needs_attention !== null && (
        <p className="notice notice-bad"><Icon name="warning" /> <span><strong>Questo ordine aspetta una decisione.</strong> {attentionWords(order.needs_attention)}</span></p>
      )}
      <div className="panels">
        <section className="panel">
          <h2>Ordine</h2>
          <dl className="facts">
            <Fact name="Evento"><Link to={`/events/${order.event_id}`}>{order.event_title}</Link></Fact>
            <Fact name="Creato">{formatListDate(order.created_at)}</Fact>
            {order.state === 'awaiting_payment' && <Fact name="Da pagare entro">{formatListDate(order.pay_by)}</Fact>}
            {order.order_confirmed_at !== null && <Fact name="Confermato">{formatListDate(order.order_confirmed_at)}</Fact>}
            {order.order_deleted_at !== null && <Fact name="Annullato">{formatListDate(order.order_deleted_at)}</Fact>}
            <Fact name="Totale"><b>{formatEuro(order.total_cents)}</b></Fact>
          </dl>
          {order.state !== 'deleted' && <Link to={`/events/${encodeURIComponent(order.event_id)}/seats?q=${encodeURIComponent(order.number)}`}>Vedi i posti sulla pianta</Link>}
          <a className="out" href={`/orders/${encodeURIComponent(order.order_id)}`} target="_blank" rel="noreferrer">Come lo vede l’acquirente <Icon name="external" size={15} label="(si apre in una nuova scheda)" /></a>
        </section>
        <Buyer order={order} />
        <section className="panel">
          <h2>Pagamento</h2>
          <dl className="facts">
            <Fact name="Sessione">{order.checkout_session_status === null ? 'nessuna' : checkoutWords[order.checkout_session_status]}</Fact>
            <Fact name="Pagamento">{order.payment_intent === null ? '–' : <code>{order.payment_intent}</code>}</Fact>
            <Fact name="Ricevuta">{order.receipt_number === null ? '–' : <code>{order.receipt_number}</code>}</Fact>
          </dl>
          {order.checkout_session_status !== null && <CheckoutSession orderId={order.order_id} total_cents={order.total_cents} />}
        </section>
      </div>
      {order.state === 'confirmed' && <Tickets orderId={order.order_id} />}
      <Lines order={order} />
      <History order={order} />
    </>
  );
}

function Buyer({ order }: { order: Order }) {
  const unknown = order.buyer_name === null && order.buyer_email === null && order.buyer_phone === null;
  return (
    <section className="panel">
      <h2>Acquirente</h2>
      {unknown ? <p className="soft">I dati dell’acquirente arrivano con il pagamento.</p> : (
        <dl className="facts">
          <Fact name="Nome">{order.buyer_name ?? '–'}</Fact>
          <Fact name="E-mail">{order.buyer_email === null ? '–' : <a href={`mailto:${order.buyer_email}`}>{order.buyer_email}</a>}</Fact>
          <Fact name="Telefono">{order.buyer_phone === null ? '–' : <a href={`tel:${order.buyer_phone.replace(/[^+\d]/g, '')}`}>{order.buyer_phone}</a>}</Fact>
        </dl>
      )}
    </section>
  );
}

function Tickets({ orderId }: { orderId: string }) {
  const tickets = useEndpoint(listOrderTickets, { params: { orderId } }, { refetchInterval: 15_000 });
  return (
    <section className="panel">
      <h2>Biglietti</h2>
      <Loaded query={tickets}>
        {({ items }) => (items.length === 0 ? <p className="soft">Nessun biglietto emesso.</p> : (
          <table className="table tickets">
            <thead><tr><th scope="col">Posto</th><th scope="col">Tipo</th><th scope="col" className="number">Prezzo</th><th scope="col">Stato</th><th scope="col">Codice</th><th scope="col">Ingresso</th></tr></thead>
            <tbody>{items.map((ticket) => <TicketLine key={ticket.ticket_id} ticket={ticket} />)}</tbody>
          </table>
        ))}
      </Loaded>
    </section>
  );
}

function TicketLine({ ticket }: { ticket: Ticket }) {
  const words = ticketStateWords[ticket.state];
  return (
    <tr>
      <th scope="row" className="cell-seat">{ticket.seat}{ticket.holder !== null && <span className="soft">{ticket.holder}</span>}</th>
      <td className="cell-type">{ticket.type_label}</td>
      <td className="number cell-total">{formatEuro(ticket.price_cents)}</td>
      <td className="cell-state"><Badge tone={words.tone} icon={words.icon}>{words.word}</Badge></td>
      <td className="cell-code"><code className="ticket-code">{ticket.code_for_people}</code></td>
      <td className="cell-admitted">
        <Link to={`/admissions?ticket=${encodeURIComponent(ticket.ticket_id)}`}>{ticket.admitted_at === null ? 'Non entrato' : 'Entrato'}</Link>
        {ticket.admitted_at !== null && <time className="soft" dateTime={ticket.admitted_at}>{formatListDate(ticket.admitted_at)}</time>}
      </td>
    </tr>
  );
}

function Lines({ order }: { order: Order }) {
  return (
    <section className="panel">
      <h2>Righe dell’ordine</h2>
      <table className="table lines">
        <thead><tr><th scope="col">Posto</th><th scope="col">Settore</th><th scope="col">Tipo</th><th scope="col" className="number">Prezzo</th></tr></thead>
        <tbody>
          {order.lines.map((line, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- places of one standing area have the same name, and lines never move
            <tr key={index}><th scope="row">{line.seat}</th><td>{line.category}</td><td>{line.type_label}</td><td className="number">{formatEuro(line.price_cents)}</td></tr>
          ))}
        </tbody>
        <tfoot><tr><th scope="row" colSpan={3}>Totale</th><td className="number"><b>{formatEuro(order.total_cents)}</b></td></tr></tfoot>
      </table>
    </section>
  );
}

function History({ order }: { order: Order }) {
  return (
    <section className="panel">
      <h2>Storia</h2>
      <ol className="history">
        {order.history.map((entry) => (
          <li key={`${entry.at} ${entry.action}`}>
            <time dateTime={entry.at}>{formatListDate(entry.at)}</time>
            <span>{actionWords(entry.action)} <span className="soft">· {actorWords(entry.actor)}</span></span>
          </li>
        ))}
      </ol>
      {order.history.length === 0 && <p className="soft">Nessun passaggio registrato.</p>}
    </section>
  );
}
