/**
 * Checks a drawing against a set of Italian rules; each warning marks its seats and names its
 * source.
 */
import { count, quote } from '#server/drawing/check/findings.ts';
import { peopleOf, type Pointed } from '#server/drawing/check/check-hall.ts';
import { pitchOf } from '#server/drawing/check/check-geometry.ts';
import { ACCESSIBLE, flagsOf } from '#server/drawing/model/flags.ts';
import { EditDraft, type Edit } from '#server/drawing/model/edit.ts';
import { centreOf, containersOf, labelOf } from '#server/drawing/model/places.ts';
import {
  NOTHING_SELECTED,
  seatsOf,
  type Selection,
  selectSeats,
} from '#server/drawing/model/selection.ts';
import { nounOf, whereOf } from '#server/drawing/model/where.ts';
import {
  LISTS,
  type Doc,
  type Item,
  type Point,
  type SeatData,
} from '#server/drawing/model/data.ts';
import { RULE_SETS, ruleSetOf, type Rule, type RuleSet } from './rules.ts';
import { entryAt } from '#server/drawing/model/entry.ts';

interface Warning extends Pointed {
  readonly rule: Rule;
}

export interface ItalianCheck {
  readonly set: RuleSet;
  /** True if the drawing has no scale, without which most rules cannot be checked. */
  readonly needsScale: boolean;
  readonly warnings: readonly Warning[];
}

type Row = Extract<Item, { kind: 'row' }>;
const WHOLE = 'Pianta';
/** Measures below this share of the required one are reported, because drawings are inexact. */
const TOLERANCE = 0.98;

/** The positions of seats between two aisles. */
function runsOf(seats: readonly SeatData[]): number[][] {
  const runs: number[][] = [[]];
  seats.forEach((seat, index) => {
    entryAt(runs, -1).push(index);
    if (seat.x_gapAfter === true && index < seats.length - 1) runs.push([]);
  });
  return runs.filter((run) => run.length > 0);
}

/** The rows of each section, or of a floor outside of sections; the rules call this a sector. */
function sectorsOf(doc: Doc): Row[][] {
  return containersOf(doc)
    .map(({ floor, section }) =>
      (doc.order.get(`${section ?? floor}/${LISTS.row}`) ?? []).flatMap((id) => {
        const item = doc.items.get(id);
        return item?.kind === 'row' && nounOf(item) === 'fila' ? [item] : [];
      }),
    )
    .filter((rows) => rows.length > 0);
}

/** The least distance in units from a row to the rows of its sector before and behind it. */
function depthOf(row: Row, sector: readonly Row[], centre: (row: Row) => Point): number {
  const own = centre(row);
  const [first, last] = [row.data.seats[0], row.data.seats.at(-1)];
  if (!first || !last) return Infinity;
  const length = Math.hypot(last.x - first.x, last.y - first.y) || 1;
  const [ux, uy] = [(last.x - first.x) / length, (last.y - first.y) / length];
  let least = Infinity;
  for (const other of sector) {
    if (other === row) continue;
    const middle = centre(other);
    const [dx, dy] = [middle.x - own.x, middle.y - own.y];
    const across = Math.abs(dx * uy - dy * ux);
    // Other parts of the same row are not counted, because they lie in one line with it.
    if (across > pitchOf(row.data.seats) * 0.5) least = Math.min(least, across);
  }
  return least;
}

class Italian {
  readonly #doc: Doc;
  readonly #set: RuleSet;
  readonly #scale: number | null;
  readonly #centres = new Map<Row, Point>();
  readonly warnings: Warning[] = [];

  constructor(doc: Doc, set: RuleSet) {
    this.#doc = doc;
    this.#set = set;
    const scale = doc.root.x_cmPerUnit;
    this.#scale = typeof scale === 'number' && scale > 0 ? scale : null;
  }

