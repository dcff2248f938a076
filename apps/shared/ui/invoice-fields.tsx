/** The data of an invoice as typed by buyer or office, checked by the server's rule (RULES L8). */
import { useRef, useState } from 'react';
import { CallError } from '#apps/shared/api.ts';
import {
  emptyInvoice,
  invoiceFaults,
  invoiceFields,
  tidyInvoice,
  type InvoiceFaults,
  type InvoiceField,
  type InvoiceTexts,
} from '#server/domain/papers/invoice.ts';
import { Field } from './field.tsx';
import { mailInput } from './mail-input.ts';

interface InvoiceDraft {
  /** The earlier request; null: none. */
  invoice: InvoiceTexts | null;
  send: (texts: InvoiceTexts) => Promise<unknown>;
  onDone: () => Promise<unknown>;
}

export function useInvoiceDraft({ invoice, send, onDone }: InvoiceDraft) {
  const [texts, setTexts] = useState(() => pick(invoice ?? emptyInvoice));
  const [faults, setFaults] = useState<InvoiceFaults>({});
  const form = useRef<HTMLFormElement>(null);
  const show = (found: InvoiceFaults) => {
    setFaults(found);
    const first = invoiceFields.find((field) => found[field] !== undefined);
    form.current?.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus();
  };

  async function save() {
    const tidy = tidyInvoice(texts);
    const found = invoiceFaults(tidy);
    if (Object.keys(found).length > 0) return show(found);
    try {
      await send(tidy);
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
  return { form, field, save };
}

/** Only the fields of the form. */
function pick(from: InvoiceTexts): InvoiceTexts {
  return Object.fromEntries(invoiceFields.map((field) => [field, from[field]])) as InvoiceTexts;
}

function faultsOf(error: unknown): InvoiceFaults | null {
  if (!(error instanceof CallError) || error.code !== 'invoice_wrong') return null;
  return (error.detail as { faults?: InvoiceFaults } | undefined)?.faults ?? null;
}

interface InvoiceFieldsProps extends Pick<ReturnType<typeof useInvoiceDraft>, 'field'> {
  /** The row of post code, town and province. */
  rowClass: string | undefined;
}

export function InvoiceFields({ field, rowClass }: InvoiceFieldsProps) {
  return (
    <>
      <Field
        {...field('name', 'Denominazione, o nome e cognome')}
        required
        autoComplete="organization"
        data-autofocus
      />
      <Field {...field('address', 'Via e numero civico')} required autoComplete="address-line1" />
      <div className={rowClass}>
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
    </>
  );
}
