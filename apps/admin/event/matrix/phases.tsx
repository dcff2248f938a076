/** Phases of prices: each with its name, its end and a table of amounts that differ meanwhile. */
import { mostPhases } from '#server/domain/price/price-bounds.ts';
import type { ReactNode } from 'react';
import { phaseEndKinds, type PhaseEndKind } from '#server/domain/price/phase.ts';
import { Badge } from '#apps/shared/ui/badge.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import { Segments } from '#apps/admin/kit/form/choices.tsx';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import formStyles from '#apps/admin/kit/form/form.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import { Amount, type GridProps } from './grid.tsx';
import {
  faultsOfPhases,
  newPhase,
  sayEnd,
  type PhaseFaults,
  type PhaseValues,
} from './phase-values.ts';
import { cellAt, isEmptyCell } from './values.ts';
import styles from './phases.module.css';
import gridStyles from './matrix.module.css';

export interface PhasesProps extends GridProps {
  /** Whether faults are shown beside their fields. */
  isTried: boolean;
}

export function Phases(props: PhasesProps) {
  const { values, disabled, onChange, isTried } = props;
  const { phases } = values;
  const faults = isTried ? faultsOfPhases(phases) : [];
  return (
    <Panel>
      <h2>Fasi di prezzo</h2>
      <p>
        Prima dei prezzi della tabella possono valerne altri: fino a un giorno, fino a poche ore
        prima dell’inizio o fino a un numero di biglietti venduti. Vale la prima fase che non è
        finita; dopo l’ultima valgono i prezzi della tabella. Chi compra legge il prossimo prezzo.
      </p>
      {phases.map((phase, at) => (
        <Phase key={phase.id} {...props} phase={phase} at={at} faults={faults[at] ?? {}} />
      ))}
      <Button
        small
        icon="plus"
        disabled={disabled || phases.length >= mostPhases}
        label="Aggiungi una fase"
        onClick={() => onChange({ ...values, phases: [...phases, newPhase(phases)] })}
      />
    </Panel>
  );
}

interface PhaseProps extends PhasesProps {
  phase: PhaseValues;
  at: number;
  faults: PhaseFaults;
}

function Phase(props: PhaseProps) {
  const { matrix, values, disabled, onChange, phase, at, faults } = props;
  const set = (part: Partial<PhaseValues>) =>
    onChange({ ...values, phases: values.phases.with(at, { ...phase, ...part }) });
  const name = phase.name.trim() || `Fase ${at + 1}`;
  return (
    <section className={styles.phase} aria-label={name}>
      <header className={styles.head}>
        <h3>
          {at + 1}. {name}
        </h3>
        {matrix.phase_now === phase.id && <Badge icon="check">Vale adesso</Badge>}
        <Tools {...props} name={name} />
      </header>
      <div className={styles.fields}>
        <TextField
          label="Nome"
          hint="Lo legge chi compra alla pagina di pagamento."
          value={phase.name}
          maxLength={60}
          disabled={disabled}
          error={faults.name ?? null}
          onChange={(text) => set({ name: text })}
        />
        <End phase={phase} disabled={disabled} error={faults.end ?? null} set={set} />
      </div>
      <p className={textStyles.soft}>{sentenceOf(values.phases, at)}</p>
      <PhaseGrid {...props} name={name} />
    </section>
  );
}

/** "Vale fino al 9 dicembre compreso, poi comincia «Seconda»." */
function sentenceOf(phases: readonly PhaseValues[], at: number): string {
  const phase = phases[at];
  const end = phase === undefined ? '' : sayEnd(phase);
  const next = phases[at + 1];
  const then = next === undefined ? 'valgono i prezzi della tabella' : `comincia «${next.name}»`;
  return end === '' ? '' : `Vale ${end}, poi ${then}.`;
}

