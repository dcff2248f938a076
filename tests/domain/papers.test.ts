/** Check digits of tax numbers, what an invoice needs, and VAT split out of prices: by known numbers, and by properties. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatListDate } from '#server/domain/time/dates.ts';
import {
  emptyInvoice,
  invoiceFaults,
  invoiceFields,
  tidyInvoice,
  type InvoiceTexts,
} from '#server/domain/papers/invoice.ts';
import { invoiceObstacle, invoiceUntil } from '#server/domain/papers/invoice-days.ts';
import { noMoney, sumDays } from '#server/domain/papers/summary.ts';
import {
  checkLetter,
  foldTaxCode,
  foldVatNumber,
  isTaxCode,
  isVatNumber,
} from '#server/domain/papers/tax-codes.ts';
import { splitVat } from '#server/domain/papers/vat.ts';

const digits = (count: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: count, maxLength: count });

test('partite IVA that exist are known, and those with a wrong digit are not', () => {
  // Of public companies, as they print them themselves.
  for (const known of ['00905811006', '00743110157', '01114601006', '12345678903', '01533030480'])
    expect(isVatNumber(known), known).toBe(true);
  for (const wrong of [
    '00905811007',
    '0090581100',
    '009058110066',
    'IT905811006',
    '0090581100A',
    '',
  ])
    expect(isVatNumber(wrong), wrong).toBe(false);
  // The sum is right, and seven zeros number no taxpayer.
  for (const wrong of ['00000000000', '00000000018'])
    expect([isVatNumber(wrong), isTaxCode(wrong)], wrong).toEqual([false, false]);
  expect(foldVatNumber(' it 009.058 11006 ')).toBe('00905811006');
});

test('of the ten last digits one makes a partita IVA, and no changed digit stays unseen', () => {
  fc.assert(
    fc.property(digits(10), fc.nat(10), fc.integer({ min: 1, max: 9 }), (first, at, change) => {
      fc.pre(first.slice(0, 7).some((digit) => digit !== 0));
      const all = Array.from({ length: 10 }, (_, last) => [...first, last].join(''));
      const good = all.filter(isVatNumber);
      expect(good).toHaveLength(1);
      const other = [...good[0]!];
      other[at] = String((Number(other[at]) + change) % 10);
      expect(isVatNumber(other.join(''))).toBe(false);
    }),
  );
});

test('codici fiscali of people and of bodies are known, with letters in place of digits, too', () => {
  for (const known of [
    'RSSMRA80A01H501U',
    'RSSMRA85T10A562S',
    'RSSMRA85T10A56NH',
    'VRDGPP13R10B293P',
    '00905811006',
  ])
    expect(isTaxCode(known), known).toBe(true);
  // Two people with one code: the last digit of the place is written as a letter, and the check letter follows.
  const twin = 'RSSMRA80A01H50M';
  expect(isTaxCode(twin + checkLetter(twin))).toBe(true);
  for (const wrong of [
    'RSSMRA80A01H501A',
    'RSSMRA80A01H501',
    'RSSMRA80F01H501U',
    'RSSMRA80Z01H501U',
    'rssmra80a01h501u',
    '00905811007',
    '1234567890123456',
    '',
  ])
    expect(isTaxCode(wrong), wrong).toBe(false);
  expect(isTaxCode(foldTaxCode('rss mra 80a01 h501u'))).toBe(true);
});

test('one check letter goes with the other fifteen characters', () => {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
  const letter = fc.constantFrom(...letters);
  const six = fc.array(letter, { minLength: 6, maxLength: 6 });
  fc.assert(
    fc.property(
      six,
      digits(7),
      letter,
      fc.constantFrom(...'ABCDEHLMPRST'),
      (name, of, place, month) => {
        const [a, b, c, d, e, f, g] = of;
        const first = `${name.join('')}${a}${b}${month}${c}${d}${place}${e}${f}${g}`;
        expect([...letters].filter((last) => isTaxCode(first + last))).toEqual([
          checkLetter(first),
        ]);
      },
    ),
  );
});

const company: InvoiceTexts = {
  ...emptyInvoice,
  name: 'Teatro Stabile S.r.l.',
  address: 'Via Roma 1',
  postal_code: '30124',
  city: 'Venezia',
  province: 've',
  vat_number: 'IT 00905811006',
  recipient_code: 'abc1234',
};
const faultsOf = (change: Partial<InvoiceTexts>) =>
  Object.keys(invoiceFaults(tidyInvoice({ ...company, ...change })));

test('a company needs its partita IVA and a way for the invoice to reach it, a person a codice fiscale', () => {
  expect(faultsOf({})).toEqual([]);
  expect(tidyInvoice(company)).toMatchObject({
    province: 'VE',
    vat_number: '00905811006',
    recipient_code: 'ABC1234',
  });
  expect(faultsOf({ recipient_code: '' })).toEqual(['recipient_code']);
  expect(faultsOf({ recipient_code: '', pec: 'teatro@pec.it' })).toEqual([]);
  expect(faultsOf({ recipient_code: 'ABC123' })).toEqual(['recipient_code']);
  expect(faultsOf({ vat_number: '' })).toEqual(['vat_number']);
  expect(faultsOf({ vat_number: '', tax_code: 'RSSMRA80A01H501U', recipient_code: '' })).toEqual(
    [],
  );
  expect(faultsOf({ vat_number: '00000000018' })).toEqual(['vat_number']);
  expect(faultsOf({ tax_code: 'RSSMRA80A01H501X' })).toEqual(['tax_code']);
  expect(faultsOf({ postal_code: '3012', province: 'V', pec: 'a@b' })).toEqual([
    'postal_code',
    'province',
    'pec',
  ]);
  expect(Object.keys(invoiceFaults(emptyInvoice))).toEqual(
    invoiceFields.filter((field) => !['tax_code', 'recipient_code', 'pec'].includes(field)),
  );
});

test('an invoice may be asked for until the tenth day after the sale is over in Rome, once something was paid', () => {
  // Across the end of summer time.
  const bought = Date.parse('2026-10-20T22:30:00Z');
  const until = invoiceUntil(bought);
  expect(formatListDate(until)).toBe('31/10/2026 23:59');
  const order = { paid_cents: 100, refunded_cents: 99, confirmed_at: bought, made_at: null };
  expect(invoiceObstacle(order, until)).toBe(null);
  expect(invoiceObstacle(order, until + 1)).toBe('too_late');
  expect(invoiceObstacle({ ...order, paid_cents: 0 }, bought)).toBe('nothing_paid');
  expect(invoiceObstacle({ ...order, refunded_cents: 100 }, bought)).toBe('nothing_left');
  expect(invoiceObstacle({ ...order, made_at: bought }, bought)).toBe('already_made');
});

test('taxable part and tax always sum to the price, and the tax is the nearest cent to the exact one', () => {
  expect(splitVat(11_000, 10)).toEqual({ net_cents: 10_000, vat_cents: 1_000 });
  expect(splitVat(150, 22)).toEqual({ net_cents: 123, vat_cents: 27 });
  expect(splitVat(150, null)).toEqual({ net_cents: 150, vat_cents: 0 });
  expect(splitVat(0, 22)).toEqual({ net_cents: 0, vat_cents: 0 });
  // Exactly half a cent of tax: it rounds up.
  expect(splitVat(13, 4)).toEqual({ net_cents: 12, vat_cents: 1 });
  const rate = fc.oneof(fc.constantFrom(4, 5, 10, 22, null), fc.integer({ min: 1, max: 30 }));
  fc.assert(
    fc.property(fc.integer({ min: -2_000_000_000, max: 2_000_000_000 }), rate, (gross, percent) => {
      const { net_cents, vat_cents } = splitVat(gross, percent);
      expect(net_cents + vat_cents).toBe(gross);
      expect(Number.isSafeInteger(vat_cents)).toBe(true);
      const back = splitVat(-gross, percent);
      expect(back.vat_cents + vat_cents).toBe(0);
      const share = percent ?? 0;
      // Half a cent at most between the tax and gross × p / (100 + p).
      const off = Math.abs(vat_cents * (100 + share) - gross * share);
      expect(off * 2).toBeLessThanOrEqual(100 + share);
    }),
    { numRuns: 2_000 },
  );
});

/** What comes in on a day in tickets and fees, and which part of what is left goes back on it. */
const anyDay = fc.record({
  tickets: fc.oneof(fc.constant(0), fc.nat(30_000)),
  fees: fc.oneof(fc.constant(0), fc.nat(900)),
  back: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1, noNaN: true })),
});

