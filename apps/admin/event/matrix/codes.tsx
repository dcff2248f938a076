/** The Stripe codes of the prices; an existing code can replace an amount. */
import { Link } from 'react-router-dom';
import { mostPrices } from '#server/contract/prices.ts';
import { formLengths } from '#server/domain/event/event.ts';
import { Table } from '#apps/admin/kit/list/table.tsx';
import { TechnicalDetails } from '#apps/admin/kit/page/technical-details.tsx';
import type { GridProps } from './grid.tsx';
import type { Cell } from './stored.ts';
import { cellAt, cellName } from './values.ts';
import styles from './matrix.module.css';

interface Code {
  name: string;
  label: string;
  key: string;
  cell: Cell;
}

export function Codes({ matrix, values, disabled, onChange }: GridProps) {
  const codes = matrix.sectors
    .filter(({ category }) => !values.notSold.includes(category))
    .flatMap(({ category, label }) =>
      values.types.map((type): Code => ({
        name: cellName(category, type.ticketType),
        label: `${label}, ${type.label}`,
        key: type.ticketType,
        cell: cellAt(values, category, type.ticketType),
      })),
    );
  const ids = [...new Set(codes.flatMap(({ cell }) => cell.price_id ?? []))];
  const enter = (name: string, typed: string) => {
    const price_id = typed.trim() === '' ? null : typed.trim();
    onChange({ ...values, cells: { ...values.cells, [name]: { text: '', price_id } } });
  };
  return (
    <TechnicalDetails fields>
      <p>
        I prezzi stanno su Stripe: chi scrive un importo nella tabella ne crea uno. Qui si può
        mettere il codice di un prezzo che esiste già.
      </p>
      <div className={styles.scroller}>
        <Table columns={['Settore e biglietto', 'Chiave', 'Codice']}>
          <tbody>
            {codes.map(({ name, label, key, cell }) => (
              <tr key={name}>
                <th scope="row">{label}</th>
                <td>
                  <code>{key}</code>
                </td>
                <td>
                  <input
                    className={`ui-input ${styles.code}`}
                    aria-label={`Codice del prezzo: ${label}`}
                    placeholder="price_…"
                    autoComplete="off"
                    autoCapitalize="none"
                    spellCheck={false}
                    maxLength={formLengths.price_id}
                    disabled={disabled}
                    value={cell.price_id ?? ''}
                    onChange={(event) => enter(name, event.target.value)}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      </div>
      {ids.length > 0 && ids.length <= mostPrices && (
        <Link to={`/prices?ids=${ids.map(encodeURIComponent).join(',')}`}>Controlla su Stripe</Link>
      )}
    </TechnicalDetails>
  );
}
