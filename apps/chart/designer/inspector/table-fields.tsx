/** The fields of tables, boxes and areas: chairs, size, and how they are sold. */
import { setFields } from '#server/drawing/edit/fields.ts';
import { changeTable, setBooking } from '#server/drawing/edit/tables/change.ts';
import type { AreaData, Item, TableData } from '#server/drawing/model/data.ts';
import { isEnabled } from '#apps/chart/designer/config.ts';
import { useDesigner } from '#apps/chart/designer/context.ts';
import { useStudio } from '#apps/chart/designer/state/use-studio.ts';
import { NumberField, Select, TextField } from '#apps/chart/designer/kit/controls.tsx';
import { common, numberOf, textOf, textOrNothing } from './values.ts';

type Way = 'seats' | 'whole' | 'variable';

function wayOf({ bookAsAWhole, variableOccupancy }: TableData | AreaData): Way {
  if (variableOccupancy === true) return 'variable';
  return bookAsAWhole === true ? 'whole' : 'seats';
}

export function BookingFields({ items }: { items: readonly Item<'table' | 'area'>[] }) {
  const { studio, config } = useDesigner();
  const readOnly = useStudio(studio, (state) => state.readOnly);
  const ids = items.map(({ id }) => id);
  const way = common(items.map(({ data }) => wayOf(data))) ?? null;
  const set = (chosen: Way, least?: number) =>
    studio.act(setBooking(studio.state.doc, ids, chosen, least));
  if (!isEnabled(config(), 'tables.bookAsAWhole')) return null;
  return (
    <>
      <Select
        label="Si vende"
        value={way}
        disabled={readOnly}
        options={[
          { value: 'seats', text: 'Posto per posto' },
          { value: 'whole', text: 'Tutto insieme' },
          { value: 'variable', text: 'Tutto insieme, per quanti sono' },
        ]}
        onChange={(chosen) => set(chosen as Way)}
      />
      {way === 'variable' && (
        <NumberField
          label="Almeno"
          unit="persone"
          whole
          min={1}
          value={numberOf(items.map(({ data }) => data.minOccupancy))}
          readOnly={readOnly}
          onCommit={(least) => set('variable', least)}
        />
      )}
    </>
  );
}

export function TableFields({ table }: { table: Item<'table'> }) {
  const { studio, newId } = useDesigner();
  const doc = useStudio(studio, (state) => state.doc);
  const readOnly = useStudio(studio, (state) => state.readOnly);
  const { data, id } = table;
  const isRound = data.type !== 'rectangular';
  const isPalco = data.x_kind === 'palco';
  const change = (part: Parameters<typeof changeTable>[2]) =>
    studio.act(changeTable(doc, id, part, newId));
  return (
    <div className="bsd-stack">
      <div className="bsd-pair">
        <NumberField
          label="Sedie"
          whole
          min={1}
          max={60}
          value={data.seats.length}
          readOnly={readOnly}
          onCommit={(chairs) => change({ chairs })}
        />
        {isRound && !isPalco ? (
          <NumberField
            label="Raggio"
            min={4}
            value={data.radius ?? null}
            readOnly={readOnly}
            onCommit={(radius) => change({ radius })}
          />
        ) : (
          <>
            <NumberField
              label="Larghezza"
              min={4}
              value={data.width ?? null}
              readOnly={readOnly}
              onCommit={(width) => change({ width })}
            />
            <NumberField
              label="Altezza"
              min={4}
              value={data.height ?? null}
              readOnly={readOnly}
              onCommit={(height) => change({ height })}
            />
          </>
        )}
      </div>
      <TierField boxes={[table]} />
      <BookingFields items={[table]} />
    </div>
  );
}

/** The tier of boxes, of one or of many; none for tables. */
export function TierField({ boxes }: { boxes: readonly Item[] }) {
  const { studio } = useDesigner();
  const readOnly = useStudio(studio, (state) => state.readOnly);
  const tiers = boxes.flatMap((box) =>
    box.kind === 'table' && box.data.x_kind === 'palco' ? [box.data.x_tier] : [],
  );
  if (tiers.length === 0 || tiers.length < boxes.length) return null;
  const ids = boxes.map(({ id }) => id);
  return (
    <TextField
      label="Ordine di palchi"
      {...textOf(tiers)}
      readOnly={readOnly}
      onCommit={(text) =>
        studio.act(setFields(studio.state.doc, ids, { x_tier: textOrNothing(text) }))
      }
    />
  );
}
