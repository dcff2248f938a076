/** The two sources of a chart to import: a file, or a chart of a seats.io account. */
import { useState } from 'react';
import { fetchDrawing } from '#server/contract/charts.ts';
import { regions, type ChartRegion } from '#server/domain/seat/drawing.ts';
import { Field, FieldSelect } from '#apps/shared/ui/field.tsx';
import { PasswordField } from '#apps/admin/shell/login/password-field.tsx';
import { useAct } from '#apps/admin/kit/session/session.ts';
import { FailureNotice } from '#apps/admin/kit/page/notice.tsx';
import { DropZone } from '#apps/admin/kit/form/drop-zone.tsx';
import formStyles from '#apps/admin/kit/form/form.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import { FormActions } from '#apps/admin/kit/form/form-actions.tsx';
import { useSubmit } from '#apps/admin/kit/form/use-submit.ts';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';

export interface FoundDrawing {
  drawing: Record<string, unknown>;
  /** A file's name or a chart's key. */ source: string;
}
interface SourceProps {
  failure: string | null;
  onFound: (found: FoundDrawing) => void;
}

/** The server accepts no larger file. */
const mostBytes = 30_000_000;
/** The endings of files that the designer reads, because their rows are looked at and corrected. */
const drawnFrom = ['.svg', '.svgz', '.csv', '.txt', '.jpg', '.jpeg', '.png', '.webp', '.pdf'];

/** A plan of pretix lists its zones; a drawing of seats.io does not. */
function isForDesigner(name: string, json: unknown): boolean {
  if (drawnFrom.some((ending) => name.toLowerCase().endsWith(ending))) return true;
  return Array.isArray((json as { zones?: unknown } | null)?.zones);
}

interface FromFileProps extends SourceProps {
  /** Called with a file that the designer reads. */
  onDraw: (file: File) => void;
}

export function DrawingFromFile({ failure, onFound, onDraw }: FromFileProps) {
  const [fault, setFault] = useState<string | null>(null);

  async function read(file: File | undefined) {
    if (!file) return;
    setFault(null);
    if (file.size > mostBytes) {
      setFault('Il file è troppo grande: al massimo 30 MB.');
      return;
    }
    const drawing = await file
      .text()
      .then((text) => JSON.parse(text) as unknown)
      .catch(() => null);
    if (isForDesigner(file.name, drawing)) onDraw(file);
    else if (typeof drawing !== 'object' || drawing === null || Array.isArray(drawing))
      setFault(
        'Questo file non è un disegno. Leggo SVG, tabelle CSV, piante di pretix, disegni di seats.io in JSON, foto e PDF da ricalcare.',
      );
    else onFound({ drawing: drawing as Record<string, unknown>, source: file.name });
  }

  return (
    <div className={formStyles.stack}>
      <DropZone
        accept={['.json', 'application/json', ...drawnFrom].join(',')}
        onFile={(file) => void read(file)}
      >
        <span>
          <b>Scegli il file</b> o trascinalo qui
        </span>
        <span className={textStyles.soft}>
          Disegno di seats.io o pianta di pretix in JSON, SVG, tabella CSV; foto o PDF da ricalcare.
          Fino a 30 MB
        </span>
      </DropZone>
      <FailureNotice text={fault ?? failure} />
    </div>
  );
}

const regionWords: Record<ChartRegion, string> = {
  eu: 'Europa (eu)',
  na: 'Nord America (na)',
  sa: 'Sud America (sa)',
  oc: 'Oceania (oc)',
};

/** The secret key is typed each time and stays only in this form. */
export function DrawingFromAccount({ failure, onFound }: SourceProps) {
  const act = useAct();
  const [chart_key, setChartKey] = useState('');
  const [secret_key, setSecretKey] = useState('');
  const [region, setRegion] = useState<ChartRegion>('eu');

  const fetching = useSubmit(async () => {
    const { drawing } = await act(fetchDrawing, { body: { chart_key, secret_key, region } });
    onFound({ drawing, source: `seats.io, ${chart_key.trim()}` });
  });
  return (
    <form className={formStyles.stack} onSubmit={fetching.submit}>
      <TextField
        label="Chiave della pianta"
        value={chart_key}
        onChange={setChartKey}
        maxLength={100}
        spellCheck={false}
        hint="La trovi su seats.io, nella pagina della pianta: «chart key»."
        required
      />
      <PasswordField
        label="Chiave segreta dello spazio di lavoro"
        value={secret_key}
        onChange={setSecretKey}
        autoComplete="off"
        hint="Serve una volta sola e non viene conservata."
      />
      <Field label="Regione" required>
        <FieldSelect
          value={region}
          onChange={(event) =>
            setRegion(regions.find((name) => name === event.target.value) ?? region)
          }
        >
          {regions.map((name) => (
            <option key={name} value={name}>
              {regionWords[name]}
            </option>
          ))}
        </FieldSelect>
      </Field>
      <FormActions
        busy={fetching.busy}
        failure={fetching.failure ?? failure}
        submitLabel={fetching.busy ? 'Chiedo a seats.io…' : 'Prendi il disegno'}
      />
    </form>
  );
}
