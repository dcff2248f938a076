/**
 * Labels many seats, rows or tables together: each new label and each duplicate is shown before
 * it is applied.
 */
import { useMemo, useState } from 'react';
import { Button, Select } from '#apps/chart/designer/kit/controls.tsx';
import { Dialog } from '#apps/chart/designer/kit/dialog.tsx';
import { registerStyle } from '#apps/chart/designer/kit/style.ts';
import type { Studio } from '#apps/chart/designer/state/studio.ts';
import { useStudio } from '#apps/chart/designer/state/use-studio.ts';
import { quote } from '#server/drawing/check/findings.ts';
import {
  duplicatesAfter,
  relabel,
  type Duplicate,
  type Labelling,
  type Target,
} from '#server/drawing/label/labels.ts';
import type { SchemeFault } from '#server/drawing/label/scheme.ts';
import type { Doc } from '#server/drawing/model/data.ts';
import { seatsOf } from '#server/drawing/model/selection.ts';
import { whereOf } from '#server/drawing/model/where.ts';
import { countsIn, planOf, scopeOf, usualAsk, type What } from './labels-ask.ts';
import { ObjectFields, SchemeFields, SeatFields } from './labels-fields.tsx';
import css from './panels.css?inline';

registerStyle(css);

const WHATS: Record<What, string> = {
  seat: 'Posti',
  row: 'File',
  table: 'Tavoli e palchi',
  booth: 'Séparé',
  area: 'Aree',
  section: 'Settori',
};
const TARGETS = [
  { value: 'both', text: 'Nome e nome mostrato' },
  { value: 'label', text: 'Solo il nome, a cui si legano le prenotazioni' },
  { value: 'displayLabel', text: 'Solo il nome mostrato' },
];
const FAULTS: Record<SchemeFault, string> = {
  start: 'L’inizio non appartiene a questa numerazione.',
  step: 'Il passo non può essere zero.',
  'run-out': 'Le etichette finiscono prima dei posti: cambia inizio o passo.',
};

export function LabelsDialog({ studio, onClose }: { studio: Studio; onClose: () => void }) {
  const doc = useStudio(studio, (state) => state.doc);
  const selection = useStudio(studio, (state) => state.selection);
  const floor = useStudio(studio, (state) => state.floor);
  const scope = useMemo(() => scopeOf(doc, { selection, floor }), [doc, selection, floor]);
  const counts = useMemo(() => countsIn(doc, scope), [doc, scope]);
  const [ask, setAsk] = useState(() => usualAsk(counts[0]?.[0] ?? 'seat'));
  const labelling = useMemo(() => planOf(doc, scope, ask), [doc, scope, ask]);
  const apply = () => {
    const edit = relabel(doc, labelling, ask.target);
    studio.act(edit);
    studio.say(edit ? `${labelling.namings.length} etichette assegnate.` : 'Non cambia niente.');
    onClose();
  };
  const Fields = ask.what === 'seat' ? SeatFields : ObjectFields;
  const isReady = labelling.fault === null && labelling.namings.length > 0;
  return (
    <Dialog
      title="Etichette"
      wide
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>Annulla</Button>
          <Button look="primary" disabled={!isReady || studio.state.readOnly} onPress={apply}>
            Assegna
          </Button>
        </>
      }
    >
      {counts.length === 0 && <p>Non c’è niente da nominare su questo piano.</p>}
      {counts.length > 0 && (
        <div className="bsd-stack">
          <div className="bsd-labels-form">
            <Select
              label="Che cosa"
              value={ask.what}
              options={counts.map(([what, count]) => ({
                value: what,
                text: `${WHATS[what]} (${count})`,
              }))}
              onChange={(what) => setAsk({ ...usualAsk(what as What), target: ask.target })}
            />
            <Select
              label="Che cosa cambia"
              value={ask.target}
              options={TARGETS}
              onChange={(target) => setAsk({ ...ask, target: target as Target })}
            />
          </div>
          <SchemeFields ask={ask} onChange={setAsk} />
          <Fields ask={ask} onChange={setAsk} />
          <Preview doc={doc} labelling={labelling} target={ask.target} />
        </div>
      )}
    </Dialog>
  );
}

const LINES = 12;
const LABELS = 40;

function whereOfId(doc: Doc, id: string): string {
  const item = doc.items.get(id);
  return item ? whereOf(doc, item) : '';
}

/** Under each row its new labels from left to right; for other objects old and new label. */
function linesOf(doc: Doc, { namings }: Labelling): { where: string; text: string }[] {
  const lines = new Map<string, { x: number; text: string }[]>();
  for (const { item, seat, before, after } of namings) {
    const known = lines.get(item);
    if (!known && lines.size >= LINES) continue;
    const x = seat === null ? 0 : (seatsOf(doc.items.get(item))[seat]?.x ?? 0);
    const named = { x, text: seat === null ? `«${before}» → «${after}»` : after };
    if (known) known.push(named);
    else lines.set(item, [named]);
  }
  return [...lines].map(([id, named]) => {
    const texts = named.toSorted((a, b) => a.x - b.x).map(({ text }) => text);
    return {
      where: whereOfId(doc, id),
      text: `${texts.slice(0, LABELS).join(' ')}${texts.length > LABELS ? ' …' : ''}`,
    };
  });
}

interface Shown {
  doc: Doc;
  labelling: Labelling;
  target: Target;
}

function Preview({ doc, labelling, target }: Shown) {
  const lines = useMemo(() => linesOf(doc, labelling), [doc, labelling]);
  const twice = useMemo(
    () => (labelling.fault ? [] : duplicatesAfter(doc, labelling, target)),
    [doc, labelling, target],
  );
  if (labelling.fault)
    return (
      <p className="bsd-note" data-tone="bad" role="alert">
        {FAULTS[labelling.fault]}
      </p>
    );
  return (
    <>
      <Duplicates doc={doc} duplicates={twice} />
      <h3>Anteprima</h3>
      <ul className="bsd-labels-preview">
        {lines.map(({ where, text }) => (
          <li key={where + text}>
            <b>{where}</b>: {text}
          </li>
        ))}
      </ul>
    </>
  );
}

function Duplicates({ doc, duplicates }: { doc: Doc; duplicates: readonly Duplicate[] }) {
  const [first] = duplicates;
  if (!first) return null;
  const items = new Set(duplicates.flatMap(({ places }) => places.map(({ item }) => item)));
  const wheres = [...items].slice(0, 4).map((id) => whereOfId(doc, id));
  return (
    <p className="bsd-note" data-tone="warn" role="status">
      Ci sarebbero due volte: {quote(duplicates.map(({ label }) => label))}. Dove:{' '}
      {wheres.join('; ')}
      {items.size > wheres.length ? ' e altrove' : ''}.
    </p>
  );
}
