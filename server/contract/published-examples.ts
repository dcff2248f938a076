/**
 * Examples of the shapes that other programs use most, and of those whose fields depend on each
 * other; `openapi-examples.ts` makes the rest. The people and the theatre are invented.
 */
const sales = {
  state: 'open',
  opens_at: '2027-01-11T09:00:00.000Z',
  closes_at: '2027-02-20T19:30:00.000Z',
};
const order = 'R7KD-2MFQ';
const seat = { place: 'Platea-A-12', seat: 'Platea, fila A, posto 12', category: 'Platea' };
const ticketType = { ticket_type: 'intero', type_label: 'Intero', price_cents: 2_500 };
const checkout = 'https://checkout.stripe.com/c/pay/cs_live_a1B2c3';

/** By the name of the shape in the document. */
export const publishedExamples: Record<string, object> = {
  ProgramEvent: {
    id: 'la-locandiera',
    show_id: null,
    title: 'La locandiera',
    kind: 'play',
    status: 'published',
    starts_at: '2027-02-20T19:30:00.000Z',
    doors_at: '2027-02-20T19:00:00.000Z',
    ends_at: null,
    postponed_from: null,
    venue_title: 'Teatro Comunale',
    venue_address: 'Piazza del Teatro 1, Bologna',
    url: 'https://teatro.example.it/event/la-locandiera',
    sales,
    updated_at: '2027-01-10T15:12:41.000Z',
  },
  ProgramOrder: {
    number: order,
    event_id: 'la-locandiera',
    state: 'confirmed',
    channel: 'web',
    total_cents: 2_650,
    fee_cents: 150,
    service_cents: 0,
    paid_cents: 2_650,
    refunded_cents: 0,
    created_at: '2027-01-11T09:00:12.000Z',
    confirmed_at: '2027-01-11T09:02:40.000Z',
    deleted_at: null,
    buyer: { name: 'Ada Bianchi', email: 'ada@example.it' },
    lines: [{ ...seat, ...ticketType, fee_cents: 150, service_cents: 0, released: false }],
  },
  ListTicketsV1Item: {
    id: 'kQ3vT9xW2bN7',
    seq: 41,
    order_number: order,
    ...seat,
    ...ticketType,
    state: 'valid',
    revision: 1,
    issued_at: '2027-01-11T09:02:40.000Z',
    ended_at: null,
  },
  ListAdmissionsV1Item: {
    id: 'mX4pL8sD1cZ6',
    seq: 7,
    ticket_id: 'kQ3vT9xW2bN7',
    place: 'Platea-A-12',
    revision: 1,
    direction: 'in',
    gate: 'Ingresso A',
    offline: false,
    at: '2027-02-20T19:08:03.000Z',
    received_at: '2027-02-20T19:08:04.000Z',
    undone: false,
    conflict: false,
  },
  ReadAvailabilityV1Reply: {
    event_id: 'la-locandiera',
    counted_at: '2027-01-12T10:00:00.000Z',
    categories: [{ category: 'Platea', category_key: '1', places: 200, left: 157 }],
  },
  ReadFiguresV1Reply: {
    event_id: 'la-locandiera',
    counted_at: '2027-02-20T19:20:00.000Z',
    places: 200,
    tickets: 2,
    inside: 1,
    orders: 1,
    total_cents: 5_300,
    fee_cents: 300,
    service_cents: 0,
    paid_cents: 5_300,
    refunded_cents: 0,
    by_type: [{ ...ticketType, category: 'Platea', tickets: 2 }],
  },
  BookSeatsBody: {
    hold_token: '7d0c5a2e-41b8-4f4e-9a53-2f1c8e6b9d10',
    selected_objects: [
      { object_id: 'Platea-A-12', ticket_type: 'intero' },
      { object_id: 'Loggione', ticket_type: 'ridotto', quantity: 2 },
    ],
  },
  BookSeatsReply: { order_id: 'f3Kd9sLq2WmXz7Rt5YvB1c', checkout_url: checkout },
  OrderStatusReply: {
    order_id: 'f3Kd9sLq2WmXz7Rt5YvB1c',
    order_confirmed_at: null,
    order_deleted_at: null,
    checkout_session_status: 'open',
    checkout_url: checkout,
  },
  MakeSaleBody: {
    sale_key: '7d0c5a2e-41b8-4f4e-9a53-2f1c8e6b9d10',
    event_id: 'la-locandiera',
    hold_token: '0b9f3a64-8c1d-4e57-b2a6-5d7e1f30c942',
    selected_objects: [{ object_id: 'Platea-A-12', ticket_type: 'intero' }],
    expected_cents: 2_500,
    payments: [{ method: 'cash', amount_cents: 2_500, given_cents: 5_000 }],
  },
  PriceTable: {
    types: [{ ticketType: 'intero', label: 'Intero' }],
    sectors: [
      { category: 'Platea', not_sold: false, cells: [{ ticketType: 'intero', cents: 2_500 }] },
      { category: 'Palchi', not_sold: true, cells: [] },
    ],
    fee: { cents: 150 },
  },
  EventSurcharge: {
    kind: 'service',
    per: 'ticket',
    cents: 80,
    percent: null,
    categories: null,
    not_at_till: true,
    not_on_day: false,
  },
  SendVisitEventsBodyEvent: { name: 'pageview', value: 1 },
};
