/** The names of a hall's seats and sectors, by the words that a person may type for them. */
import { foldText } from '#server/domain/text/search.ts';
import { seatName, wholeName, type SeatParts } from './seat-name.ts';
import { joinWords, meansWord, tellingWords } from './typed-words.ts';

/** What is sold at once: a seat, a standing area, or a whole object, whose row is null. */
export interface NamedSeat extends SeatParts {
  object: string;
}

interface NamedSector {
  name: string;
  words: readonly string[];
}

export interface SeatIndex {
  /** Seats by their section, row and seat; those without a section by row and seat. */
  full: Map<string, NamedSeat[]>;
  /** Seats by row and seat, in all sections. */
  short: Map<string, NamedSeat[]>;
  sections: readonly NamedSector[];
  /** Seats by their printed names, without accents and capitals. */
  printed: Map<string, NamedSeat[]>;
  /** Words that stand before names, such as "tavolo" and "palco". */
  leads: ReadonlySet<string>;
  /** The most words of a name. */
  longest: number;
}

interface NamedPlace extends NamedSeat {
  /** True for a place of an object that is sold whole. */ in_whole: boolean;
}

/** What is typed for a place: the place, or the whole object to which it belongs. */
export function namedSeatOf({ in_whole, ...place }: NamedPlace): NamedSeat {
  return in_whole ? { ...place, row: null, seat: place.row ?? place.seat } : place;
}

/** As tickets and lists print it. */
export function printedName(seat: NamedSeat): string {
  return isObject(seat) ? wholeName(seat) : seatName(seat);
}

/** True for a table, booth or area, which has a name and no row. */
export function isObject({ kind, row }: SeatParts): boolean {
  return kind !== 'seat' && row === null;
}

const indexes = new WeakMap<readonly NamedSeat[], SeatIndex>();

/** The index of a list of seats is made once. */
export function indexOfSeats(seats: readonly NamedSeat[]): SeatIndex {
  const index = indexes.get(seats) ?? indexSeats(seats);
  indexes.set(seats, index);
  return index;
}

function indexSeats(seats: readonly NamedSeat[]): SeatIndex {
  const wordsOf = remembering((name: string) => tellingWords(name).map(({ text }) => text));
  const index = {
    full: new Map(),
    short: new Map(),
    printed: new Map(),
    leads: new Set<string>(),
    longest: 1,
  };
  for (const seat of seats) {
    put(index.printed, foldText(printedName(seat)), seat);
    const section = seat.section === null ? [] : wordsOf(seat.section);
    for (const words of spellingsOf(seat, wordsOf)) {
      put(index.short, joinWords(words), seat);
      put(index.full, joinWords([...section, ...words]), seat);
      index.longest = Math.max(index.longest, section.length + words.length);
    }
    const [lead = ''] = wordsOf(
      isObject(seat) ? printedName({ ...seat, section: null }) : (seat.row ?? ''),
    );
    if (isLead(lead)) index.leads.add(lead);
  }
  return { ...index, sections: sectorsOf(seats.flatMap(({ section }) => section ?? [])) };
}

export function sectorsOf(names: readonly string[]): NamedSector[] {
  return [...new Set(names)].map((name) => ({
    name,
    words: tellingWords(name).map(({ text }) => text),
  }));
}

/** The sectors that these words name: exactly, or else by beginnings and numbers. */
export function sectorsCalled(words: readonly string[], sectors: readonly NamedSector[]): string[] {
  const key = joinWords(words);
  const exact = sectors.filter((sector) => joinWords(sector.words) === key);
  if (exact.length > 0) return exact.map(({ name }) => name);
  if (!words.some((word) => word.length > 1 && /^\p{L}/u.test(word))) return [];
  return sectors
    .filter((sector) => words.every((word) => sector.words.some((own) => meansWord(word, own))))
    .map(({ name }) => name);
}

/** "Palco 7" is also called "7", and "Tavolo T1" also "T1". */
function spellingsOf(seat: NamedSeat, wordsOf: (name: string) => string[]): string[][] {
  const { row } = seat;
  const head = isObject(seat) ? wordsOf(wholeName({ ...seat, section: null })) : wordsOf(row ?? '');
  const tail = isObject(seat) ? [] : wordsOf(seat.seat);
  const all = [...head, ...tail];
  return head.length > 1 && isLead(head[0] ?? '') ? [all, all.slice(1)] : [all];
}

function isLead(word: string): boolean {
  return /^\p{L}{3,}$/u.test(word);
}

function put(map: Map<string, NamedSeat[]>, key: string, seat: NamedSeat): void {
  const known = map.get(key);
  if (known) known.push(seat);
  else map.set(key, [seat]);
}

function remembering<T>(ask: (name: string) => T): (name: string) => T {
  const known = new Map<string, T>();
  return (name) => {
    const answer = known.get(name) ?? ask(name);
    known.set(name, answer);
    return answer;
  };
}
