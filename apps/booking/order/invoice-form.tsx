/** The dialog in which a buyer asks for an invoice, or changes what is to stand in it. */
import { useId } from 'react';
import { call } from '#apps/shared/api.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { InvoiceFields, useInvoiceDraft } from '#apps/shared/ui/invoice-fields.tsx';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { askInvoice } from '#server/contract/invoices.ts';
import type { InvoiceTexts } from '#server/domain/papers/invoice.ts';
import styles from './invoice-form.late.module.css';

interface InvoiceFormProps {
  order_id: string;
  /** The earlier request; null: none. */
  invoice: InvoiceTexts | null;
  onDone: () => Promise<unknown>;
  onClose: () => void;
}

export function InvoiceForm({ order_id, invoice, onDone, onClose }: InvoiceFormProps) {
  const params = { orderId: order_id };
  const send = (body: InvoiceTexts) => call(askInvoice, { params, body });
  const { form, field, save } = useInvoiceDraft({ invoice, send, onDone });
  const formId = useId();
  return (
    <Modal
      title="Dati per la fattura"
      onClose={onClose}
      actions={
        <>
          <button type="button" className="ui-button" onClick={onClose}>
            Torna indietro
          </button>
          <AsyncButton variant="primary" type="submit" form={formId} onClick={save}>
            {invoice === null ? 'Chiedi la fattura' : 'Salva i dati'}
          </AsyncButton>
        </>
      }
    >
      <form
        id={formId}
        ref={form}
        className={styles.form}
        noValidate
        onSubmit={(event) => event.preventDefault()}
      >
        <InvoiceFields field={field} rowClass={styles.place} />
        <p className="small soft">
          Usiamo questi dati solo per la fattura e li conserviamo per il tempo chiesto dalla legge.
        </p>
      </form>
    </Modal>
  );
}
