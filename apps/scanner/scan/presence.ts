/** Who is inside, as far as this phone knows: by its own scans and those from the server. */
import { guestsOn } from '#server/domain/door/admission.ts';
import {
  gateFigures,
  isSold,
  sectionOf,
  type GateFigures,
  type PresenceFigures,
  type PresencePart,
} from '#server/domain/door/presence.ts';
import { placeText, type Block } from '#server/domain/door/door-block.ts';
import {
  formerCodes,
  ticketsOn,
  ownerOf,
  placeIn,
  scansBy,
  scansIn,
  type DoorList,
  type ReadScan,
} from '#apps/scanner/list/list.ts';
import { linkedRows, rowOf, stateAt, textAt, type Place } from '#apps/scanner/list/image.ts';
import type { Phone } from '#apps/scanner/list/memory.ts';

interface PhonePresence extends PresenceFigures {
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

/**
 * The count of a list: first of all places, then only of changed places, because the screen asks
 * after every scan.
 */
interface Count {
  tally: Tally;
  /** The current shares of places that have scans outside the block. */
  single: Map<string, Share>;
  figures: PhonePresence;
}
const counts = new WeakMap<DoorList, Count>();

/** Returns the same object until something changes. */
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
    return fresh.figures;
  }
  if (list.dirty.size === 0) return known.figures;
  for (const place of list.dirty) {
    const before =
      known.single.get(place) ?? shareInBlock(list.image, rowOf(list.image, place), known.tally);
    if (before) known.tally.add(before, -1);
    const share = shareOf(list, place, known.tally);
    if (!share) continue;
    known.single.set(place, share);
    known.tally.add(share, 1);
  }
  list.dirty.clear();
  known.figures = known.tally.figures();
  return known.figures;
}

/** What one place adds to the figures. */
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
  const linked = linkedRows(image);
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
    const scans = (image.scan_from[row + 1] ?? 0) - (image.scan_from[row] ?? 0);
    const isSimple = touched[row] === 0 && linked[row] === 0 && scans <= 1;
    const share = isSimple ? shareInBlock(image, row, tally) : null;
    if (share) tally.add(share, 1);
    else one(placeText(image, row));
  }
  for (const place of list.changed.keys()) one(place);
  return { tally, single, figures: tally.figures() };
}

const noPasses: Share['passes'] = [];

/**
 * What a place adds, by the block alone; only for places with at most one scan in it whose guest
 * has had no other code.
 */
function shareInBlock(image: Block, row: number, tally: Tally): Share | null {
  if (row < 0) return null;
  const ticket = image.ticket_at[row] ?? -1;
  const category = (image.category[row] ?? 0) - 1;
  const scan = image.scan_from[row] ?? 0;
  // A conflict of the place's only scan is with a scan of another place: the ticket has moved,
  // and counts there.
  const isPassed =
    scan < (image.scan_from[row + 1] ?? 0) &&
    image.scan_undone[scan] === 0 &&
    image.scan_conflict_with[scan] === 0;
  const isIn = image.scan_direction[scan] === 0;
  const inside = isPassed && isIn ? 1 : 0;
  return {
    section: tally.sectionAt((image.section[row] ?? 0) - 1, category),
    category,
    gates: ticket >= 0 ? textAt(image.texts.gates, image.gates, ticket) : null,
    sold: ticket >= 0 && isSold(stateAt(image, ticket)) ? 1 : 0,
    inside,
    entered: inside,
    passes: isPassed
      ? [{ gate: textAt(image.texts.scan_gate, image.scan_gate, scan), isIn }]
      : noPasses,
  };
}

