/** Exports the chart: as seats.io's drawing, as a plan of pretix, as a table, or as a picture. */
import { useMemo } from 'react';
import { Button } from '#apps/chart/designer/kit/controls.tsx';
import { Dialog } from '#apps/chart/designer/kit/dialog.tsx';
import { registerStyle } from '#apps/chart/designer/kit/style.ts';
import type { Studio } from '#apps/chart/designer/state/studio.ts';
import type { Doc } from '#server/drawing/model/data.ts';
import { saveDrawing } from '#server/drawing/model/open.ts';
import { csvOf } from '#server/drawing/port/csv-out.ts';
import { pretixOf, type PretixLoss } from '#server/drawing/port/pretix-out.ts';
import { svgOf } from '#server/drawing/port/svg/write.ts';
import { withoutOwnKeys } from '#server/drawing/port/vendor.ts';
import css from './port.css?inline';
import { fileName, saveFile } from './save-file.ts';
import { count } from '#apps/chart/designer/kit/count.ts';

registerStyle(css);

const losses: Record<keyof PretixLoss, [string, string]> = {
  tables: ['tavolo diventa fila', 'tavoli diventano file'],
  areas: ['area resta solo disegnata', 'aree restano solo disegnate'],
  booths: ['séparé resta solo disegnato', 'séparé restano solo disegnati'],
  flags: ['posto perde le sue caratteristiche', 'posti perdono le loro caratteristiche'],
  aisles: ['corridoio non è detto', 'corridoi non sono detti'],
  floors: ['piano diventa zona', 'piani diventano zone'],
  unpainted: ['posto è senza categoria', 'posti sono senza categoria'],
};

function lossWords(loss: PretixLoss): string {
  const told = Object.entries(losses).flatMap(([key, [one, many]]) => {
    const number = loss[key as keyof PretixLoss];
    return number > 0 ? [count(number, one, many)] : [];
  });
  return told.length === 0 ? 'Dice tutto di questa pianta.' : `Non dice tutto: ${told.join(', ')}.`;
}

interface Format {
  title: string;
  button: string;
  hint: string;
  ending: string;
  type: string;
  write: () => string;
}

function formatsOf({ doc, floor }: { doc: Doc; floor: string }): Format[] {
  const { plan, loss } = pretixOf(doc);
  const json = (value: unknown) => `${JSON.stringify(value, null, 1)}\n`;
  return [
    {
      title: 'Disegno completo',
      button: 'Scarica il disegno completo',
      hint: 'Il formato di seats.io con ciò che è solo nostro: si rilegge senza perdere niente.',
      ending: 'json',
      type: 'application/json',
      write: () => json(saveDrawing(doc)),
    },
    {
      title: 'Disegno per seats.io',
      button: 'Scarica il disegno (seats.io)',
      hint: 'Lo stesso, senza le voci che seats.io non conosce.',
      ending: 'seatsio.json',
      type: 'application/json',
      write: () => json(withoutOwnKeys(saveDrawing(doc))),
    },
    {
      title: 'Pianta di pretix',
      button: 'Scarica per pretix',
      hint: lossWords(loss),
      ending: 'pretix.json',
      type: 'application/json',
      write: () => json(plan),
    },
    {
      title: 'Tabella CSV',
      button: 'Scarica come tabella (CSV)',
      hint: 'Una riga per posto, per un foglio di calcolo.',
      ending: 'csv',
      type: 'text/csv',
      write: () => csvOf(doc),
    },
    {
      title: 'Disegno SVG',
      button: 'Scarica come immagine (SVG)',
      hint: 'Il piano che si vede, con nomi e colori; si può importare di nuovo.',
      ending: 'svg',
      type: 'image/svg+xml',
      write: () =>
        svgOf(doc, floor, { hasLabels: true, hasColors: true, title: doc.root.name ?? '' }),
    },
  ];
}

export function ExportDialog({ studio, onClose }: { studio: Studio; onClose: () => void }) {
  const { doc, floor } = studio.state;
  const formats = useMemo(() => formatsOf({ doc, floor }), [doc, floor]);
  const save = ({ ending, type, write, title }: Format) => {
    saveFile(fileName(doc.root.name ?? '', ending), type, write());
    studio.say(`${title}: file scaricato.`);
  };
  return (
    <Dialog title="Esporta la pianta" onClose={onClose}>
      <ul className="bsd-port-list">
        {formats.map((format) => (
          <li key={format.ending}>
            <div>
              <b>{format.title}</b>
              <small>{format.hint}</small>
            </div>
            <Button icon="download" onPress={() => save(format)}>
              {format.button}
            </Button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
