/** Random histories of one order's money, by the dozen, on both databases. */
import { testOnBoth } from '#tests/support/both.ts';
import { paymentMethods, playHistories } from './histories.ts';

for (const payment_method of paymentMethods)
  testOnBoth(
    `whatever office, buyer, dashboard and trouble do with an order paid by ${payment_method}, no cent is lost or given twice`,
    (server) => playHistories(server, payment_method, 12),
  );
