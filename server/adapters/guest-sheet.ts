/**
 * The alphabetical list of guests as a tagged PDF (PDF/UA) on A4: large initials, then name,
 * seats and number of seats of each guest.
 */
import { setImmediate } from 'node:timers/promises';
import type { GuestLetter, ListedGuest } from '#server/domain/order/guest-list.ts';
import { cutText } from '#server/domain/text/plain-text.ts';
import { isolate } from '#server/domain/text/direction.ts';
import {
  addSection,
  columnWriter,
  drawLine,
  makePdf,
  sheetSize,
  type Doc,
  type Structure,
} from './pdf.ts';
import { showOnPaper } from './paper-font.ts';

interface GuestSheet {
  title: string;
  when: string;
  printed: string;
  organiser: string;
  created_at: number;
  tickets: number;
  letters: readonly GuestLetter[];
}

type Line =
  | { kind: 'letter'; letter: string }
  | { kind: 'guest'; guest: ListedGuest; seats: string[] };

const headHeight = 62;
const footTop = 806;
const letterHeight = 34;
const seatHeight = 14;
const gap = 5;
const columns = { box: 20, name: 200, count: 30 };
/** Characters per line of seats, at the narrow font's size. */
const seatsInLine = 44;

export async function makeGuestsPdf(sheet: GuestSheet): Promise<Buffer> {
  const { title, organiser, created_at } = sheet;
  return makePdf(
    { title: `Ospiti – ${title}`, author: organiser, created_at },
    async (doc, root) => {
      const pages = pagesOf(sheet.letters);
      for (const [index, lines] of pages.entries()) {
        const section = addSection(doc, root);
        drawHead(doc, section, sheet);
        let y = sheetSize.top + headHeight;
        for (const line of lines) {
          if (line.kind === 'letter') drawLetter(doc, section, { letter: line.letter, y });
          else drawGuest(doc, section, { ...line, y });
          y += heightOf(line);
        }
        drawFoot(doc, section, { printed: sheet.printed, page: `${index + 1} di ${pages.length}` });
        await setImmediate();
      }
    },
  );
}

function heightOf(line: Line): number {
  return line.kind === 'letter' ? letterHeight : line.seats.length * seatHeight + gap;
}

/**
 * Divides the lines into pages; an initial is never the last line of a page. Initials that the
 * fonts lack come last in the alphabet, together.
 */
function pagesOf(letters: readonly GuestLetter[]): Line[][] {
  let page: Line[] = [];
  const pages = [page];
  const room = sheetSize.bottom - sheetSize.top - headHeight;
  let used = 0;
  const place = (line: Line, needed: number) => {
    if (used + needed > room) {
      page = [];
      pages.push(page);
      used = 0;
    }
    page.push(line);
    used += heightOf(line);
  };
  let last = '';
  for (const { letter: initial, guests } of letters) {
    const letter = showOnPaper(initial).isWhole ? initial : '#';
    const isNew = letter !== last;
    last = letter;
    guests.forEach((guest, at) => {
      const line: Line = { kind: 'guest', guest, seats: linesOf(guest.seats) };
      if (at === 0 && isNew) place({ kind: 'letter', letter }, letterHeight + heightOf(line));
      place(line, heightOf(line));
    });
  }
  return pages;
}

/** Breaks the seats into lines, so that none is cut off. */
function linesOf(seats: readonly string[]): string[] {
  const lines: string[] = [];
  for (const row of seats) {
    let line = '';
    for (const word of row.split(' ')) {
      if (line !== '' && line.length + word.length >= seatsInLine) {
        lines.push(line);
        line = '';
      }
      line = line === '' ? word : `${line} ${word}`;
    }
    lines.push(line);
  }
  return lines;
}

function drawHead(doc: Doc, section: Structure, { title, when, tickets }: GuestSheet): void {
  const { left, width, top } = sheetSize;
  const write = columnWriter(doc, section, { x: left, width });
  const y = write('H1', title, { y: top, height: 24, sizes: [18, 15, 12], weight: 'bold' });
  const people = tickets === 1 ? '1 biglietto' : `${tickets} biglietti`;
  write('P', `${when} · ${people}`, { y: y + 2, height: 16, sizes: [11, 9.5, 8] });
  drawLine(doc, top + headHeight - 12, 1.2);
}

interface At {
  y: number;
}

function drawLetter(doc: Doc, section: Structure, { letter, y }: At & { letter: string }): void {
  const { left, width } = sheetSize;
  const write = columnWriter(doc, section, { x: left, width });
  write('H2', letter, { y: y + 4, height: 28, sizes: [22], weight: 'bold' });
}

function drawGuest(
  doc: Doc,
  section: Structure,
  { guest, seats, y }: At & { guest: ListedGuest; seats: readonly string[] },
): void {
  const { left, right } = sheetSize;
  const { box, name, count } = columns;
  const write = columnWriter(doc, section, { x: left + box, width: name });
  const who = guest.name ?? 'Senza nome';
  const group = guest.with !== null && showOnPaper(guest.with).isWhole ? guest.with : null;
  const words = group === null ? who : `${isolate(who)} (con ${isolate(group)})`;
  write('P', cutText(words, 80), {
    instead: `Ordine n. ${guest.order_number}`,
    y,
    height: seatHeight,
    sizes: [10.5, 9, 8, 7],
    weight: 'bold',
  });
  const x = left + box + name + 8;
  const width = right - count - x;
  seats.forEach((line, at) =>
    write('P', line, { x, width, y: y + at * seatHeight, height: seatHeight, sizes: [10, 9, 8] }),
  );
  write('P', String(guest.tickets), {
    x: right - count,
    width: count,
    y,
    height: seatHeight,
    sizes: [10.5],
    weight: 'bold',
    align: 'right',
  });
}

function drawFoot(
  doc: Doc,
  section: Structure,
  { printed, page }: { printed: string; page: string },
): void {
  const { left, right, width } = sheetSize;
  const write = columnWriter(doc, section, { x: left, width });
  write('P', printed, { y: footTop, height: 12, sizes: [9] });
  const box = { x: right - 100, width: 100, y: footTop, height: 12, sizes: [9] };
  write('P', page, { ...box, align: 'right' });
}
