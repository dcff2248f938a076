/** A button that sends a mail again, after confirming the address. */
import type { ReactNode } from 'react';
import { resendMail } from '#server/contract/mails.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { useAct } from '#apps/admin/kit/session/session.ts';
import { AskButton } from '#apps/admin/kit/ask-button.tsx';

interface ResendMailProps {
  mailId: string;
  /** Completes "Parte un nuovo messaggio per …". */ to: ReactNode;
  small?: boolean;
  /** Gets the new mail's id. */ onSent: (mail_id: string) => unknown;
}

export function ResendMail({ mailId, to, small = false, onSent }: ResendMailProps) {
  const act = useAct();
  return (
    <AskButton
      small={small}
      label={<>{!small && <Icon name="mail" />} Invia di nuovo…</>}
      title="Inviare di nuovo?"
      confirmLabel="Invia di nuovo"
      text={
        <p>
          Parte un nuovo messaggio per {to}, con i dati dell’ordine di adesso. Quello vecchio resta
          com’è.
        </p>
      }
      onConfirm={async () => {
        const { mail_id } = await act(resendMail, { params: { mailId } });
        await onSent(mail_id);
      }}
    />
  );
}
