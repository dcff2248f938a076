/** Errors of the drawing, warnings, and what Italian rules on public halls would require. */
import { NumberField, Select } from '#apps/chart/designer/kit/controls.tsx';
import type { Studio } from '#apps/chart/designer/state/studio.ts';
import { useStudio } from '#apps/chart/designer/state/use-studio.ts';
import { checkDoc } from '#server/drawing/check/check-doc.ts';
import { peopleOf } from '#server/drawing/check/check-hall.ts';
import {
  checkItaly,
  setHall,
  setSeating,
  type ItalianCheck,
} from '#server/drawing/italy/check-italy.ts';
import { RULE_SETS } from '#server/drawing/italy/rules.ts';
import type { Doc } from '#server/drawing/model/data.ts';
import { FindingList } from './finding-list.tsx';
import { useLate } from './use-late.ts';

function lookAt(doc: Doc) {
  return { findings: checkDoc(doc), italy: checkItaly(doc), people: peopleOf(doc) };
}

function number(count: number, [one, many]: readonly [string, string]): string {
  return `${count} ${count === 1 ? one : many}`;
}

export function ChecksPanel({ studio }: { studio: Studio }) {
  const { value, isLate } = useLate(studio, lookAt);
  if (!value) return <p className="bsd-hint">Controllo la pianta…</p>;
  const errors = value.findings.filter(({ severity }) => severity === 'error');
  const warnings = value.findings.filter(({ severity }) => severity === 'warning');
  return (
    <div className="bsd-stack" aria-busy={isLate}>
      {value.findings.length === 0 && (
        <p className="bsd-note" data-tone="good">
          Nessun errore: la pianta si può pubblicare.
        </p>
      )}
      {errors.length > 0 && (
        <p className="bsd-note" data-tone="bad">
          {number(errors.length, ['errore', 'errori'])} da correggere prima di pubblicare.
        </p>
      )}
      <FindingList lines={errors} />
      {warnings.length > 0 && <h4>{number(warnings.length, ['avviso', 'avvisi'])}</h4>}
      <FindingList lines={warnings} />
      <Capacity studio={studio} people={value.people} />
      <Italy studio={studio} italy={value.italy} />
    </div>
  );
}

function Capacity({ studio, people }: { studio: Studio; people: number }) {
  const licensed = useStudio(studio, (state) => state.doc.root.x_licensedCapacity);
  const readOnly = useStudio(studio, (state) => state.readOnly);
  const set = (value: number | null) =>
    studio.act(setHall(studio.state.doc, { licensedCapacity: value }));
  return (
    <NumberField
      label="Capienza autorizzata"
      value={licensed ?? null}
      min={1}
      max={1_000_000}
      whole
      readOnly={readOnly}
      hint={`La pianta ha ${number(people, ['posto', 'posti'])}.`}
      onCommit={set}
      onClear={() => set(null)}
    />
  );
}

function Italy({ studio, italy }: { studio: Studio; italy: ItalianCheck }) {
  const { set, needsScale, warnings } = italy;
  const readOnly = useStudio(studio, (state) => state.readOnly);
  const selection = useStudio(studio, (state) => state.selection);
  const seat = (seating: string) =>
    studio.act(setSeating(studio.state.doc, selection, seating as 'fixed' | 'loose'));
  const lines = warnings.map(({ rule, ...warning }) => ({
    ...warning,
    note: `${rule.source}${rule.confidence === 'sure' ? '' : ' (fonte indiretta)'}`,
  }));
  return (
    <>
      <h3>Regole italiane</h3>
      <Select
        label="Insieme di regole"
        value={set.id}
        options={RULE_SETS.map(({ id, name }) => ({ value: id, text: name }))}
        disabled={readOnly}
        hint={set.about}
        onChange={(rules) => studio.act(setHall(studio.state.doc, { rules }))}
      />
      {needsScale && (
        <p className="bsd-note" data-tone="warn">
          Manca la scala della pianta: file e corridoi non si possono misurare.
        </p>
      )}
      {selection.items.size > 0 && set.loose && (
        <Select
          label="Posti delle file selezionate"
          value={seatingOf(studio)}
          options={[
            { value: 'fixed', text: 'Fissi' },
            { value: 'loose', text: 'Sedie mobili' },
          ]}
          disabled={readOnly}
          onChange={seat}
        />
      )}
      <FindingList lines={lines} />
      <p className="bsd-hint">
        {warnings.length === 0 ? 'Nessun avviso. ' : ''}Sono avvisi, non un certificato: da
        verificare con il tecnico.
      </p>
    </>
  );
}

/** Null when some are fixed and some are loose. */
function seatingOf({ state: { doc, selection } }: Studio): string | null {
  const found = new Set<string>();
  for (const id of selection.items) {
    const item = doc.items.get(id);
    if (item?.kind === 'row') found.add(item.data.x_seating ?? 'fixed');
  }
  const [only = null] = found;
  return found.size === 1 ? only : null;
}
