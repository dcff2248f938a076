/** The seats of an order with their tickets; chosen ones can be refunded together. */
import { Fragment, useState } from 'react';
import { Link } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { listOrderTickets } from '#server/contract/order/orders.ts';
import { feeWords } from '#server/domain/price/pricing.ts';
import { typeWords } from '#server/domain/order/type-words.ts';
import { LoweredPrice } from '#apps/shared/ui/lowered-price.tsx';
import { fiscalWords } from '#server/domain/papers/regime.ts';
import { wholeWords } from '#server/domain/seat/seat-name.ts';
import { formatCount, formatEuro, formatListDate } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { MoveLink } from './move-link.tsx';
import { RefundDialog } from '#apps/admin/order/refund/refund-dialog.tsx';
import { toldTicketState } from '#server/domain/order/order-words.ts';
import { ticketStateWords, type StateWords } from '#apps/admin/kit/words.ts';
import { Check } from '#apps/admin/kit/form/choices.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { Table, SecondLine } from '#apps/admin/kit/list/table.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import { StateBadge } from '#apps/admin/kit/state-badge.tsx';
import { useMay } from '#apps/admin/kit/session/session.ts';
import { isExchanged, isValidTicket, togetherIn, type Order } from './shown-order.ts';
import tableStyles from '#apps/admin/kit/list/table.module.css';
import panelStyles from '#apps/admin/kit/page/panel.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './places.module.css';

type Line = Order['lines'][number];
type Ticket = ReplyOf<typeof listOrderTickets>['items'][number];

