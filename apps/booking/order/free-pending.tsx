/** The head of the order page while a free booking waits for the click in its mail. */
import { useState } from 'react';
import { call } from '#apps/shared/api.ts';
import { formatTime } from '#apps/shared/format.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { useInBrowser } from '#apps/booking/shell/in-browser.ts';
import { SentNote } from '#apps/booking/shell/sent-note.tsx';
import { confirmFreeOrder, mailConfirmation } from '#server/contract/order/free.ts';
import type { OrderReply } from '#apps/booking/shell/replies.ts';
import frame from '#apps/booking/shell/page/frame.module.css';
import { CancelOrder } from './cancel-order.tsx';
import state from './state.module.css';

interface FreePendingProps {
  order: OrderReply;
  onChanged: () => Promise<unknown>;
}

/** The mail's link has the key in its fragment, which browsers do not send: no log has it. */
const keyInAddress = () => /^#([\w-]{22})$/.exec(location.hash)?.[1];

export function FreePending({ order, onChanged }: FreePendingProps) {
  const inBrowser = useInBrowser();
  const key = inBrowser ? keyInAddress() : undefined;
  const until = formatTime(order.pay_by);
  const places = order.lines.length === 1 ? 'Il posto resta tuo' : 'I posti restano tuoi';
  return (
    <section className={state.state}>
      <span className={`${state.sign} ${state.warn} no-print`}>
        <Icon name="mail" size={40} />
      </span>
      <h1 className={frame.title} tabIndex={-1} aria-live="polite">
        {key === undefined ? 'Controlla la posta e conferma' : 'Conferma la prenotazione'}
      </h1>
      <p className="soft">
        {key === undefined && (
          <>
            Ti abbiamo scritto a <strong>{order.free?.confirm_mail}</strong>: apri il messaggio e
            conferma da lì.{' '}
          </>
        )}
        {places} fino alle <strong>{until}</strong>.
      </p>
      <div className={state.actions}>
        {key === undefined ? (
          <MailAgain order={order} />
        ) : (
          <AsyncButton variant="primary" onClick={() => confirm(order, key).finally(onChanged)}>
            <Icon name="check" /> Conferma la prenotazione
          </AsyncButton>
        )}
        <CancelOrder order={order} onChanged={onChanged} />
      </div>
    </section>
  );
}

async function confirm({ order_id }: OrderReply, key: string): Promise<void> {
  await call(confirmFreeOrder, { params: { orderId: order_id }, body: { key } });
  // A reload must not offer the click again.
  history.replaceState(history.state, '', location.pathname);
}

function MailAgain({ order }: Pick<FreePendingProps, 'order'>) {
  const [sent, setSent] = useState(false);

  async function send() {
    await call(mailConfirmation, { params: { orderId: order.order_id } });
    setSent(true);
  }
  return (
    <>
      <AsyncButton onClick={send}>
        <Icon name="mail" /> Manda di nuovo l’e-mail
      </AsyncButton>
      <output aria-label="Esito">
        {sent && <SentNote>Fatto: guarda anche nella posta indesiderata.</SentNote>}
      </output>
    </>
  );
}
