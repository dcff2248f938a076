/** The short form of histories.proof.ts. */
import { testOnSqlite as test } from '#tests/support/both.ts';
import { paymentMethods, playHistories } from './histories.ts';

for (const payment_method of paymentMethods)
  test(`whatever office, buyer, dashboard and trouble do with an order paid by ${payment_method}, no cent is lost or given twice`, (server) =>
    playHistories(server, payment_method, 2));
