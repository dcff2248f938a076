/** One figure of a report: its picture, the table behind it, and its files. */
import { Suspense, useId, useState, type ReactNode } from 'react';
import type { Figure, Shape, Unit } from '#server/domain/report/figure.ts';
import { latePart } from '#apps/shared/late-part.ts';
import { Spinner } from '#apps/shared/ui/spinner.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import { Segments } from '#apps/admin/kit/form/choices.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import panelStyles from '#apps/admin/kit/page/panel.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import { FigureTable } from './figure-table.tsx';
import { Hall } from './hall.tsx';
import { Numbers } from './numbers.tsx';
import { isNothing, unitsOf } from './plot-data.ts';
import { usePrinting } from './printing.ts';
import type { PlotProps } from './plot.tsx';
import styles from './report.module.css';

/** The picture's script is fetched after the numbers; if that fails, the table remains. */
const Plot = latePart(async () => (await import('./plot.tsx')).Plot, NoPlot);

function NoPlot() {
  return (
    <p className={textStyles.warn}>
      Il disegno non si è potuto caricare: i valori sono nella tabella.
    </p>
  );
}

interface FigureProps {
  figure: Figure;
  /** The event whose hall is drawn; null: the figure is about several events. */
  eventId: string | null;
  files: ReactNode;
}

export function FigurePanel({ figure, eventId, files }: FigureProps) {
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const isPrinting = usePrinting();
  const isEmpty = figure.rows.length === 0;
  const isTable = figure.shape === 'table' || (figure.shape === 'hall' && eventId === null);
  const foldable = !isEmpty && !isTable && figure.shape !== 'numbers';
  const fits = figure.shape !== 'hall' || figure.rows.length <= mostPrintedSeats;
  const hasTable = !isEmpty && (isTable || (foldable && (isOpen || (isPrinting && fits))));
  return (
    <Panel aria-labelledby={id} wide={isWide(figure)} className={styles.figure}>
      <div className={panelStyles.title}>
        <h2 id={id}>{figure.title}</h2>
      </div>
      {figure.note !== null && <p className={textStyles.soft}>{figure.note}</p>}
      {isEmpty ? (
        <p className={textStyles.soft}>Finora non c’è nulla da mostrare.</p>
      ) : (
        <Picture figure={figure} eventId={eventId} />
      )}
      {hasTable && <FigureTable figure={figure} />}
      {!isEmpty && (
        <div className={styles.below}>
          {foldable && (
            <Button
              look="quiet"
              small
              icon="list"
              aria-expanded={isOpen}
              onClick={() => setIsOpen(!isOpen)}
              label={isOpen ? 'Nascondi la tabella' : 'Mostra la tabella'}
            />
          )}
          {files}
        </div>
      )}
    </Panel>
  );
}

/** Longer lists of seats are not printed. */
const mostPrintedSeats = 60;

const wideShapes: readonly Shape[] = ['numbers', 'lines', 'hall', 'table'];

/** Figures over time take the full width. */
function isWide({ shape, columns }: Figure): boolean {
  return wideShapes.includes(shape) || columns[0]?.unit !== 'text' || columns.length > 5;
}

function Picture({ figure, eventId }: Omit<FigureProps, 'files'>) {
  switch (figure.shape) {
    case 'numbers':
      return <Numbers figure={figure} />;
    case 'hall':
      return eventId === null ? null : <Hall figure={figure} eventId={eventId} />;
    case 'table':
      return null;
    default:
      return <Plotted figure={figure} shape={figure.shape} />;
  }
}

const unitWords: Partial<Record<Unit, string>> = {
  cents: 'Importi',
  count: 'Quantità',
  percent: 'Percentuali',
  minutes: 'Durate',
};

function Plotted({ figure, shape }: Omit<PlotProps, 'unit'>) {
  const units = unitsOf(figure);
  const [chosen, setChosen] = useState<Unit | null>(null);
  const unit = units.find((known) => known === chosen) ?? units[0];
  if (unit === undefined) return null;
  if (isNothing(figure))
    return <p className={textStyles.soft}>Finora è tutto a zero: non c’è nulla da disegnare.</p>;
  return (
    <>
      {units.length > 1 && (
        <Segments
          legend={`Che cosa si vede: ${figure.title}`}
          value={unit}
          options={units.map((known) => [known, unitWords[known] ?? known] as const)}
          onChange={setChosen}
        />
      )}
      <Suspense fallback={<Spinner text="Disegno…" />}>
        <Plot key={unit} figure={figure} shape={shape} unit={unit} />
      </Suspense>
    </>
  );
}
