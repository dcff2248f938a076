/** The list of orders, newest first, searchable by number, name, mail, receipt or seat. */
import { openStates } from '#server/domain/order/order.ts';
import { nameOfEvent } from '#apps/admin/kit/date-name.ts';
import { Link, useParams } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { listMessages } from '#server/contract/messages.ts';
import { listOrders, totalOrders } from '#server/contract/order/orders.ts';
import { formatCount, formatEuro, formatListDate, formatShortDate } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { Empty } from '#apps/admin/kit/page/loaded.tsx';
import { moneyWordsOf } from '#apps/admin/order/refund/money-words.ts';
import { BulkBar, ChooseRow, useChosen, type Chosen } from './bulk.tsx';
import { OrderSearch, useOrderFilters } from './filters.tsx';
import { PagedList, usePages } from '#apps/admin/kit/list/paged-list.tsx';
import { orderStateOf } from '#server/domain/order/order-words.ts';
import { orderStateWords } from '#apps/admin/kit/words.ts';
import { Table, SecondLine } from '#apps/admin/kit/list/table.tsx';
import { joinClasses } from '#apps/admin/kit/join-classes.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import { StateBadge } from '#apps/admin/kit/state-badge.tsx';
import { useMay } from '#apps/admin/kit/session/session.ts';
import tableStyles from '#apps/admin/kit/list/table.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './orders.module.css';

type List = ReplyOf<typeof listOrders>;
type OrderRow = List['items'][number];

export function OrdersScreen() {
  const mayWrite = useMay(listMessages.who);
  return (
    <>
      <PageTitle title="Ordini">
        {mayWrite && <Link to="/messages">Messaggi inviati</Link>}
      </PageTitle>
      <OrderList eventId={null} />
    </>
  );
}

export function EventOrdersScreen() {
  const { eventId } = useParams() as { eventId: string };
  return <OrderList eventId={eventId} />;
}

function OrderList({ eventId }: { eventId: string | null }) {
  const filters = useOrderFilters(eventId);
  const chosen = useChosen();
  const { data: totals } = useEndpoint(
    totalOrders,
    { query: filters.query },
    { refetchInterval: 30_000 },
  );
  const orders = usePages(listOrders, { query: filters.query }, 30_000);
  return (
    <>
      <OrderSearch filters={filters} />
      <PagedList pages={orders}>
        {(rows) =>
          rows.length === 0 ? (
            <NoOrders filtered={filters.filtered} onClear={filters.clear} />
          ) : (
            <>
              <Sums totals={totals} />
              <BulkBar chosen={chosen} total={totals?.orders} filter={filters.query} />
              <OrderTable orders={rows} chosen={chosen} />
            </>
          )
        }
      </PagedList>
    </>
  );
}

/** Sums of all found orders; they arrive after the rows, so their line is reserved. */
function Sums({ totals }: { totals: ReplyOf<typeof totalOrders> | undefined }) {
  if (totals === undefined) return <p className={styles.sums}>Conto gli ordini…</p>;
  return (
    <p className={styles.sums}>
      <span>
        <b>{formatCount(totals.orders, 'ordine', 'ordini')}</b> · incassati{' '}
        <b>{formatEuro(totals.paid_cents)}</b>
        {totals.refunded_cents > 0 && (
          <>
            {' '}
            · rimborsati <b>{formatEuro(totals.refunded_cents)}</b> · restano{' '}
            <b>{formatEuro(totals.paid_cents - totals.refunded_cents)}</b>
          </>
        )}
      </span>
    </p>
  );
}

function OrderTable({ orders, chosen }: { orders: OrderRow[]; chosen: Chosen }) {
  return (
    <Table
      cards
      className={styles.orders}
      columns={[
        { name: 'Numero', rem: 9.25 },
        'Acquirente',
        'Evento',
        { number: 'Posti', rem: 3.75, late: true },
        { number: 'Totale', rem: 6.75 },
        { name: 'Stato', rem: 13 },
        { name: 'Creato', rem: 9.5 },
      ]}
    >
      <tbody>
        {orders.map((order) => (
          <OrderLine key={order.order_id} order={order} chosen={chosen} />
        ))}
      </tbody>
    </Table>
  );
}

