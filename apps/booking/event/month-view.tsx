/** The dates of a long show as a calendar, month by month, in a sheet over the page. */
import { formatListDate } from '#apps/shared/format.ts';
import { Drawer } from '#apps/shared/ui/drawer.tsx';
import type { SeatSelection, SelectionState } from '#apps/booking/event/seats/selection.ts';
import { DateLink, type ShowDate } from './date-link.tsx';
import { monthOf } from './month-of.ts';
import styles from './month-view.late.module.css';

interface MonthViewProps {
  title: string;
  dates: readonly ShowDate[];
  /** The id of the page's own date. */ shown: string;
  selection: SeatSelection;
  state: SelectionState;
  onClose: () => void;
}

const weekdays = ['lunedì', 'martedì', 'mercoledì', 'giovedì', 'venerdì', 'sabato', 'domenica'];

export function MonthView({ title, dates, shown, onClose, ...leaving }: MonthViewProps) {
  const months = new Set(dates.map(monthOf));
  return (
    <Drawer title={`Le date di ${title}`} onClose={onClose}>
      <div className={styles.months}>
        {[...months].map((month) => (
          <table key={month} className={styles.month}>
            <caption>{month}</caption>
            <thead>
              <tr>
                {weekdays.map((day) => (
                  <th key={day} scope="col">
                    <abbr title={day}>{day.slice(0, 3)}</abbr>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {weeksOf(dates.filter((date) => monthOf(date) === month)).map((week, at) => (
                <tr key={at}>
                  {week.map(({ day, on }, column) => (
                    <td key={column}>
                      {day > 0 && <span className={styles.day}>{day}</span>}
                      {on.map((date) => (
                        <DateLink
                          key={date.id}
                          hourOnly
                          date={date}
                          isShown={date.id === shown}
                          onGone={onClose}
                          {...leaving}
                        />
                      ))}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        ))}
      </div>
    </Drawer>
  );
}

/** The day of the month in Rome. */
function dayOf({ starts_at }: { starts_at: string }): number {
  return Number(formatListDate(starts_at).slice(0, 2));
}

interface Day<T> {
  /** 0: outside the month. */ day: number;
  on: T[];
}

/** The weeks of the month of these dates, Monday first. */
export function weeksOf<T extends { starts_at: string }>(inMonth: readonly T[]): Day<T>[][] {
  const [, month = 1, year = 1] = formatListDate(inMonth[0]?.starts_at ?? 0)
    .slice(0, 10)
    .split('/')
    .map(Number);
  const before = (new Date(Date.UTC(year, month - 1, 1)).getUTCDay() + 6) % 7;
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return Array.from({ length: Math.ceil((before + days) / 7) }, (_, week) =>
    weekdays.map((_day, column) => {
      const day = week * 7 + column - before + 1;
      return {
        day: day >= 1 && day <= days ? day : 0,
        on: inMonth.filter((date) => dayOf(date) === day),
      };
    }),
  );
}
