/** Series of labels: 1, 2, 3; A … Z, AA, AB; AA, BB, CC; I, II, III. */
import { entryAt } from '#server/drawing/model/entry.ts';

export interface Scheme {
  readonly kind: 'numbers' | 'letters' | 'doubled' | 'roman';
  /** The first label as a person writes it: `1`, `C`, `VII`. */
  readonly start: string;
  /** The step from one label to the next; a negative one counts down. */
  readonly step: number;
  /** Labels to skip: letters that look like digits (`I`, `O`), unlucky numbers (`17`). */
  readonly skip: readonly string[];
  readonly lowercase: boolean;
  /** Numbers are padded with zeros to this many digits. */
  readonly digits: number;
  readonly prefix: string;
  readonly suffix: string;
}

export const PLAIN: Scheme = {
  kind: 'numbers',
  start: '1',
  step: 1,
  skip: [],
  lowercase: false,
  digits: 1,
  prefix: '',
  suffix: '',
};

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const ROMAN: readonly (readonly [value: number, text: string])[] = [
  [1000, 'M'],
  [900, 'CM'],
  [500, 'D'],
  [400, 'CD'],
  [100, 'C'],
  [90, 'XC'],
  [50, 'L'],
  [40, 'XL'],
  [10, 'X'],
  [9, 'IX'],
  [5, 'V'],
  [4, 'IV'],
  [1, 'I'],
];
/** The largest number that Roman digits can write. */
const MOST_ROMAN = 3999;
const MOST = 1_000_000;

function alphabetOf({ skip }: Scheme): string[] {
  const out = new Set(skip.map((one) => one.trim().toUpperCase()));
  return LETTERS.filter((letter) => !out.has(letter));
}

function roman(value: number): string {
  let [rest, text] = [value, ''];
  for (const [worth, letters] of ROMAN)
    while (rest >= worth) {
      text += letters;
      rest -= worth;
    }
  return text;
}

/** A, …, Z, AA, AB: every letter counts, and there is no zero. */
function letters(value: number, alphabet: readonly string[]): string {
  let [rest, text] = [value, ''];
  while (rest > 0) {
    rest -= 1;
    text = entryAt(alphabet, rest % alphabet.length) + text;
    rest = Math.floor(rest / alphabet.length);
  }
  return text;
}

/** A, …, Z, AA, BB, …, ZZ, AAA. */
function doubled(value: number, alphabet: readonly string[]): string {
  const times = Math.floor((value - 1) / alphabet.length) + 1;
  return entryAt(alphabet, (value - 1) % alphabet.length).repeat(times);
}

function write(scheme: Scheme, value: number, alphabet: readonly string[]): string | null {
  if (scheme.kind === 'numbers')
    return value >= 0 && value <= MOST
      ? String(value).padStart(Math.min(scheme.digits, 6), '0')
      : null;
  if (value < 1 || alphabet.length === 0) return null;
  if (scheme.kind === 'roman') return value <= MOST_ROMAN ? roman(value) : null;
  return (scheme.kind === 'letters' ? letters : doubled)(value, alphabet);
}

function readLetters(text: string, alphabet: readonly string[]): number | null {
  let value = 0;
  for (const letter of text) {
    const at = alphabet.indexOf(letter);
    if (at === -1) return null;
    value = value * alphabet.length + at + 1;
  }
  return value > 0 && value <= MOST ? value : null;
}

function readRoman(text: string): number | null {
  if (text === '') return null;
  let [rest, value] = [text, 0];
  for (const [worth, sign] of ROMAN)
    while (rest.startsWith(sign)) {
      value += worth;
      rest = rest.slice(sign.length);
    }
  return rest === '' && roman(value) === text ? value : null;
}

/** @returns the place of the first label in its scheme, or null if it does not belong to it */
function readStart(scheme: Scheme, alphabet: readonly string[]): number | null {
  const text = scheme.start.trim().toUpperCase();
  if (scheme.kind === 'numbers') return /^\d{1,6}$/.test(text) ? Number(text) : null;
  if (scheme.kind === 'roman') return readRoman(text);
  if (scheme.kind === 'letters') return readLetters(text, alphabet);
  const at = alphabet.indexOf(text.charAt(0));
  const isDoubled = text !== '' && text === text.charAt(0).repeat(text.length);
  return at === -1 || !isDoubled ? null : (text.length - 1) * alphabet.length + at + 1;
}

export type SchemeFault = 'start' | 'step' | 'run-out';

/** The first `count` labels, or why there are none. */
export function writeSeries(scheme: Scheme, count: number): readonly string[] | SchemeFault {
  const alphabet = alphabetOf(scheme);
  const first = readStart(scheme, alphabet);
  if (first === null) return 'start';
  if (!Number.isInteger(scheme.step) || scheme.step === 0) return 'step';
  const skipped = new Set(scheme.skip.map((one) => one.trim().toUpperCase()));
  const series: string[] = [];
  for (let value = first; series.length < count; value += scheme.step) {
    const text = write(scheme, value, alphabet);
    if (text === null) return 'run-out';
    const isLetters = scheme.kind === 'letters' || scheme.kind === 'doubled';
    if (!isLetters && skipped.has(text.replace(/^0+(?=\d)/, ''))) continue;
    series.push(scheme.prefix + (scheme.lowercase ? text.toLowerCase() : text) + scheme.suffix);
  }
  return series;
}