function OrderLine({ order, chosen }: { order: OrderRow; chosen: Chosen }) {
  return (
    <tr className={waits(order) ? tableStyles.attention : undefined}>
      <th scope="row" className={styles.number}>
        <ChooseRow id={order.order_id} number={order.number} chosen={chosen} />
        <Link
          className={`${textStyles.code} ${tableStyles.stretch}`}
          to={`/orders/${order.order_id}`}
          data-row
        >
          {order.number}
        </Link>
        {order.pinned_note !== null && (
          <span className={styles.pinned} title={order.pinned_note}>
            <Icon name="pin" size={16} label={`Nota: ${order.pinned_note}`} />
          </span>
        )}
        {order.part_of !== null && <SecondLine>con {order.part_of.number}</SecondLine>}
      </th>
      <td className={styles.buyer}>
        <span className={textStyles.clip}>
          {order.buyer_name ?? <span className={textStyles.soft}>{tellNobody(order)}</span>}
        </span>
        {order.buyer_email !== null && (
          <span className={`${textStyles.soft} ${tableStyles.under} ${textStyles.clip}`}>
            {order.buyer_email}
          </span>
        )}
      </td>
      <td className={tableStyles.aside}>
        <span className={textStyles.clip} title={nameOfEvent(order)}>
          {order.event_title}
        </span>
        <SecondLine>{formatShortDate(order.event_starts_at)}</SecondLine>
      </td>
      <td className={joinClasses(tableStyles.number, tableStyles.aside, styles.places)}>
        {order.places}
        <span className={tableStyles.label}> {order.places === 1 ? 'posto' : 'posti'}</span>
      </td>
      <td className={`${tableStyles.number} ${styles.total}`}>
        {formatEuro(order.total_cents)}
        {order.refunded_cents > 0 && <SecondLine>– {formatEuro(order.refunded_cents)}</SecondLine>}
        {order.exchange_credit_cents !== null && (
          <SecondLine>{formatEuro(order.exchange_credit_cents)} dal cambio</SecondLine>
        )}
      </td>
      <td className={styles.state}>
        <OrderBadges order={order} />
      </td>
      <td className={`${tableStyles.aside} ${styles.created}`}>
        <time dateTime={order.created_at}>{formatListDate(order.created_at)}</time>
      </td>
    </tr>
  );
}

function tellNobody({ buyer_forgotten_at, state }: OrderRow): string {
  if (buyer_forgotten_at !== null) return 'Dati cancellati';
  return openStates.includes(state) ? 'Non ancora indicato' : 'Senza nome';
}

type Badged = Pick<
  OrderRow,
  | 'state'
  | 'total_cents'
  | 'money'
  | 'paid_by'
  | 'refunded_cents'
  | 'exchanged_cents'
  | 'left_cents'
  | 'needs_attention'
  | 'refund_asked'
  | 'disputed'
>;

function waits(order: Badged): boolean {
  return order.needs_attention !== null || order.refund_asked || order.disputed;
}

/** The order's state, its payment, and what needs a person. */
export function OrderBadges({ order }: { order: Badged }) {
  return (
    <span className={styles.badges}>
      <StateBadge {...orderStateWords[order.state]} word={orderStateOf(order)} />
      {/* The state already says that an order is unpaid. */}
      {order.money !== 'unpaid' && <StateBadge {...moneyWordsOf(order)} />}
      {order.needs_attention !== null &&
        !(order.disputed && order.needs_attention === 'disputed') && (
          <StateBadge tone="bad" icon="warning" word="Da sistemare" />
        )}
      {order.refund_asked && <StateBadge tone="warn" icon="user" word="Rimborso richiesto" />}
      {order.disputed && <StateBadge tone="bad" icon="warning" word="Contestato" />}
    </span>
  );
}

function NoOrders({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  if (!filtered)
    return (
      <Empty icon="cart" title="Non c’è ancora nessun ordine.">
        <p>I nuovi ordini compaiono qui da soli.</p>
      </Empty>
    );
  return (
    <Empty icon="search" title="Nessun ordine trovato.">
      <p>
        Controlla il numero o cerca solo una parte del nome o dell’e-mail. Un numero di ricevuta
        intero, seguito da Invio, viene cercato anche su Stripe.
      </p>
      <Button onClick={onClear} label="Mostra tutti gli ordini" />
    </Empty>
  );
}
