/** The data of an invoice, checked by the server's rule and sent in one call. */
import { useId, useRef, useState } from 'react';
import { call, CallError } from '#apps/shared/api.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Field } from '#apps/shared/ui/field.tsx';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { mailInput } from '#apps/shared/ui/mail-input.ts';
import { askInvoice } from '#server/contract/invoices.ts';
import {
  emptyInvoice,
  invoiceFaults,
  invoiceFields,
  tidyInvoice,
  type InvoiceFaults,
  type InvoiceField,
  type InvoiceTexts,
} from '#server/domain/papers/invoice.ts';
import styles from './invoice-form.late.module.css';

interface InvoiceFormProps {
  order_id: string;
  /** The earlier request; null: none. */
  invoice: InvoiceTexts | null;
  onDone: () => Promise<unknown>;
  onClose: () => void;
}

function useInvoice({ order_id, invoice, onDone }: InvoiceFormProps) {
  const [texts, setTexts] = useState(() => pick(invoice ?? emptyInvoice));
  const [faults, setFaults] = useState<InvoiceFaults>({});
  const form = useRef<HTMLFormElement>(null);
  const show = (found: InvoiceFaults) => {
    setFaults(found);
    const first = invoiceFields.find((field) => found[field] !== undefined);
    form.current?.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus();
  };

  async function send() {
    const tidy = tidyInvoice(texts);
    const found = invoiceFaults(tidy);
    if (Object.keys(found).length > 0) return show(found);
    try {
      await call(askInvoice, { params: { orderId: order_id }, body: tidy });
    } catch (error) {
      const told = faultsOf(error);
      if (told === null) throw error;
      return show(told);
    }
    await onDone();
  }

  const field = (name: InvoiceField, label: string) => ({
    label,
    name,
    value: texts[name],
    error: faults[name] ?? null,
    onChange: (event: { target: { value: string } }) =>
      setTexts((before) => ({ ...before, [name]: event.target.value })),
  });
  return { form, field, send };
}

/** Only the fields of the form. */
function pick(from: InvoiceTexts): InvoiceTexts {
  return Object.fromEntries(invoiceFields.map((field) => [field, from[field]])) as InvoiceTexts;
}

function faultsOf(error: unknown): InvoiceFaults | null {
  if (!(error instanceof CallError) || error.code !== 'invoice_wrong') return null;
  return (error.detail as { faults?: InvoiceFaults } | undefined)?.faults ?? null;
}

export function InvoiceForm(props: InvoiceFormProps) {
  const { form, field, send } = useInvoice(props);
  const formId = useId();
  return (
    <Modal
      title="Dati per la fattura"
      onClose={props.onClose}
      actions={
        <>
          <button type="button" className="ui-button" onClick={props.onClose}>
            Torna indietro
          </button>
          <AsyncButton variant="primary" type="submit" form={formId} onClick={send}>
            {props.invoice === null ? 'Chiedi la fattura' : 'Salva i dati'}
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
        <InvoiceFields field={field} />
      </form>
    </Modal>
  );
}

function InvoiceFields({ field }: Pick<ReturnType<typeof useInvoice>, 'field'>) {
  return (
    <>
      <Field
        {...field('name', 'Denominazione, o nome e cognome')}
        required
        autoComplete="organization"
        data-autofocus
      />
      <Field {...field('address', 'Via e numero civico')} required autoComplete="address-line1" />
      <div className={styles.place}>
        <Field
          {...field('postal_code', 'CAP')}
          required
          inputMode="numeric"
          autoComplete="postal-code"
        />
        <Field {...field('city', 'Comune')} required autoComplete="address-level2" />
        <Field {...field('province', 'Provincia')} required autoComplete="address-level1" />
      </div>
      <Field
        {...field('vat_number', 'Partita IVA')}
        hint="Se la fattura è per un’impresa o un professionista"
        inputMode="numeric"
        autoComplete="off"
      />
      <Field
        {...field('tax_code', 'Codice fiscale')}
        hint="Senza partita IVA è obbligatorio"
        autoComplete="off"
      />
      <Field
        {...field('recipient_code', 'Codice destinatario')}
        hint="7 caratteri; con la partita IVA serve questo o la PEC"
        autoComplete="off"
      />
      <Field {...field('pec', 'PEC')} {...mailInput} autoComplete="off" />
      <p className="small soft">
        Usiamo questi dati solo per la fattura e li conserviamo per il tempo chiesto dalla legge.
      </p>
    </>
  );
}
