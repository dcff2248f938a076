/** The exchanges for another date that an order is in, each with the order on its other side. */
import { Link } from 'react-router-dom';
import { exchangeEndWords } from '#server/domain/order/exchange-words.ts';
import { formatCount, formatEuro, formatShortDate } from '#apps/shared/format.ts';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import type { Order } from './shown-order.ts';

type Exchange = Order['exchanges'][number];

export function OrderExchanges({ exchanges }: Pick<Order, 'exchanges'>) {
  return exchanges.map((exchange) => (
    <Notice key={exchange.exchange_id} as="div" icon="refresh">
      <strong>{titleOf(exchange)}</strong> ordine{' '}
      <Link to={`/orders/${encodeURIComponent(exchange.other.order_id)}`}>
        {exchange.other.number}
      </Link>
      . {moreOf(exchange)}
    </Notice>
  ));
}

function titleOf({ side, state, seats, other }: Exchange): string {
  const date = `${other.event_title}, ${formatShortDate(other.starts_at)}`;
  if (side === 'got')
    return state === 'ended' ? `Doveva prendere il posto di ${date},` : `Al posto di ${date},`;
  const tickets = formatCount(seats.length, 'biglietto', 'biglietti');
  if (state === 'done') return `${tickets}: cambio fatto con ${date},`;
  return state === 'open'
    ? `${tickets}: il cambio con ${date} aspetta il pagamento,`
    : `${tickets}: nessun cambio con ${date},`;
}

function moreOf({
  state,
  seats,
  credit_cents,
  back_cents,
  fee_cents,
  ended_why,
}: Exchange): string {
  const where = `${seats.join(' · ')}.`;
  if (state === 'ended') return `${where} Il cambio è finito: ${endWords(ended_why)}.`;
  const cost = fee_cents > 0 ? `, di cui ${formatEuro(fee_cents)} per il cambio` : '';
  const back = back_cents > 0 ? `; da restituire ${formatEuro(back_cents)}` : '';
  const money = `Ne pagano ${formatEuro(credit_cents)}${cost}${back}.`;
  return state === 'open' ? `${where} ${money} Fino ad allora valgono.` : `${where} ${money}`;
}

function endWords(why: Exchange['ended_why']): string {
  return why === null ? 'i biglietti di prima valgono ancora' : exchangeEndWords[why];
}
