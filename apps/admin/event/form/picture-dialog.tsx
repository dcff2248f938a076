/** The dialog that crops a picture to a circle, by dragging, pinching or three sliders. */
import { useEffect, useRef, useState, type PointerEvent } from 'react';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { requireValue } from '#server/domain/require-value.ts';
import {
  middleCrop,
  moveCrop,
  placeCrop,
  placeOf,
  sharesOf,
  smallestSize,
  zoomCrop,
  type ChosenPicture,
  type Crop,
} from './picture-crop.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './picture.module.css';

interface CropDialogProps {
  picture: ChosenPicture;
  title: string;
  onCancel: () => void;
  onDone: (crop: Crop) => Promise<void>;
}

export function CropDialog({ picture, title, onCancel, onDone }: CropDialogProps) {
  const [crop, setCrop] = useState(() => middleCrop(picture));
  const place = placeOf(picture, crop);
  const least = smallestSize(picture);
  return (
    <Modal
      title={`${title}: che cosa si vede`}
      onClose={onCancel}
      actions={
        <>
          <Button onClick={onCancel} label="Lascia perdere" />
          <AsyncButton variant="primary" onClick={() => onDone(crop)}>
            Usa questa immagine
          </AsyncButton>
        </>
      }
    >
      <div className={styles.crop}>
        <CropWindow picture={picture} crop={crop} onChange={setCrop} />
        <p className={textStyles.soft}>Trascina l’immagine, o usa i cursori.</p>
        <Slider
          label="Ingrandimento"
          value={least === 1 ? 0 : (1 - crop.size) / (1 - least)}
          still={least === 1}
          onChange={(share) => setCrop(zoomCrop(picture, crop, 1 - share * (1 - least)))}
        />
        <Slider
          label="Da sinistra a destra"
          value={place.across}
          still={sharesOf(picture, crop.size).across > 0.999}
          onChange={(across) => setCrop(placeCrop(picture, crop, { across }))}
        />
        <Slider
          label="Dall’alto in basso"
          value={place.down}
          still={sharesOf(picture, crop.size).down > 0.999}
          onChange={(down) => setCrop(placeCrop(picture, crop, { down }))}
        />
      </div>
    </Modal>
  );
}

interface SliderProps {
  label: string;
  value: number;
  still: boolean;
  onChange: (share: number) => void;
}

function Slider({ label, value, still, onChange }: SliderProps) {
  const percent = Math.round(value * 100);
  return (
    <label className={styles.cropSlider}>
      <span>{label}</span>
      <input
        type="range"
        min={0}
        max={100}
        step={1}
        disabled={still}
        value={percent}
        aria-valuetext={`${percent} %`}
        onChange={(event) => onChange(Number(event.target.value) / 100)}
      />
    </label>
  );
}

interface CropWindowProps {
  picture: ChosenPicture;
  crop: Crop;
  onChange: (change: (old: Crop) => Crop) => void;
}

/** One finger moves the picture; two fingers or the wheel zoom it. */
function useGestures({ picture, onChange }: CropWindowProps) {
  const frame = useRef<HTMLDivElement>(null);
  const fingers = useRef(new Map<number, { x: number; y: number }>());

  // React adds wheel listeners as passive, which cannot stop the page from scrolling.
  useEffect(() => {
    const box = requireValue(frame.current, 'picture');
    const wheel = (event: WheelEvent) => {
      event.preventDefault();
      onChange((old) => zoomCrop(picture, old, old.size * Math.exp(event.deltaY / 500)));
    };
    box.addEventListener('wheel', wheel, { passive: false });
    return () => box.removeEventListener('wheel', wheel);
  }, [picture, onChange]);

  function move(event: PointerEvent) {
    const old = fingers.current.get(event.pointerId);
    if (!old || frame.current === null) return;
    const side = frame.current.clientWidth;
    const now = { x: event.clientX, y: event.clientY };
    const other = [...fingers.current].find(([id]) => id !== event.pointerId)?.[1];
    fingers.current.set(event.pointerId, now);
    if (other === undefined)
      onChange((crop) =>
        moveCrop(picture, crop, { dx: (old.x - now.x) / side, dy: (old.y - now.y) / side }),
      );
    else
      onChange((crop) =>
        zoomCrop(
          picture,
          crop,
          crop.size * (distance(old, other) / Math.max(1, distance(now, other))),
        ),
      );
  }

  function press(event: PointerEvent) {
    event.currentTarget.setPointerCapture(event.pointerId);
    fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  const lift = (event: PointerEvent) => fingers.current.delete(event.pointerId);
  return {
    ref: frame,
    onPointerDown: press,
    onPointerMove: move,
    onPointerUp: lift,
    onPointerCancel: lift,
  };
}

function CropWindow(props: CropWindowProps) {
  const { picture, crop } = props;
  const { across, down } = sharesOf(picture, crop.size);
  return (
    <div className={styles.cropWindow} {...useGestures(props)}>
      <img
        src={picture.url}
        alt=""
        draggable={false}
        style={{
          inlineSize: `${100 / across}%`,
          insetInlineStart: `${(-100 * crop.x) / across}%`,
          insetBlockStart: `${(-100 * crop.y) / down}%`,
        }}
      />
    </div>
  );
}

function distance(a: { x: number; y: number }, b: { x: number; y: number }): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
