/**
 * The traced picture: a photo or scan, or a page of a PDF, put under the drawing, moved, scaled,
 * turned and faded.
 */
import { useState } from 'react';
import { Button, Check, NumberField } from '#apps/chart/designer/kit/controls.tsx';
import { Dialog } from '#apps/chart/designer/kit/dialog.tsx';
import { FileButton } from '#apps/chart/designer/kit/file-button.tsx';
import { registerStyle } from '#apps/chart/designer/kit/style.ts';
import { useDesigner } from '#apps/chart/designer/context.ts';
import type { Studio } from '#apps/chart/designer/state/studio.ts';
import { useStudio } from '#apps/chart/designer/state/use-studio.ts';
import { UnreadablePicture } from './picture-fault.ts';
import { openPicture, type OpenPdf, type TracedPicture } from './picture-file.ts';
import css from './port.css?inline';
import { useGiven } from './use-given.ts';
import { setTraced, tracedOf, type Traced } from './traced.ts';

registerStyle(css);

interface DialogLook {
  studio: Studio;
  onClose: () => void;
}

const faults: Record<UnreadablePicture['reason'], string> = {
  'not-a-picture': 'Il file non si legge: servono JPEG, PNG, WebP o PDF.',
  'too-large': 'Il file è troppo grande.',
  locked: 'Il PDF è protetto da una password.',
};

function faultOf(error: unknown): string {
  return faults[error instanceof UnreadablePicture ? error.reason : 'not-a-picture'];
}

/** The picture is 1000 to 2000 units wide until its real size is given. */
function placed({ href, width, height }: TracedPicture, before: Traced | null): Traced {
  const wide = before?.width ?? Math.max(1000, Math.min(width, 2000));
  return {
    href,
    x: before?.x ?? 0,
    y: before?.y ?? 0,
    width: wide,
    height: Math.round((wide * height) / width),
    opacity: before?.opacity ?? 0.5,
    rotationAngle: before?.rotationAngle ?? 0,
  };
}

function usePicture(put: (picture: TracedPicture) => void) {
  const [pdf, setPdf] = useState<OpenPdf | null>(null);
  const [page, setPage] = useState(1);
  const [state, setState] = useState<'idle' | 'busy' | { fault: string }>('idle');
  const run = async (work: () => Promise<void>) => {
    setState('busy');
    try {
      await work();
      setState('idle');
    } catch (error) {
      setState({ fault: faultOf(error) });
    }
  };
  const show = (from: OpenPdf, number: number) =>
    run(async () => {
      setPage(number);
      put(await from.draw(number));
    });
  return {
    pdf,
    page,
    state,
    turn: (number: number) => pdf && show(pdf, number),
    take: (file: File | undefined) =>
      file &&
      run(async () => {
        pdf?.close();
        setPdf(null);
        const opened = await openPicture(file);
        if ('picture' in opened) return put(opened.picture);
        setPdf(opened.pdf);
        await show(opened.pdf, 1);
      }),
  };
}

export function BackdropDialog({ studio, onClose }: DialogLook) {
  const { canvas } = useDesigner();
  const floor = useStudio(studio, (state) => state.floor);
  const data = useStudio(studio, (state) => state.doc.floors.find(({ id }) => id === floor)?.data);
  const traced = tracedOf(data);
  const act = (next: Traced | null) => {
    studio.act(setTraced(studio.state.doc, floor, next));
    canvas()?.refresh();
  };
  const picture = usePicture((drawn) => {
    const { doc } = studio.state;
    act(placed(drawn, tracedOf(doc.floors.find(({ id }) => id === floor)?.data)));
    studio.say('Sfondo caricato.');
    canvas()?.fit();
  });
  useGiven(picture.take);
  return (
    <Dialog
      title="Sfondo da ricalcare"
      onClose={onClose}
      footer={
        <>
          {traced && (
            <Button look="danger" icon="trash" onPress={() => act(null)}>
              Togli lo sfondo
            </Button>
          )}
          <Button look="primary" onPress={onClose}>
            Fatto
          </Button>
        </>
      }
    >
      <div className="bsd-port-beside">
        <FileChoice picture={picture} />
        {traced && <Placing traced={traced} onChange={act} />}
      </div>
    </Dialog>
  );
}

function FileChoice({ picture }: { picture: ReturnType<typeof usePicture> }) {
  const { pdf, page, state, turn, take } = picture;
  return (
    <div className="bsd-port-drop">
      <FileButton
        label="Foto, scansione o PDF della sala"
        accept="image/jpeg,image/png,image/webp,application/pdf"
        onFile={(file) => void take(file)}
      />
      {pdf && pdf.pages > 1 && (
        <NumberField
          label={`Pagina (di ${pdf.pages})`}
          value={page}
          whole
          min={1}
          max={pdf.pages}
          onCommit={(number) => void turn(number)}
        />
      )}
      {state === 'busy' && <p role="status">Leggo il file…</p>}
      {typeof state === 'object' && (
        <p role="alert" className="bsd-port-fault">
          {state.fault}
        </p>
      )}
    </div>
  );
}

function Placing({ traced, onChange }: { traced: Traced; onChange: (traced: Traced) => void }) {
  const ratio = traced.height / traced.width;
  return (
    <div className="bsd-port-fields">
      <NumberField
        label="Da sinistra"
        value={traced.x}
        onCommit={(x) => onChange({ ...traced, x })}
      />
      <NumberField
        label="Dall’alto"
        value={traced.y}
        onCommit={(y) => onChange({ ...traced, y })}
      />
      <NumberField
        label="Larghezza"
        value={traced.width}
        min={1}
        max={100_000}
        hint="L’altezza segue."
        onCommit={(width) => onChange({ ...traced, width, height: width * ratio })}
      />
      <NumberField
        label="Rotazione"
        unit="gradi"
        value={traced.rotationAngle}
        min={-360}
        max={360}
        onCommit={(rotationAngle) => onChange({ ...traced, rotationAngle })}
      />
      <Opacity
        key={traced.opacity}
        value={traced.opacity}
        onCommit={(opacity) => onChange({ ...traced, opacity })}
      />
      <Check
        label="Nascondi lo sfondo"
        checked={traced.x_hidden === true}
        onChange={(isHidden) => onChange({ ...traced, x_hidden: isHidden })}
      />
    </div>
  );
}

/** A drag is one edit, made when it ends. */
function Opacity({ value, onCommit }: { value: number; onCommit: (value: number) => void }) {
  const [shown, setShown] = useState(Math.round(value * 100));
  const say = () => shown / 100 !== value && onCommit(shown / 100);
  return (
    <label className="bsd-port-range">
      {`Visibile al ${shown} %`}
      <input
        type="range"
        min={5}
        max={100}
        step={5}
        value={shown}
        onChange={(event) => setShown(Number(event.target.value))}
        onPointerUp={say}
        onKeyUp={say}
        onBlur={say}
      />
    </label>
  );
}