function Tools({ values, disabled, onChange, at, name }: PhaseProps & { name: string }) {
  const { phases } = values;
  const move = (by: 1 | -1) => {
    const moved = phases.slice(at, at + 1);
    onChange({ ...values, phases: phases.toSpliced(at, 1).toSpliced(at + by, 0, ...moved) });
  };
  return (
    <span className={gridStyles.tools}>
      <Button
        small
        look="quiet"
        disabled={disabled || at === 0}
        aria-label={`Sposta prima la fase ${name}`}
        onClick={() => move(-1)}
        label="↑"
      />
      <Button
        small
        look="quiet"
        disabled={disabled || at === phases.length - 1}
        aria-label={`Sposta dopo la fase ${name}`}
        onClick={() => move(1)}
        label="↓"
      />
      <Button
        small
        look="quiet"
        disabled={disabled}
        aria-label={`Togli la fase ${name}`}
        onClick={() => onChange({ ...values, phases: phases.toSpliced(at, 1) })}
        label="Togli"
      />
    </span>
  );
}

const kindNames: Record<PhaseEndKind, string> = {
  day: 'Un giorno',
  hours_before: 'Ore prima dell’inizio',
  sold: 'Biglietti venduti',
};

interface EndProps {
  phase: PhaseValues;
  disabled: boolean;
  error: string | null;
  set: (part: Partial<PhaseValues>) => void;
}

function End({ phase, disabled, error, set }: EndProps) {
  return (
    <div className={formStyles.stack}>
      <div>
        <span className="ui-field-label">Finisce con</span>
        <Segments
          legend="Finisce con"
          value={phase.kind}
          options={phaseEndKinds.map((kind) => [kind, kindNames[kind]] as const)}
          onChange={(kind) => set({ kind })}
        />
      </div>
      <EndField {...{ phase, disabled, error, set }} />
    </div>
  );
}

function EndField({ phase, disabled, error, set }: EndProps): ReactNode {
  const shared = { disabled, error };
  if (phase.kind === 'day')
    return (
      <TextField
        {...shared}
        label="Fino al giorno, compreso"
        type="date"
        value={phase.last_day}
        onChange={(last_day) => set({ last_day })}
      />
    );
  const count = { ...shared, inputMode: 'numeric', maxLength: 6 } as const;
  if (phase.kind === 'hours_before')
    return (
      <TextField
        {...count}
        label="Fino a quante ore prima dell’inizio"
        value={phase.hours}
        onChange={(hours) => set({ hours })}
      />
    );
  return (
    <TextField
      {...count}
      label="Fino a quanti biglietti venduti"
      hint="Contano tutti i biglietti di una data. Chi sta già comprando paga ancora questa fase."
      value={phase.tickets}
      onChange={(tickets) => set({ tickets })}
    />
  );
}

/** The amounts of a phase; an empty one is the last price, which stands in its place. */
function PhaseGrid(props: PhaseProps & { name: string }) {
  const { matrix, values, disabled, onChange, phase, at, name } = props;
  const own = { ...values, cells: phase.cells };
  const sectors = matrix.sectors.filter(({ category }) => !values.notSold.includes(category));
  if (sectors.length === 0 || values.types.length === 0) return null;
  return (
    <div className={gridStyles.scroller}>
      <table className={gridStyles.grid}>
        <caption className="visually-hidden">Prezzi in euro della fase {name}</caption>
        <thead>
          <tr>
            <th scope="col">Biglietto</th>
            {sectors.map(({ category, label }) => (
              <th key={category} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {values.types.map((type, row) => (
            <tr key={type.ticketType}>
              <th scope="row">{type.label || 'Biglietto'}</th>
              {sectors.map((sector, column) => {
                const last = cellAt(values, sector.category, type.ticketType);
                return (
                  <td key={sector.category}>
                    <Amount
                      matrix={{ ...matrix, sectors }}
                      values={own}
                      disabled={disabled || isEmptyCell(last)}
                      onChange={({ cells }) =>
                        onChange({ ...values, phases: values.phases.with(at, { ...phase, cells }) })
                      }
                      sector={sector}
                      row={row}
                      column={column}
                      of={{ phase: name, last: last.text }}
                    />
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
