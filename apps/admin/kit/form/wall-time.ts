/** Converts the wall time of Rome to an instant, even in the two nights when clocks change. */
import {
  CalendarDateTime,
  fromAbsolute,
  parseDate,
  parseTime,
  toCalendarDateTime,
  toZoned,
} from '@internationalized/date';

const zone = 'Europe/Rome';

/** `date` is YYYY-MM-DD, `time` HH:MM; `second` means the later of two equal hours in autumn. */
export interface WallTime {
  date: string;
  time: string;
  second: boolean;
}

export const noTime: WallTime = { date: '', time: '', second: false };

/** `half`: a field is empty or is no date. `skipped`: the hour does not exist (spring). */
type Reading = { kind: 'empty' | 'half' | 'skipped' } | { kind: 'once' | 'twice'; at: number };

/** The instant of the fields; `second` decides between two equal hours. */
export function readWallTime({ date, time, second }: WallTime): Reading {
  if (date === '' && time === '') return { kind: 'empty' };
  const wall = parseWall(date, time);
  if (wall === null) return { kind: 'half' };
  const [earlier, later] = [toZoned(wall, zone, 'earlier'), toZoned(wall, zone, 'later')];
  if (toCalendarDateTime(earlier).compare(wall) !== 0) return { kind: 'skipped' };
  const [first, last] = [earlier.toDate().getTime(), later.toDate().getTime()];
  return first === last
    ? { kind: 'once', at: first }
    : { kind: 'twice', at: second ? last : first };
}

/** Milliseconds; null if the fields name no instant. */
export function instantOf(wall: WallTime): number | null {
  const reading = readWallTime(wall);
  return 'at' in reading ? reading.at : null;
}

/** The fields for an ISO instant; null gives empty fields. */
export function wallTimeOf(iso: string | null): WallTime {
  if (iso === null) return noTime;
  const zoned = fromAbsolute(Date.parse(iso), zone);
  const wall = toCalendarDateTime(zoned);
  const pad = (n: number) => String(n).padStart(2, '0');
  return {
    date: wall.toString().slice(0, 10),
    time: `${pad(wall.hour)}:${pad(wall.minute)}`,
    second: toZoned(wall, zone, 'earlier').compare(zoned) !== 0,
  };
}

/** The browser's field may add seconds; a year before 1000 is still being typed. */
function parseWall(date: string, time: string): CalendarDateTime | null {
  if (!/^[1-9]\d{3}-\d{2}-\d{2}$/.test(date) || !/^\d{2}:\d{2}/.test(time)) return null;
  try {
    return toCalendarDateTime(parseDate(date), parseTime(time));
  } catch {
    return null;
  }
}
