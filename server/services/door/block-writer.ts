/**
 * Writes a whole list as a block (domain/door/door-block.ts), some places per call, so that a
 * large hall does not hold up other requests.
 */
import { listedStates } from '#server/domain/door/admission.ts';
import { joinTexts, packBlock } from '#server/domain/door/door-block.ts';
import type { ListedAdmission, ListedPlace, ListedTicket } from '#server/domain/door/door-list.ts';
import { endedWhys, type EndedCode } from '#server/domain/door/ended-code.ts';
import type { PlaceCode } from '#server/domain/door/moved-code.ts';
import { isSold } from '#server/domain/door/presence.ts';
import { nameIndex, numberedTexts, orNone, repeatedTexts, textPool } from './block-columns.ts';

interface BlockWriter {
  addPlaces: (places: readonly ListedPlace[]) => void;
  /** Call it after all places; leaves out scans of places that the list does not contain. */
  addScans: (scans: readonly ListedAdmission[]) => void;
  finish: () => Uint8Array<ArrayBuffer>;
}

/** `named`: the phone may search by name; `buyers`: by the buyer's name. */
export function blockWriter({ named, buyers }: { named: boolean; buyers: boolean }): BlockWriter {
  const rows = new Map<string, number>();
  const places = placeColumns();
  const tickets = ticketColumns();
  const scans: { row: number; scan: ListedAdmission }[] = [];
  return {
    addPlaces(listed) {
      for (const place of listed) {
        rows.set(place.place, rows.size);
        places.add(place);
        if (place.ticket) tickets.add(place.ticket);
      }
    },
    addScans(listed) {
      for (const scan of listed) {
        const row = rows.get(scan.place);
        if (row !== undefined) scans.push({ row, scan });
      }
    },
    finish() {
      const passed = scanColumns(scans, rows.size);
      const moved = codeColumns(tickets.moved(), rows);
      const was = codeColumns(tickets.was(), rows);
      const endedWas = codeColumns(places.endedWas(), rows);
      const facts = {
        texts: { ...places.texts(), ...tickets.texts(), ...passed.texts },
        count: rows.size,
        tickets: tickets.sold(),
        named,
        buyers,
      };
      return packBlock(facts, {
        ...places.columns(),
        ...tickets.columns(),
        moved_count: moved.count,
        moved_row: moved.row,
        moved_revision: moved.revision,
        was_count: was.count,
        was_row: was.row,
        was_revision: was.revision,
        ended_was_count: endedWas.count,
        ended_was_row: endedWas.row,
        ended_was_revision: endedWas.revision,
        ...passed.columns,
      });
    },
  };
}

function placeColumns() {
  const where = whereColumns();
  const issued: number[] = [];
  const code_count: number[] = [];
  const ticketed: number[] = [];
  const codes: string[] = [];
  const lost = lostColumns();
  const given = givenColumns();
  const ended = endedColumns();
  return {
    add(listed: ListedPlace) {
      const row = issued.length;
      where.add(listed);
      issued.push(listed.issued);
      code_count.push(listed.hashes.length);
      codes.push(...listed.hashes);
      ticketed.push(listed.ticket ? 1 : 0);
      lost.add(row, listed.lost);
      given.add(row, listed.given);
      ended.add(row, listed.ended);
    },
    endedWas: ended.was,
    texts: () => ({ ...where.texts(), ...ended.texts() }),
    columns: () => ({
      ...where.columns(),
      issued,
      code_count,
      // Each code is a multiple of four letters long, so all codes can be decoded in one call.
      codes: Buffer.from(codes.join(''), 'base64url'),
      ticketed,
      ...lost.columns,
      ...given.columns,
      ...ended.columns(),
    }),
  };
}

