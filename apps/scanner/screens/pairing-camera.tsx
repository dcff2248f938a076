/** The camera that reads the office's pairing code. */
import { useState } from 'react';
import { blindWords, troubleWords } from '#apps/scanner/camera/camera.ts';
import { useCamera, type CameraView } from '#apps/scanner/camera/use-camera.ts';
import { pairingTokenOf } from '#apps/scanner/device/pairing.ts';
import { CameraMessage, RestingCamera } from './scan/camera-message.tsx';
import parts from './parts.module.css';
import scan from './scan/scan.module.css';
import picture from './scan/scan-camera.module.css';

interface PairingCameraProps {
  onToken: (token: string) => void;
  onCancel: () => void;
}

export function PairingCamera({ onToken, onCancel }: PairingCameraProps) {
  const [hint, setHint] = useState('Inquadra il codice mostrato in ufficio');
  const camera = useCamera((text) => {
    const token = pairingTokenOf(text);
    if (token) onToken(token);
    else setHint('Questo non è un codice di abbinamento');
  });
  return (
    <main className={scan.scan}>
      <div className={scan.view}>
        <section
          className={picture.camera}
          aria-label="Fotocamera"
          data-camera
          data-camera-state={camera.state}
        >
          <div id={camera.elementId} className={picture.picture} />
          {(camera.state === 'running' || camera.state === 'starting') && (
            <div className={picture.aim}>
              <span className={picture.frame} />
              <output>{camera.state === 'running' ? hint : 'Accendo la fotocamera…'}</output>
            </div>
          )}
          <Trouble camera={camera} />
        </section>
      </div>
      <footer className={scan.foot}>
        <button type="button" className={parts.tool} onClick={onCancel}>
          Annulla
        </button>
      </footer>
    </main>
  );
}

function Trouble({ camera: { state, trouble, retry } }: { camera: CameraView }) {
  if (state === 'resting') return <RestingCamera onWake={retry} />;
  const words = trouble === null ? blindWords : troubleWords[trouble];
  if (trouble === null && state !== 'blind') return null;
  return <CameraMessage title={words.title} help="Torna indietro e incolla il link." />;
}