export function OrderPlaces({ order }: { order: Order }) {
  const confirmed = order.state === 'confirmed';
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [refunding, setRefunding] = useState(false);
  const open = order.lines
    .filter((line) => line.ticket_state === 'valid')
    .flatMap((line) => line.ticket_id ?? []);
  const picked = chosen.filter((id) => open.includes(id));
  const isAllowed = useMay('refund');
  const mayRefund =
    isAllowed && confirmed && (open.length > 0 || order.refunded_cents < order.paid_cents);

  return (
    <Panel wide>
      <div className={panelStyles.title}>
        <h2>{confirmed ? 'Biglietti' : 'Posti'}</h2>
        {mayRefund && open.length > 1 && (
          <Check
            small
            label="Tutti"
            checked={picked.length === open.length}
            onChange={(all) => setChosen(all ? open : [])}
          />
        )}
        {open.length > 0 && <MoveLink order={order} tickets={picked} />}
        {mayRefund && (
          <Button
            small
            look="danger"
            onClick={() => setRefunding(true)}
            label={
              picked.length > 0
                ? `Rimborsa ${formatCount(picked.length, 'biglietto', 'biglietti')}…`
                : 'Rimborsa…'
            }
          />
        )}
      </div>
      {order.sold_in_phase !== null && (
        <p className={textStyles.soft}>Prezzi della fase «{order.sold_in_phase}».</p>
      )}
      <PlaceTable
        order={order}
        confirmed={confirmed}
        picked={picked}
        onToggle={mayRefund ? (ids) => setChosen(toggled(picked, ids)) : undefined}
      />
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

/** Takes all of the ids away if all were there, else adds what lacks. */
function toggled(picked: readonly string[], ids: readonly string[]): string[] {
  const others = picked.filter((id) => !ids.includes(id));
  return others.length + ids.length === picked.length ? others : [...others, ...ids];
}

interface PlaceTableProps {
  order: Order;
  confirmed: boolean;
  picked: readonly string[];
  /** Undefined if nothing can be done with chosen seats. */
  onToggle: ((ids: readonly string[]) => void) | undefined;
}

function PlaceTable({ order, confirmed, picked, onToggle }: PlaceTableProps) {
  const tickets = useEndpoint(
    listOrderTickets,
    { params: { orderId: order.order_id } },
    { enabled: confirmed, refetchInterval: 15_000 },
  );
  const fees = feeWords(order);
  const byId = new Map(tickets.data?.items.map((ticket) => [ticket.ticket_id, ticket]));
  return (
    <Table
      cards
      className={styles.tickets}
      columns={[
        'Posto',
        'Tipo',
        { number: 'Prezzo' },
        'Stato',
        confirmed && 'Codice',
        confirmed && 'Ingresso',
      ]}
    >
      <tbody>
        {togetherIn(order.lines).map((together) => (
          <Fragment key={together[0].line_id}>
            <WholeLine together={together} picked={picked} onToggle={onToggle} />
            {together.map((line) => (
              <PlaceLine
                key={line.line_id}
                order={order}
                line={line}
                ticket={byId.get(line.ticket_id ?? '')}
                chosen={picked.includes(line.ticket_id ?? '')}
                onToggle={onToggle && ((id) => onToggle([id]))}
              />
            ))}
          </Fragment>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row" colSpan={2}>
            Totale
            {fees !== null && <SecondLine>{fees}</SecondLine>}
          </th>
          <td className={tableStyles.number}>
            <b>{formatEuro(order.total_cents)}</b>
          </td>
        </tr>
      </tfoot>
    </Table>
  );
}

/** The head of a table that is sold whole: how many come, its price, all its tickets at once. */
function WholeLine({
  together,
  picked,
  onToggle,
}: Pick<PlaceTableProps, 'picked' | 'onToggle'> & { together: readonly [Line, ...Line[]] }) {
  const [{ whole }] = together;
  if (whole === null) return null;
  const live = together.filter(isValidTicket).map(({ ticket_id }) => ticket_id);
  const words = wholeWords(whole.kind, { ...whole, paid: together.length });
  const cents = together.reduce((sum, { price_cents }) => sum + price_cents, 0);
  return (
    <tr className={styles.whole}>
      <th scope="row" colSpan={2}>
        {onToggle !== undefined && live.length > 0 ? (
          <Check
            small
            className={styles.seatChoice}
            label={words}
            checked={live.every((id) => picked.includes(id))}
            onChange={() => onToggle(live)}
          />
        ) : (
          words
        )}
      </th>
      <td className={`${tableStyles.number} ${styles.total}`}>{formatEuro(cents)}</td>
    </tr>
  );
}

interface PlaceLineProps {
  order: Order;
  line: Line;
  ticket: Ticket | undefined;
  chosen: boolean;
  /** Undefined if nothing can be done with chosen seats. */
  onToggle: ((id: string) => void) | undefined;
}

function PlaceLine({ order, line, ticket, chosen, onToggle }: PlaceLineProps) {
  const confirmed = order.state === 'confirmed';
  const ended = line.ticket_state !== null && line.ticket_state !== 'valid';
  return (
    <tr className={ended ? styles.ended : undefined}>
      <th scope="row" className={styles.seat}>
        {onToggle !== undefined ? (
          <Check
            small
            className={styles.seatChoice}
            label={line.seat}
            checked={chosen}
            disabled={line.ticket_state !== 'valid'}
            onChange={() => line.ticket_id !== null && onToggle(line.ticket_id)}
          />
        ) : (
          line.seat
        )}
        {ticket !== undefined && <TicketWords ticket={ticket} />}
        {line.door_note !== null && <SecondLine>Alla porta: {line.door_note}</SecondLine>}
      </th>
      <td className={styles.type}>
        {typeWords(line.type_label, line.lowered_by)}
        <SecondLine>{line.category}</SecondLine>
      </td>
      <td className={`${tableStyles.number} ${styles.total}`}>
        <LoweredPrice cents={line.price_cents} list_cents={line.list_cents} />
        {line.fee_cents > 0 && <SecondLine>+ {formatEuro(line.fee_cents)}</SecondLine>}
      </td>
      <td className={styles.state}>
        <StateBadge {...stateOf(order, line, ticket)} />
        <PlaceWords line={line} />
      </td>
      {confirmed && (
        <>
          <td className={styles.code}>
            <TicketCode ticket={ticket} />
          </td>
          <td className={styles.admitted}>
            {line.ticket_id !== null && (
              <ScansLink ticket_id={line.ticket_id}>{enteredWords(line, ticket)}</ScansLink>
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

/** What became of a place that its order has given up, or should have. */
function PlaceWords({ line: { released_at, guest_against } }: { line: Line }) {
  const sold = guest_against?.sold_to ?? null;
  if (sold !== null)
    return (
      <SecondLine>
        posto venduto di nuovo:{' '}
        <Link className={textStyles.code} to={`/orders/${sold.order_id}`}>
          {sold.order_number}
        </Link>
      </SecondLine>
    );
  if (guest_against?.kept === true)
    return (
      <SecondLine>
        <Link to="/door/conflicts?show=all">posto non in vendita: c’è chi è entrato</Link>
      </SecondLine>
    );
  return released_at === null ? null : <SecondLine>posto di nuovo libero</SecondLine>;
}

function TicketWords({ ticket: { holder, fiscal } }: { ticket: Ticket }) {
  return (
    <>
      {holder && <SecondLine>{holder}</SecondLine>}
      {fiscal && <SecondLine>{fiscalWords(fiscal)}</SecondLine>}
    </>
  );
}

/** A link for users who may read scans; plain words for others. */
function ScansLink({ ticket_id, children }: { ticket_id: string; children: string }) {
  const mayRead = useMay('admit');
  if (!mayRead) return children;
  return <Link to={`/door/scans?ticket=${encodeURIComponent(ticket_id)}`}>{children}</Link>;
}

function enteredWords({ guest_against }: Line, ticket: Ticket | undefined): string {
  if (guest_against?.settled_as === 'left') return 'Entrato e uscito';
  return ticket?.admitted_at || guest_against ? 'Entrato' : 'Non entrato';
}

/** A ticket that needs a holder's name has no code before it has one. */
function hasNoCodeYet(ticket: Ticket | undefined): boolean {
  return ticket?.code_for_people === '';
}

function TicketCode({ ticket }: { ticket: Ticket | undefined }) {
  if (ticket === undefined) return '…';
  if (hasNoCodeYet(ticket))
    return (
      <span className={textStyles.soft}>
        Il codice arriva con il nome di chi userà il biglietto.
      </span>
    );
  return <code className={styles.ticketCode}>{ticket.code_for_people}</code>;
}

function stateOf(order: Order, line: Line, ticket: Ticket | undefined): StateWords {
  if (line.ticket_state === 'valid' && hasNoCodeYet(ticket))
    return { word: 'Manca il nome', tone: 'warn', icon: 'user' };
  if (ticket?.let_go)
    return ticket.state === 'valid'
      ? { word: 'Posto liberato', tone: 'warn', icon: 'clock' }
      : { word: 'Assegnato ad altri', tone: 'neutral', icon: 'cross' };
  if (isExchanged(order.exchanges, line))
    return { word: 'Cambiato con un’altra data', tone: 'bad', icon: 'refresh' };
  const told = toldTicketState(line.ticket_state, order.refunded_cents - order.left_cents);
  const state = Object.entries(ticketStateWords).find(([name]) => name === told)?.[1];
  if (state) return state;
  if (order.state === 'deleted') return { word: 'Liberato', tone: 'neutral', icon: 'cross' };
  return { word: 'Riservato', tone: 'warn', icon: 'clock' };
}

/** Links to the order's seats on the seat map. */
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
