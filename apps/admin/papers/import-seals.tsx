/** The dialog that imports a file of seals: a preview line by line, then all correct lines. */
import { useState } from 'react';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { importSeals, previewSeals } from '#server/contract/papers.ts';
import {
  sealColumnNames,
  sealFileFaultWords,
  sealProblemWords,
  type SealFileFault,
  type SealOutcome,
} from '#server/domain/papers/seal-file.ts';
import { sayAtLine } from '#server/domain/text/table-fault.ts';
import { CallError } from '#apps/shared/api.ts';
import { formatCount } from '#apps/shared/format.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { Spinner } from '#apps/shared/ui/spinner.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import { DropZone } from '#apps/admin/kit/form/drop-zone.tsx';
import { Table, SecondLine } from '#apps/admin/kit/list/table.tsx';
import { tellFailure } from '#apps/admin/kit/page/loaded.tsx';
import { FailureNotice, Notice } from '#apps/admin/kit/page/notice.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';
import { useAct } from '#apps/admin/kit/session/session.ts';
import { StateBadge } from '#apps/admin/kit/state-badge.tsx';
import type { StateWords } from '#apps/admin/kit/words.ts';
import formStyles from '#apps/admin/kit/form/form.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';

type Preview = ReplyOf<typeof previewSeals>;

export function ImportSeals({ eventId }: { eventId: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button icon="upload" onClick={() => setOpen(true)} label="Importa i sigilli…" />
      {open && <ImportDialog eventId={eventId} onClose={() => setOpen(false)} />}
    </>
  );
}

interface Looked {
  file: File;
  preview: Preview;
}

function useImport(eventId: string) {
  const act = useAct();
  const change = useChange();
  const [looked, setLooked] = useState<Looked | null>(null);
  const [done, setDone] = useState<number | null>(null);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const params = { eventId };

  async function look(file: File | undefined) {
    if (file === undefined || busy) return;
    setBusy(true);
    setFailure(null);
    const body = new FormData();
    body.set('file', file);
    await act(previewSeals, { params, body }).then(
      (preview) => setLooked({ file, preview }),
      (error: unknown) => setFailure(sayFault(error)),
    );
    setBusy(false);
  }

  async function take({ file, preview }: Looked) {
    const body = new FormData();
    body.set('digest', preview.digest);
    body.set('file', file);
    try {
      setDone((await change(importSeals, { params, body })).seals);
    } catch (error) {
      // The tickets have changed, so the preview is fetched again.
      if (error instanceof CallError && error.code === 'seals_changed') await look(file);
      throw error;
    }
  }
  return { looked, done, busy, failure, look, take, back: () => setLooked(null) };
}

function sayFault(error: unknown): string {
  if (!(error instanceof CallError) || error.code !== 'seal_file_unreadable')
    return tellFailure(error);
  const { reason, line } = error.detail as { reason: SealFileFault; line: number | null };
  return sayAtLine(sealFileFaultWords[reason], line);
}

function ImportDialog({ eventId, onClose }: { eventId: string; onClose: () => void }) {
  const { looked, done, busy, failure, look, take, back } = useImport(eventId);
  const frame = { title: 'Importa i sigilli', onClose };
  if (done !== null)
    return (
      <Modal {...frame} actions={<Button look="primary" onClick={onClose} label="Chiudi" />}>
        <Notice tone="good">
          {formatCount(done, 'sigillo importato', 'sigilli importati')}. L’importazione si può
          annullare.
        </Notice>
      </Modal>
    );
  if (looked === null)
    return (
      <Modal {...frame} actions={<Button onClick={onClose} label="Torna indietro" />}>
        <Choice busy={busy} failure={failure} onFile={(file) => void look(file)} />
      </Modal>
    );
  const { counts } = looked.preview;
  const written = counts.new + counts.replaces;
  return (
    <Modal
      {...frame}
      actions={
        <>
          <Button onClick={back} label="Un altro file" />
          {written > 0 && (
            <AsyncButton variant="primary" onClick={() => take(looked)}>
              {written === 1 ? 'Importa 1 sigillo' : `Importa ${written} sigilli`}
            </AsyncButton>
          )}
        </>
      }
    >
      <Found preview={looked.preview} />
    </Modal>
  );
}

interface ChoiceProps {
  busy: boolean;
  failure: string | null;
  onFile: (file: File | undefined) => void;
}

function Choice({ busy, failure, onFile }: ChoiceProps) {
  return (
    <div className={formStyles.stack}>
      <p>
        Un file CSV del sistema riconosciuto, con i titoli delle colonne sopra le righe. Serve la
        colonna «Sigillo fiscale» e una che dica il biglietto: «Codice», «Ordine» o «Posto». Si
        leggono anche «Settore», «Fila», «Progressivo» e «Carta».
      </p>
      <DropZone accept=".csv,.txt,text/csv" onFile={onFile}>
        <span>
          <b>Scegli il file</b> o trascinalo qui
        </span>
      </DropZone>
      {busy && <Spinner text="Leggo il file…" />}
      <FailureNotice text={failure} />
    </div>
  );
}

const outcomes: Record<SealOutcome, StateWords> = {
  new: { word: 'Nuovo', tone: 'good', icon: 'plus' },
  replaces: { word: 'Sostituisce', tone: 'warn', icon: 'refresh' },
  same: { word: 'C’è già', tone: 'neutral', icon: 'check' },
  wrong: { word: 'Escluso', tone: 'bad', icon: 'cross' },
};

function Found({ preview }: { preview: Preview }) {
  const { counts, columns, ignored, lines, still_missing } = preview;
  const all = counts.new + counts.replaces + counts.same + counts.wrong;
  return (
    <div className={formStyles.stack}>
      <p role="status">
        <b>{formatCount(all, 'riga', 'righe')}</b>: {counts.new} da aggiungere, {counts.replaces} da
        sostituire, {counts.same} già presenti,{' '}
        <b>{formatCount(counts.wrong, 'esclusa', 'escluse')}</b>. Biglietti che restano senza
        sigillo: <b>{still_missing}</b>.
      </p>
      <p className={textStyles.soft}>
        Colonne lette:{' '}
        {columns.map(({ column, heading }) => `${heading} (${sealColumnNames[column]})`).join(', ')}
        {ignored.length > 0 && `. Non usate: ${ignored.join(', ')}`}.
      </p>
      <Table columns={[{ number: 'Riga' }, 'Biglietto', 'Sigillo', 'Esito']}>
        <tbody>
          {lines.map((line) => (
            <tr key={line.line}>
              <td>{line.line}</td>
              <td>
                {line.seat ?? '–'}
                {line.order_number !== null && <SecondLine>{line.order_number}</SecondLine>}
              </td>
              <td className={textStyles.code}>{line.seal}</td>
              <td>
                <StateBadge {...outcomes[line.outcome]} />
                {line.problem !== null && <SecondLine>{sealProblemWords[line.problem]}</SecondLine>}
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
      {all > lines.length && (
        <p className={textStyles.soft}>Si vedono le prime {lines.length} righe.</p>
      )}
    </div>
  );
}
