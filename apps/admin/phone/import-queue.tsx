/** The dialog that imports the scans of an offline phone, from a file or QR codes. */
import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { importAdmissions } from '#server/contract/door/admissions.ts';
import { listPhones } from '#server/contract/door/phones.ts';
import { formatCount } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { ReadChain } from './read-chain.tsx';
import { readQueueFile, type QueueFile } from './queue-file.ts';
import { useAct } from '#apps/admin/kit/session/session.ts';
import { FailureNotice, Notice } from '#apps/admin/kit/page/notice.tsx';
import { Segments } from '#apps/admin/kit/form/choices.tsx';
import { DropZone } from '#apps/admin/kit/form/drop-zone.tsx';
import { Notes } from '#apps/admin/kit/page/notes.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import formStyles from '#apps/admin/kit/form/form.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';

type Outcome = ReplyOf<typeof importAdmissions>;

export function ImportQueue({ onClose }: { onClose: () => void }) {
  const [found, setFound] = useState<QueueFile | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const client = useQueryClient();
  const act = useAct();

  async function hand(file: QueueFile) {
    setOutcome(await act(importAdmissions, { body: file }));
    void client.invalidateQueries();
  }

  const frame = { title: 'Importa le letture di un telefono', onClose };
  if (outcome !== null)
    return (
      <Modal {...frame} actions={<Button look="primary" onClick={onClose} label="Chiudi" />}>
        <Result outcome={outcome} />
      </Modal>
    );
  if (found === null)
    return (
      <Modal {...frame}>
        <FileChoice onFound={setFound} />
      </Modal>
    );
  return (
    <Modal
      {...frame}
      actions={
        <>
          <Button onClick={() => setFound(null)} label="Torna indietro" />
          <AsyncButton variant="primary" onClick={() => hand(found)}>
            Importa
          </AsyncButton>
        </>
      }
    >
      <Found file={found} />
    </Modal>
  );
}

/** Takes the phone's file, or reads its QR codes with this computer's camera. */
function FileChoice({ onFound }: { onFound: (file: QueueFile) => void }) {
  const [way, setWay] = useState<'file' | 'chain'>('file');
  const [problem, setProblem] = useState<string | null>(null);

  function take(text: string) {
    const file = readQueueFile(text);
    if ('problem' in file) setProblem(file.problem);
    else onFound(file);
  }

  return (
    <div className={formStyles.stack}>
      <p>
        Per un telefono che non riesce più a collegarsi: sul telefono apri l’elenco delle letture,
        in alto a destra, poi «Salva file» o «Mostra QR».
      </p>
      <Segments
        legend="Da dove"
        value={way}
        onChange={setWay}
        options={[
          ['file', 'File'],
          ['chain', 'Codici QR'],
        ]}
      />
      {way === 'file' ? (
        <DropZone accept=".json,application/json" onFile={(file) => void file?.text().then(take)}>
          <span>
            Trascina qui il file, o <b>sceglilo</b>
          </span>
        </DropZone>
      ) : (
        <ReadChain onText={take} />
      )}
      <FailureNotice text={problem} />
    </div>
  );
}

function Found({ file }: { file: QueueFile }) {
  const phones = useEndpoint(listPhones, {});
  const phone = phones.data?.items.find(({ id }) => id === file.phone_id);
  return (
    <div className={formStyles.stack}>
      <p>
        <b>{tellFound(file)}</b>{' '}
        {phone && (
          <>
            del telefono <b>«{phone.name}»</b>.
          </>
        )}
        {!phone && (phones.isSuccess ? 'di un telefono che qui non è in elenco.' : '…')}
      </p>
      {phone?.state === 'revoked' && (
        <Notice tone="warn" icon="lock">
          Questo telefono è stato revocato: le letture fatte prima valgono, quelle fatte dopo vanno
          controllate.
        </Notice>
      )}
      <p className={textStyles.soft}>
        Ogni lettura entra una volta sola, anche se il telefono l’aveva già inviata o se importi due
        volte lo stesso file.
      </p>
    </div>
  );
}

function tellFound({ items, heads = [] }: QueueFile): string {
  const scans = formatCount(items.length, 'lettura', 'letture');
  if (heads.length === 0) return scans;
  return `${scans} e ${formatCount(heads.length, 'conteggio', 'conteggi')} senza biglietto`;
}

interface ResultProps {
  outcome: Outcome;
}

function Result({ outcome }: ResultProps) {
  const { phone_name, stored, known, unreadable, results, heads, unreadable_heads } = outcome;
  const conflicts = results.filter(({ result }) => result === 'conflict').length;
  return (
    <output className={formStyles.stack} aria-label="Letture importate">
      <Notice tone="good">
        {stored === 0
          ? 'Nessuna lettura nuova'
          : formatCount(stored, 'lettura nuova', 'letture nuove')}{' '}
        da «{phone_name}».
      </Notice>
      <Notes
        notes={[
          known > 0 && {
            icon: 'info',
            text: known === 1 ? '1 era già arrivata.' : `${known} erano già arrivate.`,
          },
          conflicts > 0 && {
            tone: 'bad',
            icon: 'warning',
            text:
              conflicts === 1
                ? '1 è un doppio ingresso: lo trovi in Conflitti.'
                : `${conflicts} sono doppi ingressi: li trovi in Conflitti.`,
          },
          heads > 0 && {
            icon: 'info',
            text:
              heads === 1
                ? '1 conteggio senza biglietto è registrato.'
                : `${heads} conteggi senza biglietto sono registrati.`,
          },
          unreadable_heads > 0 && {
            tone: 'warn',
            icon: 'warning',
            text: `${formatCount(unreadable_heads, 'conteggio non si può leggere', 'conteggi non si possono leggere')}.`,
          },
          unreadable > 0 && {
            tone: 'warn',
            icon: 'warning',
            text:
              unreadable === 1
                ? '1 non si può leggere ed è rimasta fuori.'
                : `${unreadable} non si possono leggere e sono rimaste fuori.`,
          },
        ]}
      />
    </output>
  );
}
