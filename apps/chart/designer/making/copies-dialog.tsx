/** Copies in a grid, or around the focal point: tables of a dinner, blocks of an arena. */
import { useState } from 'react';
import { gridCopy, ringCopy } from '#server/drawing/edit/copy.ts';
import { madeBy, withGroups } from '#server/drawing/edit/targets.ts';
import { boundsOfSelection } from '#server/drawing/geometry/bounds.ts';
import { useDesigner } from '#apps/chart/designer/context.ts';
import type { Studio } from '#apps/chart/designer/state/studio.ts';
import { Button, NumberField, Select } from '#apps/chart/designer/kit/controls.tsx';
import { Dialog } from '#apps/chart/designer/kit/dialog.tsx';

interface Numbers {
  columns: number;
  rows: number;
  dx: number;
  dy: number;
  count: number;
  degrees: number;
}

/** Copies are placed beside the original with a small gap. */
function usualNumbers({ state: { doc, selection } }: Studio): Numbers {
  const bounds = boundsOfSelection(doc, selection);
  const [width, height] = bounds
    ? [bounds.right - bounds.left, bounds.bottom - bounds.top]
    : [100, 100];
  const [dx, dy] = [Math.round(width + 24), Math.round(height + 24)];
  return { columns: 3, rows: 1, dx, dy, count: 3, degrees: 30 };
}

export function CopiesDialog({ studio, onClose }: { studio: Studio; onClose: () => void }) {
  const { newId } = useDesigner();
  const [way, setWay] = useState('grid');
  const [numbers, setNumbers] = useState(() => usualNumbers(studio));
  const { doc, selection, floor } = studio.state;
  const pivot = doc.floors.find(({ id }) => id === floor)?.data.focalPoint;
  const make = () => {
    const chosen = withGroups(doc, selection);
    const edit =
      way === 'grid'
        ? gridCopy(doc, chosen, numbers, newId)
        : pivot && ringCopy(doc, chosen, { ...numbers, pivot }, newId);
    onClose();
    if (edit) studio.act(edit, madeBy(edit));
    else studio.say('Non c’è niente da copiare.');
  };
  return (
    <Dialog
      title="Copie in serie"
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>Annulla</Button>
          <Button look="primary" disabled={way === 'ring' && !pivot} onPress={make}>
            Copia
          </Button>
        </>
      }
    >
      <div className="bsd-stack">
        <Select
          label="Disposizione"
          value={way}
          options={[
            { value: 'grid', text: 'A griglia' },
            { value: 'ring', text: 'Attorno al punto focale' },
          ]}
          onChange={setWay}
          hint={way === 'ring' && !pivot ? 'Prima metti il punto focale del piano.' : undefined}
        />
        <CopyNumbers way={way} numbers={numbers} onChange={setNumbers} />
      </div>
    </Dialog>
  );
}

interface NumbersLook {
  way: string;
  numbers: Numbers;
  onChange: (numbers: Numbers) => void;
}

function CopyNumbers({ way, numbers, onChange }: NumbersLook) {
  const field = (key: keyof Numbers, label: string, [min, max]: [number, number]) => (
    <NumberField
      label={label}
      min={min}
      max={max}
      whole={key === 'columns' || key === 'rows' || key === 'count'}
      value={numbers[key]}
      onCommit={(value) => onChange({ ...numbers, [key]: value })}
    />
  );
  return way === 'grid' ? (
    <>
      <div className="bsd-pair">
        {field('columns', 'Colonne', [1, 400])}
        {field('rows', 'Righe', [1, 400])}
      </div>
      <div className="bsd-pair">
        {field('dx', 'Passo in orizzontale', [-5000, 5000])}
        {field('dy', 'Passo in verticale', [-5000, 5000])}
      </div>
      <p>L’originale conta: al massimo 400 in tutto.</p>
    </>
  ) : (
    <div className="bsd-pair">
      {field('count', 'Copie', [1, 400])}
      {field('degrees', 'Angolo tra una e l’altra (°)', [-180, 180])}
    </div>
  );
}
