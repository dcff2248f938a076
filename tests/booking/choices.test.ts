/** From the chart's selected objects to the summary and to the body of the booking call. */
import { expect, test } from 'vitest';
import {
  choicesOf,
  countPlaces,
  selectedObjectsOf,
  totalOf,
  type ChosenObject,
} from '#apps/booking/event/seats/choices.ts';
import type { PricedCategory } from '#server/domain/price/pricing.ts';

const pricing: PricedCategory[] = [
  {
    category: '1',
    ticketTypes: [
      { price_id: 'p1', ticketType: 'intero', label: 'Intero', unit_amount: 2500, fee_cents: 0 },
      {
        price_id: 'p2',
        ticketType: 'ridotto',
        label: 'Ridotto under 26',
        unit_amount: 1810,
        fee_cents: 0,
      },
    ],
  },
  {
    category: 'Loggione',
    ticketTypes: [
      {
        price_id: 'p3',
        ticketType: 'intero',
        label: 'Posto unico',
        unit_amount: 1005,
        fee_cents: 0,
      },
    ],
  },
];

function makeSeat(seat: string, more: Partial<ChosenObject> = {}): ChosenObject {
  return {
    label: `Platea-A-${seat}`,
    labels: { own: seat, parent: 'A', section: 'Platea' },
    objectType: 'Seat',
    category: { key: 1, label: 'Platea' },
    ...more,
  };
}

function makeArea(more: Partial<ChosenObject>): ChosenObject {
  return {
    label: 'Loggione',
    labels: { own: 'Loggione' },
    objectType: 'GeneralAdmissionArea',
    category: { key: 3, label: 'Loggione' },
    ...more,
  };
}

test('a seat is named, priced by its ticket type and sent without a quantity', () => {
  const choices = choicesOf([makeSeat('12', { selectedTicketType: 'ridotto' })], pricing);
  expect(choices).toMatchObject([
    {
      name: 'Platea, fila A, posto 12',
      type_label: 'Ridotto under 26',
      quantity: 1,
      unit_cents: 1810,
    },
  ]);
  expect(selectedObjectsOf(choices)).toEqual([
    { object_id: 'Platea-A-12', ticket_type: 'ridotto' },
  ]);
});

test('an area gives one line per ticket type, with quantities', () => {
  const choices = choicesOf(
    [
      makeArea({
        category: { key: 1, label: 'Platea' },
        numSelected: 3,
        selectionPerTicketType: { intero: 2, ridotto: 1, omaggio: 0 },
      }),
    ],
    pricing,
  );
  expect(selectedObjectsOf(choices)).toEqual([
    { object_id: 'Loggione', ticket_type: 'intero', quantity: 2 },
    { object_id: 'Loggione', ticket_type: 'ridotto', quantity: 1 },
  ]);
  expect(countPlaces(choices)).toBe(3);
  expect(totalOf(choices)).toBe(2 * 2500 + 1810);
});

test.each([{}, { '': 4 }, { NO_TICKET_TYPE: 4 }])(
  'an area with a single price counts its places without a ticket type, whatever key the chart uses: %j',
  (selectionPerTicketType) => {
    const choices = choicesOf(
      [
        makeArea({
          numSelected: 4,
          selectionPerTicketType: selectionPerTicketType as Record<string, number>,
        }),
      ],
      pricing,
    );
    expect(selectedObjectsOf(choices)).toEqual([{ object_id: 'Loggione', quantity: 4 }]);
    expect(totalOf(choices)).toBe(4020);
  },
);

test('an area in which nothing is left selected is no choice', () => {
  expect(choicesOf([makeArea({ numSelected: 0, selectionPerTicketType: {} })], pricing)).toEqual(
    [],
  );
});

test('a section is not a place to be booked', () => {
  expect(choicesOf([makeSeat('1', { objectType: 'section' })], pricing)).toEqual([]);
});

test('a place without a price makes the total unknown instead of too low', () => {
  const choices = choicesOf(
    [
      makeSeat('1', { selectedTicketType: 'intero' }),
      makeSeat('2', { selectedTicketType: 'sconosciuto' }),
    ],
    pricing,
  );
  expect(choices[1]!.unit_cents).toBeNull();
  expect(totalOf(choices)).toBeNull();
});

test('no choices cost nothing', () => {
  expect(totalOf([])).toBe(0);
  expect(countPlaces([])).toBe(0);
});
