/** Asks before prices are saved: old and new price, and how many sold places keep the old one. */
import type { ReactNode } from 'react';
import { formatCount } from '#apps/shared/format.ts';
import { ConfirmDialog } from '#apps/shared/ui/confirm-dialog.tsx';
import { Table, SecondLine } from '#apps/admin/kit/list/table.tsx';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import formStyles from '#apps/admin/kit/form/form.module.css';
import type { Matrix } from './stored.ts';
import { cellAt, changesOf, isEmptyCell, type Values } from './values.ts';

interface ChangesProps {
  matrix: Matrix;
  values: Values;
  effect: ReactNode;
  onSave: () => Promise<void>;
  onClose: () => void;
}

export function Changes({ matrix, values, effect, onSave, onClose }: ChangesProps) {
  const changes = changesOf(matrix, values);
  const unsaid = matrix.sectors.filter(
    ({ category }) =>
      !values.notSold.includes(category) &&
      values.types.every(({ ticketType }) => isEmptyCell(cellAt(values, category, ticketType))),
  );
  return (
    <ConfirmDialog
      title="Salvare i prezzi?"
      confirmLabel="Salva i prezzi"
      cancelLabel="Torna alla tabella"
      onConfirm={onSave}
      onCancel={onClose}
      text={
        <div className={formStyles.stack}>
          {changes.length === 0 ? (
            <p>Nessun prezzo cambia: cambiano l’ordine o i settori in vendita.</p>
          ) : (
            <Table columns={['Settore e biglietto', 'Prima', 'Dopo']}>
              <tbody>
                {changes.map(({ where, from, to, sold }) => (
                  <tr key={where}>
                    <th scope="row">
                      {where}
                      {sold > 0 && (
                        <SecondLine>
                          {formatCount(sold, 'posto venduto tiene', 'posti venduti tengono')} il
                          prezzo di prima
                        </SecondLine>
                      )}
                    </th>
                    <td>{from}</td>
                    <td>
                      <strong>{to}</strong>
                    </td>
                  </tr>
                ))}
              </tbody>
            </Table>
          )}
          {unsaid.length > 0 && (
            <Notice tone="warn">
              Senza prezzi e senza «Non in vendita»: {unsaid.map(({ label }) => label).join(', ')}.
              Così l’evento non si può pubblicare.
            </Notice>
          )}
          {effect}
        </div>
      }
    />
  );
}
