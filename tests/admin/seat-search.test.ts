/** How the office finds a seat: by what is said, what is printed, and who has it. */
import { expect, test } from 'vitest';
import {
  countStates,
  findSeats,
  isInState,
  seatsOf,
  sectionsOf,
  type Hall,
  type Seats,
} from '#apps/admin/seats/seats.ts';

const hall = {
  rows: [
    {
      kind: 'seat',
      section: 'Platea',
      row: 'A',
      seats: ['1', '2', '12'].map((seat) => ({
        place: `Platea-A-${seat}`,
        object: `Platea-A-${seat}`,
        seat,
        category: 'Platea',
      })),
    },
    {
      kind: 'seat',
      section: 'Palchi',
      row: 'Palco 7',
      seats: [{ place: 'Palchi-7-1', object: 'Palchi-7-1', seat: '1', category: 'Palchi' }],
    },
    {
      kind: 'area',
      section: null,
      row: null,
      seats: [1, 2].map((n) => ({
        place: `Loggione#${n}`,
        object: 'Loggione',
        seat: 'Loggione',
        category: 'Galleria',
      })),
    },
  ],
} as unknown as Hall;

const occupant = {
  order_id: 'o1',
  order_number: 'A7K2-9QX4',
  buyer_name: 'Nicolò D’Amico',
  pay_by: null,
  ticket_id: 't1',
  holder: null,
  type_label: 'Intero',
  price_cents: 2500,
  admitted_at: null,
};
const taken = [
  { place: 'Platea-A-12', state: 'sold', unguarded: false, map_status: null, occupant },
  {
    place: 'Loggione#2',
    state: 'inside',
    unguarded: false,
    map_status: null,
    occupant: {
      ...occupant,
      order_number: 'BBBB-0001',
      buyer_name: 'Eva Rossi',
      holder: 'Ada Neri',
    },
  },
] as Seats['taken'];

const seats = seatsOf(hall, taken);
const found = (q: string) => findSeats(seats, q).map((seat) => seat.place);

test('a seat is found by its spoken name, its label and parts of both', () => {
  expect(found('platea fila a posto 12')).toEqual(['Platea-A-12']);
  expect(found('Platea-A-12')).toEqual(['Platea-A-12']);
  expect(found('a 12')).toEqual(['Platea-A-12']);
  expect(found('plat 2')).toEqual(['Platea-A-2']);
  expect(found('palco 7')).toEqual(['Palchi-7-1']);
});

test('a short number is a whole seat or row, never a part of one', () => {
  expect(found('1')).toEqual(['Platea-A-1', 'Palchi-7-1']);
  expect(found('2')).toEqual(['Platea-A-2']);
});

test('a person is found without accents and apostrophes, by buyer and by holder', () => {
  expect(found('nicolo damico')).toEqual([]);
  expect(found('nicolo d amico')).toEqual(['Platea-A-12']);
  expect(found("D'AMICO")).toEqual(['Platea-A-12']);
  expect(found('neri')).toEqual(['Loggione#2']);
  expect(found('rossi')).toEqual(['Loggione#2']);
});

test('an order is found by its number with and without the dash', () => {
  for (const q of ['A7K2-9QX4', 'a7k29qx4', 'a7k2', '9qx4'])
    expect([q, found(q)]).toEqual([q, ['Platea-A-12']]);
  for (const q of ['', '   ', 'zzz', 'platea neri', '---']) expect([q, found(q)]).toEqual([q, []]);
});

test('seats that somebody has come before free ones', () => {
  expect(found('platea')).toEqual(['Platea-A-12', 'Platea-A-1', 'Platea-A-2']);
});

test('a hall is told by section and row, a standing area as a section of its own', () => {
  expect(
    sectionsOf(seats).map((section) => [
      section.name,
      section.rows.map((row) => [row.name, row.seats.length]),
    ]),
  ).toEqual([
    ['Platea', [['fila A', 3]]],
    ['Palchi', [['Palco 7', 1]]],
    ['Loggione', [[null, 2]]],
  ]);
});

test('who is inside was sold too', () => {
  const [sold, inside, free] = [
    seats.find((seat) => seat.state === 'sold')!,
    seats.find((seat) => seat.state === 'inside')!,
    seats.find((seat) => seat.state === 'free')!,
  ];
  expect(
    [sold, inside, free].map((seat) => [
      isInState(seat, 'sold'),
      isInState(seat, 'inside'),
      isInState(seat, 'free'),
    ]),
  ).toEqual([
    [true, false, false],
    [true, true, false],
    [false, false, true],
  ]);
  const figures = {
    places: 6,
    free: 3,
    held: 1,
    paying: 0,
    sold: 1,
    inside: 1,
    blocked: 0,
    income_cents: 5_000,
  };
  expect(
    countStates([
      { category: 'Platea', ...figures },
      { category: 'Palchi', ...figures },
    ]),
  ).toEqual({ free: 6, held: 2, paying: 0, sold: 4, inside: 2, blocked: 0 });
});
