/** Sends one mail again, after saying to which address. */
import { useState } from 'react';
import { resendMail } from '#server/contract/mails.ts';
import { ConfirmDialog } from '#apps/shared/ui/confirm-dialog.tsx';
import { useRefresh } from './refresh.ts';
import { useAct } from './session.ts';

export function ResendMail({ mailId, to }: { mailId: string; to: string | null }) {
  const act = useAct();
  const refresh = useRefresh();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <button type="button" className="ui-button small" onClick={() => setAsking(true)}>Invia di nuovo…</button>
      {asking && (
        <ConfirmDialog
          title="Inviare di nuovo?" confirmLabel="Invia di nuovo" cancelLabel="Torna indietro" onCancel={() => setAsking(false)}
          onConfirm={async () => {
            await act(resendMail, { params: { mailId } });
            refresh();
            setAsking(false);
          }}
          text={<p>{to === null ? 'Il messaggio parte verso l’indirizzo dell’ordine.' : <>Il messaggio parte verso <b>{to}</b>, o verso l’indirizzo che l’ordine ha adesso.</>}</p>}
        />
      )}
    </>
  );
}
