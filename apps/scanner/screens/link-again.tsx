/**
 * Handles a pairing link opened on a paired phone: the phone's own changes nothing, any other asks
 * first.
 */
import { useEffect, useState } from 'react';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { Spinner } from '#apps/shared/ui/spinner.tsx';
import { isOwnLink } from '#apps/scanner/device/pairing.ts';
import type { Device } from '#apps/scanner/kit/store.ts';
import { Note } from './parts.tsx';
import { useQueueLength } from './status.ts';
import { joinFacts } from './words.ts';
import parts from './parts.module.css';

interface LinkAgainProps {
  device: Device;
  token: string;
  /** Called to keep the present pairing. */
  onStay: () => void;
  onReplace: () => void;
}

export function LinkAgain({ device, token, onStay, onReplace }: LinkAgainProps) {
  const isOwn = useOwnLink(device, token);
  if (isOwn === null) return <Spinner fullScreen />;
  return (
    <main className={parts.pageCentre} data-link={isOwn ? 'own' : 'other'}>
      <span className={`ui-view-sign ${isOwn ? 'ui-view-sign-good' : ''}`}>
        <Icon name={isOwn ? 'check' : 'phone'} size={40} />
      </span>
      <h1>Questo telefono è già «{device.name}»</h1>
      {isOwn ? (
        <p className={parts.soft}>
          {joinFacts('È abbinato con questo stesso codice', device.gate)}. Non è cambiato niente, e
          le letture sono tutte qui.
        </p>
      ) : (
        <Question name={device.name} />
      )}
      <button type="button" className={parts.big} onClick={onStay}>
        {isOwn ? 'Continua' : `Resta «${device.name}»`}
      </button>
      {!isOwn && (
        <button type="button" className="ui-button ui-button-wide" onClick={onReplace}>
          Abbina con il nuovo codice
        </button>
      )}
    </main>
  );
}

function Question({ name }: { name: string }) {
  const waiting = useQueueLength() ?? 0;
  return (
    <>
      <p className={parts.soft}>
        Hai aperto un altro codice di abbinamento. Se lo usi, questo telefono non è più «{name}».
      </p>
      {waiting > 0 && (
        <Note tone="info" icon="upload">
          {waiting === 1
            ? 'Una lettura da inviare resta qui e parte con il nuovo abbinamento.'
            : `${waiting} letture da inviare restano qui e partono con il nuovo abbinamento.`}
        </Note>
      )}
    </>
  );
}

/** Null until it is known. */
function useOwnLink(device: Device, token: string): boolean | null {
  const [isOwn, setOwn] = useState<boolean | null>(null);
  useEffect(() => {
    let isWanted = true;
    void isOwnLink(device, token).then((answer) => {
      if (isWanted) setOwn(answer);
    });
    return () => {
      isWanted = false;
    };
  }, [device, token]);
  return isOwn;
}
