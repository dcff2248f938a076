/**
 * How good each place is, as colours over the drawing; the order of best places, and the house's
 * own priorities.
 */
import { useEffect, useMemo } from 'react';
import { Button, NumberField, Select } from '#apps/chart/designer/kit/controls.tsx';
import { registerStyle } from '#apps/chart/designer/kit/style.ts';
import { useDesigner } from '#apps/chart/designer/context.ts';
import type { Overlay, Studio } from '#apps/chart/designer/state/studio.ts';
import { useStudio } from '#apps/chart/designer/state/use-studio.ts';
import { setFields, setFloor } from '#server/drawing/edit/fields.ts';
import type { Doc } from '#server/drawing/model/data.ts';
import { selectPlaces } from '#server/drawing/model/places.ts';
import { bestOrder, setPriority } from '#server/drawing/quality/best.ts';
import { MOST_PRIORITY } from '#server/drawing/quality/rank.ts';
import { sightLines } from '#server/drawing/quality/view.ts';
import { heatOf, measure, rampColour, type Measured } from './heat.ts';
import { hasMarks, pointOut } from './point-out.ts';
import { useLate } from './use-late.ts';
import css from './panels.css?inline';

registerStyle(css);

const MEASURED: readonly Measured[] = ['distance', 'angle', 'best', 'sight'];
const CHOICES = [
  { value: 'none', text: 'Categorie' },
  { value: 'distance', text: 'Distanza dal punto focale' },
  { value: 'angle', text: 'Angolo sul punto focale' },
  { value: 'best', text: 'Ordine dei posti migliori' },
  { value: 'sight', text: 'Visuale sopra chi sta davanti' },
];
const MISSING: Record<Measured, string> = {
  distance: 'Manca il punto focale.',
  angle: 'Manca il punto focale.',
  best: 'Non ci sono posti.',
  sight: 'Servono la scala della pianta, il punto focale e l’altezza di almeno due file.',
};

function isMeasured(overlay: Overlay): overlay is Measured {
  return (MEASURED as readonly Overlay[]).includes(overlay);
}

export function QualityPanel({ studio }: { studio: Studio }) {
  const { setHeat } = useDesigner();
  const overlay = useStudio(studio, (state) => state.overlay);
  useEffect(() => {
    for (const each of MEASURED) setHeat(each, (doc) => heatOf(doc, each));
  }, [setHeat]);
  return (
    <div className="bsd-stack">
      <Select
        label="Colori sulla pianta"
        value={isMeasured(overlay) ? overlay : 'none'}
        options={CHOICES}
        onChange={(value) => studio.set({ overlay: value as Overlay })}
      />
      {isMeasured(overlay) && <Legend studio={studio} overlay={overlay} />}
      <Order studio={studio} />
      <Heights studio={studio} />
    </div>
  );
}

const italian = new Intl.NumberFormat('it-IT', { maximumFractionDigits: 1 });

function written(doc: Doc, overlay: Measured, value: number): string {
  if (overlay === 'best') return `${italian.format(value)}°`;
  if (overlay === 'angle') return `${italian.format(value)} gradi`;
  if (overlay === 'sight') return `${italian.format(value)} cm`;
  const scale = doc.root.x_cmPerUnit;
  return typeof scale === 'number' && scale > 0
    ? `${italian.format((value * scale) / 100)} m`
    : `${italian.format(value)} unità`;
}

const RAMP = `linear-gradient(90deg, ${[0, 1 / 3, 2 / 3, 1].map(rampColour).join(', ')})`;

function Legend({ studio, overlay }: { studio: Studio; overlay: Measured }) {
  const doc = useStudio(studio, (state) => state.doc);
  const scale = useMemo(() => measure(doc, overlay), [doc, overlay]);
  if (!scale)
    return (
      <p className="bsd-note" data-tone="warn">
        {MISSING[overlay]}
      </p>
    );
  return (
    <div>
      <div className="bsd-panel-ramp" style={{ background: RAMP }} aria-hidden="true" />
      <p className="bsd-panel-ends">
        <span>Migliore: {written(doc, overlay, scale.best)}</span>
        <span>Peggiore: {written(doc, overlay, scale.worst)}</span>
      </p>
    </div>
  );
}

