/** The dialog that makes a chart: its name, and the drawing to start from. */
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { chartTemplates, makeChart } from '#server/contract/charts.ts';
import { formatCount } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { FormActions } from '#apps/admin/kit/form/form-actions.tsx';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { useSubmit } from '#apps/admin/kit/form/use-submit.ts';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';
import { drawPath } from './links.ts';
import formStyles from '#apps/admin/kit/form/form.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './new-chart.module.css';

type Template = ReplyOf<typeof chartTemplates>['items'][number];

export function NewChart({ onClose }: { onClose: () => void }) {
  const change = useChange();
  const navigate = useNavigate();
  const templates = useEndpoint(chartTemplates, {}, { staleTime: 60 * 60_000 });
  const [name, setName] = useState('');
  const [template, setTemplate] = useState<string | null>(null);
  const { busy, failure, submit } = useSubmit(async () => {
    const { key } = await change(makeChart, { body: { name: name.trim(), template } });
    await navigate(drawPath(key));
  });
  return (
    <Modal title="Nuova pianta" onClose={onClose}>
      <form className={`${formStyles.stack} ${styles.form}`} onSubmit={submit}>
        <TextField label="Nome" value={name} onChange={setName} maxLength={200} required />
        <Loaded query={templates}>
          {({ items }) => <Templates items={items} value={template} onChange={setTemplate} />}
        </Loaded>
        <FormActions
          busy={busy}
          failure={failure}
          disabled={name.trim() === ''}
          onCancel={onClose}
          submitLabel={busy ? 'Creo…' : 'Crea e disegna'}
        />
      </form>
    </Modal>
  );
}

interface TemplatesProps {
  items: readonly Template[];
  value: string | null;
  onChange: (key: string | null) => void;
}

function Templates({ items, value, onChange }: TemplatesProps) {
  const groups = [
    ['Sale tipiche', items.filter(({ kind }) => kind === 'room')],
    ['Le piante di esempio', items.filter(({ kind }) => kind === 'hall')],
  ] as const;
  return (
    <fieldset className={styles.templates}>
      <legend>Da che cosa cominciare</legend>
      <div className={styles.tiles}>
        <Tile label="Foglio bianco" checked={value === null} onChoose={() => onChange(null)} />
      </div>
      {groups.map(
        ([title, group]) =>
          group.length > 0 && (
            <div key={title}>
              <p className={textStyles.soft}>{title}</p>
              <div className={styles.tiles}>
                {group.map(({ key, name, places, picture }) => (
                  <Tile
                    key={key}
                    label={name}
                    detail={formatCount(places, 'posto', 'posti')}
                    picture={picture}
                    checked={value === key}
                    onChoose={() => onChange(key)}
                  />
                ))}
              </div>
            </div>
          ),
      )}
    </fieldset>
  );
}

interface TileProps {
  label: string;
  detail?: string;
  picture?: string;
  checked: boolean;
  onChoose: () => void;
}

function Tile({ label, detail, picture, checked, onChoose }: TileProps) {
  return (
    <label className={styles.tile}>
      <input type="radio" name="template" checked={checked} onChange={onChoose} />
      <span className={styles.picture}>{picture && <img src={picture} alt="" />}</span>
      <span>{label}</span>
      {detail && <span className={textStyles.soft}>{detail}</span>}
    </label>
  );
}
