/** A buyer's name with earlier buyers below it: arrows move, Enter chooses, Esc closes. */
import { useEffect, useId, useRef, useState, type KeyboardEvent, type Ref } from 'react';
import { findCustomers } from '#server/contract/counter.ts';
import { readCustomerSearch } from '#server/domain/counter/customers.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import type { Customer } from './buyer-draft.ts';
import styles from './till.module.css';

interface CustomerFieldProps {
  ref: Ref<HTMLInputElement>;
  name: string;
  onType: (name: string) => void;
  onFind: (customer: Customer) => void;
}

const typingPauseMs = 150;

export function CustomerField({ ref, name, onType, onFind }: CustomerFieldProps) {
  const id = useId();
  const { found, tooMany, close, typed } = useCustomers(name);
  const [at, setAt] = useState(0);
  const current = Math.min(at, found.length - 1);
  const take = (customer: Customer) => {
    close();
    onFind(customer);
  };
  const press = (event: KeyboardEvent) => {
    const marked = found[current];
    if (marked === undefined) return;
    const step = event.key === 'ArrowDown' ? 1 : -1;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp')
      setAt((current + step + found.length) % found.length);
    else if (event.key === 'Enter') take(marked);
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
    // This Esc must not also clear the basket.
    event.stopPropagation();
  };
  return (
    <div className={styles.customer}>
      <TextField
        ref={ref}
        label="Nome e cognome"
        value={name}
        maxLength={200}
        onChange={(text) => {
          typed();
          setAt(0);
          onType(text);
        }}
        onKeyDown={press}
        hint={
          tooMany
            ? 'Sono in troppi con queste lettere: scrivine altre per trovare chi è già venuto.'
            : 'Tre lettere del nome, l’e-mail intera o le ultime cifre del telefono: trova chi è già venuto.'
        }
        role="combobox"
        aria-expanded={found.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={found.length > 0 ? `${id}-${current}` : undefined}
      />
      <CustomerList id={id} found={found} current={current} onTake={take} />
    </div>
  );
}

interface CustomerListProps {
  id: string;
  found: readonly Customer[];
  current: number;
  onTake: (customer: Customer) => void;
}

/** The lines are not in the tab order, so that the field keeps the focus. */
function CustomerList({ id, found, current, onTake }: CustomerListProps) {
  const list = useRef<HTMLDivElement>(null);
  // The field is often low on the screen, and the list below it.
  useEffect(() => {
    if (found.length > 0) list.current?.scrollIntoView({ block: 'nearest' });
  }, [found.length]);
  return (
    <div
      ref={list}
      id={`${id}-list`}
      role="listbox"
      aria-label="Clienti già venuti"
      hidden={found.length === 0}
    >
      {found.map((customer, nth) => (
        <button
          key={customer.customer_id}
          id={`${id}-${nth}`}
          type="button"
          role="option"
          tabIndex={-1}
          aria-selected={nth === current}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onTake(customer)}
        >
          <span>{customer.name ?? 'Senza nome'}</span>
          <span>{[customer.email, customer.phone].filter(Boolean).join(' · ')}</span>
        </button>
      ))}
    </div>
  );
}

/** Searches after a pause in typing, but not for a name that came from the list. */
function useCustomers(name: string) {
  const [q, setQ] = useState('');
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setQ(name.trim()), typingPauseMs);
    return () => clearTimeout(timer);
  }, [name]);
  const isWanted = isOpen && readCustomerSearch(q) !== null;
  const { data } = useEndpoint(findCustomers, { query: { q } }, { enabled: isWanted });
  return {
    found: isWanted ? (data?.items ?? []) : [],
    tooMany: isWanted && data?.too_many === true,
    close: () => setIsOpen(false),
    typed: () => setIsOpen(true),
  };
}
