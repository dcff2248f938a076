/**
 * The categories: painting with them, changing and replacing them, places without one, and
 * colours that some people cannot distinguish.
 */
import { useMemo, useState } from 'react';
import { Button } from '#apps/chart/designer/kit/controls.tsx';
import { registerStyle } from '#apps/chart/designer/kit/style.ts';
import { isReadOnlyFeature } from '#apps/chart/designer/config.ts';
import { useDesigner } from '#apps/chart/designer/context.ts';
import type { Studio } from '#apps/chart/designer/state/studio.ts';
import { useStudio } from '#apps/chart/designer/state/use-studio.ts';
import { addCategory } from '#server/drawing/edit/categories.ts';
import { listUnpainted } from '#server/drawing/check/check-hall.ts';
import type { Doc } from '#server/drawing/model/data.ts';
import { listPlaces, placesOf, selectPlaces } from '#server/drawing/model/places.ts';
import type { Selection } from '#server/drawing/model/selection.ts';
import { coloursOf, freshColour } from '#server/drawing/quality/palette.ts';
import { CategoryRow } from './category-row.tsx';
import { ColourNotes } from './colour-notes.tsx';
import css from './panels.css?inline';
import { hasMarks, pointOut } from './point-out.ts';
import { useLate } from './use-late.ts';

registerStyle(css);

function countPlaces(doc: Doc) {
  const counts = new Map<string, number>();
  for (const { category, capacity } of listPlaces(doc))
    if (category !== null) counts.set(category, (counts.get(category) ?? 0) + capacity);
  return { counts, unpainted: listUnpainted(doc) };
}

/** The category of the first place of a selection. */
function pickedFrom(doc: Doc, selection: Selection): string | null {
  const ids = [...selection.items, ...selection.seats.keys()];
  const found = placesOf(doc, ids).find(
    ({ item, seat }) => seat === null || (selection.seats.get(item)?.has(seat) ?? true),
  );
  return found?.category ?? null;
}

export function CategoriesPanel({ studio }: { studio: Studio }) {
  const doc = useStudio(studio, (state) => state.doc);
  const { config } = useDesigner();
  const isFixed =
    useStudio(studio, (state) => state.readOnly) || isReadOnlyFeature(config(), 'categoryList');
  const colours = useMemo(() => coloursOf(doc), [doc]);
  const { value } = useLate(studio, countPlaces);
  const [opened, setOpened] = useState<string | null>(null);
  const add = () => {
    const label = `Categoria ${doc.categories.length + 1}`;
    studio.act(addCategory(doc, { label, color: freshColour(colours) }));
    setOpened(String(studio.state.doc.categories.at(-1)?.key ?? ''));
  };
  return (
    <div className="bsd-stack">
      {colours.length === 0 && (
        <p className="bsd-hint">Non ce n’è ancora nessuna: senza categorie non si danno prezzi.</p>
      )}
      {colours.map((colour) => (
        <CategoryRow
          key={colour.key}
          studio={studio}
          colour={colour}
          count={value?.counts.get(colour.key) ?? 0}
          isOpen={opened === colour.key}
          onOpen={(isOpen) => setOpened(isOpen ? colour.key : null)}
        />
      ))}
      {!isFixed && (
        <Button icon="plus" onPress={add}>
          Nuova categoria
        </Button>
      )}
      <Hands studio={studio} />
      {value && <Unpainted places={value.unpainted} />}
      <ColourNotes colours={colours} />
    </div>
  );
}

/** The brush, and a button that takes the selection's category. */
function Hands({ studio }: { studio: Studio }) {
  const brush = useStudio(studio, (state) => state.brush);
  const tool = useStudio(studio, (state) => state.tool);
  const selection = useStudio(studio, (state) => state.selection);
  const readOnly = useStudio(studio, (state) => state.readOnly);
  if (readOnly) return null;
  const pick = () => {
    const key = pickedFrom(studio.state.doc, selection);
    if (key === null) studio.say('La selezione non ha una categoria.');
    else studio.set({ brush: key, tool: 'paint' });
  };
  return (
    <div className="bsd-line">
      <Button disabled={!hasMarks(selection)} onPress={pick}>
        Prendi dalla selezione
      </Button>
      {brush !== null && tool === 'paint' && (
        <Button look="plain" onPress={() => studio.set({ brush: null, tool: 'select' })}>
          Posa il pennello
        </Button>
      )}
    </div>
  );
}

function Unpainted({ places }: { places: ReturnType<typeof listUnpainted> }) {
  const designer = useDesigner();
  if (places.length === 0) return null;
  const names = places.slice(0, 8).map(({ shown }) => shown);
  return (
    <div className="bsd-note" data-tone="warn">
      <p>
        Senza categoria: {places.length}. {names.join(', ')}
        {places.length > names.length ? ' e altri' : ''}.
      </p>
      <Button onPress={() => pointOut(designer, selectPlaces(places))}>Selezionali</Button>
    </div>
  );
}
