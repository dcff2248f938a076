/** Who is inside, by all that this phone knows: its own scans and those that the server has told. */
import type { PresenceFigures, PresencePart } from '#server/domain/presence.ts';
import { scansIn, standingAmong, type DoorList, type KnownScan } from './list.ts';
import { placeText, type Image } from './list-image.ts';
import type { Phone } from './memory.ts';

export interface PhonePresence extends PresenceFigures { by_gate: { name: string | null; in: number; out: number }[]; by_section: PresencePart[]; by_category: PresencePart[] }

const nobody: PhonePresence = { inside: 0, entered: 0, sold: 0, places: 0, by_gate: [], by_section: [], by_category: [] };

/** The last count and when it was made: screens ask again and again. */
const counted = new WeakMap<Phone, Map<string, { version: number; presence: PhonePresence }>>();

export function presence(phone: Phone, event_id: string): PhonePresence {
  const { lists, version } = phone.memory;
  const kept = counted.get(phone) ?? new Map<string, { version: number; presence: PhonePresence }>();
  counted.set(phone, kept);
  const known = kept.get(event_id);
  if (known?.version === version) return known.presence;
  const list = lists.get(event_id);
  const fresh = list ? countPresence(list) : nobody;
  kept.set(event_id, { version, presence: fresh });
  return fresh;
}

/** A place whose scans stand in the block alone is counted from the columns; the others, few, one by one. */
export function countPresence(list: DoorList): PhonePresence {
  const { image, stale, touched } = list;
  const tally = makeTally(image);
  for (let row = 0; row < image.count; row += 1) {
    if (stale[row] === 1) continue;
    const ticket = image.ticket_at[row]!;
    tally.place(image.section[row]!, image.category[row]!, ticket >= 0 && isSold(image.state[ticket]!));
    const from = image.scan_from[row]!;
    const scans = image.scan_from[row + 1]! - from;
    if (touched[row] === 1 || scans > 1) passAll(list, placeText(image, row), { section: image.section[row]!, category: image.category[row]!, tally });
    else if (scans === 1 && image.scan_undone[from] === 0) {
      tally.pass(image.texts.scan_gate[image.scan_gate[from]!] ?? null, image.scan_direction[from] === 0);
      tally.holder(image.section[row]!, image.category[row]!, { isInside: image.scan_direction[from] === 0, hasEntered: image.scan_direction[from] === 0 });
    }
  }
  for (const { place, section, category, ticket } of list.changed.values()) {
    const at = { section: tally.sectionOf(section), category: tally.categoryOf(category) };
    tally.place(at.section, at.category, ticket !== null && (ticket.state === 'valid' || ticket.state === 'unpaid'));
    passAll(list, place, { ...at, tally });
  }
  return tally.told();
}

type Tally = ReturnType<typeof makeTally>;

function passAll(list: DoorList, place: string, { section, category, tally }: { section: number; category: number; tally: Tally }): void {
  const scans = scansIn(list, place).filter(({ undone, conflict_with }) => !undone && conflict_with === null);
  if (scans.length === 0) return;
  for (const { gate, direction } of scans) tally.pass(gate, direction === 'in');
  const revisions = new Set(scans.map(({ revision }) => revision));
  const isIn = (scan: KnownScan | null) => scan?.direction === 'in';
  tally.holder(section, category, { isInside: [...revisions].some((revision) => isIn(standingAmong(scans, revision).last)), hasEntered: scans.some(isIn) });
}

/** Of the states, in their order: valid, void, refunded, unpaid. */
function isSold(state: number): boolean {
  return state === 0 || state === 3;
}

function makeTally({ texts }: Image) {
  const sections = makeParts(texts.section);
  const categories = makeParts(texts.category);
  const gates = new Map<string | null, { in: number; out: number }>();
  const total: PresenceFigures = { inside: 0, entered: 0, sold: 0, places: 0 };
  const partsAt = (section: number, category: number) => [total, sections.at(section), categories.at(category)];
  return {
    sectionOf: (name: string | null) => sections.indexOf(name), categoryOf: (name: string) => categories.indexOf(name),
    place(section: number, category: number, sold: boolean) {
      for (const part of partsAt(section, category)) {
        if (!part) continue;
        part.places += 1;
        part.sold += sold ? 1 : 0;
      }
    },
    holder(section: number, category: number, { isInside, hasEntered }: { isInside: boolean; hasEntered: boolean }) {
      for (const part of partsAt(section, category)) {
        if (!part) continue;
        part.inside += isInside ? 1 : 0;
        part.entered += hasEntered ? 1 : 0;
      }
    },
    pass(gate: string | null, isIn: boolean) {
      let counts = gates.get(gate);
      if (!counts) gates.set(gate, counts = { in: 0, out: 0 });
      if (isIn) counts.in += 1;
      else counts.out += 1;
    },
    told: (): PhonePresence => ({
      ...total, by_section: sections.told(), by_category: categories.told(),
      by_gate: [...gates].map(([name, counts]) => ({ name, ...counts })).sort((a, b) => (a.name ?? '\uffff').localeCompare(b.name ?? '\uffff', 'it')),
    }),
  };
}

/** −1 is a place without a section: it counts only in the whole. */
function makeParts(names: readonly string[]) {
  const parts = names.map((name): PresencePart => ({ name, inside: 0, entered: 0, sold: 0, places: 0 }));
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
    told: () => parts.filter(({ places }) => places > 0),
  };
}
