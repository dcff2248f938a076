/** Search and filters of the order list. */
import type { FormEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import { listEvents } from '#server/contract/events.ts';
import { listOrders } from '#server/contract/orders.ts';
import { findByReceipt } from '#server/contract/office.ts';
import { orderStates } from '#server/domain/order.ts';
import { moneyStates } from '#server/domain/payment.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Choice, SearchField, useAddressFilters } from '#apps/admin/kit/list/filters.tsx';
import { moneyWords } from './money-words.ts';
import { useAct } from '#apps/admin/shell/session.ts';
import { useTypedSearch } from '#apps/admin/kit/list/typed-search.ts';
import { orderStateWords } from '#apps/admin/kit/words.ts';
import filterStyles from '#apps/admin/kit/list/filters.module.css';
import styles from './orders.module.css';

const names = ['q', 'state', 'money', 'event_id', 'attention', 'from', 'to'] as const;
type Name = (typeof names)[number];

export interface OrderFilters {
  /** What the endpoint is asked: only what is set and makes sense. */
  query: Partial<Record<Exclude<Name, 'state' | 'money' | 'attention'>, string>> & {
    state?: (typeof orderStates)[number];
    money?: (typeof moneyStates)[number];
    attention?: 'true';
  };
  values: Record<Name, string>;
  set: (name: Name, value: string) => void;
  clear: () => void;
}

export function useOrderFilters(): OrderFilters {
  const { text, oneOf, set, clear } = useAddressFilters();
  const day = (name: Name) => (/^20\d\d-\d\d-\d\d$/.test(text(name)) ? text(name) : '');
  const [state, money, attention] = [
    oneOf('state', orderStates),
    oneOf('money', moneyStates),
    oneOf('attention', ['true']),
  ];
  const values = {
    q: text('q'),
    event_id: text('event_id'),
    from: day('from'),
    to: day('to'),
    state: state ?? '',
    money: money ?? '',
    attention: attention ?? '',
  };
  return {
    values,
    set,
    clear,
    query: {
      ...(values.q && { q: values.q }),
      ...(values.event_id && { event_id: values.event_id }),
      ...(values.from && { from: values.from }),
      ...(values.to && { to: values.to }),
      ...(state && { state }),
      ...(money && { money }),
      ...(attention && { attention }),
    },
  };
}

export function OrderSearch({ filters }: { filters: OrderFilters }) {
  const { values, set } = filters;
  const search = useTypedSearch(values.q, (text) => set('q', text));
  const events = useEndpoint(listEvents, {});
  const openOnly = useOpenOnly();

  async function submit(event: FormEvent) {
    event.preventDefault();
    search.apply();
    if (search.typed.trim() !== '') await openOnly(search.typed.trim());
  }

  return (
    <search>
      <form className={filterStyles.toolbar} onSubmit={(event) => void submit(event)}>
        <SearchField
          search={search}
          label="Cerca per numero, nome, e-mail, ricevuta, pagamento o posto"
          hint="Numero, nome, e-mail, ricevuta o posto"
        />
        <Choice
          label="Stato"
          all="Tutti gli stati"
          value={values.state}
          onChange={(value) => set('state', value)}
          options={orderStates.map((name) => [name, orderStateWords[name].word])}
        />
        <Choice
          label="Pagamento"
          all="Pagamenti"
          value={values.money}
          onChange={(value) => set('money', value)}
          options={moneyStates.map((name) => [name, moneyWords[name].word])}
        />
        <Choice
          label="Evento"
          all="Tutti gli eventi"
          value={values.event_id}
          onChange={(value) => set('event_id', value)}
          options={events.data?.items.map((event) => [event.id, event.title]) ?? []}
        />
        <div className={styles.filterLine}>
          <label className={styles.filterDay}>
            Dal{' '}
            <input
              className="ui-input"
              type="date"
              value={values.from}
              max={values.to || undefined}
              onChange={(event) => set('from', event.target.value)}
            />
          </label>
          <label className={styles.filterDay}>
            al{' '}
            <input
              className="ui-input"
              type="date"
              value={values.to}
              min={values.from || undefined}
              onChange={(event) => set('to', event.target.value)}
            />
          </label>
          <label className={styles.filterCheck}>
            <input
              type="checkbox"
              checked={values.attention === 'true'}
              onChange={(event) => set('attention', event.target.checked ? 'true' : '')}
            />{' '}
            Solo da sistemare
          </label>
        </div>
      </form>
    </search>
  );
}

const receipt = /^[\s\dA-Z]{4,}[-\s]?\d{4}$/i;

/** Enter on a text that means one order opens it: a receipt can be read with a hand scanner, and one that we do not know yet is looked up at Stripe. Several: the first row gets the focus. */
function useOpenOnly() {
  const act = useAct();
  const navigate = useNavigate();
  return async (q: string) => {
    const { items } = await act(listOrders, { query: { q, limit: '2' } }).catch(() => ({
      items: [],
    }));
    const only =
      items.length === 1
        ? items[0]!
        : items.length === 0 && receipt.test(q)
          ? await act(findByReceipt, { query: { receipt_number: q } }).catch(() => null)
          : null;
    if (only !== null) await navigate(`/orders/${only.order_id}`);
    else document.querySelector<HTMLElement>('[data-row]')?.focus();
  };
}
