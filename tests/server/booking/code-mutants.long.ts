/** Breaks of codes, offers and old prices, each made in a copy of the sources: its test turns red. */
import { beforeAll, expect, test } from 'vitest';
import { breakOne, makeCopy } from '#tests/security/asvs/copy.ts';
import type { Broken } from '#tests/security/asvs/rows.ts';

const codes = 'server/booking/codes.test.ts';
const limits = 'each limit holds';
const offer = {
  file: 'server/booking/shown-price.test.ts',
  test: 'who held seats while a rule ended',
};

const breaks: Record<string, Broken> = {
  'a limit of orders counts one more': {
    file: 'server/booking/codes-rush.test.ts',
    test: '64 buyers at two servers',
    place: 'db/event/price-codes.ts',
    text: 'orders_used < most_orders',
    instead: 'orders_used <= most_orders',
  },
  'a limit of tickets is not asked': {
    file: codes,
    test: limits,
    place: 'db/event/price-codes.ts',
    text: 'tickets_used + ? <= most_tickets',
    instead: 'tickets_used + ? > 0',
  },
  'a limit of a day counts one more': {
    file: codes,
    test: limits,
    place: 'server/services/event/price-codes.ts',
    text: '{ code_id, from, before })) >= most',
    instead: '{ code_id, from, before })) > most',
  },
  'a limit of an address counts one more': {
    file: codes,
    test: limits,
    place: 'server/services/event/price-codes.ts',
    text: '{ code_id, address })) >= most',
    instead: '{ code_id, address })) > most',
  },
  'an unpaid order keeps its use': {
    file: codes,
    test: 'a use comes back when the checkout expires',
    place: 'server/services/payment/settle.ts',
    text: '    await giveCodesBack(ctx, trx, order);',
    instead: '',
  },
  'an order paid late claims nothing': {
    file: codes,
    test: 'paid after its end',
    place: 'server/services/event/price-codes.ts',
    text: 'await countClaim(trx, { claim, address: use.address, at: use.used_at });',
    instead: '',
  },
  'an offer never ends': {
    ...offer,
    place: 'server/domain/price/offer.ts',
    text: 'now - next > lastsMs',
    instead: 'now - next > 1_000 * lastsMs',
  },
  'an offer needs no signature': {
    ...offer,
    place: 'server/services/event/offers.ts',
    text: '  return timingSafeEqual(Buffer.from(shown), Buffer.from(right)) ? Number(turn) : null;',
    instead: '  return right === shown || turn ? Number(turn) : null;',
  },
  'an old price is archived at once': {
    file: 'server/event/prices.test.ts',
    test: 'amounts become products',
    place: 'server/services/event/made-prices.ts',
    text: '  await putOffTasks(trx, { task, subjects, run_at });',
    instead: '',
  },
};

let copy: string;
beforeAll(() => {
  copy = makeCopy();
});

for (const [name, row] of Object.entries(breaks))
  test(`it is noticed if ${name}`, () => {
    expect(breakOne(copy, row, { built: true })).toMatchObject({ red: true });
  });
