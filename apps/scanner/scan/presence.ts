/** Who is inside, by all that this phone knows: its own scans and those that the server has told. */
import { isAnybodyIn, ticketStates } from '#server/domain/admission.ts';
import {
  gateFigures,
  isSold,
  type GateFigures,
  type PresenceFigures,
  type PresencePart,
} from '#server/domain/presence.ts';
import { placeText, type Block } from '#server/domain/door-block.ts';
import { placeIn, scansIn, type DoorList } from '#apps/scanner/list/list.ts';
import { rowOf, textAt } from '#apps/scanner/list/image.ts';
import type { Phone } from '#apps/scanner/list/memory.ts';

export interface PhonePresence extends PresenceFigures {
  by_gate: GateFigures[];
  by_section: PresencePart[];
  by_category: PresencePart[];
}

const nobody: PhonePresence = {
  inside: 0,
  entered: 0,
  sold: 0,
  places: 0,
  by_gate: [],
  by_section: [],
  by_category: [],
};

/** A list as it was counted: the whole once, then only what has changed, because the screen asks after every scan. */
interface Count {
  tally: Tally;
  /** What those places count for now whose scans do not stand in the block alone. */ single: Map<
    string,
    Share
  >;
  told: PhonePresence;
}
const counts = new WeakMap<DoorList, Count>();

/** The same object until something changes. */
export function presence({ memory }: Phone, event_id: string): PhonePresence {
  const list = memory.lists.get(event_id);
  return list ? countPresence(list) : nobody;
}

export function countPresence(list: DoorList): PhonePresence {
  const known = counts.get(list);
  if (!known) {
    const fresh = countAll(list);
    counts.set(list, fresh);
    list.dirty.clear();
    return fresh.told;
  }
  if (list.dirty.size === 0) return known.told;
  for (const place of list.dirty) {
    const before = known.single.get(place) ?? shareInBlock(list, place);
    if (before) known.tally.add(before, -1);
    const share = shareOf(list, place, known.tally);
    if (!share) continue;
    known.single.set(place, share);
    known.tally.add(share, 1);
  }
  list.dirty.clear();
  known.told = known.tally.told();
  return known.told;
}

/** What one place counts for. */
interface Share {
  section: number;
  category: number;
  gates: string | null;
  sold: number;
  inside: number;
  entered: number;
  passes: readonly { gate: string | null; isIn: boolean }[];
}

function countAll(list: DoorList): Count {
  const { image, stale, touched } = list;
  const tally = makeTally(image);
  const single = new Map<string, Share>();
  const one = (place: string) => {
    const share = shareOf(list, place, tally);
    if (!share) return;
    single.set(place, share);
    tally.add(share, 1);
  };
  for (let row = 0; row < image.count; row += 1) {
    if (stale[row] === 1) continue;
    const scans = image.scan_from[row + 1]! - image.scan_from[row]!;
    if (touched[row] === 1 || scans > 1) one(placeText(image, row));
    else tally.row(row);
  }
  for (const place of list.changed.keys()) one(place);
  return { tally, single, told: tally.told() };
}

/** As the block alone has it; only for places with at most one scan there. */
function shareInBlock({ image }: DoorList, place: string): Share | null {
  const row = rowOf(image, place);
  if (row < 0) return null;
  const ticket = image.ticket_at[row]!;
  const scan = image.scan_from[row]!;
  const isPassed = scan < image.scan_from[row + 1]! && image.scan_undone[scan] === 0;
  const isIn = image.scan_direction[scan] === 0;
  return {
    section: image.section[row]! - 1,
    category: image.category[row]! - 1,
    gates: ticket >= 0 ? textAt(image.texts.gates, image.gates[ticket]!) : null,
    sold: ticket >= 0 && isSold(ticketStates[image.state[ticket]!]!) ? 1 : 0,
    inside: isPassed && isIn ? 1 : 0,
    entered: isPassed && isIn ? 1 : 0,
    passes: isPassed ? [{ gate: textAt(image.texts.scan_gate, image.scan_gate[scan]!), isIn }] : [],
  };
}