const FIRST = 10;

function Order({ studio }: { studio: Studio }) {
  const designer = useDesigner();
  const { value } = useLate(studio, bestOrder);
  const selection = useStudio(studio, (state) => state.selection);
  const doc = useStudio(studio, (state) => state.doc);
  const readOnly = useStudio(studio, (state) => state.readOnly);
  const steps = useMemo(() => priorityOf(doc, selection), [doc, selection]);
  const set = (level: number) => studio.act(setPriority(studio.state.doc, selection, level));
  const first = value?.slice(0, FIRST) ?? [];
  return (
    <>
      <h3>Posti migliori</h3>
      {first.length > 0 && (
        <>
          <p className="bsd-hint">I primi: {first.map(({ shown }) => shown).join(', ')}.</p>
          <Button icon="search" onPress={() => pointOut(designer, selectPlaces(first))}>
            Mostra i primi {first.length}
          </Button>
        </>
      )}
      {hasMarks(selection) ? (
        <NumberField
          label="Precedenza della selezione"
          value={steps}
          min={-MOST_PRIORITY}
          max={MOST_PRIORITY}
          whole
          readOnly={readOnly}
          hint="Con −1 o meno si dà prima degli altri, con 1 o più dopo; 0 conta solo la distanza."
          onCommit={set}
          onClear={() => set(0)}
        />
      ) : (
        <p className="bsd-hint">Seleziona posti, file o settori per dare loro una precedenza.</p>
      )}
    </>
  );
}

/** The selection's common priority; null when it differs. */
function priorityOf(doc: Doc, { items, seats }: Studio['state']['selection']): number | null {
  const found = new Set<number>();
  for (const id of items) found.add(doc.items.get(id)?.data.x_priority ?? 0);
  for (const [id, positions] of seats) {
    const item = doc.items.get(id);
    if (item?.kind !== 'row' && item?.kind !== 'table') continue;
    for (const at of positions) found.add(item.data.seats[at]?.x_priority ?? 0);
  }
  const [only = null] = found;
  return found.size === 1 ? only : null;
}

function poorSights(doc: Doc) {
  return sightLines(doc).filter(({ grade }) => grade === 'poor');
}

function Heights({ studio }: { studio: Studio }) {
  const designer = useDesigner();
  const doc = useStudio(studio, (state) => state.doc);
  const floor = useStudio(studio, (state) => state.floor);
  const selection = useStudio(studio, (state) => state.selection);
  const readOnly = useStudio(studio, (state) => state.readOnly);
  const { value: poor } = useLate(studio, poorSights);
  const rows = [...selection.items].filter((id) => doc.items.get(id)?.kind === 'row');
  const heights = new Set(rows.map((id) => doc.items.get(id)?.data.x_height));
  const own = heights.size === 1 ? [...heights][0] : null;
  const focal = doc.floors.find(({ id }) => id === floor)?.data.x_focalHeight;
  const setHeight = (x_height?: number) =>
    studio.act(setFields(studio.state.doc, rows, { x_height }));
  const setFocal = (x_focalHeight?: number) =>
    studio.act(setFloor(studio.state.doc, floor, { x_focalHeight }));
  return (
    <>
      <h3>Visuale</h3>
      <NumberField
        label="Altezza del punto focale"
        unit="cm"
        value={focal ?? null}
        min={-2_000}
        max={10_000}
        readOnly={readOnly}
        onCommit={setFocal}
        onClear={() => setFocal()}
      />
      {rows.length > 0 && (
        <NumberField
          label="Altezza del pavimento delle file selezionate"
          unit="cm"
          value={typeof own === 'number' ? own : null}
          min={-2_000}
          max={10_000}
          readOnly={readOnly}
          onCommit={setHeight}
          onClear={() => setHeight()}
        />
      )}
      {poor && poor.length > 0 && (
        <Button
          icon="warning"
          onPress={() => pointOut(designer, selectPlaces(poor.map(({ place }) => place)))}
        >
          {poor.length} posti vedono poco
        </Button>
      )}
    </>
  );
}
