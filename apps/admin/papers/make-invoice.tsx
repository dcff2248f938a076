/** The dialog that records a made invoice: its number and day. */
import { useId, useState } from 'react';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { makeInvoice, type listInvoices } from '#server/contract/invoices.ts';
import { formatEuro } from '#apps/shared/format.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';
import formStyles from '#apps/admin/kit/form/form.module.css';

export type Invoice = ReplyOf<typeof listInvoices>['items'][number];

/** The state of the form: typed values, faults, sending. */
function useMade({ invoice_id }: Invoice, onDone: () => void) {
  const change = useChange();
  const [number, setNumber] = useState('');
  const [day, setDay] = useState('');
  const [faults, setFaults] = useState<{ number?: string; day?: string }>({});

  async function save() {
    const found = {
      ...(number.trim() === '' && { number: 'Scrivi il numero della fattura.' }),
      ...(day === '' && { day: 'Scrivi la data della fattura.' }),
    };
    setFaults(found);
    if (Object.keys(found).length > 0) return;
    const params = { invoiceId: invoice_id };
    await change(makeInvoice, { params, body: { number, day } });
    onDone();
  }
  return { number, day, faults, setNumber, setDay, save };
}

export function MakeInvoice({ invoice, onClose }: { invoice: Invoice; onClose: () => void }) {
  const formId = useId();
  const { number, day, faults, setNumber, setDay, save } = useMade(invoice, onClose);

  return (
    <Modal
      title="Segna la fattura come fatta"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose} label="Torna indietro" />
          <AsyncButton variant="primary" type="submit" form={formId} onClick={save}>
            Segna come fatta
          </AsyncButton>
        </>
      }
    >
      <form
        id={formId}
        className={formStyles.stack}
        noValidate
        onSubmit={(event) => event.preventDefault()}
      >
        <p>
          <b>{invoice.name}</b>, ordine {invoice.order_number}: {formatEuro(invoice.paid_cents)}. Da
          quel momento chi ha comprato non può più cambiare i dati.
        </p>
        <TextField
          label="Numero"
          required
          maxLength={40}
          value={number}
          onChange={setNumber}
          error={faults.number ?? null}
          data-autofocus
        />
        <TextField
          label="Data"
          type="date"
          required
          value={day}
          onChange={setDay}
          error={faults.day ?? null}
        />
      </form>
    </Modal>
  );
}
