/** Reads seats as a person types them at the counter: "a12 a13", "A12-15", "galleria b3". */

export interface NamedSeat {
  object: string;
  section: string | null;
  row: string | null;
  seat: string;
}

/** `unknown`: no seat has this name; `doubtful`: several have, in different parts of the hall. */
interface TypedSeats {
  objects: string[];
  unknown: string[];
  doubtful: string[];
}

/** Letters and digits without accents, for comparison. */
function fold(text: string | null): string {
  return (text ?? '')
    .normalize('NFD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}

/**
 * A word that begins the name of a section, or of tables ("tavolo 4"), applies until the next such
 * word.
 */
export function readTypedSeats(text: string, seats: readonly NamedSeat[]): TypedSeats {
  const result: TypedSeats = { objects: [], unknown: [], doubtful: [] };
  let among = seats;
  for (const word of text.split(/[\s,;]+/).filter((part) => part !== '')) {
    const section = seats.filter(({ section: part, row, seat }) =>
      [part, row === null ? seat : null].some((name) => fold(name).startsWith(fold(word))),
    );
    if (section.length > 0 && !/\d/.test(word)) {
      among = section;
      continue;
    }
    for (const name of namesIn(word)) {
      const [found, ...others] = seatsCalled(name, among);
      if (found === undefined) result.unknown.push(name.toUpperCase());
      else if (others.length > 0) result.doubtful.push(name.toUpperCase());
      else result.objects.push(found.object);
    }
  }
  result.objects = [...new Set(result.objects)];
  return result;
}

const longestRange = 50;

/** "a12-15" and "a12-a15" are four seats; a label that itself contains a dash is one seat. */
function namesIn(word: string): string[] {
  const range = /^(.*?)(\d+)-(?:\1)?(\d+)$/iu.exec(word);
  if (!range) return [word];
  const [from, to] = [Number(range[2]), Number(range[3])];
  if (range[1] === '' || to < from || to - from >= longestRange) return [word];
  return Array.from({ length: to - from + 1 }, (_, at) => `${range[1]}${from + at}`);
}

function seatsCalled(name: string, seats: readonly NamedSeat[]): NamedSeat[] {
  const wanted = fold(name);
  return seats.filter((seat) => {
    const whole = fold(seat.row) + fold(seat.seat);
    // A table stands in no row and is called by its number, too.
    const names =
      seat.row === null ? [whole, fold(seat.seat.replace(/^\p{L}{3,}\s+/u, ''))] : [whole];
    return names.some((name) => name === wanted || fold(seat.section) + name === wanted);
  });
}
