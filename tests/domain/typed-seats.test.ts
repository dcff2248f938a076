/** Seats as people type them: a printed name is its place, and what is doubtful is told. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readBestWish } from '#server/domain/seat/best-wish.ts';
import { placeKinds } from '#server/domain/seat/place-kinds.ts';
import { partsInWhole, seatName, wholeWords } from '#server/domain/seat/seat-name.ts';
import { typedFaults } from '#server/domain/seat/typed-fault-words.ts';
import { namedSeatOf, printedName, type NamedSeat } from '#server/domain/seat/typed-index.ts';
import { readTypedSeats } from '#server/domain/seat/typed-seats.ts';
import { foldText } from '#server/domain/text/search.ts';
import { chartedHalls } from './charted-places.ts';

const none = { unknown: [], doubtful: [], unfinished: [] };

test('in every chart each place’s printed name, its label and its whole’s name are read as that place', () => {
  for (const { name, places } of chartedHalls()) {
    const seats = [...new Map(places.map((place) => [place.object, namedSeatOf(place)])).values()];
    const wrong = places.flatMap((place) => {
      const whole = namedSeatOf(place);
      const texts = [seatName(place), place.object, printedName(whole).toUpperCase()];
      if (place.in_whole)
        texts.push(wholeWords(place.kind, { name: printedName(whole), paid: 2, places: 3 }));
      return texts.filter((text) => {
        const read = readTypedSeats(text, seats);
        return read.objects.join() !== place.object || typedFaults(read).length > 0;
      });
    });
    expect([name, wrong.length, wrong.slice(0, 5)]).toEqual([name, 0, []]);
  }
}, 60_000);

test('printed names one after the other are read in their order', () => {
  for (const { name, places } of chartedHalls().filter(({ places: all }) => all.length < 700)) {
    const seats = [...new Map(places.map((place) => [place.object, namedSeatOf(place)])).values()];
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.constantFrom(...seats), { minLength: 1, maxLength: 6 }),
        fc.constantFrom(', ', ' ', '; ', ' e ', '\n'),
        (chosen, between) => {
          const text = chosen.map(printedName).join(between);
          const objects = chosen.map(({ object }) => object);
          expect([name, text, readTypedSeats(text, seats)]).toEqual([
            name,
            text,
            { ...none, objects },
          ]);
        },
      ),
      { numRuns: 30 },
    );
  }
});

const labels = fc.oneof(
  fc.constantFrom('A', 'AA', 'b', 'I', 'II', 'IX', '1', '12', '101', 'R', 'Ø', 'Ü2', '3bis', 'P'),
  fc.constantFrom('Palco 3', 'Palco d’onore', "L'Isola", 'Fila 2', 'Posto 4', 'Prima', 'Reale'),
  fc.constantFrom('A-1', '1-2', 'é', 'e', 'e’', '2 di 3', '(5)', '*', 'Tavolo 1', 'T1', '7 ½'),
  fc.string({ minLength: 1, maxLength: 6 }).filter((text) => text.trim() === text && text !== ''),
);
const sections = fc.oneof(
  fc.constant(null),
  fc.constantFrom('Platea', 'Palchi I ordine', 'Palchi II ordine', 'Città d’Arte', 'Settore 101'),
  fc.constantFrom('Primo anello 201', 'A', '1', 'Galleria', 'Galleria alta', 'Posto unico'),
  labels,
);
const place = fc
  .record({
    kind: fc.constantFrom(...placeKinds),
    section: sections,
    row: fc.option(labels),
    seat: labels,
    in_whole: fc.boolean(),
    size: fc.integer({ min: 1, max: 12 }),
  })
  .chain((drawn) =>
    fc.integer({ min: 1, max: drawn.size }).map((at) => {
      const { size, ...parts } = drawn;
      // Only seats have a row, and only the others can be sold whole.
      const row = parts.kind === 'seat' ? parts.row : null;
      const in_whole = parts.kind !== 'seat' && parts.in_whole;
      const object = { ...parts, row, object: '', in_whole };
      return in_whole ? { ...object, ...partsInWhole(object, at, size) } : object;
    }),
  );

test('whatever the names are, the printed one is its place, or all that are printed so', () => {
  fc.assert(
    fc.property(fc.array(place, { minLength: 1, maxLength: 12 }), (drawn) => {
      const places = drawn.map((one, at) => ({ ...one, object: `o${at}` }));
      const seats = places.map(namedSeatOf);
      for (const one of seats) {
        const text = printedName(one);
        const alike = seats.filter((other) => printedName(other) === text);
        const read = readTypedSeats(text, seats);
        if (alike.length === 1) expect(read).toEqual({ ...none, objects: [one.object] });
        else expect(read.objects).toEqual([]);
      }
      const printed = new Set(seats.map((seat) => foldText(printedName(seat))));
      // A place of a whole object, if its object has a name of its own.
      for (const one of places.filter(({ in_whole }) => in_whole)) {
        const { object } = one;
        const own = foldText(printedName(namedSeatOf(one)));
        const isShared = seats.filter((seat) => foldText(printedName(seat)) === own).length > 1;
        const text = seatName(one);
        if (!isShared && !printed.has(foldText(text)))
          expect(readTypedSeats(text, seats)).toEqual({ ...none, objects: [object] });
      }
    }),
    { numRuns: 400 },
  );
});

const hall = (section: string | null, rows: readonly string[], count: number): NamedSeat[] =>
  rows.flatMap((row) =>
    Array.from({ length: count }, (_, at) => ({
      object: `${section ?? ''}-${row}-${at + 1}`,
      kind: 'seat' as const,
      section,
      row,
      seat: String(at + 1),
    })),
  );
const tables = [1, 2].map((at): NamedSeat => ({
  object: `T${at}`,
  kind: 'table',
  section: 'Sala',
  row: null,
  seat: `Tavolo ${at}`,
}));
const theatre = [
  ...hall('Platea', ['A', 'P', 'D', 'AA'], 20),
  ...hall('Galleria', ['A', 'B'], 12),
  ...hall('Palchi I ordine', ['Palco 3', 'Palco 13'], 4),
  ...hall('Palchi II ordine', ['Palco 3'], 4),
  ...hall(null, ['C'], 12),
  ...tables,
  { object: 'Loggione', kind: 'area' as const, section: null, row: null, seat: 'Loggione' },
];

test.each([
  ['c1 c2', ['-C-1', '-C-2']],
  ['C1,C2', ['-C-1', '-C-2']],
  ['b10-12', ['Galleria-B-10', 'Galleria-B-11', 'Galleria-B-12']],
  ['b10-b11', ['Galleria-B-10', 'Galleria-B-11']],
  ['gall b10-b12', ['Galleria-B-10', 'Galleria-B-11', 'Galleria-B-12']],
  ['galleria a3 a4', ['Galleria-A-3', 'Galleria-A-4']],
  ['PlateaA12', ['Platea-A-12']],
  ['platea-a-12 platea-a-12', ['Platea-A-12']],
  ['tavolo 2', ['T2']],
  ['tavolo1 platea a2', ['T1', 'Platea-A-2']],
  ['tav 1', ['T1']],
  ['sala 1', ['T1']],
  ['II ordine, Palco 3, posto 2', ['Palchi II ordine-Palco 3-2']],
  ['secondo ordine palco 3 posto 2', ['Palchi II ordine-Palco 3-2']],
  ['2° ordine 3 2', ['Palchi II ordine-Palco 3-2']],
  ['palchi i ordine 13 4', ['Palchi I ordine-Palco 13-4']],
  ['fila D posto 13', ['Platea-D-13']],
  ['Platea P 17', ['Platea-P-17']],
  ['platea fila p posti 3, 4 e 5', ['Platea-P-3', 'Platea-P-4', 'Platea-P-5']],
  ['d 4-6', ['Platea-D-4', 'Platea-D-5', 'Platea-D-6']],
  ['aa 1', ['Platea-AA-1']],
  ['Platea A1, Galleria B2, A3', ['Platea-A-1', 'Galleria-B-2', 'Galleria-A-3']],
  ['loggione', ['Loggione']],
])('"%s" is %j', (text, objects) => {
  expect(readTypedSeats(text, theatre)).toEqual({ ...none, objects });
});

const faultsOf = (text: string) => typedFaults(readTypedSeats(text, theatre));

test('what has no seat is told, and so are the seats that a doubtful name may mean', () => {
  expect(faultsOf('a1 z9')).toEqual([
    'Z9 non esiste',
    'A1 può essere «Platea, fila A, posto 1», «Galleria, fila A, posto 1»: scrivi anche il settore',
  ]);
  expect(faultsOf('palco 3 posto 2')[0]).toContain('«Palchi II ordine, Palco 3, posto 2»');
  expect(faultsOf('galeria b3')).toEqual(['GALERIA B3 non esiste']);
  expect(faultsOf('galleria z1')).toEqual(['GALLERIA Z1 non esiste']);
  expect(faultsOf('galleria')).toEqual(['GALLERIA: scrivi anche il posto']);
  expect(faultsOf('b12-15')).toEqual(['B13', 'B14', 'B15'].map((name) => `${name} non esiste`));
  expect(faultsOf('b9-3')).toEqual(['B9-3 non esiste']);
  expect(faultsOf('?!')).toEqual(['?! non esiste']);
});

test('a number and a sector are its best places, unless they name a seat', () => {
  const wish = (text: string) =>
    readBestWish(text, {
      seats: theatre,
      categories: ['Palchi', 'Posto unico'],
      areas: ['Loggione'],
    });
  const sections = (...names: string[]) => ({ kind: 'sections', names });
  expect(wish('2')).toEqual({ count: 2, sector: null });
  expect(wish('2 galleria')).toEqual({ count: 2, sector: sections('Galleria') });
  expect(wish('Galleria 2')).toEqual({ count: 2, sector: sections('Galleria') });
  expect(wish('4 II ordine')).toEqual({ count: 4, sector: sections('Palchi II ordine') });
  expect(wish('loggione 2')).toEqual({ count: 2, sector: { kind: 'area', object: 'Loggione' } });
  expect(wish('3 unico')).toEqual({
    count: 3,
    sector: { kind: 'categories', names: ['Posto unico'] },
  });
  for (const text of ['tavolo 2', 'sala 1', 'd 13', 'a1', '2 galeria', 'galleria', '2 galleria 3'])
    expect([text, wish(text)]).toEqual([text, null]);
});
