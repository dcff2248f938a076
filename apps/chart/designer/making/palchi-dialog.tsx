/** Replaces a row with boxes along its line. */
import { useState } from 'react';
import { palchiAlong } from '#server/drawing/edit/tables/palchi.ts';
import { madeBy, rowsOf } from '#server/drawing/edit/targets.ts';
import { useDesigner } from '#apps/chart/designer/context.ts';
import type { Studio } from '#apps/chart/designer/state/studio.ts';
import { Button, NumberField, TextField } from '#apps/chart/designer/kit/controls.tsx';
import { Dialog } from '#apps/chart/designer/kit/dialog.tsx';

export function PalchiDialog({ studio, onClose }: { studio: Studio; onClose: () => void }) {
  const { newId } = useDesigner();
  const [boxes, setBoxes] = useState(15);
  const [chairs, setChairs] = useState(4);
  const [depth, setDepth] = useState(40);
  const [tier, setTier] = useState('');
  const [firstLabel, setFirstLabel] = useState('1');
  const { doc, selection } = studio.state;
  const [row] = rowsOf(doc, selection.items);
  const make = () => {
    const edit = row && palchiAlong(doc, row.id, { boxes, chairs, depth, tier, firstLabel }, newId);
    onClose();
    if (edit) studio.act(edit, madeBy(edit));
    else studio.say('Lungo questa fila non si possono fare palchi.');
  };
  return (
    <Dialog
      title="Palchi lungo la fila"
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>Annulla</Button>
          <Button look="primary" disabled={!row} onPress={make}>
            Fai i palchi
          </Button>
        </>
      }
    >
      <div className="bsd-stack">
        <p>I palchi prendono il posto della fila e ne seguono la linea, rivolti al punto focale.</p>
        <div className="bsd-pair">
          <NumberField label="Palchi" whole min={1} max={100} value={boxes} onCommit={setBoxes} />
          <NumberField
            label="Sedie per palco"
            whole
            min={1}
            max={60}
            value={chairs}
            onCommit={setChairs}
          />
        </div>
        <div className="bsd-pair">
          <NumberField label="Profondità" min={10} max={400} value={depth} onCommit={setDepth} />
          <TextField
            label="Primo numero"
            value={firstLabel}
            maxLength={20}
            onCommit={setFirstLabel}
          />
        </div>
        <TextField label="Ordine (per esempio «I ordine»)" value={tier} onCommit={setTier} />
      </div>
    </Dialog>
  );
}