/** Where a place is, and what it is like. */
function whereColumns() {
  const [place, seat] = [numberedTexts(), numberedTexts()];
  const [section, category] = [repeatedTexts(), repeatedTexts()];
  const [entrance, marks] = [repeatedTexts(), repeatedTexts()];
  return {
    add(listed: ListedPlace) {
      place.push(listed.place);
      seat.push(listed.seat);
      section.push(listed.section);
      category.push(listed.category);
      entrance.push(listed.entrance);
      marks.push(listed.marks?.join('\n') ?? null);
    },
    texts: () => ({
      place: place.heads(),
      seat: seat.heads(),
      section: section.texts(),
      category: category.texts(),
      entrance: entrance.texts(),
      marks: marks.texts(),
    }),
    columns: () => ({
      place_head: place.head,
      place_tail: place.tail,
      place_width: place.width,
      seat_head: seat.head,
      seat_tail: seat.tail,
      seat_width: seat.width,
      section: section.at,
      category: category.at,
      entrance: entrance.at,
      marks: orNone(marks.at),
    }),
  };
}

function lostColumns() {
  const [lost_row, lost_first, lost_last]: [number[], number[], number[]] = [[], [], []];
  return {
    columns: { lost_row, lost_first, lost_last },
    add(row: number, spans: ListedPlace['lost']) {
      for (const [first, last] of spans) {
        lost_row.push(row);
        lost_first.push(first);
        lost_last.push(last);
      }
    },
  };
}

function givenColumns() {
  const [given_row, given_revision]: [number[], number[]] = [[], []];
  return {
    columns: { given_row, given_revision },
    add(row: number, revisions: readonly number[] = []) {
      given_row.push(...revisions.map(() => row));
      given_revision.push(...revisions);
    },
  };
}

function endedColumns() {
  const [row, revision]: [number[], number[]] = [[], []];
  const [why, minute]: [number[], number[]] = [[], []];
  const [note, order] = [repeatedTexts(), repeatedTexts()];
  const was: (readonly PlaceCode[])[] = [];
  return {
    add(nth: number, codes: readonly EndedCode[] = []) {
      for (const code of codes) {
        row.push(nth);
        revision.push(code.revision);
        why.push(code.why === null ? 0 : endedWhys.indexOf(code.why) + 1);
        minute.push(Math.floor(code.at / 60_000));
        note.push(code.note);
        order.push(code.order_number);
        was.push(code.was ?? []);
      }
    },
    was: () => was,
    texts: () => ({ ended_note: note.texts(), ended_order: order.texts() }),
    columns: () => ({
      ended_row: row,
      ended_revision: revision,
      ended_why: why,
      ended_minute: minute,
      ended_note: note.at,
      ended_order: order.at,
    }),
  };
}

function ticketColumns() {
  const people = peopleColumns();
  const [revision, state]: [number[], number[]] = [[], []];
  const [type_label, gates] = [repeatedTexts(), repeatedTexts()];
  const [reentry, kept_minutes]: [number[], number[]] = [[], []];
  const [note, door_note] = [repeatedTexts(), repeatedTexts()];
  const moved: (readonly PlaceCode[])[] = [];
  const was: (readonly PlaceCode[])[] = [];
  let sold = 0;
  return {
    add(ticket: ListedTicket) {
      people.add(ticket);
      revision.push(ticket.revision);
      state.push(listedStates.indexOf(ticket.state));
      if (isSold(ticket.state)) sold += 1;
      type_label.push(ticket.type_label);
      gates.push(ticket.gates.join('\n'));
      reentry.push(ticket.reentry === null ? 0 : Number(ticket.reentry) + 1);
      note.push(ticket.note);
      door_note.push(ticket.door_note ?? null);
      moved.push(ticket.moved_from);
      was.push(ticket.was ?? []);
      kept_minutes.push(ticket.kept_minutes ?? 0);
    },
    sold: () => sold,
    moved: () => moved,
    was: () => was,
    texts: () => ({
      ...people.texts(),
      type_label: type_label.texts(),
      gates: gates.texts(),
      note: note.texts(),
      door_note: door_note.texts(),
    }),
    columns: () => ({
      ...people.columns(),
      revision,
      state,
      type_label: type_label.at,
      gates: gates.at,
      reentry: orNone(reentry),
      note: orNone(note.at),
      door_note: orNone(door_note.at),
      kept_minutes: orNone(kept_minutes),
    }),
  };
}

