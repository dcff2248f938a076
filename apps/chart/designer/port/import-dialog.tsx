/**
 * Imports a file: a picture whose rows a person reviews first, a table, a plan of pretix, or a
 * drawing of seats.io.
 */
import { useState, type DragEvent } from 'react';
import { useDesigner } from '#apps/chart/designer/context.ts';
import type { Studio } from '#apps/chart/designer/state/studio.ts';
import { Button } from '#apps/chart/designer/kit/controls.tsx';
import { Dialog } from '#apps/chart/designer/kit/dialog.tsx';
import { FileButton } from '#apps/chart/designer/kit/file-button.tsx';
import { registerStyle } from '#apps/chart/designer/kit/style.ts';
import { PlaceChoice } from './place-choice.tsx';
import { isEmpty, placeDrawing, type Place } from './place-drawing.ts';
import css from './port.css?inline';
import { readFile, type ReadDrawing, type ReadPicture } from './read-file.ts';
import { ReviewDialog } from './review-dialog.tsx';
import { Summary } from './summary.tsx';
import { useGiven } from './use-given.ts';
import { faultOf } from './words.ts';

registerStyle(css);

interface DialogLook {
  studio: Studio;
  onClose: () => void;
}

function useReading(newId: () => string) {
  const [state, setState] = useState<{
    read: ReadDrawing | ReadPicture | null;
    fault: string | null;
    isBusy: boolean;
  }>({ read: null, fault: null, isBusy: false });
  const take = async (file: File | undefined) => {
    if (!file) return;
    setState({ read: null, fault: null, isBusy: true });
    try {
      const read = await readFile(file, newId);
      setState({ read, fault: null, isBusy: false });
    } catch (error) {
      setState({ read: null, fault: faultOf(error), isBusy: false });
    }
  };
  return { ...state, take, forget: () => setState({ read: null, fault: null, isBusy: false }) };
}

export function ImportDialog({ studio, onClose }: DialogLook) {
  const { newId, canvas } = useDesigner();
  const { read, fault, isBusy, take, forget } = useReading(newId);
  useGiven(take);
  const [place, setPlace] = useState<Place>(isEmpty(studio) ? 'instead' : 'beside');
  const finish = (drawing: ReadDrawing['drawing'], at: Place) => {
    placeDrawing(studio, drawing, { place: at, newId, canvas: canvas() });
    onClose();
  };
  if (read?.kind === 'picture')
    return (
      <ReviewDialog
        picture={read}
        place={place}
        onPlace={setPlace}
        onMake={(drawing) => finish(drawing, place)}
        onBack={forget}
        onClose={onClose}
      />
    );
  return (
    <Dialog
      title="Importa una pianta"
      onClose={onClose}
      wide={read !== null}
      footer={
        read && (
          <>
            <Button onPress={forget}>Altro file</Button>
            <Button look="primary" onPress={() => finish(read.drawing, place)}>
              Importa
            </Button>
          </>
        )
      }
    >
      {read ? (
        <>
          <Summary drawing={read.drawing} format={read.format} notes={read.notes} />
          <PlaceChoice value={place} onChange={setPlace} />
        </>
      ) : (
        <FileChoice isBusy={isBusy} fault={fault} onFile={take} />
      )}
    </Dialog>
  );
}

interface FileChoiceLook {
  isBusy: boolean;
  fault: string | null;
  onFile: (file: File | undefined) => Promise<void>;
}

function FileChoice({ isBusy, fault, onFile }: FileChoiceLook) {
  const drop = (event: DragEvent) => {
    event.preventDefault();
    void onFile(event.dataTransfer.files[0]);
  };
  return (
    <div className="bsd-port-drop" onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      <FileButton
        label="Scegli un file o trascinalo qui"
        accept=".svg,.svgz,.csv,.txt,.json,image/svg+xml,text/csv,application/json"
        onFile={(file) => void onFile(file)}
      />
      <ul className="bsd-port-formats">
        <li>
          <b>SVG</b>: cerchi, quadrati e simboli diventano posti, i testi etichette; prima di creare
          le file le vedi e le correggi.
        </li>
        <li>
          <b>CSV</b>: una riga per posto, con le colonne fila e posto; se ci sono, anche settore,
          categoria, x, y.
        </li>
        <li>
          <b>JSON</b>: piante di pretix e disegni di seats.io.
        </li>
      </ul>
      {isBusy && <p role="status">Leggo il file…</p>}
      {fault && (
        <p role="alert" className="bsd-port-fault">
          {fault}
        </p>
      )}
    </div>
  );
}
