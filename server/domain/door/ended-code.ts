/** Why a code no longer opens the door, in the words of the screen (RULES M4). */
import { formatDay, formatTime, sayOnDay } from '#server/domain/time/dates.ts';
import type { PlaceCode } from './moved-code.ts';

/**
 * A later release may add reasons; a reader that does not know one names none. `moved`: the code
 * leads to the ticket's present place, until another reason ends that, too.
 */
export const endedWhys = ['renamed', 'reissued', 'resold', 'moved', 'exchanged'] as const;
export type EndedWhy = (typeof endedWhys)[number];

/** How a code ended; `why` null: by a reason that this reader does not know. */
export interface EndedCode {
  revision: number;
  why: EndedWhy | null;
  /** In ms. */
  at: number;
  /** More to say, in Italian: the date for which the ticket was exchanged. */
  note: string | null;
  /** Of the order that had this code; only for phones whose role may know it. */
  order_number: string | null;
  /**
   * The other codes of the ticket that had this one last, where another ticket has the place now:
   * the scans made with any of them are of one guest (RULES M5).
   */
  was?: readonly PlaceCode[];
}

const actWords: Record<Exclude<EndedWhy, 'exchanged'>, string> = {
  renamed: 'Il biglietto ha cambiato nome',
  reissued: 'Ristampato',
  resold: 'Rivenduto',
  moved: 'Il biglietto ha cambiato posto',
};
const adviceWords: Record<Exclude<EndedWhy, 'exchanged'>, string> = {
  renamed: 'vale quello nuovo',
  reissued: 'vale quello nuovo',
  resold: 'manda alla cassa',
  moved: 'manda alla cassa',
};

/** The sentence below SOSTITUITO or ANNULLATO; `now` in ms. */
export function sayEnded(
  ended: Pick<EndedCode, 'why' | 'at' | 'note'> | null,
  now: number,
): string {
  if (ended === null || ended.why === null) return 'Questo codice non vale più. Manda alla cassa';
  const { why, at, note } = ended;
  if (why === 'exchanged')
    return note === null ? 'Cambiato con un’altra data' : `Cambiato con ${note}`;
  const isToday = formatDay(at) === formatDay(now) && Math.abs(now - at) < 2 * 86_400_000;
  const when = isToday ? `oggi alle ${formatTime(at)}` : sayOnDay(at);
  return `${actWords[why]} ${when}: ${adviceWords[why]}`;
}
