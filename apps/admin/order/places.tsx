/** The seats of an order with their tickets; selected ones can be refunded together. */
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { listOrderTickets, readOrder } from '#server/contract/orders.ts';
import { formatCount, formatEuro, formatListDate } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Badge } from '#apps/shared/ui/badge.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { RefundDialog } from './refund-dialog.tsx';
import { ticketStateWords, type StateWords } from '#apps/admin/kit/words.ts';
import { Panel } from '#apps/admin/kit/panel.tsx';
import { Table } from '#apps/admin/kit/list/table.tsx';
import buttonStyles from '#apps/admin/kit/buttons.module.css';
import tableStyles from '#apps/admin/kit/list/table.module.css';
import panelStyles from '#apps/admin/kit/panel.module.css';
import textStyles from '#apps/admin/kit/text.module.css';
import styles from './places.module.css';

type Order = ReplyOf<typeof readOrder>;
type Line = Order['lines'][number];
type Ticket = ReplyOf<typeof listOrderTickets>['items'][number];

export function OrderPlaces({ order }: { order: Order }) {
  const confirmed = order.state === 'confirmed';
  const tickets = useEndpoint(
    listOrderTickets,
    { params: { orderId: order.order_id } },
    { enabled: confirmed, refetchInterval: 15_000 },
  );
  const byId = new Map(tickets.data?.items.map((ticket) => [ticket.ticket_id, ticket]));
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [refunding, setRefunding] = useState(false);
  const open = order.lines
    .filter((line) => line.ticket_state === 'valid')
    .flatMap((line) => line.ticket_id ?? []);
  const picked = chosen.filter((id) => open.includes(id));
  const toggle = (id: string) =>
    setChosen(picked.includes(id) ? picked.filter((other) => other !== id) : [...picked, id]);
  const mayRefund = confirmed && (open.length > 0 || order.refunded_cents < order.paid_cents);

  return (
    <Panel wide>
      <div className={panelStyles.title}>
        <h2>{confirmed ? 'Biglietti' : 'Posti'}</h2>
        {confirmed && open.length > 1 && (
          <label className={styles.seatChoice}>
            <input
              type="checkbox"
              checked={picked.length === open.length}
              onChange={(event) => setChosen(event.target.checked ? open : [])}
            />{' '}
            <span>Tutti</span>
          </label>
        )}
        {mayRefund && (
          <button
            type="button"
            className={`ui-button ui-button-danger ${buttonStyles.small}`}
            onClick={() => setRefunding(true)}
          >
            {picked.length > 0
              ? `Rimborsa ${formatCount(picked.length, 'biglietto', 'biglietti')}…`
              : 'Rimborsa…'}
          </button>
        )}
      </div>
      <Table cards className={styles.tickets}>
        <thead>
          <tr>
            <th scope="col">Posto</th>
            <th scope="col">Tipo</th>
            <th scope="col" className={tableStyles.number}>
              Prezzo
            </th>
            <th scope="col">Stato</th>
            {confirmed && (
              <>
                <th scope="col">Codice</th>
                <th scope="col">Ingresso</th>
              </>
            )}
          </tr>
        </thead>
        <tbody>
          {order.lines.map((line) => (
            <PlaceLine
              key={line.line_id}
              order={order}
              line={line}
              ticket={byId.get(line.ticket_id ?? '')}
              chosen={picked.includes(line.ticket_id ?? '')}
              onToggle={toggle}
            />
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={2}>
              Totale
              {order.fee_cents > 0 && (
                <span className={`${textStyles.soft} ${tableStyles.under}`}>
                  di cui prevendita {formatEuro(order.fee_cents)}
                </span>
              )}
            </th>
            <td className={tableStyles.number}>
              <b>{formatEuro(order.total_cents)}</b>
            </td>
          </tr>
        </tfoot>
      </Table>
      {refunding && (
        <RefundDialog
          order={order}
          ticketIds={picked}
          onClose={() => {
            setRefunding(false);
            setChosen([]);
          }}
        />
      )}
    </Panel>
  );
}

interface PlaceLineProps {
  order: Order;
  line: Line;
  ticket: Ticket | undefined;
  chosen: boolean;
  onToggle: (id: string) => void;
}

function PlaceLine({ order, line, ticket, chosen, onToggle }: PlaceLineProps) {
  const confirmed = order.state === 'confirmed';
  const words = stateOf(order, line);
  return (
    <tr
      className={
        line.ticket_state !== null && line.ticket_state !== 'valid' ? styles.ended : undefined
      }
    >
      <th scope="row" className={styles.seat}>
        {confirmed ? (
          <label className={styles.seatChoice}>
            <input
              type="checkbox"
              checked={chosen}
              disabled={line.ticket_state !== 'valid'}
              onChange={() => line.ticket_id !== null && onToggle(line.ticket_id)}
            />{' '}
            <span>{line.seat}</span>
          </label>
        ) : (
          line.seat
        )}
        {ticket?.holder && (
          <span className={`${textStyles.soft} ${tableStyles.under}`}>{ticket.holder}</span>
        )}
      </th>
      <td className={styles.type}>
        {line.type_label}
        <span className={`${textStyles.soft} ${tableStyles.under}`}>{line.category}</span>
      </td>
      <td className={`${tableStyles.number} ${styles.total}`}>
        {formatEuro(line.price_cents)}
        {line.fee_cents > 0 && (
          <span className={`${textStyles.soft} ${tableStyles.under}`}>
            + {formatEuro(line.fee_cents)}
          </span>
        )}
      </td>
      <td className={styles.state}>
        <Badge tone={words.tone} icon={words.icon}>
          {words.word}
        </Badge>
        {line.released_at !== null && (
          <span className={`${textStyles.soft} ${tableStyles.under}`}>posto di nuovo libero</span>
        )}
      </td>
      {confirmed && (
        <>
          <td className={styles.code}>
            {ticket ? <code className={styles.ticketCode}>{ticket.code_for_people}</code> : '…'}
          </td>
          <td className={styles.admitted}>
            {line.ticket_id !== null && (
              <Link to={`/admissions?ticket=${encodeURIComponent(line.ticket_id)}`}>
                {ticket?.admitted_at ? 'Entrato' : 'Non entrato'}
              </Link>
            )}
            {ticket?.admitted_at && (
              <time
                className={`${textStyles.soft} ${tableStyles.under}`}
                dateTime={ticket.admitted_at}
              >
                {formatListDate(ticket.admitted_at)}
              </time>
            )}
          </td>
        </>
      )}
    </tr>
  );
}

function stateOf(order: Order, line: Line): StateWords {
  const state = Object.entries(ticketStateWords).find(([name]) => name === line.ticket_state)?.[1];
  if (state) return state;
  if (order.state === 'deleted') return { word: 'Liberato', tone: 'neutral', icon: 'cross' };
  return { word: 'Riservato', tone: 'warn', icon: 'clock' };
}

/** The door's own way there. */
export function SeatsLink({ order }: { order: Order }) {
  return (
    <Link
      className={textStyles.out}
      to={`/events/${encodeURIComponent(order.event_id)}/seats?q=${encodeURIComponent(order.number)}`}
    >
      <Icon name="map" size={16} /> Vedi i posti sulla pianta
    </Link>
  );
}
