/** The acts on a chart other than drawing it: rename, copy, download, archive. */
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { archiveChart, copyChart, renameChart } from '#server/contract/charts.ts';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { AskButton } from '#apps/admin/kit/ask-button.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import { FormActions } from '#apps/admin/kit/form/form-actions.tsx';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { useSubmit } from '#apps/admin/kit/form/use-submit.ts';
import { useChange } from '#apps/admin/kit/refresh.ts';
import type { ChartDetail } from './chart-detail.ts';
import { ExportButton } from './export-button.tsx';
import { chartPath } from './links.ts';
import formStyles from '#apps/admin/kit/form/form.module.css';
import styles from './chart.module.css';

export function ChartActs({ chart }: { chart: ChartDetail }) {
  const change = useChange();
  const navigate = useNavigate();
  const [asking, setAsking] = useState<'name' | 'copy' | null>(null);
  const params = { chartKey: chart.key };
  const close = () => setAsking(null);

  async function copy(name: string) {
    const { key } = await change(copyChart, { params, body: { name } });
    await navigate(chartPath(key));
  }

  return (
    <div className={styles.acts}>
      <Button small label="Rinomina…" onClick={() => setAsking('name')} />
      <Button small icon="copy" label="Duplica…" onClick={() => setAsking('copy')} />
      <ExportButton chart={chart} />
      {chart.archived ? (
        <Button
          small
          label="Togli dall’archivio"
          onClick={() => void change(archiveChart, { params, body: { archived: false } })}
        />
      ) : (
        <AskButton
          label="Archivia…"
          title="Archiviare la pianta?"
          text={<p>{archiveWords(chart.used.coming)}</p>}
          confirmLabel="Archivia"
          onConfirm={() => change(archiveChart, { params, body: { archived: true } })}
        />
      )}
      {asking === 'name' && (
        <NameDialog
          title="Rinomina la pianta"
          hint="Vale subito, per chi compra e per chi disegna."
          name={chart.name}
          submitLabel="Rinomina"
          onClose={close}
          onSend={async (name) => {
            await change(renameChart, { params, body: { name } });
            close();
          }}
        />
      )}
      {asking === 'copy' && (
        <NameDialog
          title="Duplica la pianta"
          hint="Con tutto quello che è disegnato, anche se non è ancora pubblicato."
          name={`${chart.name} (copia)`}
          submitLabel="Duplica"
          onClose={close}
          onSend={copy}
        />
      )}
    </div>
  );
}

function archiveWords(coming: number): string {
  const stays = 'La pianta sparisce dall’elenco; la ritrovi in archivio.';
  if (coming === 0) return stays;
  return `${stays} Gli eventi che la usano continuano come prima.`;
}

interface NameDialogProps {
  title: string;
  hint: string;
  name: string;
  submitLabel: string;
  onSend: (name: string) => Promise<unknown>;
  onClose: () => void;
}

function NameDialog({ title, hint, name: before, submitLabel, onSend, onClose }: NameDialogProps) {
  const [name, setName] = useState(before);
  const { busy, failure, submit } = useSubmit(() => onSend(name.trim()));
  return (
    <Modal title={title} onClose={onClose}>
      <form className={formStyles.stack} onSubmit={submit}>
        <TextField
          label="Nome"
          value={name}
          onChange={setName}
          hint={hint}
          maxLength={200}
          required
        />
        <FormActions
          busy={busy}
          failure={failure}
          disabled={name.trim() === ''}
          onCancel={onClose}
          submitLabel={submitLabel}
        />
      </form>
    </Modal>
  );
}
