/**
 * The fields of the whole chart, shown while nothing is selected: contents, scale, licence,
 * floor.
 */
import { setFocalPoint, setRoot, setScale } from '#server/drawing/edit/fields.ts';
import { listPlaces } from '#server/drawing/model/places.ts';
import { useMemo } from 'react';
import { isEnabled } from '#apps/chart/designer/config.ts';
import { useDesigner } from '#apps/chart/designer/context.ts';
import { useStudio } from '#apps/chart/designer/state/use-studio.ts';
import { GuideFields } from './guide-fields.tsx';
import { ZoneList } from './zone-fields.tsx';
import { Button, NumberField } from '#apps/chart/designer/kit/controls.tsx';

export function ChartFields() {
  const { studio } = useDesigner();
  const doc = useStudio(studio, (state) => state.doc);
  const readOnly = useStudio(studio, (state) => state.readOnly);
  const capacity = useMemo(
    () => listPlaces(doc).reduce((sum, place) => sum + place.capacity, 0),
    [doc],
  );
  const { x_cmPerUnit: scale, x_licensedCapacity: licensed } = doc.root;
  return (
    <div className="bsd-stack">
      <p>
        <b>{capacity.toLocaleString('it-IT')}</b> posti in tutto. Seleziona qualcosa per vederne le
        proprietà.
      </p>
      <NumberField
        label="Scala"
        unit="cm per unità"
        value={scale ?? null}
        min={0.01}
        max={1000}
        readOnly={readOnly}
        hint="Serve per le misure e per le regole sulle distanze."
        onCommit={(value) => studio.act(setScale(doc, value))}
        onClear={() => studio.act(setScale(doc, null))}
      />
      <NumberField
        label="Capienza autorizzata"
        unit="persone"
        whole
        min={1}
        value={typeof licensed === 'number' ? licensed : null}
        readOnly={readOnly}
        hint="I controlli la confrontano con i posti disegnati."
        onCommit={(value) => studio.act(setRoot(doc, { x_licensedCapacity: value }))}
        onClear={() => studio.act(setRoot(doc, { x_licensedCapacity: undefined }))}
      />
      <FocalFields />
      <ZoneList />
      <GuideFields />
    </div>
  );
}

function FocalFields() {
  const { studio, config } = useDesigner();
  const doc = useStudio(studio, (state) => state.doc);
  const floor = useStudio(studio, (state) => state.floor);
  const readOnly = useStudio(studio, (state) => state.readOnly);
  const focal = doc.floors.find(({ id }) => id === floor)?.data.focalPoint;
  if (!isEnabled(config(), 'focalPoint')) return null;
  if (!focal)
    return (
      <p className="bsd-note" data-tone="warn">
        Questo piano non ha il punto focale: i posti migliori non si possono ordinare.
      </p>
    );
  return (
    <div className="bsd-stack">
      <div className="bsd-pair">
        <NumberField
          label="Punto focale x"
          value={focal.x}
          readOnly={readOnly}
          onCommit={(x) => studio.act(setFocalPoint(doc, floor, { ...focal, x }))}
        />
        <NumberField
          label="Punto focale y"
          value={focal.y}
          readOnly={readOnly}
          onCommit={(y) => studio.act(setFocalPoint(doc, floor, { ...focal, y }))}
        />
      </div>
      {!readOnly && (
        <Button onPress={() => studio.act(setFocalPoint(doc, floor, null))}>
          Togli il punto focale
        </Button>
      )}
    </div>
  );
}
