/** Zones: the chart's list, and the zone of the selected sections. */
import { addZone, changeZone, putIntoZone, removeZone } from '#server/drawing/edit/zones.ts';
import type { Item, ZoneData } from '#server/drawing/model/data.ts';
import { NOTHING_SELECTED } from '#server/drawing/model/selection.ts';
import { useDesigner } from '#apps/chart/designer/context.ts';
import { useStudio } from '#apps/chart/designer/state/use-studio.ts';
import {
  Button,
  IconButton,
  NumberField,
  Select,
  TextField,
} from '#apps/chart/designer/kit/controls.tsx';
import { common } from './values.ts';

export function ZoneChoice({ sections }: { sections: readonly Item<'section'>[] }) {
  const { studio } = useDesigner();
  const doc = useStudio(studio, (state) => state.doc);
  const selection = useStudio(studio, (state) => state.selection);
  const readOnly = useStudio(studio, (state) => state.readOnly);
  return (
    <>
      {doc.zones.length > 0 && (
        <Select
          label="Zona"
          value={common(sections.map(({ data }) => data.zone ?? '')) ?? null}
          disabled={readOnly}
          options={[
            { value: '', text: 'Nessuna' },
            ...doc.zones.map(({ key, label }) => ({ value: key, text: label })),
          ]}
          onChange={(key) => studio.act(putIntoZone(doc, selection, key === '' ? null : key))}
        />
      )}
      {!readOnly && (
        <Button icon="plus" onPress={() => studio.act(addZone(doc, selection))}>
          Nuova zona da qui
        </Button>
      )}
    </>
  );
}

export function ZoneList() {
  const { studio } = useDesigner();
  const doc = useStudio(studio, (state) => state.doc);
  const readOnly = useStudio(studio, (state) => state.readOnly);
  if (readOnly && doc.zones.length === 0) return null;
  return (
    <fieldset className="bsd-stack">
      <legend className="bsd-label">Zone</legend>
      <p className="bsd-hint">
        Parti della sala con un palco proprio: un settore appartiene alla zona che scegli nelle sue
        proprietà.
      </p>
      {doc.zones.map((zone) => (
        <ZoneFields key={zone.key} zone={zone} />
      ))}
      {!readOnly && (
        <div className="bsd-line">
          <Button icon="plus" onPress={() => studio.act(addZone(doc, NOTHING_SELECTED))}>
            Aggiungi una zona
          </Button>
        </div>
      )}
    </fieldset>
  );
}

function ZoneFields({ zone }: { zone: ZoneData }) {
  const { studio } = useDesigner();
  const doc = useStudio(studio, (state) => state.doc);
  const readOnly = useStudio(studio, (state) => state.readOnly);
  const focal = zone.focalPoint ?? null;
  const change = (patch: Parameters<typeof changeZone>[2]) =>
    studio.act(changeZone(doc, zone.key, patch));
  const focalField = (axis: 'x' | 'y') => (
    <NumberField
      label={`Punto focale ${axis} di ${zone.label}`}
      value={focal?.[axis] ?? null}
      readOnly={readOnly}
      onCommit={(at) => change({ focalPoint: { ...(focal ?? { x: 0, y: 0 }), [axis]: at } })}
      onClear={() => change({ focalPoint: null })}
    />
  );
  return (
    <div className="bsd-stack">
      <div className="bsd-line">
        <TextField
          label="Nome della zona"
          value={zone.label}
          readOnly={readOnly}
          maxLength={60}
          onCommit={(label) => change({ label })}
        />
        {!readOnly && (
          <IconButton
            icon="trash"
            label={`Elimina la zona ${zone.label}`}
            onPress={() => studio.act(removeZone(doc, zone.key))}
          />
        )}
      </div>
      <div className="bsd-pair">
        {focalField('x')}
        {focalField('y')}
      </div>
    </div>
  );
}
