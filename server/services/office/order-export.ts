/** Exports the list of orders as CSV, plain or for Italian Excel. */
import { languageNames } from '#server/domain/order/buyer.ts';
import { listOrders, type ListedOrder, type OrderFilter } from '#db/order/order-list.ts';
import { placesOfOrders } from '#db/counter/shifts.ts';
import { namedTogether } from '#server/domain/seat/seat-name.ts';
import type { After } from '#db/engine/page.ts';
import { sealsOfOrders } from '#db/papers/papers.ts';
import { formatListDate, isoOf } from '#server/domain/time/dates.ts';
import { methodName, moneyNameOf, orderStateOf } from '#server/domain/order/order-words.ts';
import { moneyOf } from '#server/domain/order/payment.ts';
import type { Ctx } from '#server/services/context.ts';
import { longCsvFile, type CsvFormat } from '#server/services/kit/csv-file.ts';
import { orderFilterOf, type OrderListAsk } from '#server/services/refund/orders.ts';

const pageSize = 500;

export async function orderFile(
  ctx: Ctx,
  { format = 'excel', ...ask }: OrderListAsk & { format?: CsvFormat },
) {
  return longCsvFile(ctx, {
    name: 'ordini',
    headings,
    // `orderFilterOf` is called here, so that a wrong filter is refused before the file begins.
    pages: pagesOf(ctx, orderFilterOf(ask), format === 'excel'),
    format,
  });
}

async function* pagesOf(ctx: Ctx, filter: OrderFilter, excel: boolean) {
  for (let after: After | null = null; ;) {
    const page: ListedOrder[] = await listOrders(ctx.db, filter, { limit: pageSize, after });
    const ids = page.map(({ id }) => id);
    const seals = await sealsOfOrders(ctx.db, ids);
    const places = Map.groupBy(await placesOfOrders(ctx.db, ids), ({ order_id }) => order_id);
    yield page.map((order) =>
      cellsOf(order, {
        excel,
        seals: seals.get(order.id) ?? [],
        places: places.get(order.id) ?? [],
      }),
    );
    const last = page.at(-1);
    if (!last || page.length < pageSize) return;
    after = { at: last.created_at, id: last.id };
  }
}

const headings = [
  'Numero',
  'Stato',
  'Pagamento',
  'Evento',
  'Creato',
  'Confermato',
  'Annullato',
  'Posti',
  'Totale',
  'Di cui prevendita',
  'Incassato',
  'Rimborsato',
  'Metodo',
  'Acquirente',
  'E-mail',
  'Telefono',
  'Lingua',
  'Ricevuta',
  'Aspetta una decisione',
  'Sigilli fiscali',
  // New columns come last, so that a sheet that reads the older ones goes on.
  'Fase di prezzo',
  'Di cui commissione',
  'Data dell’evento',
  'Quali posti',
  'Tipi di biglietto',
];

type Places = Awaited<ReturnType<typeof placesOfOrders>>;

/** As in "2 Intero, 1 Ridotto". */
function sayTypes(places: Places): string {
  const types = Map.groupBy(places, ({ type_label }) => type_label);
  return [...types].map(([type, { length }]) => `${length} ${type}`).join(', ');
}

function cellsOf(
  order: ListedOrder,
  { excel, seals, places }: { excel: boolean; seals: readonly string[]; places: Places },
): (string | number)[] {
  const [exchanged_cents, left_cents] = [
    Number(order.exchanged_cents ?? 0),
    Number(order.left_cents ?? 0),
  ];
  const money = (cents: number) => (cents / 100).toFixed(2).replace('.', excel ? ',' : '.');
  const timeOf = excel ? formatListDate : isoOf;
  const time = (ms: number | null) => (ms === null ? '' : timeOf(ms));
  return [
    order.number,
    orderStateOf(order),
    moneyNameOf({ ...order, money: moneyOf(order), exchanged_cents, left_cents }),
    order.event_title,
    time(order.created_at),
    time(order.confirmed_at),
    time(order.deleted_at),
    order.places,
    money(order.total_cents),
    money(order.fee_cents - order.service_cents),
    money(order.paid_cents),
    money(order.refunded_cents),
    order.method === null ? '' : methodName(order.method),
    order.buyer_name ?? '',
    order.buyer_email ?? '',
    order.buyer_phone ?? '',
    order.buyer_language === null ? '' : languageNames[order.buyer_language],
    order.payment_receipt ?? order.receipt_number ?? '',
    order.needs_attention === null ? '' : 'sì',
    seals.join(' '),
    order.sold_in_phase ?? '',
    money(order.service_cents),
    time(order.event_starts_at),
    namedTogether(places)
      .map(({ name }) => name)
      .join(' · '),
    sayTypes(places),
  ];
}
