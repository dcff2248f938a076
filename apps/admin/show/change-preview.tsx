/** The effect of a change to a show, date by date, before it is saved. */
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { previewShow } from '#server/contract/shows.ts';
import { listEventFields } from '#server/domain/event/field-names.ts';
import { formatCount, formatShortDate } from '#apps/shared/format.ts';
import { MetList, useAskNames } from '#apps/admin/event/form/met-tickets.tsx';
import { ConfirmDialog } from '#apps/shared/ui/confirm-dialog.tsx';
import { Table, SecondLine } from '#apps/admin/kit/list/table.tsx';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import tableStyles from '#apps/admin/kit/list/table.module.css';
import formStyles from '#apps/admin/kit/form/form.module.css';

export type SeenChange = ReplyOf<typeof previewShow>;

interface ChangePreviewProps {
  seen: SeenChange;
  onSave: (more: { ask_names_by?: string }) => Promise<void>;
  onClose: () => void;
}

export function ChangePreview({ seen, onSave, onClose }: ChangePreviewProps) {
  const ask = useAskNames();
  const changing = seen.dates.filter(({ changes }) => changes.length > 0).length;
  const sold = seen.dates.reduce((sum, date) => sum + date.sold, 0);
  return (
    <ConfirmDialog
      title={`Cambiare ${formatCount(changing, 'data', 'date')}?`}
      confirmLabel={seen.buyers > 0 ? 'Salva e avvisa chi ha comprato' : 'Salva'}
      cancelLabel="Torna al modulo"
      disabled={ask.missing}
      onConfirm={() => onSave(ask.body)}
      onCancel={onClose}
      text={
        <div className={formStyles.stack}>
          <p>
            {seen.fields.length === 0
              ? 'Non cambia nulla.'
              : `Cambia nello spettacolo: ${listEventFields(seen.fields)}.`}
          </p>
          {sold > 0 && (
            <Notice>
              {formatCount(sold, 'biglietto già venduto tiene', 'biglietti già venduti tengono')} il
              prezzo con cui {sold === 1 ? 'è stato comprato' : 'sono stati comprati'}.
            </Notice>
          )}
          <MetList seen={seen} ask={ask} />
          {seen.buyers > 0 && (
            <Notice tone="warn">
              Cambia il luogo:{' '}
              {formatCount(seen.buyers, 'acquirente riceve', 'acquirenti ricevono')} un’e-mail.
            </Notice>
          )}
          <DateChanges seen={seen} />
        </div>
      }
    />
  );
}

function DateChanges({ seen }: { seen: SeenChange }) {
  if (seen.dates.length === 0) return <p>Nessuna data futura: cambia solo lo spettacolo.</p>;
  return (
    <>
      <Table columns={['Data', 'Cambia', { number: 'Venduti' }]}>
        <tbody>
          {seen.dates.map((date) => (
            <tr key={date.id}>
              <th scope="row">{formatShortDate(date.starts_at)}</th>
              <td>
                {date.changes.length === 0 ? 'niente' : listEventFields(date.changes)}
                {date.keeps.length > 0 && (
                  <SecondLine>tiene di suo: {listEventFields(date.keeps)}</SecondLine>
                )}
              </td>
              <td className={tableStyles.number}>{date.sold.toLocaleString('it-IT')}</td>
            </tr>
          ))}
        </tbody>
      </Table>
      {seen.untouched > 0 && (
        <p>
          {formatCount(
            seen.untouched,
            'data passata o annullata resta com’era.',
            'date passate o annullate restano com’erano.',
          )}
        </p>
      )}
    </>
  );
}
