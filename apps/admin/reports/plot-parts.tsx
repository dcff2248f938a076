/** Parts of a plot: its legend, and the values at a chosen point. */
import { areWithinADay, tellCell } from './cells.ts';
import type { PlotData } from './plot-data.ts';
import styles from './plot.module.css';

interface LegendProps {
  data: PlotData;
  hidden: readonly string[];
  onToggle: (key: string) => void;
}

export function Legend({ data: { drawn }, hidden, onToggle }: LegendProps) {
  const swatch = <canvas data-swatch aria-hidden="true" />;
  return (
    <ul className={styles.legend}>
      {drawn.map(({ key, label, pale }) => (
        <li key={key} data-pale={pale || undefined}>
          {drawn.length === 1 ? (
            <span>
              {swatch} {label}
            </span>
          ) : (
            <button
              type="button"
              aria-pressed={!hidden.includes(key)}
              onClick={() => onToggle(key)}
            >
              {swatch} {label}
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

interface ReadingProps {
  data: PlotData;
  hidden: readonly string[];
  row: number | null;
  onRead: (row: number | null) => void;
}

/** The values of a row, and a slider that chooses it by keys, fingers and screen readers. */
export function Reading({ data, hidden, row, onRead }: ReadingProps) {
  const last = data.cells.length - 1;
  const at = row ?? last;
  const values = data.drawn.filter(({ key }) => !hidden.includes(key));
  const place = tellCell(data.cells[at] ?? null, data.along, areWithinADay(data.cells));
  const told = values.map((one) => [one, tellCell(one.values[at] ?? null, data.unit)] as const);
  return (
    <div className={styles.reading}>
      {last > 0 && (
        <input
          type="range"
          aria-label={`Valori del grafico: ${data.title}`}
          aria-valuetext={`${place}: ${told.map(([{ label }, value]) => `${label} ${value}`).join(', ')}`}
          min={0}
          max={last}
          value={at}
          onChange={(event) => onRead(Number(event.target.value))}
          onFocus={() => onRead(at)}
          onBlur={() => onRead(null)}
        />
      )}
      <p aria-hidden="true">
        {row === null && last > 0 && <span>Scorri il cursore per leggere i valori.</span>}
        {row !== null && (
          <>
            <b>{place}</b>
            {told.map(([{ key, label }, value]) => (
              <span key={key}>
                {label} <b>{value}</b>
              </span>
            ))}
          </>
        )}
      </p>
    </div>
  );
}
