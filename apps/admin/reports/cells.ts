/** Formats the cells of a figure for its table, its picture, and (short) its axes. */
import type { Cell, Unit } from '#server/domain/report/figure.ts';
import {
  formatDate,
  formatDay,
  formatEuro,
  formatListDate,
  formatTime,
} from '#apps/shared/format.ts';

const dayMs = 86_400_000;
const hourMinutes = 60;
const dayMinutes = 24 * hourMinutes;
const minus = '−';
const euro = '\u00a0€';

/** With `sameEvening` all times are of one evening, so the day is left out. */
export function tellCell(cell: Cell, unit: Unit, sameEvening = false): string {
  if (cell === null) return '–';
  if (typeof cell === 'string') return unit === 'day' ? formatDate(cell) : cell;
  if (unit === 'time') return sameEvening ? formatTime(cell) : formatListDate(cell);
  return tellNumber(cell, unit);
}

function tellNumber(value: number, unit: Unit): string {
  return tellSize(value, unit).replace(/^-/, minus);
}

function tellSize(value: number, unit: Unit): string {
  switch (unit) {
    case 'cents':
      return formatEuro(value);
    case 'percent':
      return `${value.toLocaleString('it-IT', { maximumFractionDigits: 1 })}\u00a0%`;
    case 'minutes':
      return tellMinutes(value);
    default:
      return value.toLocaleString('it-IT', { useGrouping: 'always' });
  }
}

/** "95 min", "5 h 30 min", "12 giorni": long times are not shown in minutes. */
function tellMinutes(minutes: number): string {
  const sign = minutes < 0 ? minus : '';
  const long = Math.abs(minutes);
  if (long < 2 * hourMinutes) return `${sign}${Math.round(long)} min`;
  if (long >= 2 * dayMinutes) {
    const days = Math.round(long / dayMinutes);
    return `${sign}${days.toLocaleString('it-IT')} giorni`;
  }
  const rest = Math.round(long % hourMinutes);
  const hours = Math.floor(long / hourMinutes);
  return rest === 0 ? `${sign}${hours} h` : `${sign}${hours} h ${rest} min`;
}

/** A short number for an axis; cents are left out if all marks are whole euros. */
export function tellTick(value: number, unit: Unit, isWhole: boolean): string {
  if (unit !== 'cents' || !isWhole) return tellNumber(value, unit);
  return tellNumber(Math.round(value / 100), 'count') + euro;
}

/** A day or time on an axis; `step` is the distance of its marks in milliseconds. */
export function tellMoment(ms: number, step: number): string {
  if (step < dayMs) return formatTime(ms);
  const day = formatDay(ms);
  const [number = '', month = ''] = day.split(' ');
  return `${number} ${month.slice(0, 3)}`;
}

export function areWithinADay(cells: readonly Cell[]): boolean {
  const times = cells.filter((cell) => typeof cell === 'number');
  return times.length > 0 && Math.max(...times) - Math.min(...times) < dayMs;
}
