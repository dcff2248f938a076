/** One category: its colour and name, its number of places, and its acts. */
import { Button, Check, Select, TextField } from '#apps/chart/designer/kit/controls.tsx';
import { isReadOnlyFeature } from '#apps/chart/designer/config.ts';
import { useDesigner } from '#apps/chart/designer/context.ts';
import type { Studio } from '#apps/chart/designer/state/studio.ts';
import { useStudio } from '#apps/chart/designer/state/use-studio.ts';
import {
  changeCategory,
  moveCategory,
  paint,
  removeCategory,
  replaceCategory,
} from '#server/drawing/edit/categories.ts';
import type { Colour } from '#server/drawing/quality/palette.ts';
import { hasMarks } from './point-out.ts';

interface Row {
  studio: Studio;
  colour: Colour;
  count: number;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
}

export function CategoryRow({ studio, colour, count, isOpen, onOpen }: Row) {
  const brush = useStudio(studio, (state) => state.brush);
  const selection = useStudio(studio, (state) => state.selection);
  const readOnly = useStudio(studio, (state) => state.readOnly);
  const { config } = useDesigner();
  const isFixed = isReadOnlyFeature(config(), 'categoryList');
  const isBrush = brush === colour.key;
  return (
    <details
      className="bsd-panel-category"
      data-brush={isBrush}
      open={isOpen}
      onToggle={(event) => event.currentTarget.open !== isOpen && onOpen(!isOpen)}
    >
      <summary>
        <span className="bsd-swatch" style={{ background: colour.color }} />
        <b>{colour.label}</b>
        <span>{count}</span>
      </summary>
      {!readOnly && (
        <div className="bsd-stack">
          <div className="bsd-line">
            <Button
              icon="paint"
              pressed={isBrush}
              onPress={() =>
                studio.set(
                  isBrush ? { brush: null, tool: 'select' } : { brush: colour.key, tool: 'paint' },
                )
              }
            >
              Pennello
            </Button>
            <Button
              disabled={!hasMarks(selection)}
              onPress={() => studio.act(paint(studio.state.doc, selection, colour.key))}
            >
              Assegna alla selezione
            </Button>
          </div>
          {!isFixed && <Order studio={studio} colour={colour} />}
          {!isFixed && <Fields studio={studio} colour={colour} />}
          {!isFixed && <Leaving studio={studio} colour={colour} count={count} />}
        </div>
      )}
    </details>
  );
}

/** The place in the list, which is the order of legends. */
function Order({ studio, colour }: { studio: Studio; colour: Colour }) {
  const keys = useStudio(studio, (state) => state.doc.categories);
  const at = keys.findIndex(({ key }) => String(key) === colour.key);
  const move = (by: -1 | 1) => studio.act(moveCategory(studio.state.doc, colour.key, by));
  return (
    <div className="bsd-line">
      <Button disabled={at <= 0} onPress={() => move(-1)}>
        Sposta su
      </Button>
      <Button disabled={at === keys.length - 1} onPress={() => move(1)}>
        Sposta giù
      </Button>
    </div>
  );
}

function Fields({ studio, colour }: { studio: Studio; colour: Colour }) {
  const accessible = useStudio(studio, ({ doc }) =>
    doc.categories.some(({ key, accessible: is }) => String(key) === colour.key && is === true),
  );
  const change = (patch: { label?: string; color?: string; accessible?: boolean }) =>
    studio.act(changeCategory(studio.state.doc, colour.key, patch));
  const rgb = colour.rgb?.map((channel) => channel.toString(16).padStart(2, '0')).join('');
  return (
    <>
      <TextField
        label="Nome della categoria"
        value={colour.label}
        onCommit={(label) => change({ label })}
      />
      <label className="bsd-field">
        <span>Colore</span>
        <input
          key={colour.color}
          type="color"
          className="bsd-panel-colour"
          defaultValue={`#${rgb ?? '888888'}`}
          // Changes while the picker is dragged are not edits yet.
          onBlur={(event) => change({ color: event.currentTarget.value })}
        />
      </label>
      <Check
        label="Per chi è in sedia a rotelle"
        checked={accessible}
        onChange={(is) => change({ accessible: is })}
      />
    </>
  );
}

/** Moves all places of a category to another, or removes the category. */
function Leaving({ studio, colour, count }: { studio: Studio; colour: Colour; count: number }) {
  const categories = useStudio(studio, (state) => state.doc.categories);
  const others = categories.filter(({ key }) => String(key) !== colour.key);
  const replace = (to: string) =>
    studio.act(replaceCategory(studio.state.doc, colour.key, to === '' ? null : to));
  return (
    <>
      {count > 0 && others.length > 0 && (
        <Select
          label="Passa tutti i suoi posti a"
          value=""
          options={[
            { value: '', text: 'Scegli…' },
            ...others.map(({ key, label }) => ({ value: String(key), text: label })),
          ]}
          onChange={(to) => to !== '' && replace(to)}
        />
      )}
      <Button
        look="plain"
        icon="cross"
        onPress={() =>
          studio.act(removeCategory(studio.state.doc, colour.key, { replaceBy: null }))
        }
      >
        {count > 0 ? 'Elimina: i suoi posti restano senza categoria' : 'Elimina'}
      </Button>
    </>
  );
}
