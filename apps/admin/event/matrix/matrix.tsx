/** The form around the table of prices: ticket types, presale fee, changes, Stripe codes. */
import { useState, type ReactNode } from 'react';
import { Button } from '#apps/admin/kit/button.tsx';
import { EuroField } from '#apps/admin/kit/form/euro-field.tsx';
import { SaveBar } from '#apps/admin/kit/form/save-bar.tsx';
import { useUnsavedGuard } from '#apps/admin/kit/form/unsaved-guard.tsx';
import { tellFailure } from '#apps/admin/kit/page/loaded.tsx';
import { FailureNotice, Notice } from '#apps/admin/kit/page/notice.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import sectionStyles from '#apps/admin/kit/form/form-section.module.css';
import formStyles from '#apps/admin/kit/form/form.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import { Changes } from './changes.tsx';
import { Codes } from './codes.tsx';
import { Grid, type GridProps } from './grid.tsx';
import { Phases } from './phases.tsx';
import {
  priceBodyOf,
  faultsOf,
  areSamePrices,
  priceValuesOf,
  withType,
  type Values,
} from './values.ts';
import type { Matrix, MatrixBody } from './stored.ts';
import styles from './matrix.module.css';

interface PriceMatrixProps {
  matrix: Matrix;
  /** Null: read only. */
  onSave: ((prices: MatrixBody) => Promise<unknown>) | null;
  /** Says what else a save changes. */
  effect?: ReactNode;
  /** Shown above the table. */
  children?: ReactNode;
}

const firstLabels = ['Intero', 'Ridotto', 'Omaggio'];

/** Use the version in `key`, so that a new version restarts the form. */
export function PriceMatrix({ matrix, onSave, effect, children }: PriceMatrixProps) {
  const [saved] = useState(() => priceValuesOf(matrix));
  const [values, setValues] = useState<Values>(saved);
  const [faults, setFaults] = useState<string[]>([]);
  const [asking, setAsking] = useState(false);
  const [isTried, setTried] = useState(false);
  const dirty = !areSamePrices(values, saved);
  const guard = useUnsavedGuard(dirty);
  const grid = { matrix, values, disabled: onSave === null, onChange: setValues };

  async function look() {
    const found = faultsOf(matrix, values);
    setFaults(found);
    setTried(true);
    setAsking(found.length === 0);
  }

  async function save() {
    try {
      await onSave?.(priceBodyOf(matrix, values));
    } catch (error) {
      setFaults([tellFailure(error)]);
    }
    setAsking(false);
  }

  return (
    <div className={sectionStyles.form}>
      <TablePanel {...grid} faults={faults}>
        {children}
      </TablePanel>
      {matrix.sectors.length > 0 && <Phases {...grid} isTried={isTried} />}
      <SaveBar
        dirty={dirty}
        note=""
        saveLabel="Salva i prezzi…"
        onSave={onSave && look}
        onDiscard={() => {
          setValues(saved);
          setFaults([]);
          setTried(false);
        }}
      />
      {guard}
      {asking && (
        <Changes
          matrix={matrix}
          values={values}
          effect={effect}
          onSave={save}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}

function TablePanel({
  faults,
  children,
  ...grid
}: GridProps & { faults: readonly string[]; children: ReactNode }) {
  return (
    <Panel>
      <h2>Prezzi</h2>
      {children}
      <FailureNotice text={faults.length === 0 ? null : faults.join(' ')} />
      {grid.values.phases.length > 0 && (
        <Notice>
          Qui stanno i prezzi finali: valgono quando tutte le fasi, qui sotto, sono finite.
        </Notice>
      )}
      <TableOrReason {...grid} />
      <AddType {...grid} />
      <FeeField {...grid} />
      <Codes {...grid} />
    </Panel>
  );
}

function FeeField({ values, onChange }: Pick<GridProps, 'values' | 'onChange'>) {
  return (
    <div className={styles.fee}>
      <EuroField
        label="Diritto di prevendita per biglietto, in euro (facoltativo)"
        hint="Si aggiunge a ogni biglietto che costa qualcosa, e si vede fin dall’inizio."
        value={values.fee.text}
        onChange={(text) => onChange({ ...values, fee: { text, price_id: null } })}
      />
    </div>
  );
}

function TableOrReason(props: GridProps) {
  if (props.matrix.sectors.length > 0) return <Grid {...props} />;
  return (
    <Notice tone="warn" icon="map">
      Non ci sono ancora settori: prima scegli la pianta, nelle impostazioni dell’evento.
    </Notice>
  );
}

function AddType({ values, disabled, onChange }: GridProps) {
  const label =
    firstLabels.find((known) => values.types.every((type) => type.label !== known)) ??
    `Biglietto ${values.types.length + 1}`;
  return (
    <div className={formStyles.stack}>
      <Button
        small
        icon="plus"
        disabled={disabled || values.types.length >= 20}
        label={`Aggiungi «${label}»`}
        onClick={() => onChange(withType(values, label))}
      />
      <p className={textStyles.soft}>
        Una casella vuota: quel biglietto lì non si vende. Frecce e Invio passano da una casella
        all’altra, e si può incollare da un foglio di calcolo.
      </p>
    </div>
  );
}
