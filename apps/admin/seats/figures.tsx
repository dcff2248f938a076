/** The legend of seat states with their counts, and the figures of each category. */
import { seatStates, type SeatState } from '#server/domain/seat/seat-state.ts';
import { formatEuro } from '#apps/shared/format.ts';
import type { Seats, StateCounts } from './seats.ts';
import { seatStateWords } from '#apps/admin/kit/words.ts';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { Table } from '#apps/admin/kit/list/table.tsx';
import tableStyles from '#apps/admin/kit/list/table.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './figures.module.css';

/** The colour and letter of a state, as on the map. */
export function SeatMark({ state }: { state: SeatState }) {
  return (
    <span className={styles.mark} style={{ background: `var(--seat-${state})` }} aria-hidden="true">
      {seatStateWords[state].mark}
    </span>
  );
}

export function SeatState({ state }: { state: SeatState }) {
  return (
    <span className={styles.state}>
      <SeatMark state={state} /> {seatStateWords[state].word}
    </span>
  );
}

interface StateLegendProps {
  counts: StateCounts;
  chosen: SeatState | null;
  onChoose: (state: SeatState | null) => void;
}

/** The legend; an entry filters map and list by its state. */
export function StateLegend({ counts, chosen, onChoose }: StateLegendProps) {
  return (
    <ul className={styles.legend} aria-label="Legenda: tocca uno stato per vedere solo quei posti">
      {seatStates.map((state) => (
        <li key={state}>
          <button
            type="button"
            aria-pressed={state === chosen}
            onClick={() => onChoose(state === chosen ? null : state)}
          >
            <SeatMark state={state} /> {seatStateWords[state].many}{' '}
            <b>{counts[state].toLocaleString('it-IT')}</b>
          </button>
        </li>
      ))}
    </ul>
  );
}

type Figures = Omit<Seats['categories'][number], 'category'>;

const figureNames = ['places', ...seatStates, 'income_cents'] as const;

/** "Venduti" counts all sold seats, including those of people inside. */
export function CategoryFigures({ categories }: { categories: Seats['categories'] }) {
  const sum = (name: keyof Figures) =>
    categories.reduce((total, category) => total + category[name], 0);
  const total = Object.fromEntries(figureNames.map((name) => [name, sum(name)])) as Figures;
  return (
    <Panel as="div" className={styles.seatFigures}>
      <h2 id="figures-title">Per categoria</h2>
      <Table
        cards
        className={styles.figures}
        aria-labelledby="figures-title"
        columns={[
          'Categoria',
          { number: 'Posti' },
          ...seatStates.map((state) => ({ number: seatStateWords[state].many })),
          { number: 'Incasso' },
        ]}
      >
        <tbody>
          {categories.map(({ category, ...figures }) => (
            <tr key={category}>
              <th scope="row">{category || 'Senza categoria'}</th>
              <FigureCells figures={figures} />
            </tr>
          ))}
        </tbody>
        {categories.length > 1 && (
          <tfoot>
            <tr>
              <th scope="row">Totale</th>
              <FigureCells figures={total} />
            </tr>
          </tfoot>
        )}
      </Table>
      <p className={textStyles.soft}>
        Tra i venduti ci sono anche gli entrati. L’incasso è la somma dei biglietti validi.
      </p>
    </Panel>
  );
}

function FigureCells({ figures }: { figures: Figures }) {
  const shown = { ...figures, sold: figures.sold + figures.inside };
  return (
    <>
      <td className={tableStyles.number}>
        <Label text="Posti" />
        {shown.places.toLocaleString('it-IT')}
      </td>
      {seatStates.map((state) => (
        <td
          key={state}
          className={
            shown[state] === 0 ? `${tableStyles.number} ${textStyles.soft}` : tableStyles.number
          }
        >
          <Label text={seatStateWords[state].many} />
          {shown[state].toLocaleString('it-IT')}
        </td>
      ))}
      <td className={tableStyles.number}>
        <Label text="Incasso" />
        {formatEuro(shown.income_cents)}
      </td>
    </>
  );
}

/** In a narrow table the column's name stands beside the number. */
function Label({ text }: { text: string }) {
  return <span className={tableStyles.label}>{text} </span>;
}
