/** Pairing: by the link that opened the app, by our own camera, or by pasting it. */
import {
  useCallback,
  useEffect,
  useRef,
  useState,
  type ReactNode,
  type SyntheticEvent,
} from 'react';
import { Field } from '#apps/shared/ui/field.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { Spinner } from '#apps/shared/ui/spinner.tsx';
import { blindWords, troubleWords } from '#apps/scanner/camera/camera.ts';
import { addByHand, isTabOfApple } from '#apps/scanner/device/install.ts';
import { askToPersist, pairingTokenOf, pairingTrouble } from '#apps/scanner/device/pairing.ts';
import { pair, writeMeta } from '#apps/scanner/scan/phone.ts';
import { RestingCamera } from './scan/scan-camera.tsx';
import { useCamera } from '#apps/scanner/camera/use-camera.ts';

export interface SetupProps {
  /** From the address that opened the app. */
  firstToken: string | null;
  onPaired: () => void;
  /** Present when the phone has another pairing to go back to. */
  onCancel: (() => void) | null;
}

export function Setup({ firstToken, onPaired, onCancel }: SetupProps) {
  // A code that Safari has spent is of no use to the app on the home screen.
  const [isHeld, setHeld] = useState(firstToken !== null && isTabOfApple());
  const [isPairing, setPairing] = useState(firstToken !== null);
  const [trouble, setTrouble] = useState<string | null>(null);
  const [isLooking, setLooking] = useState(false);
  const [text, setText] = useState('');

  const start = useCallback(
    async (token: string) => {
      setLooking(false);
      setPairing(true);
      setTrouble(null);
      try {
        await pair(token);
        // Firefox asks the person, who may take his time.
        void askToPersist().then((persisted) => writeMeta('persisted', persisted));
        onPaired();
      } catch (error) {
        setTrouble(pairingTrouble(error));
      }
      setPairing(false);
    },
    [onPaired],
  );

  // A pairing link works once: development's double effect must not spend it twice.
  const isStarted = useRef(false);
  useEffect(() => {
    if (firstToken === null || isHeld || isStarted.current) return;
    isStarted.current = true;
    void start(firstToken);
  }, [firstToken, isHeld, start]);

  function submit(event: SyntheticEvent) {
    event.preventDefault();
    const token = pairingTokenOf(text);
    if (token) void start(token);
    else setTrouble('Questo non è un link di abbinamento. Copialo di nuovo da Ufficio → Telefoni.');
  }

  const cancel = onCancel && (
    <button type="button" className="ui-button ui-button-quiet" onClick={onCancel}>
      Torna indietro
    </button>
  );
  if (isHeld) {
    return (
      <main className="page">
        <SetupHead>
          <p>
            Prima aggiungi l’app alla schermata Home, poi aprila da lì e inquadra di nuovo il codice
            dell’ufficio.
          </p>
        </SetupHead>
        <p className="note note-info">
          <Icon name="phone" />
          <span>{addByHand}.</span>
        </p>
        <button type="button" className="ui-button ui-button-wide" onClick={() => setHeld(false)}>
          Abbina qui lo stesso
        </button>
        {cancel}
      </main>
    );
  }
  if (isPairing)
    return (
      <main className="page page-centre">
        <Spinner text="Abbino il telefono…" />
      </main>
    );
  if (isLooking)
    return (
      <PairingCamera onToken={(token) => void start(token)} onCancel={() => setLooking(false)} />
    );
  return (
    <main className="page">
      <SetupHead>
        <p>
          In ufficio, alla pagina <strong>Telefoni</strong>, crea un telefono: appare un codice che
          vale dieci minuti. Inquadralo da qui.
        </p>
      </SetupHead>
      {trouble !== null && (
        <p className="note note-bad" role="alert">
          <Icon name="warning" />
          {trouble}
        </p>
      )}
      <button type="button" className="big-button" onClick={() => setLooking(true)}>
        <Icon name="camera" size={28} />
        Inquadra il codice
      </button>
      <form className="stack card" onSubmit={submit}>
        <Field
          label="Oppure incolla il link di abbinamento"
          value={text}
          onChange={(event) => setText(event.target.value)}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          inputMode="url"
          maxLength={500}
        />
        <button type="submit" className="ui-button ui-button-wide" disabled={text.trim() === ''}>
          Abbina
        </button>
      </form>
      {cancel}
    </main>
  );
}

function SetupHead({ children }: { children: ReactNode }) {
  return (
    <div className="setup-head">
      <img src="/scanner/icon.svg" alt="" width="88" height="88" />
      <h1>Abbina questo telefono</h1>
      {children}
    </div>
  );
}

function PairingCamera({
  onToken,
  onCancel,
}: {
  onToken: (token: string) => void;
  onCancel: () => void;
}) {
  const [hint, setHint] = useState('Inquadra il codice mostrato in ufficio');
  const camera = useCamera((text) => {
    const token = pairingTokenOf(text);
    if (token) onToken(token);
    else setHint('Questo non è un codice di abbinamento');
  });
  return (
    <main className="scan">
      <div className="scan-view">
        <section
          className="scan-camera"
          aria-label="Fotocamera"
          data-camera
          data-camera-state={camera.state}
        >
          <div id={camera.elementId} className="scan-picture" />
          {(camera.state === 'running' || camera.state === 'starting') && (
            <div className="scan-aim">
              <output>{camera.state === 'running' ? hint : 'Accendo la fotocamera…'}</output>
            </div>
          )}
          {camera.state === 'resting' && <RestingCamera onWake={camera.retry} />}
          {camera.state === 'blind' && (
            <div className="scan-message" role="alert">
              <h2>{blindWords.title}</h2>
              <p>Torna indietro e incolla il link.</p>
            </div>
          )}
          {camera.trouble !== null && (
            <div className="scan-message" role="alert">
              <h2>{troubleWords[camera.trouble].title}</h2>
              <p>Torna indietro e incolla il link.</p>
            </div>
          )}
        </section>
      </div>
      <footer className="scan-foot">
        <button type="button" className="tool" onClick={onCancel}>
          Annulla
        </button>
      </footer>
    </main>
  );
}
