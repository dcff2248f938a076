/** The house's Italian, sentence by sentence: accents, apostrophes, punctuation, sums and the tu-form. */
import { expect, test } from 'vitest';
import { readSentences } from './support/browsers/italian.ts';

const rules: [rule: string, broken: RegExp][] = [
  ['an apostrophe is ’', /\p{L}'\p{L}/u],
  ['a capital with its accent: È, not E’', /(?:^|[^\p{L}])E['’](?!\p{L})/u],
  [
    'an accent is no apostrophe: perché, può, città, più',
    /\p{L}(?:che|uo|ta|pi[uù]|cos[iì])['’](?!\p{L})/iu,
  ],
  [
    'perché, finché, poiché, né, sé with é; è, cioè, caffè with è',
    /\p{L}chè(?!\p{L})|(?:^|[^\p{L}])(?:nè|sè|cioé|é|caffé)(?!\p{L})/iu,
  ],
  ['qual è, un po’, un altro', /qual['’]è|(?:^|[^\p{L}])p[oò](?!['’\p{L}])|un['’]altro/iu],
  ['a sum is 25,00 €', /€\s?\d|\d€|\d\.\d\d\s€|\d,\d\s€/],
  ['no blank before a comma, a point or a colon', /\p{L} [,.;:!?](?=\s|$)/u],
  [
    'said to tu, not to Lei',
    /(?:^|[^\p{L}])(?:Lei|Sua|Suo|Suoi|clicchi|inserisca|selezioni il|scelga|prema|riprovi|attenda)(?!\p{L})/u,
  ],
  ['e-mail, un’e-mail', /(?:^|[^\p{L}.@_{-])email(?!\p{L})|(?:^|[^\p{L}])una e-mail/iu],
];

test('every sentence keeps the rules of spelling that no dictionary knows', () => {
  const sentences = readSentences();
  expect(sentences.length).toBeGreaterThan(1_500);
  for (const known of [
    'Seleziona prima i posti...',
    'Ti sei perso?',
    'Il sistema è occupato. Riprova tra qualche secondo.',
    'Inquadra il codice',
    'Vedi i biglietti',
    'Titolare del trattamento',
  ]) {
    expect([known, sentences.some(({ text }) => text.includes(known))]).toEqual([known, true]);
  }
  expect(
    rules.flatMap(([rule, broken]) =>
      sentences
        .filter(({ text }) => broken.test(text))
        .map(({ where, text }) => `${rule}: ${where} «${text}»`),
    ),
  ).toEqual([]);
});

test('each rule finds what breaks it', () => {
  const wrong = [
    "l'ordine",
    'E’ tardi',
    'citta’ chiusa',
    'perchè',
    'Qual’è il posto?',
    '25.00 €',
    'Ciao , tu',
    'Attenda Lei',
    'Scrivi la tua email',
  ];
  expect(rules.map(([rule, broken], index) => [rule, broken.test(wrong[index]!)])).toEqual(
    rules.map(([rule]) => [rule, true]),
  );
});