function shareOf(list: DoorList, text: string, tally: Tally): Share | null {
  const place = placeIn(list, text);
  if (!place) return null;
  const all = scansHere(list, place);
  const scans = all.filter(({ undone, conflict_with }) => !undone && conflict_with === null);
  return {
    section: tally.sectionOf(sectionOf(place)),
    category: tally.categoryOf(place.category),
    gates: place.ticket ? place.ticket.gates.join('\n') : null,
    sold: place.ticket && isSold(place.ticket.state) ? 1 : 0,
    ...guestsOn(
      all.map((scan) => ({ ...scan, corrected_at: scan.at })),
      readOn(list, all),
    ),
    passes: scans.map(({ gate, direction }) => ({ gate, isIn: direction === 'in' })),
  };
}

/**
 * The scans of all guests of a place, with one number for those of one ticket. A guest counts on
 * the last place of the ticket, by whatever code and wherever the scans were made.
 */
function scansHere(list: DoorList, place: Place): ReadScan[] {
  const { place: text } = place;
  const guests = ticketsOn(place).flatMap((codes) => {
    const revision = codes[0]?.revision ?? 0;
    return scansBy(list, codes).map((scan) => ({ ...scan, revision }));
  });
  const isOther = ({ revision }: { revision: number }) => {
    const code = { place: text, revision };
    return ownerOf(list, code) === null && formerCodes(list, code) === null;
  };
  const others = scansIn(list, text).filter(isOther);
  return [...guests, ...others.map((scan) => ({ ...scan, place: text }))];
}

/** Says where a scan was read, of all those on the places where these were. */
function readOn(list: DoorList, scans: readonly ReadScan[]) {
  const places = scans.flatMap(({ place, conflict_with }) => (conflict_with === null ? [] : place));
  const known = new Map(
    [...new Set(places)].flatMap((place) =>
      scansIn(list, place).map(({ admission_id }) => [admission_id, place] as const),
    ),
  );
  return (admission_id: string) => known.get(admission_id);
}

type Tally = ReturnType<typeof makeTally>;

function makeTally({ texts }: Block) {
  const sections = makeParts(texts.section);
  const categories = makeParts(texts.category);
  const gates = new Map<string | null, { in: number; out: number }>();
  const total: PresenceFigures = { inside: 0, entered: 0, sold: 0, places: 0 };
  /** Sold tickets by their gates, one a line in the key; an empty key means any gate. */
  const expected = new Map<string, number>();
  return {
    sectionOf: (name: string) => sections.indexOf(name),
    /** Takes indexes of the block's texts; −1 means no section. */
    sectionAt: (section: number, category: number) =>
      section >= 0 ? section : sections.indexOf(texts.category[category] ?? ''),
    categoryOf: (name: string) => categories.indexOf(name),
    add(share: Share, sign: 1 | -1) {
      for (const part of [total, sections.at(share.section), categories.at(share.category)]) {
        if (!part) continue;
        part.places += sign;
        part.sold += sign * share.sold;
        part.inside += sign * share.inside;
        part.entered += sign * share.entered;
      }
      if (share.gates !== null && share.sold > 0)
        expected.set(share.gates, (expected.get(share.gates) ?? 0) + sign * share.sold);
      for (const { gate, isIn } of share.passes) {
        const passed = gates.get(gate) ?? { in: 0, out: 0 };
        passed[isIn ? 'in' : 'out'] += sign;
        gates.set(gate, passed);
      }
    },
    figures: (): PhonePresence => ({
      ...total,
      by_section: texts.section.length === 0 ? [] : sections.figures(),
      by_category: categories.figures(),
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

function makeParts(names: readonly string[]) {
  const parts: PresencePart[] = [];
  const indexes = new Map<string, number>();
  const open = (name: string): number => {
    const index = parts.push({ name, inside: 0, entered: 0, sold: 0, places: 0 }) - 1;
    indexes.set(name, index);
    return index;
  };
  names.forEach(open);
  return {
    at: (index: number): PresencePart | undefined => parts[index],
    indexOf: (name: string) => indexes.get(name) ?? open(name),
    figures: () => parts.filter(({ places }) => places > 0).map((part) => ({ ...part })),
  };
}
