/** The kinds of tasks in the outbox, and what the subject of each names. */
export const tasks = [
  'settle_order', // an order
  'read_payment', // a payment intent (charge, fees, receipt, refunds, disputes)
  'read_payout', // a payout of Stripe, or `all`
  'run_refund', // a refund
  'send_mail', // a mail
  'cancel_event', // a refund run
  'tell_buyers', // an event and the version that changed date or place
  'print', // a print job
  'tell_postponed',
  'close_postponement',
  'tell_reminders', // an event that people wait for
  'settle_block', // a block
  'settle_contingent', // a contingent
  'settle_move', // a move of tickets
  'send_message', // a message to many
  'settle_price', // a price that the office has typed
  'name_price', // a price that the office has typed
  'watch_prices', // an event whose prices Stripe has refused
  'drop_hall', // the key of an event at the seat map that was deleted here, or left
  'follow_chart', // a chart whose drawing was published anew
  'make_demo', // `demo`
  'let_go', // an order with free places
  'run_rehousing', // an evening that moves to another hall
  'ask_names', // an event and the act that asks for names
  'transfer_orders', // orders that go to another date together
] as const;
export type Task = (typeof tasks)[number];
