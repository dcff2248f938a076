/** The dialog that prints an order's tickets: as a PDF, or at the till of the user's open shift. */
import { useState } from 'react';
import { readCounter } from '#server/contract/counter.ts';
import { downloadTicketsAtDesk } from '#server/contract/order/documents.ts';
import { addressOf } from '#server/contract/endpoint.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import { hasShift, PrintedSale } from '#apps/admin/print/printed.tsx';
import { useMay } from '#apps/admin/kit/session/session.ts';
import type { OrderDialogProps } from './shown-order.ts';
import buttonStyles from '#apps/admin/kit/buttons.module.css';
import formStyles from '#apps/admin/kit/form/form.module.css';

interface PrintNowProps extends OrderDialogProps {
  /** What has just happened. */
  title: string;
}

export function PrintNow({ order, title, onClose }: PrintNowProps) {
  const counter = useEndpoint(readCounter, {}, { enabled: useMay(readCounter.who) });
  const [atTill, setAtTill] = useState(false);
  const shift = counter.data?.shift ?? null;
  return (
    <Modal title={title} onClose={onClose} actions={<Button onClick={onClose} label="Chiudi" />}>
      <div className={formStyles.stack}>
        <p>Vuoi stampare i biglietti adesso?</p>
        <div className={buttonStyles.actions}>
          <a
            className="ui-button ui-button-primary"
            href={addressOf(downloadTicketsAtDesk, { orderId: order.order_id })}
          >
            <Icon name="print" /> Biglietti in PDF
          </a>
          {shift !== null && (
            <Button
              icon="print"
              disabled={atTill}
              onClick={() => setAtTill(true)}
              label={`Stampa a «${shift.till_name}»`}
            />
          )}
        </div>
        {atTill && hasShift(counter.data) && (
          <PrintedSale sale={{ order_id: order.order_id }} counter={counter.data} />
        )}
      </div>
    </Modal>
  );
}
