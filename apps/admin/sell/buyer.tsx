/** Who buys: nobody need say so. */
import { useState } from 'react';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import styles from './till.module.css';

export interface BuyerDraft {
  name: string;
  email: string;
  phone: string;
}

interface BuyerProps {
  buyer: BuyerDraft;
  onChange: (buyer: BuyerDraft) => void;
}

export function Buyer({ buyer, onChange }: BuyerProps) {
  // Folded away they are not on the page: what nobody sees is no field for a screen reader either.
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className={styles.buyer} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>Cliente (facoltativo)</summary>
      {isOpen && (
        <>
          <TextField
            label="Nome e cognome"
            value={buyer.name}
            maxLength={200}
            onChange={(name) => onChange({ ...buyer, name })}
          />
          <TextField
            label="E-mail"
            type="email"
            value={buyer.email}
            maxLength={254}
            onChange={(email) => onChange({ ...buyer, email })}
            hint="Se c’è, i biglietti partono anche per posta."
          />
          <TextField
            label="Telefono"
            type="tel"
            value={buyer.phone}
            maxLength={40}
            onChange={(phone) => onChange({ ...buyer, phone })}
          />
        </>
      )}
    </details>
  );
}
