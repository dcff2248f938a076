/** All orders, newest first, found by number, name, mail or receipt: the screen beside a queue of people. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useRef, type FormEvent } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { listEvents } from '#server/contract/events.ts';
import { listOrders } from '#server/contract/orders.ts';
import { orderStates, type OrderState } from '#server/domain/order.ts';
import { call } from '#apps/shared/api.ts';
import { formatCount, formatEuro, formatListDate } from '#apps/shared/format.ts';
import { keyOf, useEndpoint } from '#apps/shared/query.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Badge } from '#apps/shared/ui/badge.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { useRowKeys, useSlashKey } from './keys.ts';
import { PageTitle } from './layout.tsx';
import { Empty, Loaded } from './loaded.tsx';
import { useAct } from './session.ts';
import { useTypedSearch } from './typed-search.ts';
import { orderStateWords } from './words.ts';

type OrderRow = ReplyOf<typeof listOrders>['items'][number];

export function OrdersScreen() {
  const filters = useOrderFilters();
  const { q, state, event_id } = filters.values;
  const query = { ...(q && { q }), ...(state && { state }), ...(event_id && { event_id }), limit: '50' };
  const orders = useInfiniteQuery({
    queryKey: [...keyOf(listOrders, { query }), 'pages'],
    queryFn: ({ pageParam, signal }) => call(listOrders, { query: { ...query, ...(pageParam !== null && { cursor: pageParam }) } }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  });

  return (
    <>
      <PageTitle title="Ordini" />
      <OrderSearch filters={filters} />
      <div aria-busy={orders.isPlaceholderData} className={orders.isPlaceholderData ? 'list waiting' : 'list'}>
        <Loaded query={orders}>
          {({ pages }) => {
            const rows = pages.flatMap((page) => page.items);
            if (rows.length === 0) return <NoOrders filtered={Boolean(q || state || event_id)} onClear={filters.clear} />;
            return (
              <>
                <OrderTable orders={rows} />
                <p className="more">
                  {orders.hasNextPage
                    ? <AsyncButton onClick={() => orders.fetchNextPage()} busy={orders.isFetchingNextPage}>Carica altri</AsyncButton>
                    : <span className="soft">{formatCount(rows.length, 'ordine', 'ordini')} in tutto</span>}
                </p>
              </>
            );
          }}
        </Loaded>
      </div>
    </>
  );
}

interface OrderFilters { values: { q: string; state: OrderState | ''; event_id: string }; set: (name: 'q' | 'state' | 'event_id', value: string) => void; clear: () => void }

/** In the address: reload, back and a shared link keep them. */
function useOrderFilters(): OrderFilters {
  const [params, setParams] = useSearchParams();
  const state = orderStates.find((known) => known === params.get('state')) ?? '';
  return {
    values: { q: (params.get('q') ?? '').slice(0, 100), state, event_id: params.get('event_id') ?? '' },
    set: (name, value) => setParams((old) => {
      const next = new URLSearchParams(old);
      if (value === '') next.delete(name);
      else next.set(name, value);
      return next;
    }, { replace: true }),
    clear: () => setParams({}, { replace: true }),
  };
}