test('of an event that has given everything back no column has a cent left, on whatever days, and on the way no column is below zero', () => {
  const rates = { vat_percent: 10, fee_vat_percent: 4, service_vat_percent: 22 };
  fc.assert(
    fc.property(fc.array(anyDay, { minLength: 1, maxLength: 30 }), (days) => {
      const left = { tickets: 0, fees: 0, service: 0 };
      const giveBack = (part: number) => {
        const given = {
          tickets: Math.ceil(left.tickets * part),
          fees: Math.ceil(left.fees * part),
          service: Math.ceil(left.service * part),
        };
        left.tickets -= given.tickets;
        left.fees -= given.fees;
        left.service -= given.service;
        return {
          given: { ...noMoney(), cash: given.tickets + given.fees },
          fee_given_cents: given.fees,
          service_given_cents: given.service,
        };
      };
      const moved = [...days, { tickets: 0, fees: 0, back: 1 }].map(
        ({ tickets, fees, back }, nth) => {
          left.tickets += tickets;
          left.fees += fees;
          const service = Math.floor(fees / 2);
          left.service += service;
          return {
            day: `2026-${String(nth).padStart(2, '0')}`,
            taken: { ...noMoney(), online: tickets + fees },
            fee_taken_cents: fees,
            service_taken_cents: service,
            ...giveBack(back),
          };
        },
      );
      const running = { tickets_cents: 0, tickets_net_cents: 0, tickets_vat_cents: 0 };
      const ofFees = { fees_cents: 0, fees_net_cents: 0, fees_vat_cents: 0 };
      const ofService = { service_cents: 0, service_net_cents: 0, service_vat_cents: 0 };
      const all = { ...running, ...ofFees, ...ofService, net_cents: 0 };
      const names = Object.keys(all) as (keyof typeof all)[];
      for (const row of sumDays(moved, rates)) {
        expect(row.tickets_net_cents + row.tickets_vat_cents).toBe(row.tickets_cents);
        expect(row.fees_net_cents + row.fees_vat_cents).toBe(row.fees_cents);
        expect(row.service_net_cents + row.service_vat_cents).toBe(row.service_cents);
        if (row.refunded_cents === 0)
          expect(row.tickets_vat_cents).toBe(splitVat(row.tickets_cents, 10).vat_cents);
        for (const name of names) all[name] += row[name];
        expect(names.every((name) => all[name] >= 0)).toBe(true);
      }
      expect(names.map((name) => all[name])).toEqual(names.map(() => 0));
    }),
    { numRuns: 1_000 },
  );
});
