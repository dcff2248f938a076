/** The dialog that reads notices of undelivered mail and shows which mail each is about. */
import { useState } from 'react';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { sendBounce } from '#server/contract/mails.ts';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { Spinner } from '#apps/shared/ui/spinner.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import { DropZone } from '#apps/admin/kit/form/drop-zone.tsx';
import { tellFailure } from '#apps/admin/kit/page/loaded.tsx';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';
import formStyles from '#apps/admin/kit/form/form.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import { mailKindWords } from './words.ts';

type Noted = ReplyOf<typeof sendBounce>;
interface Outcome {
  file: string;
  noted: Noted | null;
  failure: string | null;
}

export function HandInBounces() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)} label="Segna i respinti…" />
      {open && <BounceDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function BounceDialog({ onClose }: { onClose: () => void }) {
  const { outcomes, busy, take } = useBounces();
  return (
    <Modal
      title="Avvisi di mancata consegna"
      onClose={onClose}
      actions={<Button onClick={onClose} label="Chiudi" />}
    >
      <div className={formStyles.stack}>
        <p>
          Se un messaggio non può essere consegnato, il server di posta scrive alla casella del
          mittente. Salva quell’avviso come file (.eml) e consegnalo qui: il messaggio diventa
          «Respinto» e compare in Da sistemare.
        </p>
        <DropZone accept=".eml,.txt,message/rfc822" onFile={(file) => void take(file)}>
          <span>
            <b>Scegli l’avviso</b> o trascinalo qui
          </span>
        </DropZone>
        {busy && <Spinner text="Leggo l’avviso…" />}
        <div role="status">
          {outcomes.map((outcome, nth) => (
            <OutcomeNotice key={outcomes.length - nth} outcome={outcome} />
          ))}
        </div>
      </div>
    </Modal>
  );
}

/** Outcomes, newest first. */
function useBounces() {
  const change = useChange();
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([]);
  const [busy, setBusy] = useState(false);

  async function take(file: File | undefined) {
    if (file === undefined || busy) return;
    setBusy(true);
    const body = new FormData();
    body.set('file', file);
    const outcome = await change(sendBounce, { body }).then(
      (noted) => ({ file: file.name, noted, failure: null }),
      (error: unknown) => ({ file: file.name, noted: null, failure: tellFailure(error) }),
    );
    setOutcomes((before) => [outcome, ...before]);
    setBusy(false);
  }

  return { outcomes, busy, take };
}

function OutcomeNotice({ outcome: { file, noted, failure } }: { outcome: Outcome }) {
  if (noted === null)
    return (
      <Notice as="div" tone="bad">
        <strong>{file}:</strong> {failure}
      </Notice>
    );
  const order = noted.order_number === null ? '' : ` · ordine ${noted.order_number}`;
  return (
    <Notice as="div" tone={noted.repeated ? 'warn' : 'good'}>
      <strong>{noted.repeated ? 'Era già noto' : 'Respinto'}:</strong> {mailKindWords[noted.kind]}
      {order}
      {noted.to_address !== null && (
        <>
          {' '}
          <span className={textStyles.soft}>{noted.to_address}</span>
        </>
      )}
    </Notice>
  );
}
