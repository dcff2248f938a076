/** The fields of the selected seats: category, entrance, marks, and companions. */
import { paint } from '#server/drawing/edit/categories.ts';
import { pairCompanion, unpairCompanion } from '#server/drawing/edit/companions.ts';
import { setFlag, setSeatFields } from '#server/drawing/edit/fields.ts';
import { FLAG_WORDS } from '#server/drawing/diff/words.ts';
import { FLAGS } from '#server/drawing/model/flags.ts';
import type { Doc, Item, SeatData } from '#server/drawing/model/data.ts';
import { seatsOf, type Selection } from '#server/drawing/model/selection.ts';
import { useDesigner } from '#apps/chart/designer/context.ts';
import { useStudio } from '#apps/chart/designer/state/use-studio.ts';
import { Button, Check, Select, TextField } from '#apps/chart/designer/kit/controls.tsx';
import { common, textOf, textOrNothing } from './values.ts';

interface Chosen {
  id: string;
  position: number;
  seat: SeatData;
}

/** The selected seats, and all seats of the rows and tables that are selected whole. */
export function chosenSeats(doc: Doc, { items, seats }: Selection): Chosen[] {
  const whole = [...items].flatMap((id) =>
    seatsOf(doc.items.get(id)).map((seat, position) => ({ id, position, seat })),
  );
  const single = [...seats].flatMap(([id, positions]) => {
    const all = seatsOf(doc.items.get(id));
    return [...positions].flatMap((position) => {
      const seat = all[position];
      return seat ? [{ id, position, seat }] : [];
    });
  });
  return [...whole, ...single];
}

/** The category keys of seats, and of objects sold as one. */
function keysIn(seats: readonly Chosen[], items: readonly Item[]): string[] {
  const own = items
    .filter(({ kind }) => ['booth', 'area', 'section'].includes(kind))
    .map(({ data }) => data.categoryKey);
  return [...seats.map(({ seat }) => seat.categoryKey), ...own].map((key) => String(key ?? ''));
}

export function PlaceFields({ items }: { items: readonly Item[] }) {
  const { studio } = useDesigner();
  const doc = useStudio(studio, (state) => state.doc);
  const selection = useStudio(studio, (state) => state.selection);
  const readOnly = useStudio(studio, (state) => state.readOnly);
  const seats = chosenSeats(doc, selection);
  const keys = keysIn(seats, items);
  if (keys.length === 0) return null;
  const entrance = textOf(seats.map(({ seat }) => seat.entrance));
  const choosePaint = (value: string) => {
    const category = doc.categories.find(({ key }) => String(key) === value);
    studio.act(paint(doc, selection, category?.key ?? null));
  };
  return (
    <div className="bsd-stack">
      <Select
        label="Categoria"
        value={common(keys) ?? null}
        disabled={readOnly}
        options={[
          { value: '', text: 'Nessuna, o quella del settore' },
          ...doc.categories.map(({ key, label }) => ({ value: String(key), text: label })),
        ]}
        onChange={choosePaint}
      />
      {seats.length > 0 && (
        <>
          <TextField
            label="Varco"
            {...entrance}
            readOnly={readOnly}
            hint="Da quale ingresso si arriva a questi posti."
            onCommit={(text) =>
              studio.act(setSeatFields(doc, selection, { entrance: textOrNothing(text) }))
            }
          />
          <Flags seats={seats} />
          {seats.length <= 2 && <Companion seats={seats} />}
        </>
      )}
    </div>
  );
}

function Flags({ seats }: { seats: readonly Chosen[] }) {
  const { studio } = useDesigner();
  const readOnly = useStudio(studio, (state) => state.readOnly);
  return (
    <fieldset>
      <legend className="bsd-label">Caratteristiche</legend>
      {FLAGS.map(([flag, other]) => (
        <Check
          key={flag}
          label={FLAG_WORDS[flag]}
          disabled={readOnly}
          checked={
            common(seats.map(({ seat }) => seat[flag] === true || seat[other] === true)) ?? null
          }
          onChange={(on) => studio.act(setFlag(studio.state.doc, studio.state.selection, flag, on))}
        />
      ))}
    </fieldset>
  );
}

/** Pairs two seats, or separates a companion's seat from its pair. */
function Companion({ seats }: { seats: readonly Chosen[] }) {
  const { studio, newId } = useDesigner();
  const readOnly = useStudio(studio, (state) => state.readOnly);
  if (readOnly) return null;
  const wheelchair = seats.find(({ seat }) => seat.accessible === true);
  const beside = seats.find((one) => one !== wheelchair);
  const paired = seats.find(({ seat }) => seat.x_companionOf !== undefined);
  return (
    <div className="bsd-line">
      {seats.length === 2 && wheelchair && beside && !paired && (
        <Button
          icon="people"
          onPress={() => studio.act(pairCompanion(studio.state.doc, wheelchair, beside, newId))}
        >
          Abbina l’accompagnatore
        </Button>
      )}
      {paired && (
        <Button onPress={() => studio.act(unpairCompanion(studio.state.doc, paired))}>
          Sciogli l’abbinamento
        </Button>
      )}
    </div>
  );
}
