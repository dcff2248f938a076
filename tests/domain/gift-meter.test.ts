/** The meter of gifts: sectors, what counts, when it warns, and what a gift too many costs. */
import { expect, test } from 'vitest';
import {
  followSectors,
  giftLevel,
  giftSectors,
  giftWarning,
  giftWords,
  type GiftTerms,
} from '#server/domain/papers/gift-meter.ts';

const priced = (category: string, ...cents: number[]) => ({
  category,
  ticketTypes: cents.map((unit_amount, at) => ({
    price_id: `p${at}`,
    ticketType: ['intero', 'omaggio', 'accompagnatore'][at]!,
    label: '',
    unit_amount,
    fee_cents: 150,
    service_cents: 0,
    bears: [],
  })),
});
const plain = (text: string | null) => text?.replaceAll('\u00a0', ' ');
const hall = [
  { category: 'Platea', category_key: '1', places: 240 },
  { category: 'Palchi I', category_key: '2', places: 30 },
  { category: 'Palchi II', category_key: '3', places: 30 },
  { category: 'Prato', category_key: '4', places: 100 },
];
// Pricing may name a category by its key.
const pricing = [
  priced('Platea', 3_200, 0, 0),
  priced('2', 4_000),
  priced('Palchi II', 2_000),
  priced('Prato', 0),
];
const free = [
  { category: 'Platea', ticket_type: 'omaggio', tickets: 9 },
  { category: 'Platea', ticket_type: 'accompagnatore', tickets: 4 },
  { category: 'Palchi II', ticket_type: 'intero', tickets: 2 },
];

test('each category is a sector and every free ticket counts, unless the house says otherwise', () => {
  const alone = giftSectors({ terms: null, hall, free, pricing });
  expect(alone.map(({ name, given, allowed }) => [name, given, allowed])).toEqual([
    ['Platea', 13, 12],
    ['Palchi I', 0, 1],
    ['Palchi II', 2, 1],
  ]);
  const terms = {
    sectors: [{ name: 'Palchi', categories: ['Palchi I', '3'] }],
    not_counted: ['accompagnatore'],
  };
  const joined = giftSectors({ terms, hall, free, pricing });
  expect(joined.map(({ name, given, allowed }) => [name, given, allowed])).toEqual([
    ['Platea', 9, 12],
    ['Palchi', 2, 3],
  ]);
  expect(joined.map(({ highest_cents }) => highest_cents)).toEqual([3_200, 4_000]);
  expect(giftSectors({ terms, hall, free, pricing: null })).toHaveLength(3);
});

test('it warns from 80 % on, and past the limit names the VAT in the highest full price', () => {
  const sector = { name: 'Platea', places: 240, allowed: 12, given: 9, highest_cents: 3_200 };
  const at = (given: number) => ({ ...sector, given });
  expect([9, 10, 12, 13].map((given) => giftLevel(at(given)))).toEqual([
    'fine',
    'near',
    'near',
    'past',
  ]);
  expect(giftLevel({ given: 0, allowed: 0 })).toBe('fine');
  expect(plain(giftWords(at(9)))).toBe('Omaggi in Platea: 9 di 12 (5 % di 240)');
  expect(giftWarning(at(9), 10)).toBeNull();
  expect(giftWarning(at(10), 10)).toContain('Quasi al limite');
  expect(plain(giftWarning(at(13), 10))).toBe(
    'Uno oltre il limite: IVA da pagare 2,91 € (10 % compreso nel prezzo intero più alto, 32,00 €).',
  );
  expect(plain(giftWarning(at(15), 10))).toContain('3 oltre il limite: IVA da pagare 8,73 €');
  // An exempt show pays no VAT.
  expect(giftWarning(at(15), null)).toBeNull();
});

test('sectors follow the new labels of their categories', () => {
  const terms: GiftTerms = {
    sectors: [{ name: 'Palchi', categories: ['Palchi I', 'Palchi II'] }],
    not_counted: [],
  };
  const before = [
    { key: '2', label: 'Palchi I' },
    { key: '3', label: 'Palchi II' },
  ];
  const now = [
    { key: '2', label: 'Primo ordine' },
    { key: '3', label: 'Palchi II' },
  ];
  expect(followSectors(terms, { before, now })?.sectors[0]?.categories).toEqual([
    'Primo ordine',
    'Palchi II',
  ]);
  expect(followSectors(terms, { before, now: before })).toBeNull();
});
