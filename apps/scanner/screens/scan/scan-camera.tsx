/**
 * The camera's picture with everything on it: the aim, any trouble, the zoom, and the button that
 * changes the camera.
 */
import { Icon } from '#apps/shared/ui/icon.tsx';
import { blindWords, troubleWords } from '#apps/scanner/camera/camera.ts';
import type { CameraView } from '#apps/scanner/camera/use-camera.ts';
import { canReload } from '#apps/scanner/device/reload.ts';
import { CameraMessage, RestingCamera } from './camera-message.tsx';
import type { Mode } from './mode-switch.tsx';
import { usePinch } from './use-pinch.ts';
import styles from './scan-camera.module.css';

interface ScanCameraProps {
  camera: CameraView;
  mode: Mode;
  /** What the person must hold in front of the camera. */
  aim: string;
  onCameras: () => void;
}

export function ScanCamera({ camera, mode, aim, onCameras }: ScanCameraProps) {
  const pinch = usePinch(camera.zoom);
  const isRunning = camera.state === 'running';
  return (
    <section
      className={styles.camera}
      aria-label="Fotocamera"
      data-camera
      data-mode={mode}
      data-camera-state={camera.state}
      data-decoder={camera.decoder}
      {...pinch}
    >
      <div id={camera.elementId} className={styles.picture} />
      {isRunning && (
        <div className={styles.aim} aria-hidden="true">
          <span className={styles.frame} />
          <p>{aim}</p>
        </div>
      )}
      {camera.state === 'starting' && (
        <output className={styles.message}>Accendo la fotocamera…</output>
      )}
      {camera.state === 'resting' && <RestingCamera onWake={camera.retry} />}
      {camera.state === 'blind' && <Blind />}
      {camera.trouble !== null && (
        <CameraMessage icon="camera" {...troubleWords[camera.trouble]}>
          <button type="button" className="ui-button ui-button-primary" onClick={camera.retry}>
            Riprova
          </button>
        </CameraMessage>
      )}
      {isRunning && camera.cameras.length > 1 && (
        <button
          type="button"
          className={styles.button}
          aria-label="Cambia fotocamera"
          onClick={onCameras}
        >
          <Icon name="refresh" size={26} />
        </button>
      )}
      {isRunning && camera.zoom && <ZoomSlider zoom={camera.zoom} />}
    </section>
  );
}

function Blind() {
  return (
    <CameraMessage icon="warning" {...blindWords}>
      {canReload() && (
        <button
          type="button"
          className="ui-button ui-button-primary"
          onClick={() => location.reload()}
        >
          Ricarica l’app
        </button>
      )}
    </CameraMessage>
  );
}

function ZoomSlider({ zoom }: { zoom: NonNullable<CameraView['zoom']> }) {
  return (
    <label className={styles.zoom}>
      <Icon name="search" size={22} label="Zoom" />
      <input
        type="range"
        min={zoom.min}
        max={zoom.max}
        step={zoom.step}
        value={zoom.value}
        onChange={(event) => zoom.set(Number(event.target.value))}
      />
    </label>
  );
}
