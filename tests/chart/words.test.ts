/** The chart's words: counted places, and replacements that never break a sentence. */
import { afterEach, expect, test } from 'vitest';
import { flagWords, speak, translate, words } from '#apps/chart/words.ts';

afterEach(() => speak());

test('one place is counted as one and several as several', () => {
  expect([words.free(1), words.free(2), words.free(0)]).toEqual([
    '1 posto libero',
    '2 posti liberi',
    'nessun posto libero',
  ]);
  expect([words.chosen(1), words.chosen(2)]).toEqual(['1 scelto', '2 scelti']);
  expect([words.tooMany(1), words.tooMany(10)]).toEqual([
    'Puoi scegliere un solo posto.',
    'Puoi scegliere al massimo 10 posti.',
  ]);
  expect([words.upTo(1), words.upTo(4)]).toEqual([
    'Puoi prenderne ancora 1.',
    'Puoi prenderne ancora 4.',
  ]);
});

test('a page replaces sentences by our name or by seats.io’s, and the next one begins from Italian again', () => {
  speak({
    retry: 'Try again',
    sessionExpiredStartOver: 'Start over',
    companionSeat: 'companion',
    row: 'Row',
    Platea: 'Stalls',
  });
  expect([
    words.retry,
    words.startAgain,
    flagWords[1],
    words.row('C'),
    translate('Platea'),
    translate('Palchi'),
  ]).toEqual(['Try again', 'Start over', 'companion', 'Row C', 'Stalls', 'Palchi']);
  speak();
  expect([
    words.retry,
    words.startAgain,
    flagWords[1],
    words.row('C'),
    translate('Platea'),
  ]).toEqual(['Riprova', 'Ricomincia', 'posto per chi accompagna', 'Fila C', 'Platea']);
});

test('a replacement that is no text, or that names a sentence made from counts, changes nothing', () => {
  speak({ free: 'available', retry: 5 as unknown as string });
  expect([words.free(2), words.retry]).toEqual(['2 posti liberi', 'Riprova']);
  expect([translate('constructor'), translate('toString')]).toEqual(['constructor', 'toString']);
});

test('rows keep the name that the drawing gives them', () => {
  expect([words.row('3', 'Palco'), words.row('A')]).toEqual(['Palco 3', 'Fila A']);
});
