/** The list in which each table of the hall is sold whole or seat by seat. */
import { formatCount } from '#apps/shared/format.ts';
import { isSoldWhole, type ChartWhole, type TableChoice, type WholeTerms } from './whole-values.ts';
import { Check } from '#apps/admin/kit/form/choices.tsx';
import styles from './form.module.css';

interface BySingleTableProps {
  tables: readonly ChartWhole[];
  terms: WholeTerms;
  onChange: (choice: TableChoice) => void;
}

export function BySingleTable({ tables, terms, onChange }: BySingleTableProps) {
  const named = terms.tables.tables ?? {};
  return (
    <fieldset className={styles.tables}>
      <legend>Interi</legend>
      {tables.map((table) => (
        <Check
          key={table.label}
          small
          label={table.name}
          hint={
            formatCount(table.places, 'posto', 'posti') + (table.in_use ? ', non cambia più' : '')
          }
          disabled={table.in_use}
          checked={isSoldWhole(table, terms)}
          onChange={(checked) =>
            onChange({
              mode: 'CUSTOM',
              tables: { ...named, [table.label]: checked ? 'BY_TABLE' : 'BY_SEAT' },
            })
          }
        />
      ))}
    </fieldset>
  );
}
