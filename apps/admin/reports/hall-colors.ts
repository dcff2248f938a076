/** Colours a hall's seats by one column of a figure: words by kind, numbers by size. */
import type { Figure, Unit } from '#server/domain/report/figure.ts';
import { seatWords } from '#server/domain/report/hall-count.ts';
import { tellCell } from './cells.ts';

/** One colour of the map and its meaning. */
interface Shade {
  /** The colour's name in the style sheet. */
  token: string;
  /** Drawn on the seats for people who cannot tell the colours apart. */
  mark: string;
  word: string;
  seats: number;
}

/** The style sheet has this many colours. */
const words = 6;
const steps = 5;

export interface Coloured {
  shades: Shade[];
  /** From seat to its index in `shades`. */
  bySeat: Map<string, number>;
}

export function colourBy({ columns, rows }: Figure, at: number): Coloured {
  const column = columns[at];
  const cells = rows.flatMap((row) => {
    const cell = row[at] ?? null;
    return typeof row[0] === 'string' && cell !== null ? [{ seat: row[0], cell }] : [];
  });
  if (column === undefined || column.unit === 'text' || column.unit === 'day')
    return byWord(cells.map(({ seat, cell }) => ({ seat, word: String(cell) })));
  return byNumber(
    cells.flatMap(({ seat, cell }) => (typeof cell === 'number' ? [{ seat, value: cell }] : [])),
    column.unit,
  );
}

/** The most frequent words get a colour each, the rest share one; free seats stay dark. */
function byWord(seats: readonly { seat: string; word: string }[]): Coloured {
  const groups = [...Map.groupBy(seats, ({ word }) => word)].toSorted(
    ([, one], [, other]) => other.length - one.length,
  );
  const shades: Shade[] = [];
  const bySeat = new Map<string, number>();
  const taken = new Set<string>();
  for (const [word, those] of groups) {
    const last = shades[words - 1];
    if (last === undefined)
      shades.push({
        token: word === seatWords.left ? 'seat-free' : `hall-${shades.length + 1}`,
        mark: markOf(word, taken),
        word,
        seats: those.length,
      });
    else {
      last.word = 'Altro';
      last.seats += those.length;
    }
    for (const { seat } of those) bySeat.set(seat, shades.length - 1);
  }
  return { shades, bySeat };
}

/** A letter of the word that no other word has taken. */
function markOf(word: string, taken: Set<string>): string {
  const letters = [...word.toUpperCase()].filter((letter) => /\p{L}|\d/u.test(letter));
  const mark = letters.find((letter) => !taken.has(letter)) ?? '·';
  taken.add(mark);
  return mark;
}

/** Each of few values gets a colour; many values are divided into equal steps. */
function byNumber(seats: readonly { seat: string; value: number }[], unit: Unit): Coloured {
  const values = [...new Set(seats.map(({ value }) => value))].toSorted(
    (one, other) => one - other,
  );
  const most = values.at(-1) ?? 0;
  const bounds = values.length <= steps ? values : equalSteps(values[0] ?? 0, most);
  const placeOf = (value: number) => bounds.findLastIndex((bound) => value >= bound);
  const bySeat = new Map(seats.map(({ seat, value }) => [seat, placeOf(value)]));
  const shades = bounds.map((bound, nth): Shade => {
    const next = bounds[nth + 1] ?? most;
    const isOne = values.length <= steps;
    const [from, to] = [tellCell(bound, unit), tellCell(next, unit)];
    return {
      token: `heat-${bounds.length === 1 ? steps : Math.round((nth * (steps - 1)) / (bounds.length - 1)) + 1}`,
      mark: String(nth + 1),
      word: isOne ? from : `${from} – ${to}`,
      seats: [...bySeat.values()].filter((place) => place === nth).length,
    };
  });
  return { shades, bySeat };
}

function equalSteps(least: number, most: number): number[] {
  return Array.from({ length: steps }, (_, nth) =>
    Math.round(least + ((most - least) * nth) / steps),
  );
}
