/** The dialog that corrects the buyer; for a new address it offers to send the tickets there. */
import { useState } from 'react';
import { changeBuyer } from '#server/contract/order/order-desk.ts';
import {
  buyerFaults,
  buyerFields,
  buyerLanguages,
  buyerLengths,
  languageNames,
  type BuyerField,
} from '#server/domain/order/buyer.ts';
import { CallError } from '#apps/shared/api.ts';
import { ConfirmDialog } from '#apps/shared/ui/confirm-dialog.tsx';
import { Field, FieldSelect } from '#apps/shared/ui/field.tsx';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';
import type { OrderDialogProps } from './shown-order.ts';
import formStyles from '#apps/admin/kit/form/form.module.css';

type Faults = Partial<Record<BuyerField, string>>;

type TypedField = Exclude<BuyerField, 'language'>;
const typedFields: readonly TypedField[] = ['name', 'email', 'phone', 'contact'];

const labels: Record<TypedField, string> = {
  name: 'Nome e cognome',
  email: 'E-mail',
  phone: 'Telefono',
  contact: 'Referente',
};
const hints: Partial<Record<TypedField, string>> = {
  contact: 'Un’altra persona da chiamare: nome e telefono.',
};
const types: Partial<Record<TypedField, string>> = { email: 'email', phone: 'tel' };

interface EditBuyerProps extends OrderDialogProps {
  onNewAddress: (email: string) => void;
}

export function EditBuyer({ order, onClose, onNewAddress }: EditBuyerProps) {
  const change = useChange();
  const before: Record<BuyerField, string> = {
    name: order.buyer_name ?? '',
    email: order.buyer_email ?? '',
    phone: order.buyer_phone ?? '',
    contact: order.buyer_contact ?? '',
    language: order.buyer_language ?? '',
  };
  const [texts, setTexts] = useState(before);
  const [faults, setFaults] = useState<Faults>({});
  const changed = buyerFields.filter((field) => texts[field].trim() !== before[field]);

  async function save() {
    const found = buyerFaults(texts);
    setFaults(found);
    if (Object.keys(found).length > 0) return;
    const body = Object.fromEntries(changed.map((field) => [field, texts[field].trim()]));
    try {
      await change(changeBuyer, { params: { orderId: order.order_id }, body });
    } catch (error) {
      const refused = faultsOf(error);
      if (refused === null) throw error;
      return setFaults(refused);
    }
    const email = texts.email.trim();
    return changed.includes('email') && email !== '' ? onNewAddress(email) : onClose();
  }

  return (
    <ConfirmDialog
      title="Correggi l’acquirente"
      confirmLabel="Salva"
      disabled={changed.length === 0}
      onConfirm={save}
      onCancel={onClose}
      text={
        <div className={formStyles.stack}>
          <BuyerInputs texts={texts} faults={faults} onChange={setTexts} />
          <p>
            Com’era e com’è resta nella storia dell’ordine
            {order.together.length > 0 && '. Cambia anche negli ordini che ne fanno parte'}.
          </p>
        </div>
      }
    />
  );
}

type Texts = Record<BuyerField, string>;

interface BuyerInputsProps {
  texts: Texts;
  faults: Faults;
  onChange: (texts: Texts) => void;
}

function BuyerInputs({ texts, faults, onChange }: BuyerInputsProps) {
  return (
    <>
      {typedFields.map((field) => (
        <TextField
          key={field}
          label={labels[field]}
          type={types[field] ?? 'text'}
          maxLength={buyerLengths[field]}
          value={texts[field]}
          hint={hints[field]}
          error={faults[field] ?? null}
          onChange={(text) => onChange({ ...texts, [field]: text })}
        />
      ))}
      <Field
        label="Lingua"
        hint="Per chi telefona o accoglie: pagine, messaggi e biglietti restano in italiano."
        error={faults.language ?? null}
      >
        <FieldSelect
          value={texts.language}
          onChange={({ target }) => onChange({ ...texts, language: target.value })}
        >
          <option value="">Non indicata</option>
          {buyerLanguages.map((language) => (
            <option key={language} value={language}>
              {languageNames[language]}
            </option>
          ))}
        </FieldSelect>
      </Field>
    </>
  );
}

function faultsOf(error: unknown): Faults | null {
  if (!(error instanceof CallError) || error.code !== 'buyer_wrong') return null;
  return (error.detail as { faults?: Faults } | undefined)?.faults ?? null;
}
