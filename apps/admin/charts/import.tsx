/** The dialog that imports a chart: choose, check, confirm. */
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { checkDrawing, importDrawing, makeChart } from '#server/contract/charts.ts';
import { CallError } from '#apps/shared/api.ts';
import { formatCount } from '#apps/shared/format.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { Spinner } from '#apps/shared/ui/spinner.tsx';
import { DrawingFromAccount, DrawingFromFile, type FoundDrawing } from './sources.tsx';
import { drawPath } from './links.ts';
import { keepWaitingFile } from './waiting-file.ts';
import { tellFailure } from '#apps/admin/kit/page/loaded.tsx';
import { useAct } from '#apps/admin/kit/session/session.ts';
import { Segments } from '#apps/admin/kit/form/choices.tsx';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import formStyles from '#apps/admin/kit/form/form.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './charts.module.css';
import { FormActions } from '#apps/admin/kit/form/form-actions.tsx';
import { useSubmit } from '#apps/admin/kit/form/use-submit.ts';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';

type Checked = ReplyOf<typeof checkDrawing>;
type Finding = Checked['findings'][number];

type Way = 'file' | 'account';
type Step =
  | { name: 'choose'; way: Way; failure: string | null }
  | { name: 'checking' }
  | { name: 'opening' }
  | { name: 'found'; found: FoundDrawing; checked: Checked; failure: string | null };

interface ChartImportProps {
  onImported: (key: string) => void;
  onClose: () => void;
}

export function ChartImport({ onImported, onClose }: ChartImportProps) {
  const act = useAct();
  const navigate = useNavigate();
  const [step, setStep] = useState<Step>({ name: 'choose', way: 'file', failure: null });

  async function check(way: Way, found: FoundDrawing) {
    setStep({ name: 'checking' });
    try {
      setStep({
        name: 'found',
        found,
        checked: await act(checkDrawing, { body: { drawing: found.drawing } }),
        failure: null,
      });
    } catch (error) {
      setStep({ name: 'choose', way, failure: tellFailure(error) });
    }
  }

  /** A new chart, in whose designer the file is read and its rows are looked at. */
  async function draw(file: File) {
    setStep({ name: 'opening' });
    try {
      const name = file.name.replace(/\.\w+$/, '').trim() || 'Pianta';
      const { key } = await act(makeChart, { body: { name: name.slice(0, 200), template: null } });
      keepWaitingFile(key, file);
      await navigate(drawPath(key));
    } catch (error) {
      setStep({ name: 'choose', way: 'file', failure: tellFailure(error) });
    }
  }

  return (
    <Modal title="Importa una pianta" onClose={onClose}>
      <div className={styles.import}>
        {step.name === 'choose' && (
          <Choosing
            {...step}
            onWay={(way) => setStep({ name: 'choose', way, failure: null })}
            onFound={check}
            onDraw={(file) => void draw(file)}
          />
        )}
        {step.name === 'checking' && <Spinner text="Controllo il disegno…" />}
        {step.name === 'opening' && <Spinner text="Apro il disegno…" />}
        {step.name === 'found' && (
          <Confirm
            found={step.found}
            checked={step.checked}
            onImported={onImported}
            onBack={() => setStep({ name: 'choose', way: 'file', failure: null })}
          />
        )}
      </div>
    </Modal>
  );
}

interface ChoosingProps {
  way: Way;
  failure: string | null;
  onWay: (way: Way) => void;
  onFound: (way: Way, found: FoundDrawing) => Promise<void>;
  onDraw: (file: File) => void;
}

function Choosing({ way, failure, onWay, onFound, onDraw }: ChoosingProps) {
  return (
    <>
      <Segments
        legend="Da dove"
        value={way}
        onChange={onWay}
        options={[
          ['file', 'Da un file'],
          ['account', 'Da un account seats.io'],
        ]}
      />
      {way === 'file' ? (
        <DrawingFromFile
          failure={failure}
          onFound={(found) => void onFound('file', found)}
          onDraw={onDraw}
        />
      ) : (
        <DrawingFromAccount failure={failure} onFound={(found) => void onFound('account', found)} />
      )}
    </>
  );
}

interface ConfirmProps {
  found: FoundDrawing;
  checked: Checked;
  onImported: (key: string) => void;
  onBack: () => void;
}

function Confirm({ found, checked, onImported, onBack }: ConfirmProps) {
  const act = useAct();
  const [key, setKey] = useState(keyFrom(checked.name ?? found.source));
  const [findings, setFindings] = useState(checked.findings);
  const errors = findings.filter((finding) => finding.severity === 'error').length;

  const { busy, failure, submit } = useSubmit(async () => {
    try {
      const { key: made } = await act(importDrawing, {
        body: {
          drawing: found.drawing,
          source: found.source.slice(0, 200),
          ...(key === '' ? {} : { key }),
        },
      });
      onImported(made);
    } catch (error) {
      if (error instanceof CallError && error.code === 'drawing_invalid')
        setFindings((error.detail as { findings: Finding[] }).findings);
      throw error;
    }
  });

  const label = busy ? 'Importo…' : 'Importa la pianta';
  return (
    <form className={formStyles.stack} onSubmit={submit}>
      <p>
        <strong>{checked.name ?? 'Pianta senza nome'}</strong>{' '}
        <span className={textStyles.soft}>da {found.source}</span>
      </p>
      <Verdict errors={errors} findings={findings} />
      {errors === 0 && (
        <TextField
          label="Chiave"
          value={key}
          onChange={setKey}
          pattern="[A-Za-z0-9_\-]*"
          maxLength={100}
          spellCheck={false}
          hint="Lettere, numeri e trattini: con questa chiave la scegli quando crei un evento. Vuota: la sceglie il sistema."
        />
      )}
      <FormActions
        busy={busy}
        failure={failure}
        onCancel={onBack}
        cancelLabel="Scegli un altro disegno"
        submitLabel={errors > 0 ? null : label}
      />
    </form>
  );
}

function Verdict({ errors, findings }: { errors: number; findings: readonly Finding[] }) {
  if (findings.length === 0)
    return (
      <Notice aria-live="polite" tone="good">
        Il disegno è a posto.
      </Notice>
    );
  return (
    <>
      <Notice aria-live="polite" tone={errors > 0 ? 'bad' : 'warn'}>
        {errors > 0
          ? `Così non si può importare: ${formatCount(errors, 'errore', 'errori')} da correggere nel disegno.`
          : `Si può importare, ma guarda ${formatCount(findings.length, 'avviso', 'avvisi')}.`}
      </Notice>
      <ul className={styles.findings} aria-label="Che cosa non va">
        {findings
          .toSorted((a, b) => Number(a.severity === 'warning') - Number(b.severity === 'warning'))
          .map((finding, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- findings repeat and never move
            <li key={index} className={styles[finding.severity]}>
              <Icon
                name={finding.severity === 'error' ? 'cross' : 'warning'}
                size={16}
                label={finding.severity === 'error' ? 'Errore' : 'Avviso'}
              />
              <span>
                {finding.where !== '' && <b>{finding.where}: </b>}
                {finding.message}
              </span>
            </li>
          ))}
      </ul>
    </>
  );
}

/** "Teatro dell’Opera" becomes "teatro-dell-opera". */
function keyFrom(name: string): string {
  return name
    .replace(/\.json$/i, '')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60);
}
