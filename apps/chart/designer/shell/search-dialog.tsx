/** Finds a place by its label, or by the name that visitors read and that is printed. */
import { useId, useMemo, useState } from 'react';
import { useDesigner } from '#apps/chart/designer/context.ts';
import type { Studio } from '#apps/chart/designer/state/studio.ts';
import { useStudio } from '#apps/chart/designer/state/use-studio.ts';
import { Dialog } from '#apps/chart/designer/kit/dialog.tsx';
import { findablePlaces, searchPlaces, type FoundPlace } from './find-places.ts';

export function SearchDialog({ studio, onClose }: { studio: Studio; onClose: () => void }) {
  const { canvas } = useDesigner();
  const id = useId();
  const doc = useStudio(studio, (state) => state.doc);
  const [text, setText] = useState('');
  const all = useMemo(() => findablePlaces(doc), [doc]);
  const found = searchPlaces(all, text);
  const go = ({ selection }: FoundPlace) => {
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
