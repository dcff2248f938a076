/** From the chart's selected objects to the summary and to the body of the booking call. */
import { expect, test } from 'vitest';
import { countPlaces, selectedObjectsOf, totalOf } from '#apps/booking/event/seats/choices.ts';
import * as reading from '#apps/booking/event/seats/read-choices.ts';
import { sayWhole } from '#apps/booking/event/seats/whole-info.ts';
import { chosenName, type ChosenObject } from '#apps/shared/chosen-place.ts';
import type { PricedCategory } from '#server/domain/price/pricing.ts';

const free = { fee_cents: 0, service_cents: 0, bears: [] };
const pricing: PricedCategory[] = [
  {
    category: '1',
    ticketTypes: [
      { price_id: 'p1', ticketType: 'intero', label: 'Intero', unit_amount: 2500, ...free },
      {
        price_id: 'p2',
        ticketType: 'ridotto',
        label: 'Ridotto under 26',
        unit_amount: 1810,
        ...free,
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
        ...free,
      },
    ],
  },
];

const choicesOf = (
  objects: ChosenObject[],
  prices: PricedCategory[],
  terms: Partial<reading.ChoiceTerms> = {},
) =>
  reading.choicesOf(objects, {
    pricing: prices,
    whole: [],
    coming: new Map(),
    nameOf: chosenName,
    ...terms,
  });

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
      cents: 1810,
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
  expect(choices[1]!.cents).toBeNull();
  expect(totalOf(choices)).toBeNull();
});

/** A table of ten for at least six, at 25 € with a presale fee of 1,50 €. */
const table: ChosenObject = {
  label: 'T4',
  labels: { own: '4' },
  objectType: 'Table',
  category: { key: 1, label: 'Tavoli' },
};
const tablePrice = {
  price_id: 'p',
  ticketType: 'intero',
  label: 'Intero',
  unit_amount: 2500,
  fee_cents: 150,
  service_cents: 0,
  bears: [{ kind: 'presale' as const, cents: 150, percent: null }],
};
const tablePricing = [{ category: '1', ticketTypes: [tablePrice] }];
const soldWhole = { category: 'Tavoli', category_key: '1', places: 10, minimum: 6, labels: ['T4'] };

test.each([
  ['place', undefined, 10, 26_500],
  ['place', 7, 7, 18_550],
  ['place', 2, 6, 15_900],
  ['object', undefined, 10, 4_000],
  ['object', 2, 6, 3_400],
] as const)(
  'a table sold whole, price per %s, for %s: %i places are paid, %i cents',
  (price_per, coming, quantity, cents) => {
    const whole = [{ ...soldWhole, price_per }];
    const choices = choicesOf([table], tablePricing, {
      whole,
      coming: new Map(coming === undefined ? [] : [['T4', coming]]),
    });
    expect(choices).toMatchObject([{ name: 'Tavolo 4', quantity, cents, is_area: false }]);
    expect([totalOf(choices), countPlaces(choices)]).toEqual([cents, quantity]);
    expect(selectedObjectsOf(choices)).toEqual([{ object_id: 'T4', quantity: coming ?? 10 }]);
  },
);

test('the map says what a table sold whole costs and how many may come', () => {
  const say = (terms: object) =>
    sayWhole([{ ...soldWhole, price_per: 'place', ...terms }], tablePricing)(table);
  const terms = [{ minimum: 10 }, {}, { minimum: 1 }, { price_per: 'object' }];
  expect([...terms, { price_per: 'object', minimum: 10 }].map(say)).toEqual([
    'Si compra intero: 10 posti, 26,50\u00a0€ a posto',
    'Si compra intero: 10 posti, 26,50\u00a0€ a posto. Potete essere meno: si pagano almeno 6 posti (159,00\u00a0€)',
    'Si compra intero: 10 posti, 26,50\u00a0€ a posto. Potete essere meno: si paga almeno 1 posto (26,50\u00a0€)',
    'Si compra intero: 10 posti, un prezzo per tutti, anche se siete meno',
    'Si compra intero: 10 posti, un prezzo per tutti',
  ]);
  expect(sayWhole([{ ...soldWhole, price_per: 'place' }], [])({ label: 'A-1' })).toBe('');
});

test('no choices cost nothing', () => {
  expect(totalOf([])).toBe(0);
  expect(countPlaces([])).toBe(0);
});
