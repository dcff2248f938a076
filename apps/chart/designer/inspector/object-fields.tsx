/** The fields of areas, booths, sections, texts, shapes, icons and pictures. */
import { resizeItem } from '#server/drawing/edit/areas.ts';
import { setFields } from '#server/drawing/edit/fields.ts';
import type { Item } from '#server/drawing/model/data.ts';
import { useDesigner } from '#apps/chart/designer/context.ts';
import { useStudio } from '#apps/chart/designer/state/use-studio.ts';
import { NumberField, TextField } from '#apps/chart/designer/kit/controls.tsx';
import { ColourField } from './colour-field.tsx';
import { BookingFields } from './table-fields.tsx';
import { textOf, textOrNothing } from './values.ts';
import { ZoneChoice } from './zone-fields.tsx';

function useSetting(item: Item) {
  const { studio } = useDesigner();
  const readOnly = useStudio(studio, (state) => state.readOnly);
  const set = (patch: Record<string, unknown>) =>
    studio.act(setFields(studio.state.doc, [item.id], patch));
  return { set, readOnly };
}

/** Width and height of objects with a centre. */
export function SizeFields({ item }: { item: Item }) {
  const { studio } = useDesigner();
  const { readOnly } = useSetting(item);
  const { width, height, radius1, radius2 } = item.data as Record<string, number | undefined>;
  const [wide, high] = [width ?? (radius1 ?? NaN) * 2, height ?? (radius2 ?? NaN) * 2];
  if (!('center' in item.data) || Number.isNaN(wide) || Number.isNaN(high)) return null;
  const resize = (size: { width?: number; height?: number }) =>
    studio.act(resizeItem(studio.state.doc, item.id, size));
  return (
    <div className="bsd-pair">
      <NumberField
        label="Larghezza"
        min={1}
        value={wide}
        readOnly={readOnly}
        onCommit={(value) => resize({ width: value })}
      />
      <NumberField
        label="Altezza"
        min={1}
        value={high}
        readOnly={readOnly}
        onCommit={(value) => resize({ height: value })}
      />
    </div>
  );
}

export function AreaFields({ item }: { item: Item<'area'> }) {
  const { set, readOnly } = useSetting(item);
  return (
    <div className="bsd-stack">
      <NumberField
        label="Capienza"
        unit="persone"
        whole
        min={0}
        value={item.data.capacity ?? null}
        readOnly={readOnly}
        onCommit={(capacity) => set({ capacity })}
      />
      <BookingFields items={[item]} />
    </div>
  );
}

export function SectionFields({ item }: { item: Item<'section'> }) {
  const { set, readOnly } = useSetting(item);
  return (
    <div className="bsd-stack">
      <div className="bsd-pair">
        <NumberField
          label="Grandezza del nome"
          min={4}
          max={400}
          value={item.data.labelSize ?? null}
          readOnly={readOnly}
          onCommit={(labelSize) => set({ labelSize })}
          onClear={() => set({ labelSize: undefined })}
        />
        <NumberField
          label="Inclinazione"
          unit="°"
          min={-360}
          max={360}
          value={item.data.labelRotationAngle ?? null}
          readOnly={readOnly}
          onCommit={(labelRotationAngle) => set({ labelRotationAngle })}
          onClear={() => set({ labelRotationAngle: undefined })}
        />
      </div>
      <ZoneChoice sections={[item]} />
    </div>
  );
}

export function TextFields({ item }: { item: Item<'text'> }) {
  const { set, readOnly } = useSetting(item);
  return (
    <div className="bsd-stack">
      <TextField
        label="Testo"
        {...textOf([item.data.text])}
        readOnly={readOnly}
        onCommit={(text) => set({ text })}
      />
      <div className="bsd-pair">
        <NumberField
          label="Grandezza"
          min={4}
          max={400}
          value={item.data.fontSize ?? null}
          readOnly={readOnly}
          onCommit={(fontSize) => set({ fontSize })}
        />
        <ColourField
          label="Colore"
          value={item.data.textColor}
          readOnly={readOnly}
          onCommit={(textColor) => set({ textColor })}
        />
      </div>
    </div>
  );
}

export function ShapeFields({ item }: { item: Item<'shape'> }) {
  const { set, readOnly } = useSetting(item);
  return (
    <div className="bsd-stack">
      <TextField
        label="Scritta"
        {...textOf([item.data.label])}
        readOnly={readOnly}
        onCommit={(text) => set({ label: textOrNothing(text) })}
      />
      <div className="bsd-pair">
        <ColourField
          label="Colore"
          value={item.data.fillColor}
          readOnly={readOnly}
          onCommit={(fillColor) => set({ fillColor })}
        />
        {item.data.type === 'rectangle' && (
          <NumberField
            label="Angoli"
            min={0}
            value={item.data.cornerRadius ?? 0}
            readOnly={readOnly}
            onCommit={(cornerRadius) => set({ cornerRadius })}
          />
        )}
      </div>
    </div>
  );
}

export function IconFields({ item }: { item: Item<'icon'> }) {
  const { set, readOnly } = useSetting(item);
  return (
    <div className="bsd-pair">
      <NumberField
        label="Grandezza"
        min={4}
        max={400}
        value={item.data.iconSize ?? null}
        readOnly={readOnly}
        onCommit={(iconSize) => set({ iconSize })}
      />
      <ColourField
        label="Colore"
        value={item.data.iconColor}
        readOnly={readOnly}
        onCommit={(iconColor) => set({ iconColor })}
      />
    </div>
  );
}
