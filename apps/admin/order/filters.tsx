/** Search and filters of the order list. */
import { nameOfDate } from '#apps/admin/kit/date-name.ts';
import { useNavigate } from 'react-router-dom';
import { listEvents } from '#server/contract/events.ts';
import { listOrders } from '#server/contract/order/orders.ts';
import { findByReceipt } from '#server/contract/office.ts';
import { orderStates } from '#server/domain/order/order.ts';
import { moneyStates } from '#server/domain/order/payment.ts';
import { Choice, useAddressFilters, withoutEmpty } from '#apps/admin/kit/list/filters.tsx';
import { DayRange, readDay } from '#apps/admin/kit/list/day.tsx';
import { FilterBar } from '#apps/admin/kit/list/filter-bar.tsx';
import { Check } from '#apps/admin/kit/form/choices.tsx';
import { moneyWords } from '#apps/admin/order/refund/money-words.ts';
import { useAct } from '#apps/admin/kit/session/session.ts';
import { orderStateWords } from '#apps/admin/kit/words.ts';
import { useAllPages } from '#apps/admin/kit/list/all-pages.ts';
import styles from './orders.module.css';

type OrderFilters = ReturnType<typeof useOrderFilters>;

/** With `eventId` only the orders of that event. */
export function useOrderFilters(eventId: string | null = null) {
  const { text, oneOf, set, clear } = useAddressFilters();
  const query = withoutEmpty({
    q: text('q'),
    event_id: eventId ?? text('event_id'),
    from: readDay(text('from')),
    to: readDay(text('to')),
    state: oneOf('state', orderStates),
    money: oneOf('money', moneyStates),
    attention: oneOf('attention', ['true'] as const),
    hand_back: oneOf('hand_back', ['true'] as const),
  });
  const filtered = Object.keys(query).length > (eventId === null ? 0 : 1);
  return { query, filtered, ofOneEvent: eventId !== null, set, clear };
}

export function OrderSearch({ filters }: { filters: OrderFilters }) {
  const { query, set, ofOneEvent } = filters;
  const events = useAllPages(listEvents, { enabled: !ofOneEvent });
  const openOnly = useOpenOnly();

  return (
    <FilterBar
      query={query}
      set={set}
      label="Cerca per numero, nome, e-mail, ricevuta, pagamento o posto"
      hint="Numero, nome, e-mail, ricevuta o posto"
      given={Number(ofOneEvent)}
      onEnter={(text) => text !== '' && openOnly(text)}
    >
      <Choice
        label="Stato"
        all="Tutti gli stati"
        value={query.state ?? ''}
        onChange={(value) => set('state', value)}
        options={orderStates.map((name) => [name, orderStateWords[name].word])}
      />
      <Choice
        label="Pagamento"
        all="Pagamenti"
        value={query.money ?? ''}
        onChange={(value) => set('money', value)}
        options={moneyStates.map((name) => [name, moneyWords[name].word])}
      />
      {!ofOneEvent && (
        <Choice
          label="Evento"
          all="Tutti gli eventi"
          value={query.event_id ?? ''}
          onChange={(value) => set('event_id', value)}
          options={
            events.data?.items.map((event) => [
              event.id,
              nameOfDate(event.title, event.starts_at),
            ]) ?? []
          }
        />
      )}
      <DaysAndAttention {...filters} />
    </FilterBar>
  );
}

function DaysAndAttention({ query, set }: OrderFilters) {
  return (
    <div className={styles.filterLine}>
      <DayRange query={query} set={set} />
      <Check
        small
        label="Solo da sistemare"
        checked={query.attention === 'true'}
        onChange={(on) => set('attention', on ? 'true' : '')}
      />
      <Check
        small
        label="Da restituire a mano"
        checked={query.hand_back === 'true'}
        onChange={(on) => set('hand_back', on ? 'true' : '')}
      />
    </div>
  );
}

const receipt = /^[\s\dA-Z]{4,}[-\s]?\d{4}$/i;

/**
 * Enter opens the only found order. A receipt number that is unknown here is looked up at Stripe,
 * because receipts are read with a hand scanner.
 */
function useOpenOnly() {
  const act = useAct();
  const navigate = useNavigate();
  const askStripe = (q: string) =>
    receipt.test(q) ? act(findByReceipt, { query: { receipt_number: q } }).catch(() => null) : null;
  return async (q: string) => {
    const { items } = await act(listOrders, { query: { q, limit: '2' } }).catch(() => ({
      items: [],
    }));
    const found = items[0] ?? (await askStripe(q));
    if (found !== null && items.length < 2) await navigate(`/orders/${found.order_id}`);
    else document.querySelector<HTMLElement>('[data-row]')?.focus();
  };
}
