/** The exchanges of an order for its page in the office. */
import type { Db } from '#db/engine/dialect.ts';
import { exchangesOf, seatsOfExchanges } from '#db/order/exchanges.ts';
import { seatName } from '#server/domain/seat/seat-name.ts';

export async function exchangesInWords(db: Db, order_id: string) {
  const exchanges = await exchangesOf(db, order_id);
  if (exchanges.length === 0) return [];
  const ids = exchanges.map(({ id }) => id);
  const seats = Map.groupBy(await seatsOfExchanges(db, ids), ({ exchange_id }) => exchange_id);
  return exchanges.map((exchange) => ({
    ...exchange,
    exchange_id: exchange.id,
    other: {
      order_id: exchange.other_id,
      number: exchange.number,
      event_title: exchange.event_title,
      starts_at: exchange.starts_at,
    },
    seats: (seats.get(exchange.id) ?? []).map(seatName),
  }));
}
