/**
 * The mail to a buyer who has lost the links to the tickets: every order with its event and its
 * link (Italian, tu).
 */
import { formatLongDate } from '#server/domain/time/dates.ts';
import type { Block, MailBody } from './mail-body.ts';
import { helpWords } from '#server/domain/order/order-words.ts';

/** Times in milliseconds; the next event comes first. */
interface LinksFacts {
  orders: readonly {
    number: string;
    title: string;
    starts_at: number;
    tickets: number;
    url: string;
  }[];
  organiser: { name: string; email: string | null; phone: string | null };
}

export function writeLinksMail({ orders, organiser }: LinksFacts): MailBody {
  return {
    subject: orders.length === 1 ? 'Il link ai tuoi biglietti' : 'I link ai tuoi biglietti',
    blocks: [
      { kind: 'words', words: ['Ciao,'] },
      {
        kind: 'words',
        words: [
          orders.length === 1
            ? 'ecco l’ordine fatto con questo indirizzo e-mail. Apri il link per ritrovare i biglietti.'
            : 'ecco gli ordini fatti con questo indirizzo e-mail. Apri i link per ritrovare i biglietti.',
        ],
      },
      ...orders.flatMap(blocksOf),
      {
        kind: 'words',
        words: [
          'Non inoltrare questo messaggio: chi apre un link può usare i biglietti. Se non l’hai chiesto tu, ignoralo: i link sono arrivati solo a te.',
        ],
      },
      { kind: 'note', lines: [...helpWords(organiser), organiser.name] },
    ],
  };
}

function blocksOf({
  number,
  title,
  starts_at,
  tickets,
  url,
}: LinksFacts['orders'][number]): Block[] {
  const some = tickets === 1 ? '1 biglietto' : `${tickets} biglietti`;
  const count = tickets === 0 ? 'nessun biglietto più valido' : some;
  return [
    { kind: 'facts', facts: [[`Ordine n. ${number}`, [title, formatLongDate(starts_at), count]]] },
    {
      kind: 'links',
      links: [{ label: tickets === 0 ? 'Vedi l’ordine' : 'Vedi i biglietti', url }],
    },
  ];
}
