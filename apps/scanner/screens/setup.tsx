/** The pairing screen: by the link that opened the app, by the camera, or by pasting the link. */
import { useEffect, useRef, useState, type ReactNode, type SyntheticEvent } from 'react';
import { Field } from '#apps/shared/ui/field.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { Spinner } from '#apps/shared/ui/spinner.tsx';
import { addByHand, isTabOfApple } from './install.ts';
import { askToPersist, pairingTokenOf, pairingTrouble } from '#apps/scanner/device/pairing.ts';
import type { ShownHouse } from '#apps/scanner/device/house.ts';
import { phone } from '#apps/scanner/scan/phone.ts';
import { HouseName } from './house-name.tsx';
import { PairingCamera } from './pairing-camera.tsx';
import { Note } from './parts.tsx';
import parts from './parts.module.css';
import styles from './setup.module.css';

interface SetupProps {
  /** Null until this phone has learned which theatre it belongs to. */
  house: ShownHouse | null;
  /** The token in the address that opened the app. */
  firstToken: string | null;
  onPaired: () => void;
  /** Present when the phone has another pairing to go back to. */
  onCancel: (() => void) | null;
}

export function Setup({ house, firstToken, onPaired, onCancel }: SetupProps) {
  const [isInTab, setInTab] = useState(firstToken !== null && isTabOfApple());
  const [isCamera, setCamera] = useState(false);
  // The typed link is state of this component, so that it stays in its field after a failed try.
  const [link, setLink] = useState('');
  const { isPairing, trouble, setTrouble, start } = usePairing(firstToken !== null, onPaired);

  useLinkOnce(isInTab ? null : firstToken, start);
  useEffect(() => phone.askHouse(), []);

  if (isInTab)
    return <InstallFirst house={house} onCancel={onCancel} onHere={() => setInTab(false)} />;
  if (isPairing)
    return (
      <main className={parts.pageCentre}>
        <Spinner text="Abbino il telefono…" />
      </main>
    );
  if (isCamera)
    return (
      <PairingCamera
        onToken={(token) => {
          setCamera(false);
          void start(token);
        }}
        onCancel={() => setCamera(false)}
      />
    );
  return (
    <main className={parts.page}>
      <Head house={house}>
        <p>
          In ufficio, alla pagina <strong>Telefoni</strong>, crea un telefono: appare un codice che
          vale dieci minuti. Inquadralo da qui.
        </p>
      </Head>
      {trouble !== null && (
        <Note tone="bad" role="alert">
          {trouble}
        </Note>
      )}
      <button type="button" className={parts.big} onClick={() => setCamera(true)}>
        <Icon name="camera" size={28} />
        Inquadra il codice
      </button>
      <LinkForm
        link={link}
        onLink={setLink}
        onToken={(token) => void start(token)}
        onTrouble={setTrouble}
      />
      <Cancel onCancel={onCancel} />
    </main>
  );
}

/** A pairing link works once, so React's double effect in development must not use it twice. */
function useLinkOnce(token: string | null, start: (token: string) => Promise<void>) {
  const isStarted = useRef(false);
  useEffect(() => {
    if (token === null || isStarted.current) return;
    isStarted.current = true;
    void start(token);
  }, [token, start]);
}

function usePairing(isAtOnce: boolean, onPaired: () => void) {
  const [isPairing, setPairing] = useState(isAtOnce);
  const [trouble, setTrouble] = useState<string | null>(null);
  async function start(token: string) {
    setPairing(true);
    setTrouble(null);
    try {
      await phone.pair(token);
      // Not awaited, because Firefox asks the person, which may take long.
      void askToPersist().then((persisted) => phone.writeMeta('persisted', persisted));
      onPaired();
    } catch (error) {
      setTrouble(pairingTrouble(error));
    }
    setPairing(false);
  }
  return { isPairing, trouble, setTrouble, start };
}

interface LinkFormProps {
  link: string;
  onLink: (link: string) => void;
  onToken: (token: string) => void;
  onTrouble: (trouble: string) => void;
}

function LinkForm({ link, onLink, onToken, onTrouble }: LinkFormProps) {
  function submit(event: SyntheticEvent) {
    event.preventDefault();
    const token = pairingTokenOf(link);
    if (token) onToken(token);
    else onTrouble('Questo non è un link di abbinamento. Copialo di nuovo da Ufficio → Telefoni.');
  }
  return (
    <form className={`${parts.stack} ${parts.card}`} onSubmit={submit}>
      <Field
        label="Oppure incolla il link di abbinamento"
        value={link}
        onChange={(event) => onLink(event.target.value)}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        inputMode="url"
        maxLength={500}
      />
      <button type="submit" className="ui-button ui-button-wide" disabled={link.trim() === ''}>
        Abbina
      </button>
    </form>
  );
}

/** Shown in a Safari tab, because the app on the home screen cannot use a link used there. */
function InstallFirst({
  house,
  onCancel,
  onHere,
}: Pick<SetupProps, 'house' | 'onCancel'> & { onHere: () => void }) {
  return (
    <main className={parts.page}>
      <Head house={house}>
        <p>
          Prima aggiungi l’app alla schermata Home, poi aprila da lì e inquadra di nuovo il codice
          dell’ufficio.
        </p>
      </Head>
      <Note tone="info" icon="phone">
        {addByHand}.
      </Note>
      <button type="button" className="ui-button ui-button-wide" onClick={onHere}>
        Abbina qui lo stesso
      </button>
      <Cancel onCancel={onCancel} />
    </main>
  );
}

function Cancel({ onCancel }: Pick<SetupProps, 'onCancel'>) {
  if (onCancel === null) return null;
  return (
    <button type="button" className="ui-button ui-button-quiet" onClick={onCancel}>
      Torna indietro
    </button>
  );
}

function Head({ house, children }: Pick<SetupProps, 'house'> & { children: ReactNode }) {
  return (
    <div className={styles.head}>
      <img src="/scanner/icon.svg" alt="" width="88" height="88" />
      {house !== null && <HouseName house={house} />}
      <h1>Abbina questo telefono</h1>
      {children}
    </div>
  );
}
