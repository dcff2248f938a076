/** Moves the selection to another floor, and shows it there. */
import { useState } from 'react';
import { moveToFloor } from '#server/drawing/edit/floors.ts';
import { withGroups } from '#server/drawing/edit/targets.ts';
import { Button, Select } from '#apps/chart/designer/kit/controls.tsx';
import { Dialog } from '#apps/chart/designer/kit/dialog.tsx';
import { floorName } from '#apps/chart/designer/kit/floor-name.ts';
import type { Studio } from '#apps/chart/designer/state/studio.ts';

export function ToFloorDialog({ studio, onClose }: { studio: Studio; onClose: () => void }) {
  const { doc, floor, selection } = studio.state;
  const others = doc.floors.filter(({ id }) => id !== floor);
  const [target, setTarget] = useState(others[0]?.id ?? '');
  const move = () => {
    const chosen = withGroups(doc, selection);
    onClose();
    const edit = moveToFloor(doc, chosen, target);
    if (edit === null) {
      studio.say('La selezione è bloccata: non si sposta.');
      return;
    }
    studio.act(edit);
    // A page may refuse the edit, because somebody has the seats.
    if (studio.state.doc === doc) return;
    studio.set({ floor: target, section: null, selection: chosen });
  };
  return (
    <Dialog
      title="Porta su un altro piano"
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>Annulla</Button>
          <Button look="primary" disabled={others.length === 0} onPress={move}>
            Porta
          </Button>
        </>
      }
    >
      {others.length === 0 ? (
        <p>La pianta ha un piano solo: aggiungine un altro in basso, da «Gestisci i piani».</p>
      ) : (
        <Select
          label="Piano"
          value={target}
          options={others.map(({ id, data }) => ({ value: id, text: floorName(data) }))}
          onChange={setTarget}
        />
      )}
    </Dialog>
  );
}
