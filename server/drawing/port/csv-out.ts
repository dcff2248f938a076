/** Writes all that is sold as a table for a spreadsheet: one line per seat, area or séparé. */
import { type Doc, type Item } from '#server/drawing/model/data.ts';
import { originOf } from '#server/drawing/model/selection.ts';
import { add, numberOf, pointOf, textOf } from './values.ts';
import { categoryUnder, itemsOnFloor, sectionOf, walkSeats } from './walk.ts';

/** The marks of a seat; each is a column with «sì» or nothing. */
export const CSV_FLAGS = {
  disabili: 'accessible',
  accompagnatore: 'companionSeat',
  'visibilità limitata': 'restrictedView',
  'braccioli mobili': 'liftUpArmrests',
  'poca mobilità': 'semiAmbulatorySeat',
  'udito ridotto': 'hearingImpaired',
  'lingua dei segni': 'signLanguageInterpretation',
  'posto largo': 'plusSize',
  'corridoio dopo': 'x_gapAfter',
} as const;

export const CSV_COLUMNS = [
  'piano',
  'settore',
  'tipo',
  'fila',
  'posto',
  'fila mostrata',
  'posto mostrato',
  'categoria',
  'x',
  'y',
  'varco',
  ...(Object.keys(CSV_FLAGS) as (keyof typeof CSV_FLAGS)[]),
  'capienza',
  'id',
] as const;
type Cells = Partial<Record<(typeof CSV_COLUMNS)[number], string | number>>;

/** Adds an apostrophe to a text that a spreadsheet would take for a formula. */
function cell(value: string | number | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return String(value).replace('.', ',');
  const safe = /^[=+\-@'\t]/.test(value) ? `'${value}` : value;
  return /[";\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function thingLine(doc: Doc, item: Item, floorName: string): Cells | null {
  if (item.kind !== 'area' && item.kind !== 'booth') return null;
  const { data } = item;
  const section = sectionOf(doc, item);
  const corners = item.kind === 'area' && item.data.points ? item.data.points : [];
  const middle = corners.reduce(
    (sum, { x, y }) => ({ x: sum.x + x / corners.length, y: sum.y + y / corners.length }),
    { x: 0, y: 0 },
  );
  const at = add(data.center ? pointOf(data.center) : middle, originOf(doc, item));
  return {
    piano: floorName,
    settore: textOf(section?.data.label),
    tipo: item.kind === 'area' ? 'area' : 'séparé',
    fila: textOf(data.label),
    'fila mostrata': textOf(data.displayLabel),
    categoria: categoryUnder(doc, data.categoryKey ?? section?.data.categoryKey)?.label ?? '',
    ...at,
    varco: textOf(data.entrance),
    ...(item.kind === 'area' ? { capienza: numberOf(item.data.capacity) } : {}),
    id: textOf(data.uuid),
  };
}

function linesOf(doc: Doc, floor: string, floorName: string): Cells[] {
  const seats = walkSeats(doc, floor).map(({ seat, holder, section, at, category }): Cells => {
    const flags = Object.entries(CSV_FLAGS).flatMap(([column, flag]) =>
      seat[flag] === true ? [[column, 'sì'] as const] : [],
    );
    return {
      piano: floorName,
      settore: textOf(section?.data.label),
      tipo: holder.kind === 'row' ? 'fila' : 'tavolo',
      fila: textOf(holder.data.label),
      posto: textOf(seat.label),
      'fila mostrata': textOf(holder.data.displayLabel),
      'posto mostrato': textOf(seat.displayLabel),
      categoria: category?.label ?? '',
      ...at,
      varco: textOf(seat.entrance ?? holder.data.entrance ?? section?.data.entrance),
      ...Object.fromEntries(flags),
      id: textOf(seat.uuid),
    };
  });
  const things = itemsOnFloor(doc, floor, ['area', 'booth', 'section']);
  return [...seats, ...things.flatMap((item) => thingLine(doc, item, floorName) ?? [])];
}

/**
 * Writes a byte order mark and semicolons, so that an Italian spreadsheet opens it without a
 * question.
 */
export function csvOf(doc: Doc): string {
  const lines = doc.floors.flatMap(({ id, data }) =>
    linesOf(doc, id, textOf(data.floorDisplayName) || textOf(data.floorName)),
  );
  const rows = lines.map((line) => CSV_COLUMNS.map((column) => cell(line[column])).join(';'));
  return `\uFEFF${[CSV_COLUMNS.join(';'), ...rows].join('\r\n')}\r\n`;
}
