/** The dialog that chooses among the phone's cameras; the choice is stored on this phone. */
import { Modal } from '#apps/shared/ui/modal.tsx';
import type { CameraView } from '#apps/scanner/camera/use-camera.ts';
import parts from '#apps/scanner/screens/parts.module.css';

export function CameraChoice({ camera, onClose }: { camera: CameraView; onClose: () => void }) {
  return (
    <Modal title="Quale fotocamera?" onClose={onClose}>
      <div className={parts.chips}>
        {camera.cameras.map(({ id, label }) => (
          <button
            key={id}
            type="button"
            className={parts.chip}
            aria-pressed={id === camera.cameraId}
            onClick={() => {
              camera.chooseCamera(id);
              onClose();
            }}
          >
            {label}
          </button>
        ))}
      </div>
    </Modal>
  );
}
