/**
 * Tickets as bytes for an 80 mm ticket printer (ESC/POS): words, a QR code in the size that
 * scanners read best, a cut after each ticket, and the pulse that opens the drawer.
 */
import ReceiptPrinterEncoder from '@point-of-sale/receipt-printer-encoder';
import type { LogoDots } from './images.ts';
import {
  thermalParts,
  type ThermalPart,
  type ThermalTicket,
} from '#server/domain/counter/thermal.ts';
import { showText, type ShownText } from '#server/domain/text/shown.ts';

const columns = 42;
/** Dots per module: a version 2 code becomes two and a half centimetres wide. */
const moduleDots = 8;

export function thermalTickets(
  tickets: readonly ThermalTicket[],
  { opens_drawer, logo }: { opens_drawer: boolean; logo: LogoDots | null },
): Uint8Array {
  const paper = newPaper();
  // The pulse comes first, so that the drawer opens while the paper is printed.
  if (opens_drawer) paper.pulse();
  for (const ticket of tickets) writeTicket(paper, ticket, logo);
  return paper.encode();
}

/** A print that shows whether the printer works and prints accents. */
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

function writeTicket(
  paper: ReceiptPrinterEncoder,
  ticket: ThermalTicket,
  logo: LogoDots | null,
): void {
  paper.align('center');
  // A name with other letters is left out: the paper has its seat and order.
  const holder = ticket.holder !== null && show(ticket.holder).isWhole ? ticket.holder : null;
  for (const part of thermalParts({ ...ticket, holder })) writePart(paper, part, logo);
  paper.newline(2).cut('partial');
}

function writePart(paper: ReceiptPrinterEncoder, part: ThermalPart, logo: LogoDots | null): void {
  switch (part.kind) {
    case 'line':
      paper
        .bold(part.bold)
        .width(part.wide ? 2 : 1)
        .height(part.tall ? 2 : 1);
      paper.line(plain(part.text)).width(1).height(1).bold(false);
      return;
    case 'code':
      paper.qrcode(part.text, { model: 2, size: moduleDots, errorlevel: 'm' });
      return;
    case 'rule':
      paper.rule();
      return;
    case 'gap':
      paper.newline();
      return;
    case 'logo':
      if (logo !== null) paper.image({ ...logo }, logo.width, logo.height);
  }
}

/** Characters that the printer has besides Latin-1 (code page 858), or that `plain` replaces. */
const signs = '€’‘“”–—…';

function show(text: string): ShownText {
  return showText(text, (point) => point <= 0xff || signs.includes(String.fromCodePoint(point)));
}

/** The printer's character set has only straight quotes and ordinary spaces. */
function plain(text: string): string {
  return show(text)
    .text.replace(/[\u00a0\u202f]/g, ' ')
    .replace(/[’‘]/g, "'")
    .replace(/[“”«»]/g, '"')
    .replace(/[–—]/g, '-')
    .replaceAll('…', '...');
}