  /** Centres are cached, because every row is measured against every other of its sector. */
  #centre(row: Row): Point {
    const known = this.#centres.get(row) ?? centreOf(this.#doc, row);
    this.#centres.set(row, known);
    return known;
  }

  #warn(rule: Rule, where: string, told: { message: string; marks?: Selection }): void {
    const { message, marks = NOTHING_SELECTED } = told;
    this.warnings.push({ severity: 'warning', where, message, marks, rule });
  }

  /** Warns of rows that are too long for their distance, or nearer than allowed. */
  fixedRow(row: Row, sector: readonly Row[]): number {
    const { fixed } = this.#set;
    if (!fixed || this.#scale === null) return Infinity;
    const depth = depthOf(row, sector, (each) => this.#centre(each)) * this.#scale;
    const known = Number.isFinite(depth);
    const limit = fixed.limits.find(({ pitchCm }) => !known || depth >= pitchCm * TOLERANCE);
    const where = whereOf(this.#doc, row);
    if (!limit) {
      this.#warn(fixed.rule, where, {
        message: `dista ${Math.round(depth)} cm dalla fila più vicina, meno di ${entryAt(fixed.limits, -1).pitchCm}`,
        marks: { items: new Set([row.id]), seats: new Map() },
      });
      return entryAt(fixed.limits, -1).rows;
    }
    for (const run of runsOf(row.data.seats))
      if (run.length > limit.seats)
        this.#warn(fixed.rule, where, {
          message: `${run.length} posti di seguito, al massimo ${limit.seats}`,
          marks: selectSeats(row.id, run),
        });
    return limit.rows;
  }

  looseRow(row: Row): number {
    const { loose } = this.#set;
    if (!loose) return Infinity;
    for (const run of runsOf(row.data.seats))
      if (run.length > loose.seats)
        this.#warn(loose.rule, whereOf(this.#doc, row), {
          message: `${run.length} sedie di seguito, al massimo ${loose.seats}`,
          marks: selectSeats(row.id, run),
        });
    return loose.rows;
  }

  sector(rows: readonly Row[]): void {
    const loose = rows.filter(({ data }) => data.x_seating === 'loose');
    const most = Math.min(
      ...rows.map((row) =>
        row.data.x_seating === 'loose' ? this.looseRow(row) : this.fixedRow(row, rows),
      ),
    );
    const lines = new Set(rows.map(({ data }) => labelOf(data))).size;
    const rule = (loose.length > 0 ? this.#set.loose : this.#set.fixed)?.rule;
    if (!rule || lines <= most) return;
    const { section: id } = entryAt(rows, 0);
    const section = id === null ? undefined : this.#doc.items.get(id);
    this.#warn(rule, section ? whereOf(this.#doc, section) : WHOLE, {
      message: `${lines} file di seguito, al massimo ${most} senza un corridoio`,
      marks: { items: new Set(rows.map(({ id }) => id)), seats: new Map() },
    });
  }

  /** Warns of aisles inside a row whose free width is too small. */
  aisles(row: Row): void {
    const { aisle } = this.#set;
    const scale = this.#scale;
    if (!aisle || scale === null) return;
    const { seats } = row.data;
    const pitch = pitchOf(seats);
    const narrow = seats.flatMap((seat, index) => {
      const next = seats[index + 1];
      if (seat.x_gapAfter !== true || !next || pitch === Infinity) return [];
      const free = (Math.hypot(next.x - seat.x, next.y - seat.y) - pitch) * scale;
      return free < aisle.cm * TOLERANCE ? [{ index, free }] : [];
    });
    if (narrow.length === 0) return;
    const names = quote(narrow.map(({ index }) => entryAt(seats, index).label ?? '?'));
    const least = Math.round(Math.max(0, Math.min(...narrow.map(({ free }) => free))));
    this.#warn(aisle.rule, whereOf(this.#doc, row), {
      message: `il corridoio dopo ${names} è largo circa ${least} cm, almeno ${aisle.cm}`,
      marks: selectSeats(
        row.id,
        narrow.flatMap(({ index }) => [index, index + 1]),
      ),
    });
  }

  wheelchairs(): void {
    const { wheelchairs } = this.#set;
    const people = peopleOf(this.#doc);
    if (!wheelchairs || people === 0) return;
    const wanted = wheelchairs.each * Math.ceil(people / wheelchairs.per);
    const marks = new Map<string, Set<number>>();
    let found = 0;
    for (const item of this.#doc.items.values())
      seatsOf(item).forEach((seat, index) => {
        if ((flagsOf(seat) & ACCESSIBLE) === 0) return;
        found += 1;
        marks.set(item.id, (marks.get(item.id) ?? new Set()).add(index));
      });
    if (found >= wanted) return;
    this.#warn(wheelchairs.rule, WHOLE, {
      message: `${count(found, ['posto accessibile', 'posti accessibili'])} su ${people}, almeno ${wanted}`,
      marks: { items: new Set(), seats: marks },
    });
  }
}

/** A technician must verify each warning; a drawing without warnings may still break a rule. */
export function checkItaly(doc: Doc): ItalianCheck {
  const set = ruleSetOf(doc.root);
  const italian = new Italian(doc, set);
  for (const rows of sectorsOf(doc)) {
    italian.sector(rows);
    for (const row of rows) italian.aisles(row);
  }
  italian.wheelchairs();
  const measures = set.fixed !== null || set.aisle !== null;
  const { x_cmPerUnit: scale } = doc.root;
  return {
    set,
    needsScale: measures && !(typeof scale === 'number' && scale > 0),
    warnings: italian.warnings,
  };
}

/** Sets the rules and the licensed number of people for the whole drawing; null removes them. */
export function setHall(
  doc: Doc,
  { rules, licensedCapacity }: { rules?: string; licensedCapacity?: number | null },
): Edit | null {
  const draft = new EditDraft(doc);
  const { x_rules: oldRules, x_licensedCapacity: oldCapacity, ...rest } = doc.root;
  const nextRules = rules ?? oldRules;
  const capacity = licensedCapacity === undefined ? oldCapacity : licensedCapacity;
  if (nextRules === oldRules && (capacity ?? undefined) === oldCapacity) return null;
  const isKnown = RULE_SETS.some(({ id }) => id === nextRules);
  draft.set('root', {
    ...rest,
    ...(isKnown ? { x_rules: nextRules } : {}),
    ...(typeof capacity === 'number' ? { x_licensedCapacity: capacity } : {}),
  });
  return draft.finish('hall');
}

/** Sets whether the seats of the selected rows are fixed to the floor or loose. */
export function setSeating(
  doc: Doc,
  selection: Selection,
  seating: 'fixed' | 'loose',
): Edit | null {
  const draft = new EditDraft(doc);
  for (const id of [...selection.items, ...selection.seats.keys()]) {
    const item = doc.items.get(id);
    if (item?.kind !== 'row' || (item.data.x_seating ?? 'fixed') === seating) continue;
    draft.put({ ...item, data: { ...item.data, x_seating: seating } });
  }
  return draft.finish('seating');
}
