/** The optional buyer of a sale; a few letters find an earlier buyer. */
import type { Ref } from 'react';
import { MailField } from '#apps/admin/kit/form/mail-field.tsx';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { noBuyer, type BuyerDraft } from './buyer-draft.ts';
import { CustomerField } from './customer-field.tsx';
import { buyerKey } from './till-keys.ts';
import styles from './till.module.css';

interface BuyerProps {
  ref: Ref<HTMLInputElement>;
  buyer: BuyerDraft;
  onChange: (buyer: BuyerDraft) => void;
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
  /** Called when an earlier buyer was chosen, so that the seller can go on. */
  onFound: () => void;
}

export function SaleBuyer({ ref, buyer, onChange, isOpen, onToggle, onFound }: BuyerProps) {
  const { customer } = buyer;
  // Folded fields are not on the page, so screen readers skip them too.
  return (
    <details
      className={styles.buyer}
      open={isOpen}
      onToggle={(event) => onToggle(event.currentTarget.open)}
    >
      <summary>
        <kbd>{buyerKey}</kbd> Cliente (facoltativo)
        {buyer.name !== '' && <strong> {buyer.name}</strong>}
      </summary>
      {isOpen && (
        <>
          <CustomerField
            ref={ref}
            name={buyer.name}
            // A changed name means another person.
            onType={(name) => onChange({ ...buyer, name, customer: null })}
            onFind={(found) => {
              onChange({ ...noBuyer, name: found.name ?? '', customer: found });
              onFound();
            }}
          />
          <MailField
            label="E-mail"
            value={buyer.email}
            onChange={(email) => onChange({ ...buyer, email })}
            hint={
              customer?.email
                ? `I biglietti vanno anche a ${customer.email}, se non scrivi altro.`
                : 'Se c’è, i biglietti partono anche per posta.'
            }
          />
          <TextField
            label="Telefono"
            type="tel"
            value={buyer.phone}
            maxLength={40}
            onChange={(phone) => onChange({ ...buyer, phone })}
            hint={customer?.phone ? `Già noto: ${customer.phone}.` : undefined}
          />
        </>
      )}
    </details>
  );
}