/** Whose a ticket is: its holder and its order. */
function peopleColumns() {
  const [order_group, initials] = [repeatedTexts(), repeatedTexts()];
  const [sealed_name, name] = [textPool(), textPool()];
  const [buyer, order_number] = [textPool(), textPool()];
  const words = nameIndex();
  return {
    add(ticket: ListedTicket) {
      order_group.push(ticket.order_group);
      initials.push(ticket.initials);
      sealed_name.push(ticket.sealed_name);
      name.push(ticket.name);
      buyer.push(ticket.buyer ?? null);
      order_number.push(ticket.order_number);
      words.push(ticket.name, ticket.buyer ?? null);
    },
    texts: () => ({ initials: initials.texts() }),
    columns: () => ({
      order_group: order_group.at,
      initials: initials.at,
      sealed_name_length: sealed_name.lengths(),
      sealed_name: sealed_name.bytes(),
      name_length: name.lengths(),
      name: name.bytes(),
      buyer_length: buyer.lengths(),
      buyer: buyer.bytes(),
      order_number_length: order_number.lengths(),
      order_number: order_number.bytes(),
      order_group_text: joinTexts(order_group.texts()),
      name_word_text: joinTexts(words.texts()),
      name_word_count: words.counts(),
      name_word: words.at,
    }),
  };
}

/**
 * Codes of each ticket, by the rows of their places. A place that the list does not contain has no
 * code that a phone could read.
 */
function codeColumns(theirs: readonly (readonly PlaceCode[])[], rows: ReadonlyMap<string, number>) {
  const count: number[] = [];
  const row: number[] = [];
  const revision: number[] = [];
  for (const codes of theirs) {
    const before = row.length;
    for (const code of codes) {
      const found = rows.get(code.place);
      if (found === undefined) continue;
      row.push(found);
      revision.push(code.revision);
    }
    count.push(row.length - before);
  }
  return { count: orNone(count), row, revision };
}

/** The columns of all scans, in the order of their places. */
function scanColumns(scans: { row: number; scan: ListedAdmission }[], count: number) {
  scans.sort((a, b) => a.row - b.row);
  const scan_count = new Uint32Array(count);
  for (const { row } of scans) scan_count[row] = (scan_count[row] ?? 0) + 1;
  const all = scans.map(({ scan }) => scan);
  const id = textPool();
  const [gate, phone_id] = [repeatedTexts(), repeatedTexts()];
  const [by, conflict_with] = [repeatedTexts(), repeatedTexts()];
  for (const scan of all) {
    id.push(scan.admission_id);
    gate.push(scan.gate);
    phone_id.push(scan.phone_id);
    by.push(scan.by);
    conflict_with.push(scan.conflict_with);
  }
  return {
    texts: {
      scan_gate: gate.texts(),
      scan_phone_id: phone_id.texts(),
      scan_by: by.texts(),
      scan_conflict_with: conflict_with.texts(),
    },
    columns: {
      scan_count,
      scan_id_length: id.lengths(),
      scan_id: id.bytes(),
      scan_revision: all.map(({ revision }) => revision),
      scan_direction: all.map(({ direction }) => (direction === 'in' ? 0 : 1)),
      scan_at: all.map(({ at }) => at),
      scan_undone: all.map(({ undone }) => (undone ? 1 : 0)),
      scan_gate: gate.at,
      scan_phone_id: phone_id.at,
      scan_by: by.at,
      scan_conflict_with: conflict_with.at,
    },
  };
}