function OrderSearch({ filters }: { filters: OrderFilters }) {
  const { q, state, event_id } = filters.values;
  const field = useRef<HTMLInputElement>(null);
  const { typed, type, apply } = useTypedSearch(q, (text) => filters.set('q', text));
  const events = useEndpoint(listEvents, {});
  const openOnly = useOpenOnly();
  useSlashKey(field);
  useRowKeys(field);

  async function search(event: FormEvent) {
    event.preventDefault();
    apply();
    if (typed.trim() !== '') await openOnly(typed.trim());
  }

  return (
    <search><form className="toolbar" onSubmit={(event) => void search(event)}>
      <label className="search">
        <Icon name="search" />
        <span className="visually-hidden">Cerca per numero, nome, e-mail o ricevuta</span>
        <input
          ref={field} className="ui-input" type="search" placeholder="Numero, nome, e-mail o ricevuta" value={typed} maxLength={100} autoComplete="off" spellCheck={false} aria-keyshortcuts="/"
          onChange={(event) => type(event.target.value)} onKeyDown={(event) => event.key === 'Escape' && type('')}
        />
        <kbd aria-hidden="true">/</kbd>
      </label>
      <label className="filter">
        <span className="visually-hidden">Stato</span>
        <select className="ui-input" value={state} onChange={(event) => filters.set('state', event.target.value)}>
          <option value="">Tutti gli stati</option>
          {orderStates.map((name) => <option key={name} value={name}>{orderStateWords[name].word}</option>)}
        </select>
      </label>
      <label className="filter">
        <span className="visually-hidden">Evento</span>
        <select className="ui-input" value={event_id} onChange={(event) => filters.set('event_id', event.target.value)}>
          <option value="">Tutti gli eventi</option>
          {events.data?.items.map((event) => <option key={event.id} value={event.id}>{event.title}</option>)}
        </select>
      </label>
    </form></search>
  );
}

/** Enter on a number that means one order opens it: a receipt can be read with a hand scanner. Several: the first row gets the focus. */
function useOpenOnly() {
  const act = useAct();
  const navigate = useNavigate();
  return async (q: string) => {
    const { items } = await act(listOrders, { query: { q, limit: '2' } }).catch(() => ({ items: [] }));
    if (items.length === 1) await navigate(`/orders/${items[0]!.order_id}`);
    else document.querySelector<HTMLElement>('[data-row]')?.focus();
  };
}

function OrderTable({ orders }: { orders: OrderRow[] }) {
  return (
    <table className="table orders">
      <thead>
        <tr>
          <th scope="col">Numero</th><th scope="col">Acquirente</th><th scope="col">Evento</th><th scope="col" className="number">Posti</th>
          <th scope="col" className="number">Totale</th><th scope="col">Stato</th><th scope="col">Creato</th>
        </tr>
      </thead>
      <tbody>{orders.map((order) => <OrderLine key={order.order_id} order={order} />)}</tbody>
    </table>
  );
}

function OrderLine({ order }: { order: OrderRow }) {
  return (
    <tr className={order.needs_attention === null ? undefined : 'attention'}>
      <th scope="row" className="cell-number"><Link className="code stretch" to={`/orders/${order.order_id}`} data-row>{order.number}</Link></th>
      <td className="cell-buyer">
        <span className="clip">{order.buyer_name ?? <span className="soft">{order.buyer_email === null ? 'Non ancora indicato' : 'Senza nome'}</span>}</span>
        {order.buyer_email !== null && <span className="soft clip">{order.buyer_email}</span>}
      </td>
      <td className="cell-event"><span className="clip" title={order.event_title}>{order.event_title}</span></td>
      <td className="number cell-places">{order.places}<span className="cell-label"> {order.places === 1 ? 'posto' : 'posti'}</span></td>
      <td className="number cell-total">{formatEuro(order.total_cents)}</td>
      <td className="cell-state"><OrderBadges order={order} /></td>
      <td className="cell-created"><time dateTime={order.created_at}>{formatListDate(order.created_at)}</time></td>
    </tr>
  );
}

export function OrderBadges({ order }: { order: Pick<OrderRow, 'state' | 'needs_attention'> }) {
  const words = orderStateWords[order.state];
  return (
    <span className="badges">
      <Badge tone={words.tone} icon={words.icon}>{words.word}</Badge>
      {order.needs_attention !== null && <Badge tone="bad" icon="warning">Da vedere</Badge>}
    </span>
  );
}

function NoOrders({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  if (!filtered) return <Empty icon="cart" title="Non c’è ancora nessun ordine."><p>I nuovi ordini compaiono qui da soli.</p></Empty>;
  return (
    <Empty icon="search" title="Nessun ordine trovato.">
      <p>Controlla il numero o cerca solo una parte del nome o dell’e-mail.</p>
      <button type="button" className="ui-button" onClick={onClear}>Mostra tutti gli ordini</button>
    </Empty>
  );
}
