/**
 * The guests of an event for the office, one row per ticket: as a list, as a file, and as an
 * alphabetical list on paper for the door.
 */
import { newerWord, withOther } from '#server/domain/text/newer-word.ts';
import { makeGuestsPdf } from '#server/adapters/guest-sheet.ts';
import { allGuests, listGuests, type GuestFilter, type GuestRow } from '#db/event/guests.ts';
import type { TicketState } from '#server/domain/door/admission.ts';
import { formatListDate, formatLongDate } from '#server/domain/time/dates.ts';
import { guestLetters } from '#server/domain/order/guest-list.ts';
import { isolate } from '#server/domain/text/direction.ts';
import { foldText, searchWords } from '#server/domain/text/search.ts';
import { compareNames, seatName } from '#server/domain/seat/seat-name.ts';
import { fileName, type Document } from '#server/services/order/documents.ts';
import type { Ctx } from '#server/services/context.ts';
import { csvFile } from '#server/services/kit/csv-file.ts';
import { listPage, type ListAsk } from '#server/services/kit/page.ts';
import { organiserOf } from '#server/services/site/site.ts';
import { knownEvent } from './events.ts';

/** @throws Refusal event_not_found */
export async function guestList(ctx: Ctx, event_id: string, ask: ListAsk & GuestFilter) {
  await knownEvent(ctx, event_id);
  const { limit, cursor, q, ...filter } = ask;
  const { rows, next_cursor } = await listPage(
    { limit, cursor, q },
    (page) => listGuests(ctx.db, event_id, { ...filter, page }),
    { timeOf: (row) => row.issued_at, textsOf },
  );
  return { items: rows.map(inWords), next_cursor };
}

function textsOf(row: GuestRow): (string | null)[] {
  const { holder, buyer_name, buyer_email, order_number, type_label } = row;
  return [
    holder,
    buyer_name,
    buyer_email,
    order_number,
    order_number.replace('-', ''),
    seatName(row),
    type_label,
  ];
}

function inWords(row: GuestRow) {
  return {
    ...row,
    ticket_id: row.id,
    seat: seatName(row),
    inside: row.last_direction === 'in',
    printed: row.printed_revision === row.revision,
  };
}

const stateNames = withOther<Record<TicketState, string>>(
  {
    valid: 'Valido',
    void: 'Annullato',
    refunded: 'Rimborsato',
    unpaid: 'Da pagare',
  },
  newerWord,
);

/** The guests as a file, sorted by seat. @throws Refusal event_not_found */
export async function guestFile(
  ctx: Ctx,
  event_id: string,
  { format = 'excel', q = '', ...filter }: GuestFilter & { format?: 'excel' | 'plain'; q?: string },
) {
  await knownEvent(ctx, event_id);
  const words = searchWords(q);
  const isFound = (row: GuestRow) => {
    const text = foldText(textsOf(row).join(' '));
    return words.every((word) => text.includes(word));
  };
  const rows = (await allGuests(ctx.db, event_id, filter))
    .filter(isFound)
    .toSorted((one, other) => compareNames(seatName(one), seatName(other)));
  const excel = format === 'excel';
  return csvFile(ctx, {
    name: 'ospiti',
    headings,
    lines: rows.map((row) => cellsOf(row, excel)),
    format,
  });
}

const headings = [
  'Posto',
  'Settore',
  'Tipo',
  'Prezzo',
  'Intestatario',
  'Acquirente',
  'E-mail',
  'Ordine',
  'Stato',
  'Dentro',
  'Stampato',
  'Sigillo fiscale',
  'Progressivo',
  'Carta',
];

function cellsOf(row: GuestRow, excel: boolean): string[] {
  const euro = (row.price_cents / 100).toFixed(2);
  const { inside, printed } = inWords(row);
  return [
    seatName(row),
    row.category,
    row.type_label,
    excel ? euro.replace('.', ',') : euro,
    row.holder ?? '',
    row.buyer_name ?? '',
    row.buyer_email ?? '',
    row.order_number,
    stateNames[row.state],
    inside ? 'sì' : '',
    printed ? 'sì' : '',
    row.seal ?? '',
    row.progressive ?? '',
    row.card ?? '',
  ];
}

/** The list for the door: names and seats of valid tickets. @throws Refusal event_not_found */
export async function guestPaper(ctx: Ctx, event_id: string) {
  const { title, starts_at, venue_title } = await knownEvent(ctx, event_id);
  const rows = await allGuests(ctx.db, event_id, { state: 'valid' });
  return {
    title,
    starts_at,
    venue_title,
    made_at: ctx.now(),
    tickets: rows.length,
    letters: guestLetters(rows),
  };
}

/** @throws Refusal event_not_found */
export async function guestPaperPdf(ctx: Ctx, event_id: string): Promise<Document> {
  const paper = await guestPaper(ctx, event_id);
  const { name: organiser } = await organiserOf(ctx);
  const content = await makeGuestsPdf({
    ...paper,
    organiser,
    created_at: paper.made_at,
    when: `${formatLongDate(paper.starts_at)} · ${isolate(paper.venue_title)}`,
    printed: `Stampato il ${formatListDate(paper.made_at)}`,
  });
  return { name: `${fileName(`Ospiti ${paper.title}`)}.pdf`, type: 'application/pdf', content };
}
