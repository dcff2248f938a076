/** The alphabetical list of guests: surnames, groups, seats by row. */
import { expect, test } from 'vitest';
import { guestLetters, seatsByRow, surnameFirst } from '#server/domain/order/guest-list.ts';

const order = (order_id: string) => ({ order_id, order_number: `N-${order_id}` });
const seat = (row: string, number: string) => ({
  kind: 'seat' as const,
  section: 'Platea',
  row,
  seat: number,
});

test('a guest is looked for by surname, particles and apostrophes with it; what is no name stays as it is', () => {
  const cases = [
    ['Eva Neri', 'Neri Eva'],
    ['Anna Maria Rossi', 'Rossi Anna Maria'],
    ['Luca  De Luca', 'De Luca Luca'],
    ['Nicolò D’Amico', 'D’Amico Nicolò'],
    ['Ludwig van Beethoven', 'van Beethoven Ludwig'],
    ['Madonna', 'Madonna'],
    ['Classe 3B liceo', 'Classe 3B liceo'],
  ] as const;
  expect(cases.map(([name]) => surnameFirst(name))).toEqual(cases.map(([, sorted]) => sorted));
});

test('tickets of an order stand together under one name, a named holder says whose group it is, and nobody comes last', () => {
  const letters = guestLetters([
    { ...order('1'), holder: null, buyer_name: 'Eva Neri', ...seat('A', '10') },
    { ...order('1'), holder: 'Ugo Àbate', buyer_name: 'Eva Neri', ...seat('A', '11') },
    { ...order('1'), holder: 'EVA NERI', buyer_name: 'Eva Neri', ...seat('A', '9') },
    { ...order('2'), holder: null, buyer_name: null, ...seat('B', '1') },
    { ...order('3'), holder: null, buyer_name: 'Eva Neri', ...seat('C', '1') },
  ]);
  expect(letters).toEqual([
    {
      letter: 'A',
      guests: [
        {
          name: 'Àbate Ugo',
          with: 'Neri Eva',
          order_number: 'N-1',
          tickets: 1,
          seats: ['Platea, fila A, posto 11'],
        },
      ],
    },
    {
      letter: 'N',
      guests: [
        {
          name: 'Neri Eva',
          with: null,
          order_number: 'N-1',
          tickets: 2,
          seats: ['Platea, fila A, posti 9, 10'],
        },
        {
          name: 'Neri Eva',
          with: null,
          order_number: 'N-3',
          tickets: 1,
          seats: ['Platea, fila C, posto 1'],
        },
      ],
    },
    {
      letter: '–',
      guests: [
        {
          name: null,
          with: null,
          order_number: 'N-2',
          tickets: 1,
          seats: ['Platea, fila B, posto 1'],
        },
      ],
    },
  ]);
});

test('seats are told row by row, and standing places are counted', () => {
  const area = { kind: 'area' as const, section: null, row: null, seat: 'Parterre' };
  expect(seatsByRow([area, seat('B', '2'), area, seat('A', '10'), seat('A', '2')])).toEqual([
    'Parterre, posto unico × 2',
    'Platea, fila A, posti 2, 10',
    'Platea, fila B, posto 2',
  ]);
});
