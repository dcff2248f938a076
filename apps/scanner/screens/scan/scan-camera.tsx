/** The camera's picture with what belongs on it: the aim, what is wrong, zoom, and the choice of camera. */
import { useRef, type PointerEvent } from 'react';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { blindWords, troubleWords } from '#apps/scanner/camera/camera.ts';
import { canReload } from '#apps/scanner/device/update.ts';
import { aimWords, type Mode } from './mode-switch.tsx';
import type { CameraView } from '#apps/scanner/camera/use-camera.ts';

export function ScanCamera({
  camera,
  mode,
  onCameras,
}: {
  camera: CameraView;
  mode: Mode;
  onCameras: () => void;
}) {
  const pinch = usePinch(camera.zoom);
  return (
    <section
      className="scan-camera"
      aria-label="Fotocamera"
      data-camera
      data-camera-state={camera.state}
      data-decoder={camera.decoder}
      {...pinch}
    >
      <div id={camera.elementId} className="scan-picture" />
      {camera.state === 'running' && (
        <div className="scan-aim" aria-hidden="true">
          <p>{aimWords(mode)}</p>
        </div>
      )}
      {camera.state === 'starting' && (
        <output className="scan-message">Accendo la fotocamera…</output>
      )}
      {camera.state === 'resting' && <RestingCamera onWake={camera.retry} />}
      {camera.state === 'blind' && (
        <div className="scan-message" role="alert">
          <Icon name="warning" size={48} />
          <h2>{blindWords.title}</h2>
          <p>{blindWords.help}</p>
          {canReload() && (
            <button
              type="button"
              className="ui-button ui-button-primary"
              onClick={() => location.reload()}
            >
              Ricarica l’app
            </button>
          )}
        </div>
      )}
      {camera.trouble !== null && (
        <div className="scan-message" role="alert">
          <Icon name="camera" size={48} />
          <h2>{troubleWords[camera.trouble].title}</h2>
          <p>{troubleWords[camera.trouble].help}</p>
          <button type="button" className="ui-button ui-button-primary" onClick={camera.retry}>
            Riprova
          </button>
        </div>
      )}
      {camera.state === 'running' && camera.cameras.length > 1 && (
        <button
          type="button"
          className="picture-button"
          aria-label="Cambia fotocamera"
          onClick={onCameras}
        >
          <Icon name="refresh" size={26} />
        </button>
      )}
      {camera.state === 'running' && camera.zoom && (
        <label className="zoom">
          <Icon name="search" size={22} label="Zoom" />
          <input
            type="range"
            min={camera.zoom.min}
            max={camera.zoom.max}
            step={camera.zoom.step}
            value={camera.zoom.value}
            onChange={(event) => camera.zoom?.set(Number(event.target.value))}
          />
        </label>
      )}
    </section>
  );
}

export function RestingCamera({ onWake }: { onWake: () => void }) {
  return (
    <button type="button" className="scan-message scan-resting" onClick={onWake}>
      <Icon name="camera" size={64} />
      <strong>Tocca per riaccendere</strong>
      <span>La fotocamera si è spenta per risparmiare batteria.</span>
    </button>
  );
}

/** Two fingers on the picture: their distance against the one they began with. */
function usePinch(zoom: CameraView['zoom']) {
  const fingers = useRef(new Map<number, { x: number; y: number }>());
  const start = useRef<{ distance: number; value: number } | null>(null);
  const distance = () => {
    const [a, b] = [...fingers.current.values()];
    return a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
  };
  const lift = ({ pointerId }: PointerEvent) => {
    fingers.current.delete(pointerId);
    start.current = null;
  };
  return zoom === null
    ? {}
    : {
        onPointerDown: ({ pointerId, clientX, clientY }: PointerEvent) => {
          fingers.current.set(pointerId, { x: clientX, y: clientY });
          start.current =
            fingers.current.size === 2 ? { distance: distance(), value: zoom.value } : null;
        },
        onPointerMove: ({ pointerId, clientX, clientY }: PointerEvent) => {
          if (!fingers.current.has(pointerId)) return;
          fingers.current.set(pointerId, { x: clientX, y: clientY });
          if (start.current && start.current.distance > 0)
            zoom.set(
              Math.min(
                zoom.max,
                Math.max(zoom.min, start.current.value * (distance() / start.current.distance)),
              ),
            );
        },
        onPointerUp: lift,
        onPointerCancel: lift,
        onPointerLeave: lift,
      };
}

/** Which camera: asked once, kept on this phone. */
export function CameraChoice({ camera, onClose }: { camera: CameraView; onClose: () => void }) {
  return (
    <Modal title="Quale fotocamera?" onClose={onClose}>
      <div className="chips">
        {camera.cameras.map(({ id, label }, index) => (
          <button
            key={id}
            type="button"
            className="chip"
            aria-pressed={id === camera.cameraId}
            onClick={() => {
              camera.chooseCamera(id);
              onClose();
            }}
          >
            {label === '' ? `Fotocamera ${index + 1}` : label}
          </button>
        ))}
      </div>
    </Modal>
  );
}
