/**
 * A rehearsal's codes on paper, so far apart that a camera never sees two. Each has the word that
 * the phone must show and the steward's next step.
 */
import { setImmediate } from 'node:timers/promises';
import type { Verdict } from '#server/domain/door/admission.ts';
import { isolate } from '#server/domain/text/direction.ts';
import { verdictNames } from '#server/domain/door/verdict-names.ts';
import {
  addSection,
  columnWriter,
  drawCode,
  drawFrame,
  drawLine,
  makePdf,
  sheetSize,
  spellCode,
  type Doc,
  type Structure,
} from './pdf.ts';

interface SheetCard {
  verdict: Verdict;
  hint: string;
  seat: string | null;
  gate: string | null;
  holder: string | null;
  code: string;
  code_for_people: string;
}
interface SheetPdf {
  title: string;
  created_at: number;
  made_on: string;
  cards: readonly SheetCard[];
}

/** In points: modules of a millimetre and a half are sharp in print and readable for cameras. */
const moduleSize = 4;
const rowHeight = 178;
/** The explanation at the top of the first page. */
const intro = { height: 158, rows: 3 };
const rowsPerPage = 4;
const columns = 2;
const gap = 12;

const manual = [
  'Solo per provare: nessuno di questi codici apre le porte di uno spettacolo vero. Sul telefono, in alto, si legge PROVA.',
  `Leggi un codice alla volta: accanto c’è la parola che deve comparire. Un ${verdictNames.admit} letto due volte dice ${verdictNames.already_in}, com’è giusto.`,
  'Prova anche senza rete («Senza rete» sul telefono), con due telefoni, con lo schermo al sole, con poca luce, con il foglio piegato.',
  'Per ricominciare da capo: in ufficio, Prova generale → «Ricomincia». I codici cambiano e il foglio va ristampato.',
];

export async function makeSheetPdf({
  title,
  created_at,
  made_on,
  cards,
}: SheetPdf): Promise<Buffer> {
  return makePdf(
    { title: `${title} – foglio dei codici`, author: 'Botteghino', created_at },
    async (doc, root) => {
      const pages = pagesOf(cards);
      for (const [index, page] of pages.entries()) {
        const section = addSection(doc, root);
        const top = index === 0 ? drawIntro(doc, section, { title, made_on }) : sheetSize.top;
        for (const [at, card] of page.entries())
          drawCard(doc, section, {
            card,
            x: xOf(at),
            y: top + Math.floor(at / columns) * (rowHeight + gap),
          });
        const write = columnWriter(doc, section, { x: sheetSize.right - 100, width: 100 });
        write('P', `${index + 1} di ${pages.length}`, {
          y: 812,
          height: 12,
          sizes: [9.5],
          align: 'right',
        });
        await setImmediate();
      }
    },
  );
}

function pagesOf(cards: readonly SheetCard[]): SheetCard[][] {
  const first = intro.rows * columns;
  const pages = [cards.slice(0, first)];
  for (let at = first; at < cards.length; at += rowsPerPage * columns)
    pages.push(cards.slice(at, at + rowsPerPage * columns));
  return pages;
}

const cardWidth = (sheetSize.width - gap) / columns;

function xOf(at: number): number {
  return sheetSize.left + (at % columns) * (cardWidth + gap);
}

/** Returns the y where the cards begin. */
function drawIntro(
  doc: Doc,
  section: Structure,
  { title, made_on }: { title: string; made_on: string },
): number {
  const { left, top, width } = sheetSize;
  const write = columnWriter(doc, section, { x: left, width });
  let y = write('H1', title, { y: top, height: 30, sizes: [22, 18, 15], weight: 'bold' });
  y = write('P', `Foglio dei codici, preparato il ${made_on}`, {
    y: y + 2,
    height: 16,
    sizes: [11],
  });
  drawLine(doc, y + 6, 1.5);
  y += 14;
  for (const line of manual) y = write('P', line, { y, height: 26, sizes: [9.5] }) + 3;
  return top + intro.height;
}

function drawCard(
  doc: Doc,
  section: Structure,
  { card, x, y }: { card: SheetCard; x: number; y: number },
): void {
  const rows = spellCode(card.code);
  const side = rows.length * moduleSize;
  drawFrame(doc, { x, y, width: cardWidth, height: rowHeight });
  const write = columnWriter(doc, section, { x: x + side + 4, width: cardWidth - side - 14 });
  let at = write('H2', verdictNames[card.verdict], {
    y: y + 12,
    height: 40,
    sizes: [13.5, 12],
    weight: 'bold',
  });
  at = write('P', card.hint, { y: at + 4, height: 92, sizes: [9, 8.5, 8] });
  const place = [card.seat, card.gate, card.holder]
    .filter((part) => part !== null)
    .map(isolate)
    .join(' · ');
  if (place !== '')
    write('P', place, {
      y: at + 5,
      height: Math.max(12, y + rowHeight - 26 - at - 5),
      sizes: [8.5, 8],
    });
  drawCode(doc, section, {
    rows,
    moduleSize,
    label: `Codice QR: deve comparire ${verdictNames[card.verdict]}`,
    x: x + 2,
    y: y + 6,
  });
  write('P', card.code_for_people, {
    x: x + 10,
    y: y + rowHeight - 18,
    width: cardWidth - 20,
    height: 12,
    sizes: [8.5, 8],
    weight: 'bold',
  });
}
