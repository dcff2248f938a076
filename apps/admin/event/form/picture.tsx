/** A field for one picture of the event: choose or drop, crop if round, upload, remove. */
import { useState } from 'react';
import { filterImage } from '#server/contract/images.ts';
import { sendLogo } from '#server/contract/look.ts';
import { imageBytesMax, imageIdOf, type ImageShape } from '#server/domain/event/image.ts';
import { CropDialog } from './picture-dialog.tsx';
import { leastPixels, sharesOf, type ChosenPicture, type Crop } from './picture-crop.ts';
import { DropZone, FileInput, type FileInputProps } from '#apps/admin/kit/form/drop-zone.tsx';
import { tellFailure } from '#apps/admin/kit/page/loaded.tsx';
import { useAct } from '#apps/admin/kit/session/session.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import buttonStyles from '#apps/admin/kit/buttons.module.css';
import styles from './picture.module.css';

/** A logo is not cropped and may have little height. */
type PictureShape = ImageShape | 'logo';

interface PictureProps {
  label: string;
  hint: string;
  shape: PictureShape;
  value: string | null;
  onChange: (url: string | null) => void;
  error: string | null;
}

const types = ['image/jpeg', 'image/png', 'image/webp', 'image/avif'];
const accepted = types.join(',');
const mostPixels = 40_000_000;

/** Takes one picture from the disk to the server. */
function useUpload(shape: PictureShape, onChange: (url: string) => void) {
  const act = useAct();
  const [chosen, setChosen] = useState<ChosenPicture | null>(null);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);

  async function choose(file: File | undefined) {
    if (!file || busy) return;
    const found = await openPicture(file, shape);
    setFault(typeof found === 'string' ? found : null);
    if (typeof found === 'string') return;
    if (shape === 'ball') setChosen(found);
    else await send(found, null);
  }

  function close(picture: ChosenPicture) {
    URL.revokeObjectURL(picture.url);
    setChosen(null);
  }

  async function send(picture: ChosenPicture, crop: Crop | null) {
    setBusy(true);
    try {
      const { url } =
        shape === 'logo'
          ? await act(sendLogo, { body: formOf(picture, null, null) })
          : await act(filterImage, { body: formOf(picture, shape, crop) });
      onChange(url);
    } catch (failure) {
      setFault(tellFailure(failure));
    }
    setBusy(false);
    close(picture);
  }

  return { chosen, busy, fault, choose, close, send };
}

export function Picture({ label, hint, shape, value, onChange, error }: PictureProps) {
  const { chosen, busy, fault, choose, close, send } = useUpload(shape, onChange);
  const shownFault = fault ?? error;
  return (
    <fieldset className={`ui-field ${styles.field}`}>
      <legend className="ui-field-label">{label}</legend>
      {value === null ? (
        <DropZone accept={accepted} onFile={(file) => void choose(file)}>
          <span>
            {busy ? (
              'Caricamento…'
            ) : (
              <>
                <b>Scegli un’immagine</b> o trascinala qui
              </>
            )}
            <span className="visually-hidden"> per: {label}</span>
          </span>
        </DropZone>
      ) : (
        <Shown
          label={label}
          shape={shape}
          url={value}
          busy={busy}
          onFile={(file) => void choose(file)}
          onRemove={() => onChange(null)}
        />
      )}
      <p className="ui-field-hint">{hint}</p>
      {shownFault !== null && (
        <p className="ui-field-error" role="alert">
          {shownFault}
        </p>
      )}
      {chosen !== null && (
        <CropDialog
          picture={chosen}
          title={label}
          onCancel={() => close(chosen)}
          onDone={(crop) => send(chosen, crop)}
        />
      )}
    </fieldset>
  );
}

interface ShownProps extends Pick<FileInputProps, 'onFile'> {
  label: string;
  shape: PictureShape;
  url: string;
  busy: boolean;
  onRemove: () => void;
}

function Shown({ label, shape, url, busy, onFile, onRemove }: ShownProps) {
  return (
    <div className={styles.shown}>
      <img
        className={`${styles.preview} ${styles[shape]}`}
        src={previewOf(url)}
        alt={`${label}: anteprima`}
      />
      <div className={buttonStyles.actions}>
        <label className={`ui-button ${buttonStyles.small} ${styles.again}`}>
          {busy ? 'Caricamento…' : 'Sostituisci'}
          <span className="visually-hidden"> {label}</span>
          <FileInput accept={accepted} onFile={onFile} />
        </label>
        <Button small look="danger" disabled={busy} onClick={onRemove}>
          Togli<span className="visually-hidden"> {label}</span>
        </Button>
      </div>
    </div>
  );
}

/** Returns an Italian sentence if the server would refuse the file. */
async function openPicture(file: File, shape: PictureShape): Promise<ChosenPicture | string> {
  if (file.type === 'image/svg+xml')
    return 'Un SVG non si può usare: salva l’immagine come JPEG, PNG, WebP o AVIF.';
  if (!types.includes(file.type)) return 'Serve una foto JPEG, PNG, WebP o AVIF.';
  if (file.size > imageBytesMax) return 'Il file è troppo grande: al massimo 8 MB.';
  const url = URL.createObjectURL(file);
  const picture = new Image();
  picture.src = url;
  const opened = await picture.decode().then(
    () => true,
    () => false,
  );
  const { naturalWidth: width, naturalHeight: height } = picture;
  const fault = opened
    ? faultOfSize(shape, width, height)
    : 'Questo file non si apre: forse è rovinato.';
  if (fault === null) return { file, url, width, height };
  URL.revokeObjectURL(url);
  return fault;
}

function faultOfSize(shape: PictureShape, width: number, height: number): string | null {
  if (width < leastPixels || (shape !== 'logo' && height < leastPixels))
    return `L’immagine è troppo piccola: almeno ${leastPixels} pixel ${shape === 'logo' ? 'di larghezza' : 'per lato'}.`;
  return width * height > mostPixels ? 'L’immagine ha troppi pixel: al massimo 40 milioni.' : null;
}

/** The server reads shares as text, the square's side as a share of the width. */
function formOf(picture: ChosenPicture, shape: ImageShape | null, crop: Crop | null): FormData {
  const form = new FormData();
  const put = (name: string, share: number) =>
    form.set(name, Math.min(1, Math.max(0, share)).toFixed(6));
  if (shape !== null) form.set('shape', shape);
  if (crop !== null) {
    put('x', crop.x);
    put('y', crop.y);
    put('size', sharesOf(picture, crop.size).across);
  }
  form.set('file', picture.file);
  return form;
}

/** The server answers with a smaller size if the picture has no such size. */
function previewOf(url: string): string {
  return imageIdOf(url) === null ? url : `${url}/320.webp`;
}
