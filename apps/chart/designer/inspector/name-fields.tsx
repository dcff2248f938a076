/** Label, displayed label and entrance: of one object, of several, or of single seats. */
import { setFields, setSeatFields } from '#server/drawing/edit/fields.ts';
import type { Item } from '#server/drawing/model/data.ts';
import { isEnabled } from '#apps/chart/designer/config.ts';
import { useDesigner } from '#apps/chart/designer/context.ts';
import { useStudio } from '#apps/chart/designer/state/use-studio.ts';
import { TextField } from '#apps/chart/designer/kit/controls.tsx';
import { chosenSeats } from './place-fields.tsx';
import { textOf, textOrNothing } from './values.ts';

/** Several objects may share a displayed label, but not a label. */
export function NameFields({ items }: { items: readonly Item[] }) {
  const { studio, config } = useDesigner();
  const readOnly = useStudio(studio, (state) => state.readOnly);
  if (items.length === 0 || !isEnabled(config(), 'labeling')) return null;
  const [only, ...others] = items;
  const hasShown =
    isEnabled(config(), 'publishedSectionLabel') || !items.some(({ kind }) => kind === 'section');
  const set = (patch: Record<string, unknown>) =>
    studio.act(
      setFields(
        studio.state.doc,
        items.map(({ id }) => id),
        patch,
      ),
    );
  return (
    <div className="bsd-stack">
      {only && others.length === 0 && (
        <TextField
          label="Etichetta"
          {...textOf([only.data.label])}
          readOnly={readOnly}
          hint="A questo nome restano legate le prenotazioni."
          onCommit={(text) => set({ label: textOrNothing(text) })}
        />
      )}
      {hasShown && (
        <TextField
          label="Etichetta mostrata"
          {...textOf(items.map(({ data }) => data.displayLabel))}
          readOnly={readOnly}
          hint="Quello che leggono gli spettatori, se è diverso."
          onCommit={(text) => set({ displayLabel: textOrNothing(text) })}
        />
      )}
      <TextField
        label="Varco"
        {...textOf(items.map(({ data }) => data.entrance))}
        readOnly={readOnly}
        onCommit={(text) => set({ entrance: textOrNothing(text) })}
      />
    </div>
  );
}

export function SeatNameFields() {
  const { studio, config } = useDesigner();
  const doc = useStudio(studio, (state) => state.doc);
  const selection = useStudio(studio, (state) => state.selection);
  const readOnly = useStudio(studio, (state) => state.readOnly);
  const seats = chosenSeats(doc, selection);
  const [only] = seats;
  if (!only || seats.length > 1 || !isEnabled(config(), 'labeling')) return null;
  const set = (patch: Record<string, unknown>) =>
    studio.act(setSeatFields(studio.state.doc, selection, patch));
  return (
    <div className="bsd-pair">
      <TextField
        label="Numero"
        {...textOf([only.seat.label])}
        readOnly={readOnly}
        onCommit={(text) => set({ label: textOrNothing(text) })}
      />
      <TextField
        label="Numero mostrato"
        {...textOf([only.seat.displayLabel])}
        readOnly={readOnly}
        onCommit={(text) => set({ displayLabel: textOrNothing(text) })}
      />
    </div>
  );
}
