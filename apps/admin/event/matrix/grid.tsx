/** The table of prices: a row per ticket type, a column per sector, keys as in a spreadsheet. */
import type { ClipboardEvent, KeyboardEvent } from 'react';
import { formLengths } from '#server/domain/event/event.ts';
import { formatCount } from '#apps/shared/format.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import { Check } from '#apps/admin/kit/form/choices.tsx';
import { joinClasses } from '#apps/admin/kit/join-classes.ts';
import textStyles from '#apps/admin/kit/page/text.module.css';
import { readEuro } from '#apps/admin/kit/form/euro-field.tsx';
import {
  cellAt,
  cellFault,
  cellName,
  euroText,
  moveType,
  pasteAt,
  withText,
  type Values,
} from './values.ts';
import type { Matrix } from './stored.ts';
import styles from './matrix.module.css';

export interface GridProps {
  matrix: Matrix;
  values: Values;
  disabled: boolean;
  onChange: (values: Values) => void;
}

type Sector = Matrix['sectors'][number];

export function Grid(props: GridProps) {
  const { matrix, values, disabled, onChange } = props;
  return (
    <div className={styles.scroller}>
      <table className={styles.grid}>
        <caption className="visually-hidden">
          Prezzi in euro, una riga per biglietto e una colonna per settore
        </caption>
        <thead>
          <tr>
            <th scope="col">Biglietto</th>
            {matrix.sectors.map((sector) => (
              <SectorHead key={sector.category} {...props} sector={sector} />
            ))}
            <th scope="col">
              <span className="visually-hidden">Ordine</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {values.types.map((type, row) => (
            <tr key={type.ticketType}>
              <th scope="row">
                <input
                  className="ui-input"
                  data-at={`${row} -1`}
                  aria-label={`Nome del biglietto ${row + 1}`}
                  value={type.label}
                  maxLength={formLengths.ticket_label}
                  disabled={disabled}
                  onKeyDown={walk}
                  onChange={(event) =>
                    onChange({
                      ...values,
                      types: values.types.with(row, { ...type, label: event.target.value }),
                    })
                  }
                />
              </th>
              {matrix.sectors.map((sector, column) => (
                <td key={sector.category}>
                  <Amount {...props} sector={sector} row={row} column={column} />
                </td>
              ))}
              <td>
                <RowTools {...props} row={row} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Switches the whole sector between sold and not sold. */
function SectorHead({ values, disabled, onChange, sector }: GridProps & { sector: Sector }) {
  const { category, label, places } = sector;
  return (
    <th scope="col">
      {label}
      <span className={textStyles.soft}>
        {places === 0 ? 'non è nella pianta' : formatCount(places, 'posto', 'posti')}
      </span>
      <Check
        small
        label={
          <>
            Non in vendita<span className="visually-hidden">: {label}</span>
          </>
        }
        checked={values.notSold.includes(category)}
        disabled={disabled}
        onChange={(checked) =>
          onChange({
            ...values,
            notSold: checked
              ? [...values.notSold, category]
              : values.notSold.filter((other) => other !== category),
          })
        }
      />
    </th>
  );
}

interface AmountProps extends GridProps {
  sector: Sector;
  row: number;
  column: number;
  /** The phase whose amount it is, and the last price, which counts while it is empty. */
  of?: { phase: string; last: string };
}

export function Amount(props: AmountProps) {
  const { matrix, values, disabled, onChange, sector, row, column, of } = props;
  const type = requireValue(values.types[row], 'type');
  const isShut = values.notSold.includes(sector.category);
  const name = cellName(sector.category, type.ticketType);
  const cell = cellAt(values, sector.category, type.ticketType);
  const fault = isShut ? null : cellFault(cell);
  const cents = readEuro(cell.text);

  function paste(event: ClipboardEvent) {
    const text = event.clipboardData.getData('text/plain');
    if (!/[\t\n]/.test(text)) return;
    event.preventDefault();
    onChange(pasteAt(values, { text, row, column, sectors: matrix.sectors }));
  }

  return (
    <input
      className={joinClasses('ui-input', styles.amount)}
      data-at={`${row} ${column}`}
      aria-label={[type.label || 'Biglietto', sector.label, 'euro', ...(of ? [of.phase] : [])].join(
        ', ',
      )}
      aria-invalid={fault !== null || undefined}
      title={fault ?? undefined}
      inputMode="decimal"
      autoComplete="off"
      maxLength={12}
      placeholder={cell.price_id === null ? of?.last || '–' : 'N/D'}
      disabled={disabled || isShut}
      value={isShut ? '' : cell.text}
      onChange={(event) => onChange(withText(values, name, event.target.value))}
      onFocus={(event) => event.target.select()}
      onBlur={() => {
        // Rewrites only a typed amount: withText() would drop the id of a Stripe price.
        if (cell.price_id === null && cents !== null && fault === null)
          onChange(withText(values, name, euroText(cents)));
      }}
      onKeyDown={walk}
      onPaste={paste}
    />
  );
}

function RowTools({ values, disabled, onChange, row }: GridProps & { row: number }) {
  const label = values.types[row]?.label || `biglietto ${row + 1}`;
  return (
    <span className={styles.tools}>
      <Button
        small
        look="quiet"
        disabled={disabled || row === 0}
        aria-label={`Sposta in su ${label}`}
        onClick={() => onChange(moveType(values, row, -1))}
        label="↑"
      />
      <Button
        small
        look="quiet"
        disabled={disabled || row === values.types.length - 1}
        aria-label={`Sposta in giù ${label}`}
        onClick={() => onChange(moveType(values, row, 1))}
        label="↓"
      />
      <Button
        small
        look="quiet"
        disabled={disabled}
        aria-label={`Togli ${label}`}
        onClick={() => onChange({ ...values, types: values.types.toSpliced(row, 1) })}
        label="Togli"
      />
    </span>
  );
}

/** Up, down and Enter change the row; left and right leave a field only at its edge. */
function walk(event: KeyboardEvent<HTMLInputElement>): void {
  const input = event.currentTarget;
  const at = input.dataset['at'];
  if (at === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  const [row, column] = at.split(' ').map(Number) as [number, number];
  const [down, right] = stepOf(event, input);
  if (down === 0 && right === 0) return;
  event.preventDefault();
  const next = input
    .closest('table')
    ?.querySelector<HTMLInputElement>(`[data-at="${row + down} ${column + right}"]`);
  if (next && !next.disabled) next.focus();
}

function stepOf({ key, shiftKey }: KeyboardEvent, input: HTMLInputElement): [number, number] {
  const all = input.value.length;
  const isWhole = input.selectionStart === 0 && input.selectionEnd === all;
  const isAtStart = input.selectionEnd === 0 || isWhole;
  const isAtEnd = input.selectionStart === all || isWhole;
  if (key === 'Enter') return [shiftKey ? -1 : 1, 0];
  if (key === 'ArrowUp') return [-1, 0];
  if (key === 'ArrowDown') return [1, 0];
  if (key === 'ArrowLeft' && isAtStart) return [0, -1];
  if (key === 'ArrowRight' && isAtEnd) return [0, 1];
  return [0, 0];
}
