/** The worst day: what a phone without any line has read comes in by its exported file, or by its chain of QR codes. */
import { useState, type ChangeEvent, type DragEvent, type ReactNode } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { importAdmissions } from '#server/contract/admissions.ts';
import { listPhones } from '#server/contract/phones.ts';
import { formatCount } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { ReadChain } from './read-chain.tsx';
import { readQueueFile, type QueueFile } from './queue-file.ts';
import { useAct } from '#apps/admin/shell/session.ts';

type Outcome = ReplyOf<typeof importAdmissions>;

export function ImportQueue({ onClose }: { onClose: () => void }) {
  const [way, setWay] = useState<'file' | 'chain'>('file');
  const [found, setFound] = useState<QueueFile | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const client = useQueryClient();
  const act = useAct();

  function take(text: string) {
    const file = readQueueFile(text);
    setFault('fault' in file ? file.fault : null);
    setFound('fault' in file ? null : file);
  }

  async function hand(file: QueueFile) {
    setOutcome(await act(importAdmissions, { body: file }));
    void client.invalidateQueries();
  }

  if (outcome !== null)
    return (
      <Frame
        onClose={onClose}
        actions={
          <button type="button" className="ui-button ui-button-primary" onClick={onClose}>
            Chiudi
          </button>
        }
      >
        <Result outcome={outcome} />
      </Frame>
    );
  if (found !== null) {
    return (
      <Frame
        onClose={onClose}
        actions={
          <>
            <button type="button" className="ui-button" onClick={() => setFound(null)}>
              Torna indietro
            </button>
            <AsyncButton variant="primary" onClick={() => hand(found)}>
              Importa
            </AsyncButton>
          </>
        }
      >
        <Found file={found} />
      </Frame>
    );
  }
  return (
    <Frame onClose={onClose}>
      <div className="stack">
        <p>
          Per un telefono che non riesce più a collegarsi: sul telefono apri l’elenco delle letture,
          in alto a destra, poi «Salva file» o «Mostra QR».
        </p>
        <fieldset className="segments">
          <legend className="visually-hidden">Da dove</legend>
          <button
            type="button"
            className="ui-button small"
            aria-pressed={way === 'file'}
            onClick={() => setWay('file')}
          >
            File
          </button>
          <button
            type="button"
            className="ui-button small"
            aria-pressed={way === 'chain'}
            onClick={() => setWay('chain')}
          >
            Codici QR
          </button>
        </fieldset>
        {way === 'file' ? <DropFile onText={take} /> : <ReadChain onText={take} />}
        {fault !== null && (
          <p className="notice notice-bad" role="alert">
            <Icon name="warning" /> {fault}
          </p>
        )}
      </div>
    </Frame>
  );
}

function Frame({
  onClose,
  actions,
  children,
}: {
  onClose: () => void;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <Modal title="Importa le letture di un telefono" onClose={onClose} actions={actions}>
      {children}
    </Modal>
  );
}

function DropFile({ onText }: { onText: (text: string) => void }) {
  const [over, setOver] = useState(false);
  const read = (files: FileList | null) => {
    void files?.[0]?.text().then(onText);
  };
  const events = {
    onDragOver: (event: DragEvent) => {
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      read(event.dataTransfer.files);
    },
  };
  return (
    <label className={over ? 'drop over' : 'drop'} {...events}>
      <Icon name="upload" size={28} />
      <span>
        Trascina qui il file, o <b>sceglilo</b>
      </span>
      <input
        type="file"
        accept=".json,application/json"
        className="visually-hidden"
        onChange={(event: ChangeEvent<HTMLInputElement>) => {
          read(event.target.files);
          // The same file may be chosen again.
          event.target.value = '';
        }}
      />
    </label>
  );
}

function Found({ file }: { file: QueueFile }) {
  const phones = useEndpoint(listPhones, {});
  const phone = phones.data?.items.find(({ id }) => id === file.phone_id);
  return (
    <div className="stack">
      <p>
        <b>{formatCount(file.items.length, 'lettura', 'letture')}</b>{' '}
        {phone ? (
          <>
            del telefono <b>«{phone.name}»</b>.
          </>
        ) : phones.isSuccess ? (
          'di un telefono che qui non è in elenco.'
        ) : (
          '…'
        )}
      </p>
      {phone?.state === 'revoked' && (
        <p className="notice notice-warn">
          <Icon name="lock" /> Questo telefono è stato revocato: le letture fatte prima valgono,
          quelle fatte dopo vanno controllate.
        </p>
      )}
      <p className="soft">
        Ogni lettura entra una volta sola, anche se il telefono l’aveva già inviata o se importi due
        volte lo stesso file.
      </p>
    </div>
  );
}

function Result({
  outcome: { phone_name, stored, known, unreadable, results },
}: {
  outcome: Outcome;
}) {
  const conflicts = results.filter(({ result }) => result === 'conflict').length;
  return (
    <output className="stack" aria-label="Letture importate">
      <p className="notice notice-good">
        <Icon name="check" />{' '}
        <span>
          {stored === 0
            ? 'Nessuna lettura nuova'
            : stored === 1
              ? '1 lettura nuova'
              : `${stored} letture nuove`}{' '}
          da «{phone_name}».
        </span>
      </p>
      <ul className="notes">
        {known > 0 && (
          <li>
            <Icon name="info" size={15} />{' '}
            {known === 1 ? '1 era già arrivata.' : `${known} erano già arrivate.`}
          </li>
        )}
        {conflicts > 0 && (
          <li className="note-bad">
            <Icon name="warning" size={15} />{' '}
            {conflicts === 1
              ? '1 è un doppio ingresso: lo trovi in Conflitti.'
              : `${conflicts} sono doppi ingressi: li trovi in Conflitti.`}
          </li>
        )}
        {unreadable > 0 && (
          <li className="note-warn">
            <Icon name="warning" size={15} />{' '}
            {unreadable === 1
              ? '1 non si può leggere ed è rimasta fuori.'
              : `${unreadable} non si possono leggere e sono rimaste fuori.`}
          </li>
        )}
      </ul>
    </output>
  );
}
