/** Reads a phone’s chain of QR codes by camera or pasted text, and shows which are missing. */
import { useEffect, useRef, useState } from 'react';
import { Field, FieldTextarea } from '#apps/shared/ui/field.tsx';
import { requireValue } from '#server/domain/require-value.ts';
import { addLinks, missingLinks, openChain, type Chain } from './queue-chain.ts';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import formStyles from '#apps/admin/kit/form/form.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './phones.module.css';

/** `onText` gets the whole file once all codes are read. */
export function ReadChain({ onText }: { onText: (text: string) => void }) {
  const [chain, setChain] = useState<Chain | null>(null);
  const [camera, setCamera] = useState<'off' | 'on' | 'failed'>('off');
  const [broken, setBroken] = useState(false);
  const held = useRef<Chain | null>(null);

  function read(text: string) {
    const next = addLinks(held.current, text);
    if (next === held.current) return;
    held.current = next;
    setChain(next);
    setBroken(false);
    if (next === null || missingLinks(next).length > 0) return;
    openChain(next).then(onText, () => setBroken(true));
  }

  return (
    <div className={`${formStyles.stack} ${styles.chain}`}>
      {camera === 'failed' && (
        <Notice tone="warn" icon="camera" role="alert">
          La fotocamera non si apre: controlla i permessi del browser, oppure usa il file o il
          testo.
        </Notice>
      )}
      {camera === 'on' ? (
        <Film onText={read} onEnd={() => setCamera('off')} onFault={() => setCamera('failed')} />
      ) : (
        <Button
          onClick={() => setCamera('on')}
          icon="camera"
          label={camera === 'failed' ? 'Riprova' : 'Usa la fotocamera di questo computer'}
        />
      )}
      <Field label="Oppure incolla il testo dei codici">
        <FieldTextarea
          rows={3}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => read(event.target.value)}
        />
      </Field>
      {chain !== null && <Progress chain={chain} />}
      {broken && (
        <Notice tone="bad" role="alert">
          I codici non stanno insieme: forse sono di due telefoni. Ricomincia dal primo.
        </Notice>
      )}
    </div>
  );
}

function Progress({ chain }: { chain: Chain }) {
  const missing = missingLinks(chain);
  const done = chain.links.length - missing.length;
  return (
    <output className={styles.chainProgress} aria-label="Avanzamento">
      <b>
        {done} di {chain.links.length}
      </b>{' '}
      {chain.links.length === 1 ? 'codice letto' : 'codici letti'}
      <progress value={done} max={chain.links.length} aria-label="Codici letti" />
      {missing.length > 0 && missing.length <= 12 && (
        <span className={textStyles.soft}>
          {missing.length === 1 ? 'Manca il numero' : 'Mancano i numeri'} {missing.join(', ')}
        </span>
      )}
    </output>
  );
}

interface FilmProps {
  onText: (text: string) => void;
  onEnd: () => void;
  onFault: () => void;
}

/** Reads the camera frame by frame while mounted. */
function Film({ onText, onEnd, onFault }: FilmProps) {
  const video = useRef<HTMLVideoElement>(null);
  const heard = useRef({ onText, onFault });
  useEffect(() => {
    heard.current = { onText, onFault };
  });

  useEffect(() => {
    let stop = () => {};
    let gone = false;
    async function film() {
      // The decoder is fetched on first use.
      const { QRCanvas, frameLoop, rearCamera } = await import('qr/dom.js');
      const picture = requireValue(video.current, 'video');
      const camera = await rearCamera(picture);
      if (gone) return camera.stop();
      const canvas = new QRCanvas();
      let busy = false;
      const cancel = frameLoop(() => {
        if (busy) return;
        busy = true;
        void Promise.resolve(camera.readFrame(canvas, true))
          .then(
            (text) => {
              if (typeof text === 'string') heard.current.onText(text);
            },
            () => {},
          )
          .finally(() => {
            busy = false;
          });
      }, picture);
      stop = () => {
        cancel();
        camera.stop();
      };
    }
    film().catch(() => {
      if (!gone) heard.current.onFault();
    });
    return () => {
      gone = true;
      stop();
    };
  }, []);

  return (
    <div className={styles.film}>
      <video
        ref={video}
        playsInline
        muted
        aria-label="Immagine della fotocamera: mostra qui i codici del telefono"
      />
      <Button small onClick={onEnd} label="Spegni la fotocamera" />
    </div>
  );
}
