/** A dialog to choose a Stripe price by product name or amount. */
import { useEffect, useState } from 'react';
import { findPrices } from '#server/contract/prices.ts';
import { formatEuro } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Modal } from '#apps/shared/ui/modal.tsx';
import type { StripePrice } from './known-prices.ts';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './price-picker.module.css';

const typingPauseMs = 250;

interface PickerProps {
  /** The price's name, as in «Platea, Intero». */ about: string;
  value: string;
  onPick: (priceId: string) => void;
  onClose: () => void;
}

export function PricePicker({ about, value, onPick, onClose }: PickerProps) {
  const [typed, setTyped] = useState('');
  const [search, setSearch] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSearch(typed.trim()), typingPauseMs);
    return () => clearTimeout(timer);
  }, [typed]);
  const found = useEndpoint(
    findPrices,
    { query: search === '' ? {} : { search } },
    { staleTime: 15_000, placeholderData: (old) => old },
  );
  return (
    <Modal title={`Prezzo: ${about}`} onClose={onClose}>
      <div className={styles.picker}>
        <TextField
          label="Cerca"
          hint="Nome del prodotto o importo, per esempio «platea 32,00»."
          type="search"
          value={typed}
          maxLength={100}
          data-autofocus
          onChange={setTyped}
        />
        <Loaded query={found}>
          {({ items, more }) => (
            <>
              {items.length === 0 && (
                <output className={textStyles.soft}>
                  {search === ''
                    ? 'Su Stripe non c’è ancora nessun prezzo in vendita: creane uno nella pagina «Prodotti» di Stripe.'
                    : 'Nessun prezzo trovato.'}
                </output>
              )}
              <ul className={styles.options} aria-label="Prezzi in vendita su Stripe">
                {items.map((price) => (
                  <li key={price.id}>
                    <PriceOption
                      price={price}
                      chosen={price.id === value}
                      onPick={() => onPick(price.id)}
                    />
                  </li>
                ))}
              </ul>
              {more && (
                <p className={textStyles.soft}>
                  Ce ne sono altri: scrivi qualche parola per trovarli.
                </p>
              )}
            </>
          )}
        </Loaded>
      </div>
    </Modal>
  );
}

interface PriceOptionProps {
  price: StripePrice;
  chosen: boolean;
  onPick: () => void;
}

function PriceOption({ price, chosen, onPick }: PriceOptionProps) {
  return (
    <button type="button" className={styles.option} aria-pressed={chosen} onClick={onPick}>
      <span className={styles.name}>
        {price.product.name ?? 'Senza nome'}
        {price.nickname !== null && <span className={textStyles.soft}>{price.nickname}</span>}
      </span>
      <strong>{formatEuro(price.unit_amount)}</strong>
    </button>
  );
}
