/** Names for new objects: the next one in the series of their neighbours that is not taken. */
import type { Doc, Item } from '#server/drawing/model/data.ts';

/** A, B … Z, AA; small letters in the same way. */
function nextLetters(letters: string): string {
  const last = letters.slice(-1);
  const rest = letters.slice(0, -1);
  const first = last === last.toUpperCase() ? 'A' : 'a';
  if (last !== 'Z' && last !== 'z') return rest + String.fromCharCode(last.charCodeAt(0) + 1);
  return (rest === '' ? first : nextLetters(rest)) + first;
}

/** The next name of a series: 7 → 8, `T09` → `T10`, A → B, `Palco` → `Palco 2`. */
export function nextName(name: string, step = 1): string {
  const number = /^(.*?)(\d{1,12})$/s.exec(name);
  if (number) {
    const [, stem = '', digits = ''] = number;
    const next = Math.max(0, Number(digits) + step);
    return stem + String(next).padStart(digits.startsWith('0') ? digits.length : 1, '0');
  }
  if (/^(?:[A-Z]{1,3}|[a-z]{1,3})$/.test(name)) return nextLetters(name);
  return name === '' ? '1' : `${name} 2`;
}

export function itemLabel({ data }: Item): string {
  const label: unknown = data.label;
  return typeof label === 'number' ? String(label) : typeof label === 'string' ? label : '';
}

type Scope = string;
const THINGS: Scope = 'things';
const SECTIONS: Scope = 'sections';

/**
 * Rows and tables need different names within their section, areas and booths in the whole
 * drawing. Names of tables outside of sections must differ from both.
 */
function scopesOf(doc: Doc, { kind, section }: Pick<Item, 'kind' | 'section'>): Scope[] {
  if (kind === 'section') return [SECTIONS];
  if (kind === 'area' || kind === 'booth') return [THINGS];
  if (kind !== 'row' && kind !== 'table') return [];
  const around = section === null ? undefined : doc.items.get(section);
  const inside = `in ${around ? itemLabel(around) : ''}`;
  return kind === 'table' && section === null ? [inside, THINGS] : [inside];
}

/** The names of a drawing, to which an act adds. */
export class Names {
  readonly #doc: Doc;
  readonly #taken = new Map<Scope, Set<string>>();

  constructor(doc: Doc) {
    this.#doc = doc;
    for (const item of doc.items.values()) this.#take(item, itemLabel(item));
  }

  #in(scope: Scope): Set<string> {
    const found = this.#taken.get(scope) ?? new Set();
    this.#taken.set(scope, found);
    return found;
  }

  #take(item: Pick<Item, 'kind' | 'section'>, label: string): void {
    for (const scope of scopesOf(this.#doc, item)) this.#in(scope).add(label);
  }

  isTaken(item: Pick<Item, 'kind' | 'section'>, label: string): boolean {
    return scopesOf(this.#doc, item).some((scope) => this.#in(scope).has(label));
  }

  /** Takes the wanted name, or the next free one. */
  claim(item: Pick<Item, 'kind' | 'section'>, wanted: string): string {
    let label = wanted;
    while (this.isTaken(item, label)) label = nextName(label);
    this.#take(item, label);
    return label;
  }
}

/** `from` is the section that the object came from. */
export type Rename = <T extends Item>(item: T, from: string | null) => T;

/**
 * Gives arriving objects free names. Objects that shared a name share the new one, so that the
 * parts of a row stay parts of one row.
 */
export function renamer(names: Names): Rename {
  const given = new Map<string, string>();
  return (item, from) => {
    const label = itemLabel(item);
    if (label === '') return item;
    const key = JSON.stringify([item.kind, item.section, from, label]);
    const name = given.get(key) ?? names.claim(item, label);
    given.set(key, name);
    if (name === label) return item;
    const { displayLabel: _, ...data } = item.data;
    return { ...item, data: { ...data, label: name } } as typeof item;
  };
}

/** The name after which a new object is named: the last one of its kind beside it. */
export function lastName(
  doc: Doc,
  at: { floor: string; section: string | null },
  accepts: (item: Item) => boolean,
): string | null {
  let last: string | null = null;
  for (const item of doc.items.values())
    if (item.floor === at.floor && item.section === at.section && accepts(item))
      last = itemLabel(item) || last;
  return last;
}
