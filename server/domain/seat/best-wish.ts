/** How many best places a person wants, perhaps in one sector: "2", "2 galleria", "loggione 2". */
import { sectorsCalled, sectorsOf, type NamedSeat } from './typed-index.ts';
import { readTypedSeats } from './typed-seats.ts';
import { tellingWords } from './typed-words.ts';

/** Null: anywhere. An area is a standing area that is sold by number. */
type WishedSector =
  | { kind: 'sections' | 'categories'; names: readonly string[] }
  | { kind: 'area'; object: string };

export interface BestWish {
  count: number;
  sector: WishedSector | null;
}

interface Hall {
  seats: readonly NamedSeat[];
  categories: readonly string[];
  /** The standing areas that are sold by number. */ areas: readonly string[];
}

/** Null: the text is no such wish, or names a seat. */
export function readBestWish(text: string, hall: Hall): BestWish | null {
  const typed = text.trim();
  if (/^\d{1,2}$/.test(typed)) return { count: Number(typed), sector: null };
  const parts = /^(?<before>\d{1,2}\s+)?(?<name>\P{N}.*?)(?<after>\s+\d{1,2})?$/u.exec(typed);
  const { before, name = '', after } = parts?.groups ?? {};
  if ((before === undefined) === (after === undefined)) return null;
  const sector = sectorCalled(name, hall);
  if (sector === null || (sector.kind !== 'area' && isSeat(typed, hall.seats))) return null;
  return { count: Number(before ?? after), sector };
}

function isSeat(text: string, seats: readonly NamedSeat[]): boolean {
  const { objects, doubtful, ...rest } = readTypedSeats(text, seats);
  const isWhole = rest.unknown.length + rest.unfinished.length === 0;
  return isWhole && objects.length + doubtful.length > 0;
}

function sectorCalled(name: string, { seats, categories, areas }: Hall): WishedSector | null {
  const words = tellingWords(name).map(({ text }) => text);
  if (words.length === 0) return null;
  const standing = seats.filter(({ object }) => areas.includes(object));
  const called = sectorsCalled(words, sectorsOf(standing.map(({ seat }) => seat)));
  const area = standing.find(({ seat }) => called.length === 1 && called.includes(seat));
  if (area !== undefined) return { kind: 'area', object: area.object };
  const sections = sectorsCalled(words, sectorsOf(seats.flatMap(({ section }) => section ?? [])));
  if (sections.length > 0) return { kind: 'sections', names: sections };
  const named = sectorsCalled(words, sectorsOf(categories));
  return named.length > 0 ? { kind: 'categories', names: named } : null;
}
