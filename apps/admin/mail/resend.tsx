/** A button that sends a mail again, after confirming the address. */
import { useState, type ReactNode } from 'react';
import { resendMail } from '#server/contract/mails.ts';
import { ConfirmDialog } from '#apps/shared/ui/confirm-dialog.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { useAct } from '#apps/admin/shell/session.ts';
import { Button } from '#apps/admin/kit/button.tsx';

export interface ResendMailProps {
  mailId: string;
  /** Reads on from "Parte un nuovo messaggio per …". */ to: ReactNode;
  small?: boolean;
  /** With the new mail's id. */ onSent: (mail_id: string) => unknown;
}

export function ResendMail({ mailId, to, small = false, onSent }: ResendMailProps) {
  const act = useAct();
  const [asking, setAsking] = useState(false);

  async function send() {
    const { mail_id } = await act(resendMail, { params: { mailId } });
    setAsking(false);
    await onSent(mail_id);
  }
  return (
    <>
      <Button small={small} onClick={() => setAsking(true)}>
        {!small && <Icon name="mail" />} Invia di nuovo…
      </Button>
      {asking && (
        <ConfirmDialog
          title="Inviare di nuovo?"
          confirmLabel="Invia di nuovo"
          onConfirm={send}
          onCancel={() => setAsking(false)}
          text={
            <p>
              Parte un nuovo messaggio per {to}, con i dati dell’ordine di adesso. Quello vecchio
              resta com’è.
            </p>
          }
        />
      )}
    </>
  );
}
