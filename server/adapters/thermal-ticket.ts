/** Tickets as bytes for an 80 mm ticket printer (ESC/POS): words, a QR code as large as the door likes it, a cut after each, and the drawer's pulse. */
import ReceiptPrinterEncoder from '@point-of-sale/receipt-printer-encoder';
import type { TicketSheet } from './documents.ts';

/** What the paper of a ticket says, with who sells it and its order; each is cut by itself, so none has a position. */
export interface ThermalTicket extends Omit<TicketSheet, 'position'> {
  organiser: string;
  order: string;
  no_seal: string;
}

const columns = 42;
/** Dots of a module: a version 2 code becomes two and a half centimetres wide. */
const moduleDots = 8;

export function thermalTickets(
  tickets: readonly ThermalTicket[],
  { opens_drawer }: { opens_drawer: boolean },
): Uint8Array {
  const paper = newPaper();
  // The drawer opens while the paper comes.
  if (opens_drawer) paper.pulse();
  for (const ticket of tickets) writeTicket(paper, ticket);
  return paper.encode();
}

/** Says that printer, paper and accents are as they should be. */
export function thermalTest(till: string, made_on: string): Uint8Array {
  return newPaper()
    .align('center')
    .bold(true)
    .line('Prova di stampa')
    .bold(false)
    .line(plain(till))
    .line(plain(made_on))
    .line('Città, perché, così, però, più: 10 €')
    .qrcode('PROVA DI STAMPA', { model: 2, size: moduleDots, errorlevel: 'm' })
    .newline(3)
    .cut('partial')
    .encode();
}

function newPaper(): ReceiptPrinterEncoder {
  const options = { language: 'esc-pos', columns, feedBeforeCut: 4 } as const;
  return new ReceiptPrinterEncoder(options).initialize().codepage('cp858');
}

function writeTicket(paper: ReceiptPrinterEncoder, ticket: ThermalTicket): void {
  const line = (text: string | null) => text !== null && paper.line(plain(text));
  paper.align('center');
  line(ticket.organiser);
  if (ticket.trial !== null) paper.bold(true).line(plain(ticket.trial)).bold(false);
  paper.bold(true).width(2).height(2).line(plain(ticket.title)).width(1).height(1).bold(false);
  paper.bold(true).line(plain(ticket.date)).bold(false);
  line(ticket.doors);
  line(ticket.venue);
  paper.rule();
  paper.bold(true).height(2).line(plain(ticket.seat)).height(1).bold(false);
  line(ticket.gate);
  line(ticket.price);
  line(ticket.holder);
  paper.newline();
  paper.qrcode(ticket.code, { model: 2, size: moduleDots, errorlevel: 'm' });
  line(ticket.code_for_people);
  line(ticket.order);
  line(ticket.no_seal);
  paper.newline(2).cut('partial');
}

/** The printer's alphabet has straight quotes and ordinary spaces only. */
function plain(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\u00a0\u202f]/g, ' ')
    .replace(/[’‘]/g, "'")
    .replace(/[“”«»]/g, '"')
    .replace(/[–—]/g, '-')
    .replace(/[\p{Cc}\p{Cf}]/gu, '');
}
