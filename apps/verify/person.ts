/**
 * Checks whether a name or address belongs to a hash, with the key that the house gave for the
 * order.
 */
import { personHash } from '#server/domain/book/chain.ts';
import type { BookRow } from '#server/domain/book/rows.ts';
import { make } from './dom.ts';

export function personForm(rows: readonly BookRow[]): HTMLElement {
  const order = field('Ordine');
  const key = field('Chiave dell’ordine, dall’organizzatore');
  const text = field('Nome o indirizzo mail');
  const answer = make('p', { 'aria-live': 'polite' });
  const button = make('button', {}, 'Confronta');
  const form = make('form', {}, order.box, key.box, text.box, button, answer);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const isThere = hashesOf(rows, order.value()).has(personHash(key.value(), text.value()));
    answer.textContent = isThere
      ? 'Sì: è proprio questo.'
      : 'No: in quest’ordine del libro non c’è, oppure la chiave è di un altro ordine.';
  });
  return make('details', {}, make('summary', {}, 'Apri un nome'), form);
}

let fields = 0;

function field(label: string) {
  const id = `person-${(fields += 1)}`;
  const input = make('input', { id, autocomplete: 'off', required: '' }) as HTMLInputElement;
  const box = make('div', { class: 'field' }, make('label', { for: id }, label), input);
  return { box, value: () => input.value.trim() };
}

function hashesOf(rows: readonly BookRow[], order: string): Set<string> {
  const tickets = new Set<number>();
  const hashes = new Set<string>();
  for (const row of rows) {
    if (row.kind === 'order' && row.order === order.toUpperCase())
      for (const hash of [row.buyer, row.mail]) if (hash !== null) hashes.add(hash);
    if (row.kind === 'ticket' && row.order === order.toUpperCase()) tickets.add(row.n);
    if (row.kind === 'ticket_revised' && row.holder !== null && tickets.has(row.ticket))
      hashes.add(row.holder);
  }
  return hashes;
}
