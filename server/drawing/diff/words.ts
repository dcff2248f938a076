/**
 * Describes differences in sentences, the most important first, with the objects to mark on the
 * canvas.
 */
import { count, quote, SEATS } from '#server/drawing/check/findings.ts';
import type { Doc, Item, SeatData } from '#server/drawing/model/data.ts';
import type { Selection } from '#server/drawing/model/selection.ts';
import { selectPlaces } from '#server/drawing/model/places.ts';
import { FLAGS } from '#server/drawing/model/flags.ts';
import { nounOf, whereOf } from '#server/drawing/model/where.ts';
import { tellAspects } from './aspects.ts';
import type { Change, Diff, PlaceDifference, ThingDifference } from './diff.ts';
import { peopleAt, peopleTaken, type Refusal, type Refused } from './safe.ts';
import { entryAt, entryOf } from '#server/drawing/model/entry.ts';

interface Told {
  readonly change: Change | ThingDifference['change'];
  /** For example `Settore Platea, fila C`. */
  readonly where: string;
  /** A sentence without its full stop. */
  readonly message: string;
  /** The objects to mark in the later drawing, which has no removed ones. */
  readonly marks: Selection;
}

const ORDER: readonly Change[] = [
  'removed',
  'relabelled',
  'retyped',
  'resized',
  'added',
  'repainted',
  'marked',
  'renamed',
  'moved',
];

/** The sentences about one place and about several. */
const SENTENCES: Record<Change, readonly [one: string, many: string]> = {
  added: ['si aggiunge', 'si aggiungono'],
  removed: ['non c’è più', 'non ci sono più'],
  relabelled: ['cambia nome', 'cambiano nome'],
  retyped: ['si vende in un altro modo', 'si vendono in un altro modo'],
  resized: ['cambia capienza', 'cambiano capienza'],
  repainted: ['cambia categoria', 'cambiano categoria'],
  moved: ['si sposta', 'si spostano'],
  marked: ['cambia caratteristiche', 'cambiano caratteristiche'],
  renamed: ['cambia nome sullo schermo', 'cambiano nome sullo schermo'],
};

function namesOf(doc: Doc): Map<string, string> {
  return new Map(doc.categories.map(({ key, label }) => [String(key), label]));
}

/** The value before and after; null for a change without values, such as a move. */
function turnOf(
  change: Change,
  { before, after }: PlaceDifference,
  categories: { old: Map<string, string>; now: Map<string, string> },
): string | null {
  if (!before || !after) return null;
  const name = (of: Map<string, string>, key: string | null) =>
    key === null ? 'nessuna' : (of.get(key) ?? key);
  if (change === 'relabelled') return `«${before.label}» diventa «${after.label}»`;
  if (change === 'renamed') return `«${before.shown}» diventa «${after.shown}»`;
  if (change === 'resized') return `da ${before.capacity} a ${after.capacity}`;
  if (change === 'repainted')
    return `da «${name(categories.old, before.category)}» a «${name(categories.now, after.category)}»`;
  if (change === 'marked') return marksOf(before.data as SeatData, after.data as SeatData);
  return null;
}

/** The name of each mark of a seat. */
export const FLAG_WORDS: Readonly<Record<(typeof FLAGS)[number][0], string>> = {
  accessible: 'Posto per sedia a rotelle',
  companionSeat: 'Posto per accompagnatore',
  restrictedView: 'Visibilità limitata',
  liftUpArmrests: 'Bracciolo sollevabile',
  hearingImpaired: 'Ascolto assistito',
  semiAmbulatorySeat: 'Per chi cammina con difficoltà',
  signLanguageInterpretation: 'Vede l’interprete LIS',
  plusSize: 'Poltrona larga',
};

const MARKS: readonly (readonly [key: keyof SeatData, word: string])[] = [
  ...FLAGS.map(([flag]) => [flag, FLAG_WORDS[flag].toLowerCase()] as const),
  ['x_gapAfter', 'corridoio accanto'],
  ['x_companionOf', 'abbinato a una sedia a rotelle'],
];

/**
 * For example «visibilità limitata sì, varco «Nord»»; null if only the row's priority or the
 * companion's wheelchair place differs.
 */
function marksOf(before: SeatData, after: SeatData): string | null {
  const marks = MARKS.flatMap(([key, word]) => {
    const [old, now] = [Boolean(before[key]), Boolean(after[key])];
    return old === now ? [] : [`${word} ${now ? 'sì' : 'no'}`];
  });
  const [from, to] = [before.entrance ?? '', after.entrance ?? ''];
  if (from !== to) marks.push(to === '' ? 'senza varco' : `varco «${to}»`);
  if (before.x_priority !== after.x_priority) marks.push('precedenza');
  return marks.join(', ') || null;
}

