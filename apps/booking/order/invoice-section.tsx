/**
 * The invoice on the order page: requested after the payment, changeable until the office has
 * made it (RULES L8).
 */
import { useState } from 'react';
import { useEndpoint } from '#apps/shared/query.ts';
import { formatListDate } from '#apps/shared/format.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { readInvoice } from '#server/contract/invoices.ts';
import type { InvoiceObstacle } from '#server/domain/papers/invoice.ts';
import type { OrderReply } from '#apps/booking/shell/replies.ts';
import { InvoiceForm } from './invoice-form.tsx';
import card from '#apps/booking/shell/page/card.module.css';

type Asked = ReplyOf<typeof readInvoice>;

export function InvoiceSection({ order }: { order: OrderReply }) {
  const [writing, setWriting] = useState(false);
  const params = { orderId: order.order_id };
  const found = useEndpoint(readInvoice, { params }, { enabled: order.paid_cents > 0 });
  const { data } = found;
  if (data === undefined || data.obstacle === 'nothing_paid') return null;
  // Without a request in time, nothing is shown.
  if (data.invoice === null && (data.obstacle !== null || isMoneyLeft(order))) return null;
  return (
    <section className={`${card.section} no-print`} aria-labelledby="invoice-title">
      <h2 id="invoice-title">Fattura</h2>
      <InvoiceState asked={data} />
      {data.obstacle === null && (
        <p>
          <button type="button" className="ui-button" onClick={() => setWriting(true)}>
            <Icon name={data.invoice === null ? 'plus' : 'edit'} />{' '}
            {data.invoice === null ? 'Ho bisogno della fattura' : 'Cambia i dati'}
          </button>
        </p>
      )}
      {writing && (
        <InvoiceForm
          order_id={order.order_id}
          invoice={data.invoice}
          onClose={() => setWriting(false)}
          onDone={async () => {
            setWriting(false);
            await found.refetch();
          }}
        />
      )}
    </section>
  );
}

/** Money that its buyer leaves to the house is no price, so there is no invoice for it. */
function isMoneyLeft({ cancellation }: OrderReply): boolean {
  return cancellation?.answer === 'gift';
}

const closed: Record<Exclude<InvoiceObstacle, 'nothing_paid'>, string> = {
  nothing_left: 'L’ordine è rimborsato: i dati non si cambiano più.',
  too_late: 'Il termine per cambiare i dati è passato.',
  already_made: 'La fattura è stata emessa: i dati non si possono più cambiare.',
};

function InvoiceState({ asked: { invoice, obstacle, until } }: { asked: Asked }) {
  const deadline = `fino al ${formatListDate(until)}`;
  if (invoice === null)
    return <p className="soft">Se ti serve la fattura puoi chiederla {deadline}.</p>;
  return (
    <>
      <p role="status">
        Fattura chiesta per <strong>{invoice.name}</strong>
        {invoice.vat_number !== '' && `, partita IVA ${invoice.vat_number}`}
        {invoice.vat_number === '' && `, codice fiscale ${invoice.tax_code}`}.
      </p>
      <p className="small soft">
        {invoice.address}, {invoice.postal_code} {invoice.city} ({invoice.province})
      </p>
      <p className="soft">
        {obstacle === null || obstacle === 'nothing_paid'
          ? `Puoi cambiare i dati ${deadline}.`
          : closed[obstacle]}
      </p>
    </>
  );
}
