/** Finds a place by its label. */
import { useId, useMemo, useState } from 'react';
import { listPlaces, labelOf } from '#server/drawing/model/places.ts';
import { selectItems, type Selection } from '#server/drawing/model/selection.ts';
import { whereOf } from '#server/drawing/model/where.ts';
import type { Doc } from '#server/drawing/model/data.ts';
import { useDesigner } from '#apps/chart/designer/context.ts';
import type { Studio } from '#apps/chart/designer/state/studio.ts';
import { useStudio } from '#apps/chart/designer/state/use-studio.ts';
import { Dialog } from '#apps/chart/designer/kit/dialog.tsx';

const shown = 30;

interface Found {
  key: string;
  text: string;
  words: string;
  selection: Selection;
}

function findable(doc: Doc): Found[] {
  const places = listPlaces(doc).map(({ label, item, seat }): Found => ({
    key: `${item} ${seat}`,
    text: label,
    words: label.toLowerCase(),
    selection:
      seat === null
        ? selectItems([item])
        : { items: new Set(), seats: new Map([[item, new Set([seat])]]) },
  }));
  const objects = [...doc.items.values()]
    .filter(({ kind, data }) => labelOf(data) !== '?' && kind !== 'booth' && kind !== 'area')
    .map((item): Found => {
      const text = whereOf(doc, item);
      return { key: item.id, text, words: text.toLowerCase(), selection: selectItems([item.id]) };
    });
  return [...objects, ...places];
}

/** Labels that begin with the text come first, then those that contain it. */
function search(all: readonly Found[], text: string): Found[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return [];
  const hits = all.filter(({ words }) => words.includes(wanted));
  const rank = ({ words }: Found) => {
    if (words === wanted) return 0;
    return words.startsWith(wanted) ? 1 : 2;
  };
  return hits.toSorted((a, b) => rank(a) - rank(b)).slice(0, shown);
}

export function SearchDialog({ studio, onClose }: { studio: Studio; onClose: () => void }) {
  const { canvas } = useDesigner();
  const id = useId();
  const doc = useStudio(studio, (state) => state.doc);
  const [text, setText] = useState('');
  const all = useMemo(() => findable(doc), [doc]);
  const found = search(all, text);
  const go = ({ selection }: Found) => {
    const [first = ''] = [...selection.items, ...selection.seats.keys()];
    const item = doc.items.get(first);
    if (!item) return;
    studio.set({ selection, marked: selection, floor: item.floor, section: item.section });
    onClose();
    canvas()?.zoomTo(selection);
    canvas()?.element.focus();
  };
  return (
    <Dialog title="Vai a un posto" onClose={onClose}>
      <form
        className="bsd-stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (found[0]) go(found[0]);
        }}
      >
        <div className="bsd-field">
          <label htmlFor={id}>Etichetta: fila, posto, settore, tavolo</label>
          <input
            id={id}
            className="bsd-input"
            type="search"
            autoComplete="off"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </div>
        <p role="status" className="bsd-hint">
          {text.trim() !== '' && found.length === 0 && 'Nessun posto con questa etichetta.'}
        </p>
        <ul>
          {found.map((one) => (
            <li key={one.key}>
              <button type="button" className="bsd-menu-line" onClick={() => go(one)}>
                {one.text}
              </button>
            </li>
          ))}
        </ul>
      </form>
    </Dialog>
  );
}