function shareOf(list: DoorList, text: string, tally: Tally): Share | null {
  const place = placeIn(list, text);
  if (!place) return null;
  const all = scansIn(list, text);
  const scans = all.filter(({ undone, conflict_with }) => !undone && conflict_with === null);
  return {
    section: tally.sectionOf(place.section),
    category: tally.categoryOf(place.category),
    gates: place.ticket ? place.ticket.gates.join('\n') : null,
    sold: place.ticket && isSold(place.ticket.state) ? 1 : 0,
    inside: isAnybodyIn(all.map((scan) => ({ ...scan, corrected_at: scan.at }))) ? 1 : 0,
    entered: scans.some(({ direction }) => direction === 'in') ? 1 : 0,
    passes: scans.map(({ gate, direction }) => ({ gate, isIn: direction === 'in' })),
  };
}

type Tally = ReturnType<typeof makeTally>;

function makeTally(image: Block) {
  const { texts } = image;
  const sections = makeParts(texts.section);
  const categories = makeParts(texts.category);
  const gates = new Map<string | null, { in: number; out: number }>();
  const total: PresenceFigures = { inside: 0, entered: 0, sold: 0, places: 0 };
  const count = (
    part: PresenceFigures | undefined,
    { sold, inside, entered }: Pick<Share, 'sold' | 'inside' | 'entered'>,
    sign: 1 | -1,
  ) => {
    if (!part) return;
    part.places += sign;
    part.sold += sign * sold;
    part.inside += sign * inside;
    part.entered += sign * entered;
  };
  const pass = (gate: string | null, isIn: boolean, sign: 1 | -1) => {
    let passed = gates.get(gate);
    if (!passed) gates.set(gate, (passed = { in: 0, out: 0 }));
    if (isIn) passed.in += sign;
    else passed.out += sign;
  };
  /** As the list writes them: several gates of one ticket in one text, which is empty for a ticket of any gate. */
  const expected = new Map<string, number>();
  const expect = (gates: string | null, tickets: number) => {
    if (gates !== null && tickets !== 0) expected.set(gates, (expected.get(gates) ?? 0) + tickets);
  };
  const plain = { sold: 0, inside: 0, entered: 0 };
  return {
    sectionOf: (name: string | null) => sections.indexOf(name),
    categoryOf: (name: string) => categories.indexOf(name),
    add(share: Share, sign: 1 | -1) {
      for (const part of [total, sections.at(share.section), categories.at(share.category)])
        count(part, share, sign);
      expect(share.gates, sign * share.sold);
      for (const { gate, isIn } of share.passes) pass(gate, isIn, sign);
    },
    /** Straight from the columns: fifty thousand rows, no object each. */
    row(row: number) {
      const ticket = image.ticket_at[row]!;
      const scan = image.scan_from[row]!;
      const isPassed = scan < image.scan_from[row + 1]! && image.scan_undone[scan] === 0;
      const isIn = isPassed && image.scan_direction[scan] === 0;
      plain.sold = ticket >= 0 && isSold(ticketStates[image.state[ticket]!]!) ? 1 : 0;
      plain.inside = isIn ? 1 : 0;
      plain.entered = plain.inside;
      count(total, plain, 1);
      count(sections.at(image.section[row]! - 1), plain, 1);
      count(categories.at(image.category[row]! - 1), plain, 1);
      if (plain.sold === 1) expect(textAt(texts.gates, image.gates[ticket]!), 1);
      if (isPassed) pass(textAt(texts.scan_gate, image.scan_gate[scan]!), isIn, 1);
    },
    told: (): PhonePresence => ({
      ...total,
      by_section: sections.told(),
      by_category: categories.told(),
      by_gate: gateFigures(
        gates,
        [...expected].flatMap(([names, tickets]) =>
          names
            .split('\n')
            .filter((name) => name !== '')
            .map((name) => [name, tickets] as const),
        ),
      ),
    }),
  };
}

/** −1 is a place without a section: it counts only in the whole. */
function makeParts(names: readonly string[]) {
  const parts = names.map((name): PresencePart => ({
    name,
    inside: 0,
    entered: 0,
    sold: 0,
    places: 0,
  }));
  const indexes = new Map(names.map((name, i) => [name, i]));
  return {
    at: (index: number): PresencePart | undefined => parts[index],
    indexOf(name: string | null): number {
      if (name === null) return -1;
      const known = indexes.get(name);
      if (known !== undefined) return known;
      indexes.set(name, parts.length);
      return parts.push({ name, inside: 0, entered: 0, sold: 0, places: 0 }) - 1;
    },
    told: () => parts.filter(({ places }) => places > 0).map((part) => ({ ...part })),
  };
}
