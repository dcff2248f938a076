/**
 * Every word that a person reads, on a screen, in a mail or on paper, is one that Hunspell's
 * Italian dictionary knows, or stands in the house's own short list; and every sentence keeps the
 * rules that no dictionary knows.
 */
import { expect, test } from 'vitest';
import { readElsewhere, readSentences, type Sentence } from './support/browsers/italian.ts';
import { unknownWords } from './support/browsers/spelling.ts';

const sentences = readSentences();

/** Borrowed words, names and abbreviations, as they are written; a small initial stands for a capital one too. */
const ours = `
  AA Android app Apple AVIF Aztec Backspace black Black Canc CAP chmod chown CLS cookie Corelli CSV
  Ctrl CVC deuteranopia eml EN Esc event Excel Fi FID Firefox GDPR Home https HTTPS IBAN INP ITF JPEG
  JSON kB Klarna LCP lett LIS maintenance Maiusc Matrix MB megapixel Mirandolina ms Node npm ntp off
  offline Oops order passkey PEC phone PIN Pit PNG Policy PORT POS PostgreSQL pretix protanopia
  QR reconcile required resend revoke Ripafratta Satispay Secure SEPA séparé SHA SIAE SMTP spam
  SQLite Stripe SVG timedatectl TLS tritanopia true UTC Wallet warn WCAG webhook WebP Wi XLSX
`
  .trim()
  .split(/\s+/);

/** Whole texts that are no Italian and not meant to be: names for machines, and the one English title of RULES W9. */
const foreign = [
  'Canvas',
  'Chrom',
  'Chrome',
  'Discontinued',
  'Edg',
  'Edge',
  'Europe/Rome',
  'Event',
  'Highlight',
  'Mac',
  'Mac OS',
  'Macintosh',
  'Mark',
  'Noto Sans HK',
  'Nunito Sans',
  'Offer',
  'Organization',
  'Place',
  'Plain',
  'Seat',
  'Silence',
  'Tab',
  'Booth',
  'Table',
  'Unexpected Application Error!',
  'Windows',
  'Work Sans',
  'or saved',
  'Basic □',
  'Bearer □',
  'key label color accessible',
];
/** What the seat map and Stripe say to programs, ours or the vendors'. */
const toPrograms = /^(?:the|this|you|give|missing|received|invalid)\b|\b(?:must|without|end of)\b/i;

/** Addresses, settings, fields to be filled in, markup, commands, examples in quotes: no words, wherever they stand. */
const code =
  /\{\w+\}|\b[A-Z]+(?:_[A-Z]+)+\b|«(?:#\w+|place|subChart\w*|chart key|pl c 4|rossi an)»|\b(?:https?|smtps?|postgres):\S*|www\.\S+|\bseats\.io\b|\bsk_live_|\bprice_|--\w+|\([a-z]{2}(?:, [a-z]{2})*\)|\(workspaceKey\)|PORT=|HOST=|\/event\/|<[^>]*>|^ {2}(?:check|import|list|export|generate|draw|--\w+)\b.*?(?: {2,}(?:(?:\w+, )*\w+:)?|$)|npm run admin -- [\w-]+|npm (?:run )?\w+|\b\w+\.(?:json|pdf|sqlite)\b/gm;
/** Before a vowel an article loses its own: dell’ordine, com’è. */
const elision = /(?<!\p{L})(?:all|c|com|d|dall|dell|dev|dov|l|nell|quell|quest|s|sull|un)['’]/giu;

function wordsIn(text: string): string[] {
  return (
    text
      .replace(code, ' ')
      .replace(elision, ' ')
      .match(/\p{L}+/gu) ?? []
  );
}

function isOurs(word: string): boolean {
  return ours.includes(word) || ours.includes(`${word.charAt(0).toLowerCase()}${word.slice(1)}`);
}

/** A template's blanks are one sign each, and lines as long as they come. */
const plain = ({ text }: Sentence) => text.replace(/\s+/g, ' ');

test('every word on a screen, in a mail and on paper is spelled as the dictionary spells it, or stands in a list that says nothing twice', () => {
  const italian = sentences.filter(
    (sentence) => !foreign.includes(plain(sentence)) && !toPrograms.test(sentence.text),
  );
  expect(italian.length).toBeGreaterThan(2_000);
  const words = new Set(italian.flatMap(({ text }) => wordsIn(text)));
  const unknown = unknownWords([...words, ...ours]);
  expect(
    italian.flatMap(({ text, where }) =>
      wordsIn(text)
        .filter((word) => unknown.has(word) && !isOurs(word))
        .map((word) => `${word}: ${where} «${text.slice(0, 80)}»`),
    ),
  ).toEqual([]);
  // The lists are in their order, and hold no word that the dictionary knows or that nobody reads.
  expect(ours).toEqual(ours.toSorted((a, b) => a.localeCompare(b, 'it')));
  expect(ours.filter((word) => !unknown.has(word))).toEqual([]);
  expect(
    ours.filter(
      (word) =>
        ![...words].some(
          (read) => read === word || read === `${word.charAt(0).toUpperCase()}${word.slice(1)}`,
        ),
    ),
  ).toEqual([]);
  const texts = new Set(sentences.map(plain));
  expect(foreign.filter((text) => !texts.has(text))).toEqual([]);
}, 60_000);

test('slips of the keyboard are found, with their articles and in the middle of code', () => {
  const words = wordsIn(
    'Perchè l’ordne è stato anullato? Piu tardi {organiser} scrive dell’accquirente, e i bigliettti sono su https://bilgietti.it.',
  );
  expect([...unknownWords(words)]).toEqual([
    'Perchè',
    'ordne',
    'anullato',
    'Piu',
    'accquirente',
    'bigliettti',
  ]);
  expect([...unknownWords(['perché', 'città', 'mercoledì', 'rimborsalo', 'Botteghino'])]).toEqual(
    [],
  );
});

test('no Italian stands in a file that these tests do not read', { timeout: 60_000 }, () => {
  const spoken = readElsewhere()
    .map((sentence) => ({
      ...sentence,
      words: wordsIn(sentence.text).filter((word) => word.length > 1),
    }))
    .filter(({ words }) => words.length > 2);
  expect(spoken.length).toBeGreaterThan(100);
  const unknown = unknownWords(spoken.flatMap(({ words }) => words));
  expect(
    spoken
      .filter(({ words }) => words.every((word) => !unknown.has(word)))
      .map(({ where, text }) => `${where} «${text}»`),
  ).toEqual([]);
});

/** Accents, apostrophes, punctuation, sums and the tu-form. */
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
