/** Starts a drawing from a typical room. */
import { useMemo, useState } from 'react';
import { Button } from '#apps/chart/designer/kit/controls.tsx';
import { Dialog } from '#apps/chart/designer/kit/dialog.tsx';
import { registerStyle } from '#apps/chart/designer/kit/style.ts';
import { useDesigner } from '#apps/chart/designer/context.ts';
import type { Studio } from '#apps/chart/designer/state/studio.ts';
import { TEMPLATES } from '#server/drawing/templates/templates.ts';
import { PlaceChoice } from './place-choice.tsx';
import { isEmpty, placeDrawing, type Place } from './place-drawing.ts';
import css from './port.css?inline';
import { Preview } from './summary.tsx';

registerStyle(css);

export function TemplatesDialog({ studio, onClose }: { studio: Studio; onClose: () => void }) {
  const { newId, canvas } = useDesigner();
  const [chosen, setChosen] = useState<string | null>(null);
  const [place, setPlace] = useState<Place>(isEmpty(studio) ? 'instead' : 'beside');
  const rooms = useMemo(
    () => TEMPLATES.map(({ key, name, make }) => ({ key, name, drawing: make(newId) })),
    [newId],
  );
  const room = rooms.find(({ key }) => key === chosen);
  const use = () => {
    if (!room) return;
    placeDrawing(studio, room.drawing, { place, newId, canvas: canvas() });
    onClose();
  };
  return (
    <Dialog
      title="Parti da un modello"
      onClose={onClose}
      wide
      footer={
        <Button look="primary" disabled={!room} onPress={use}>
          Usa il modello
        </Button>
      }
    >
      <ul className="bsd-port-rooms">
        {rooms.map(({ key, name, drawing }) => (
          <li key={key}>
            <button type="button" aria-pressed={key === chosen} onClick={() => setChosen(key)}>
              <Preview drawing={drawing} name="" />
              {name}
            </button>
          </li>
        ))}
      </ul>
      <PlaceChoice value={place} onChange={setPlace} />
    </Dialog>
  );
}
