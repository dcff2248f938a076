/** The invoice of an order: what it is to say, written by the buyer or by the office (RULES L8). */
import { useState } from 'react';
import { readOrderInvoice, writeInvoice } from '#server/contract/invoices.ts';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { InvoiceObstacle, InvoiceTexts } from '#server/domain/papers/invoice.ts';
import { formatListDate } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { ConfirmDialog } from '#apps/shared/ui/confirm-dialog.tsx';
import { InvoiceFields, useInvoiceDraft } from '#apps/shared/ui/invoice-fields.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';
import { useMay } from '#apps/admin/kit/session/session.ts';
import type { Order } from './shown-order.ts';
import formStyles from '#apps/admin/kit/form/form.module.css';
import panelStyles from '#apps/admin/kit/page/panel.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';

type Shown = ReplyOf<typeof readOrderInvoice>;

export function OrderInvoice({ order }: { order: Order }) {
  const [isOpen, setOpen] = useState(false);
  const params = { orderId: order.order_id };
  const isPaid = order.state === 'confirmed' && order.paid_cents > 0;
  const enabled = useMay(readOrderInvoice.who) && isPaid && order.buyer_forgotten_at === null;
  const { data } = useEndpoint(readOrderInvoice, { params }, { enabled });
  if (!enabled || data === undefined) return null;
  return (
    <Panel>
      <div className={panelStyles.title}>
        <h2>Fattura</h2>
        {data.obstacle === null && (
          <Button
            small
            icon={data.invoice === null ? 'plus' : 'edit'}
            onClick={() => setOpen(true)}
            label={data.invoice === null ? 'Scrivi i dati…' : 'Cambia i dati…'}
          />
        )}
      </div>
      <InvoiceFacts shown={data} />
      {isOpen && (
        <WriteInvoice order={order} invoice={data.invoice} onClose={() => setOpen(false)} />
      )}
    </Panel>
  );
}

const closed: Record<InvoiceObstacle, string> = {
  nothing_paid: 'Non è stato pagato niente: non si può chiedere una fattura.',
  nothing_left: 'Non c’è più niente di pagato: non si può chiedere una fattura.',
  too_late: 'Il termine per chiederla o cambiarla è passato.',
  already_made: 'È stata emessa: i dati non si possono più cambiare.',
};

function InvoiceFacts({ shown: { invoice, obstacle, until } }: { shown: Shown }) {
  return (
    <>
      {invoice !== null && (
        <p>
          <b>{invoice.name}</b>
          {invoice.vat_number === ''
            ? `, codice fiscale ${invoice.tax_code}`
            : `, partita IVA ${invoice.vat_number}`}
          <span className={`${textStyles.soft} ${textStyles.block}`}>
            {invoice.address}, {invoice.postal_code} {invoice.city} ({invoice.province})
          </span>
        </p>
      )}
      <p className={textStyles.soft}>
        {obstacle !== null
          ? closed[obstacle]
          : `${invoice === null ? 'Nessuno l’ha chiesta. Si può chiedere' : 'I dati si possono cambiare'} fino al ${formatListDate(until)}.`}
      </p>
    </>
  );
}

interface WriteInvoiceProps {
  order: Order;
  invoice: InvoiceTexts | null;
  onClose: () => void;
}

function WriteInvoice({ order, invoice, onClose }: WriteInvoiceProps) {
  const change = useChange();
  const { form, field, save } = useInvoiceDraft({
    invoice,
    send: (body) => change(writeInvoice, { params: { orderId: order.order_id }, body }),
    onDone: async () => onClose(),
  });
  return (
    <ConfirmDialog
      title="Dati per la fattura"
      confirmLabel="Salva"
      onConfirm={save}
      onCancel={onClose}
      text={
        <form
          ref={form}
          aria-label="Dati per la fattura"
          className={formStyles.stack}
          noValidate
          onSubmit={(event) => event.preventDefault()}
        >
          <InvoiceFields field={field} rowClass={formStyles.pair} />
          <p>Chi ha comprato li vede e li può cambiare dalla pagina del suo ordine.</p>
        </form>
      }
    />
  );
}
