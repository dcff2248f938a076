/** Prints a floor on A4 or A3, or as a PDF where the browser offers it as a printer. */
import { useMemo, useState } from 'react';
import { Button, Check, Select, TextField } from '#apps/chart/designer/kit/controls.tsx';
import { Dialog } from '#apps/chart/designer/kit/dialog.tsx';
import { registerStyle } from '#apps/chart/designer/kit/style.ts';
import type { Studio } from '#apps/chart/designer/state/studio.ts';
import { svgOf } from '#server/drawing/port/svg/write.ts';
import css from './port.css?inline';
import { printPicture, type Paper } from './print.ts';

registerStyle(css);

const papers = [
  { value: 'A4', text: 'A4' },
  { value: 'A3', text: 'A3' },
];

export function PrintDialog({ studio, onClose }: { studio: Studio; onClose: () => void }) {
  const { doc } = studio.state;
  const [paper, setPaper] = useState<Paper>('A4');
  const [floor, setFloor] = useState(studio.state.floor);
  const [hasLabels, setLabels] = useState(true);
  const [hasColors, setColors] = useState(true);
  const [title, setTitle] = useState(doc.root.name ?? 'Pianta');
  const svg = useMemo(
    () => svgOf(doc, floor, { hasLabels, hasColors, title }),
    [doc, floor, hasLabels, hasColors, title],
  );
  return (
    <Dialog
      title="Stampa la pianta"
      onClose={onClose}
      footer={
        <Button look="primary" onPress={() => printPicture(svg, paper)}>
          Stampa (PDF)
        </Button>
      }
    >
      <img
        className="bsd-port-preview"
        src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`}
        alt="Anteprima di stampa"
      />
      <div className="bsd-port-fields">
        <TextField label="Titolo" value={title} onCommit={setTitle} />
        <Select
          label="Foglio"
          value={paper}
          options={papers}
          onChange={(value) => setPaper(value as Paper)}
          hint="Per un PDF scegli «Salva come PDF» tra le stampanti."
        />
        {doc.floors.length > 1 && (
          <Select
            label="Piano"
            value={floor}
            options={doc.floors.map(({ id, data }, index) => ({
              value: id,
              text: data.floorDisplayName ?? data.floorName ?? `Piano ${index + 1}`,
            }))}
            onChange={setFloor}
          />
        )}
        <Check label="Nomi di file e posti" checked={hasLabels} onChange={setLabels} />
        <Check label="Colori e legenda" checked={hasColors} onChange={setColors} />
      </div>
    </Dialog>
  );
}
