/** Price rules in Italian: the sentence that the office reads, and a buyer's reason (RULES P6). */
import { expect, test } from 'vitest';
import {
  ruleOfTyped,
  typedOfRule,
  timeOfRule,
  type TypedRule,
} from '#server/domain/price/typed-rule.ts';
import { reasonWords, ruleSentence } from '#server/domain/price/rule-words.ts';
import {
  everyScope,
  typedCode,
  typedConvention,
  typedEvery,
  typedGroup,
  typedPackage,
} from '#tests/support/typed-rules.ts';

const labels = new Map([
  ['intero', 'Intero'],
  ['ridotto', 'Ridotto'],
  ['ragazzo', 'Ragazzi'],
  ['studente', 'Studente'],
  ['omaggio', 'Omaggio'],
  ['under', 'Under 26'],
  ['turistico', 'Turistico'],
]);

const said = (typed: TypedRule) =>
  ruleSentence(ruleOfTyped(typed, 'a'), labels).replaceAll('\u00a0', ' ');
const why = (typed: TypedRule, cents = 1_000) =>
  reasonWords(ruleOfTyped(typed, 'a'), cents).replaceAll('\u00a0', ' ');
const scoped = (scope: Partial<TypedRule['scope']>) => ({ scope: { ...everyScope, ...scope } });

test('a rule about every so many tickets is one sentence', () => {
  expect(
    said(
      typedEvery({
        ...scoped({
          categories: ['Platea'],
          ticket_types: ['intero'],
          channels: ['site'],
          last_day: '2026-12-20',
        }),
      }),
    ),
  ).toBe('Ogni 3 Interi in Platea, 1 gratis (il meno caro), solo online, fino al 20/12/2026.');
  expect(said(typedEvery())).toBe('Ogni 3 biglietti, 1 gratis (il meno caro).');
  expect(
    said(
      typedEvery({
        n: 10,
        k: 2,
        price_cents: 500,
        grouped: 'best',
        spread: false,
        least_cents: 10_000,
        most: 1,
        ...scoped({ channels: ['till'], first_day: '2026-12-01', last_day: '2026-12-01' }),
      }),
    ),
  ).toBe(
    'Ogni 10 biglietti, 2 a 5,00 € (i meno cari di ogni 10), sconto tutto su quei biglietti, da 100,00 € di biglietti in su, una volta sola per acquisto, solo alla cassa, dal 1/12/2026, fino al 1/12/2026.',
  );
});

test('names of types are in the plural as far as it is known', () => {
  const of = (ticket_types: string[], n = 3) =>
    said(typedEvery({ n, ...scoped({ ticket_types }) })).split(',')[0];
  expect(of(['ridotto', 'ragazzo'])).toBe('Ogni 3 Ridotti o Ragazzi');
  expect(of(['omaggio'])).toBe('Ogni 3 Omaggi');
  expect(of(['studente'])).toBe('Ogni 3 Studenti');
  expect(of(['under'])).toBe('Ogni 3 biglietti «Under 26»');
  expect(of(['intero', 'turistico'])).toBe('Ogni 3 biglietti «Intero» o «Turistico»');
  expect(of(['gone'])).toBe('Ogni 3 biglietti «gone»');
});

test('a package and a group are one sentence each', () => {
  expect(said(typedPackage())).toBe(
    '2 Interi + 2 Ragazzi a 60,00 € insieme, al massimo 5 volte per acquisto.',
  );
  expect(
    said(
      typedPackage({
        parts: [{ ticket_types: ['intero'], count: 1 }],
        most: 20,
        ...scoped({ categories: ['Platea', 'Palchi', 'Galleria'] }),
      }),
    ),
  ).toBe('1 Intero in Platea, Palchi o Galleria a 60,00 € insieme.');
  expect(said(typedGroup())).toBe(
    'Da 20 posti, 10 % in meno; un accompagnatore gratis ogni 15 paganti.',
  );
  expect(
    said(
      typedGroup({
        percent: null,
        price_cents: 1_500,
        free_every: null,
        ...scoped({ categories: ['Platea'], ticket_types: ['ridotto'] }),
      }),
    ),
  ).toBe('Da 20 Ridotti in Platea, 15,00 € l’uno.');
  expect(said(typedGroup({ free_every: 1 }))).toMatch(/ogni pagante\.$/);
});

test('a code and a convention are one sentence each', () => {
  expect(said(typedCode(scoped({ channels: ['site'], last_day: '2026-12-20' })))).toBe(
    '10 % in meno con il codice, solo online, fino al 20/12/2026.',
  );
  expect(
    said(
      typedCode({
        percent: null,
        off_cents: 500,
        meets: true,
        ...scoped({ categories: ['Platea', 'Palchi'], ticket_types: ['intero', 'ridotto'] }),
      }),
    ),
  ).toBe(
    '5,00 € in meno a biglietto per Interi o Ridotti in Platea o Palchi con il codice, si somma alle altre riduzioni.',
  );
  expect(said(typedCode(scoped({ ticket_types: ['under'] })))).toBe(
    '10 % in meno per biglietti «Under 26» con il codice.',
  );
  expect(said(typedConvention())).toBe('3,00 € in meno a biglietto, mostrando la tessera.');
  expect(said(typedConvention({ percent: 15, off_cents: null }))).toBe(
    '15 % in meno, mostrando la tessera.',
  );
});

test('a rule that a code opens says so', () => {
  expect(said(typedEvery({ opened_by_code: true, ...scoped({ channels: ['site'] }) }))).toBe(
    'Ogni 3 biglietti, 1 gratis (il meno caro), solo con un codice, solo online.',
  );
  expect(said(typedEvery({ opened_by_code: false }))).not.toContain('codice');
});

test('a buyer reads why a ticket costs less', () => {
  expect(why(typedEvery())).toBe('3x2: il meno caro è gratis');
  expect(why(typedEvery({ k: 2 }))).toBe('3x2: i 2 meno cari sono gratis');
  expect(why(typedEvery({ price_cents: 500 }))).toBe('3x2: il meno caro a 5,00 €');
  expect(why(typedEvery({ k: 2, price_cents: 500 }))).toBe('3x2: i 2 meno cari a 5,00 €');
  expect(why(typedPackage())).toBe('Famiglia: insieme a 60,00 €');
  expect(why(typedGroup())).toBe('Scuole: 10 % in meno');
  expect(why(typedGroup(), 0)).toBe('Scuole: accompagnatore gratis');
  expect(why(typedGroup({ percent: null, price_cents: 1_500 }))).toBe('Scuole: 15,00 € l’uno');
  expect(why(typedCode())).toBe('Under 26: 10 % in meno');
  expect(why(typedCode({ percent: null, off_cents: 500 }))).toBe('Under 26: 5,00 € in meno');
  expect(why(typedConvention())).toBe('Soci FAI: 3,00 € in meno, mostra la tessera');
});

test('days of Rome become moments and come back, also when the clocks change', () => {
  const typed = typedPackage(scoped({ first_day: '2026-10-25', last_day: '2026-10-25' }));
  const rule = ruleOfTyped(typed, 'a');
  expect(rule.scope).toMatchObject({
    from: Date.parse('2026-10-24T22:00:00Z'),
    until: Date.parse('2026-10-25T23:00:00Z'),
    ticket_types: ['intero', 'ragazzo'],
  });
  expect(typedOfRule(rule)).toEqual(typed);
  expect(timeOfRule(rule, rule.scope.from! - 1)).toBe('later');
  expect(timeOfRule(rule, rule.scope.from!)).toBe('now');
  expect(timeOfRule(rule, rule.scope.until!)).toBe('past');
});