const ALL_ALIKE: readonly Change[] = ['resized', 'repainted', 'marked'];

/** The sentence about all places of one row or object that share a change. */
function messageOf(
  change: Change,
  group: readonly PlaceDifference[],
  categories: { old: Map<string, string>; now: Map<string, string> },
): string {
  const places = group.map(({ place }) => place);
  const [one, many] = SENTENCES[change];
  const isOne = places.length === 1;
  const verb = isOne ? one : many;
  const turns = [...new Set(group.flatMap((each) => turnOf(change, each, categories) ?? []))];
  const named = quote(places.map(({ own }) => own));
  const seats = count(places.length, SEATS);
  if (places[0]?.seat === null) return turns.length > 0 ? `${verb}: ${turns.join(', ')}` : verb;
  if (turns.length === 0) return `${seats} ${verb}: ${named}`;
  if (ALL_ALIKE.includes(change))
    return `${seats} ${verb} ${turns.length === 1 && change !== 'marked' ? turns.join('') : `(${turns.slice(0, 4).join(', ')})`}: ${named}`;
  const rest = turns.length > 3 ? ' e così via' : '';
  return `${seats} ${verb}: ${turns.slice(0, 3).join(', ')}${rest}`;
}

function tellPlaces(diff: Diff, { before, after }: { before: Doc; after: Doc }): Told[] {
  const groups = new Map<string, PlaceDifference[]>();
  for (const difference of diff.places) {
    const { item } = difference.place;
    const side = difference.after ? 'a' : 'b';
    for (const change of difference.changes) {
      const key = `${change} ${side} ${item}`;
      const known = groups.get(key);
      if (known) known.push(difference);
      else groups.set(key, [difference]);
    }
  }
  const categories = { old: namesOf(before), now: namesOf(after) };
  return [...groups].map(([key, group]): Told => {
    const change = key.slice(0, key.indexOf(' ')) as Change;
    const { place, after: isThere } = entryAt(group, 0);
    const doc = isThere ? after : before;
    const item = entryOf(doc.items, place.item);
    return {
      change,
      where: whereOf(doc, item),
      message: messageOf(change, group, categories),
      marks: selectPlaces(group.flatMap((each) => each.after ?? [])),
    };
  });
}

const THINGS: Record<ThingDifference['what'], string> = {
  item: 'Oggetto',
  category: 'Categoria',
  zone: 'Zona',
  floor: 'Piano',
  drawing: 'Pianta',
};
const THING_SENTENCES: Record<ThingDifference['change'], string> = {
  added: 'si aggiunge',
  removed: 'non c’è più',
  changed: 'cambia',
};

function thingName({ what, name, before, after }: ThingDifference): string {
  const item: Item | null = after ?? before;
  const noun = item ? nounOf(item) : THINGS[what];
  // The name already contains the kind: «Zona 1».
  const isSaid = name.toLowerCase().startsWith(`${noun.toLowerCase()} `);
  const whole = name === '' || isSaid ? name || noun : `${noun} ${name}`;
  return whole.charAt(0).toUpperCase() + whole.slice(1);
}

function tellThing(thing: ThingDifference): Told {
  const [before, after] = (thing.values ?? []) as Record<string, unknown>[];
  const aspects = before && after ? ` ${tellAspects(before, after)}` : '';
  const message = THING_SENTENCES[thing.change] + aspects;
  return {
    change: thing.change,
    where: thingName(thing),
    message,
    marks: { items: new Set(thing.after ? [thing.after.id] : []), seats: new Map() },
  };
}

/** Lists changes of places first, by their seriousness, then those of other objects. */
export function tellDiff(diff: Diff, sides: { before: Doc; after: Doc }): Told[] {
  const places = tellPlaces(diff, sides).toSorted(
    (a, b) => ORDER.indexOf(a.change as Change) - ORDER.indexOf(b.change as Change),
  );
  return [...places, ...diff.things.map(tellThing)];
}

const REFUSALS: Record<Refusal, string> = {
  removed: 'non ci sarebbe più',
  relabelled: 'cambierebbe nome',
  retyped: 'si venderebbe in un altro modo',
  shrunk: 'non basterebbe per chi ci sta',
};

/** Why a taken place prevents publishing: a sentence without its full stop. */
export function tellRefused({ why, before, after, taken }: Refused): string {
  if (after && why === 'relabelled') return `«${before.label}» diventerebbe «${after.label}»`;
  if (after && why === 'shrunk')
    return `«${before.label}» avrebbe ${peopleAt(after)} posti, ma ne ha ${peopleTaken(before, taken.places)} occupati`;
  return `«${before.label}» ${REFUSALS[why]}`;
}
