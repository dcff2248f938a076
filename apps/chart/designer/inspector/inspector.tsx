/** The properties of the selection, by the kind of objects. */
import { rotateSelection } from '#server/drawing/edit/transform.ts';
import type { Item, Kind } from '#server/drawing/model/data.ts';
import { useDesigner } from '#apps/chart/designer/context.ts';
import type { Studio } from '#apps/chart/designer/state/studio.ts';
import { useStudio } from '#apps/chart/designer/state/use-studio.ts';
import { NumberField } from '#apps/chart/designer/kit/controls.tsx';
import { describe } from '#apps/chart/designer/acts/describe.ts';
import { AisleField } from './aisle-field.tsx';
import { ChartFields } from './chart-fields.tsx';
import { NameFields, SeatNameFields } from './name-fields.tsx';
import {
  AreaFields,
  IconFields,
  SectionFields,
  ShapeFields,
  SizeFields,
  TextFields,
} from './object-fields.tsx';
import { PlaceFields } from './place-fields.tsx';
import { RowFields } from './row-fields.tsx';
import { BookingFields, TableFields, TierField } from './table-fields.tsx';
import { ZoneChoice } from './zone-fields.tsx';

const named: readonly Kind[] = ['row', 'table', 'booth', 'area', 'section'];

export function Inspector({ studio }: { studio: Studio }) {
  const doc = useStudio(studio, (state) => state.doc);
  const selection = useStudio(studio, (state) => state.selection);
  const items = [...selection.items].flatMap((id) => doc.items.get(id) ?? []);
  if (items.length === 0 && selection.seats.size === 0) return <ChartFields />;
  const [only] = items.length === 1 && selection.seats.size === 0 ? items : [];
  return (
    // The key makes new fields for another selection.
    <div className="bsd-stack" key={[...selection.items, ...selection.seats.keys()].join()}>
      <h3>{describe(doc, selection)}</h3>
      {items.length === 0 && <SeatNameFields />}
      {items.length === 0 && <AisleField />}
      <NameFields items={items.filter(({ kind }) => named.includes(kind))} />
      {only ? <OwnFields item={only} /> : <SharedFields items={items} />}
      <PlaceFields items={items} />
      {only && <TurnField />}
    </div>
  );
}

function OwnFields({ item }: { item: Item }) {
  switch (item.kind) {
    case 'row':
      return <RowFields rows={[item]} />;
    case 'table':
      return <TableFields table={item} />;
    case 'area':
      return (
        <>
          <AreaFields item={item} />
          <SizeFields item={item} />
        </>
      );
    case 'section':
      return <SectionFields item={item} />;
    case 'text':
      return <TextFields item={item} />;
    case 'shape':
      return (
        <>
          <ShapeFields item={item} />
          <SizeFields item={item} />
        </>
      );
    case 'icon':
      return <IconFields item={item} />;
    case 'booth':
    case 'image':
      return <SizeFields item={item} />;
  }
}

function isSold(item: Item): item is Item<'table' | 'area'> {
  return item.kind === 'table' || item.kind === 'area';
}

/** The fields that all of several objects have. */
function SharedFields({ items }: { items: readonly Item[] }) {
  if (items.length === 0) return null;
  if (items.every((item) => item.kind === 'row')) return <RowFields rows={items} />;
  if (items.every((item) => item.kind === 'section')) return <ZoneChoice sections={items} />;
  if (!items.every(isSold)) return null;
  return (
    <>
      <TierField boxes={items} />
      <BookingFields items={items} />
    </>
  );
}

/** Turns by an angle; an absolute angle would say little where seats are placed freely. */
function TurnField() {
  const { studio } = useDesigner();
  const readOnly = useStudio(studio, (state) => state.readOnly);
  if (readOnly) return null;
  return (
    <NumberField
      label="Ruota di"
      unit="°"
      min={-360}
      max={360}
      value={0}
      onCommit={(degrees) =>
        studio.act(rotateSelection(studio.state.doc, studio.state.selection, degrees))
      }
    />
  );
}
