/** The values of the table of prices, typed in euros: checks, comparison, request. */
import { isAmount, leastCents, mostCents } from '#server/domain/price/price-bounds.ts';
import { formatEuro } from '#apps/shared/format.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { readEuro } from '#apps/admin/kit/form/euro-field.tsx';
import {
  faultsOfPhases,
  phaseBodyOf,
  phaseValuesOf,
  sayEnd,
  type PhaseValues,
} from './phase-values.ts';
import type { Cell, Matrix, MatrixBody } from './stored.ts';
import { newTicketType } from '#apps/admin/event/form/values.ts';

type Money = { price_id: string } | { cents: number };
export interface Values {
  types: { ticketType: string; label: string }[];
  notSold: string[];
  /** By cellName(); a missing cell is empty. */
  cells: Record<string, Cell>;
  fee: Cell;
  phases: PhaseValues[];
}

const empty: Cell = { text: '', price_id: null };

export function cellName(category: string, ticketType: string): string {
  return JSON.stringify([category, ticketType]);
}

/** As in "12,50". */
export function euroText(cents: number): string {
  return formatEuro(cents).replace(/[\s€]/g, '');
}

function cellOf({ price_id, cents }: { price_id: string; cents: number | null }): Cell {
  return { price_id, text: cents === null ? '' : euroText(cents) };
}

export function priceValuesOf(matrix: Matrix): Values {
  return {
    types: matrix.types.map(({ ticketType, label }) => ({ ticketType, label })),
    notSold: matrix.sectors
      .filter(({ state }) => state === 'not_sold')
      .map(({ category }) => category),
    cells: Object.fromEntries(
      matrix.sectors.flatMap(({ category, cells }) =>
        cells.map((cell) => [cellName(category, cell.ticketType), cellOf(cell)]),
      ),
    ),
    fee: matrix.fee === null ? empty : cellOf(matrix.fee),
    phases: matrix.phases.map((phase) =>
      phaseValuesOf(
        phase,
        Object.fromEntries(
          phase.cells.map((cell) => [cellName(cell.category, cell.ticketType), cellOf(cell)]),
        ),
      ),
    ),
  };
}

export function cellAt(
  { cells }: Pick<Values, 'cells'>,
  category: string,
  ticketType: string,
): Cell {
  return cells[cellName(category, ticketType)] ?? empty;
}

/** A typed price replaces a Stripe price. */
export function withText(values: Values, name: string, text: string): Values {
  return { ...values, cells: { ...values.cells, [name]: { text, price_id: null } } };
}

/** Adds a ticket type, with a name that orders can store. */
export function withType(values: Values, label: string): Values {
  const taken = values.types.map((type) => type.ticketType);
  return {
    ...values,
    types: [...values.types, { label, ticketType: newTicketType(label, taken) }],
  };
}

/** Moves a ticket type one row up or down. */
export function moveType(values: Values, at: number, by: 1 | -1): Values {
  const moved = values.types.slice(at, at + 1);
  return { ...values, types: values.types.toSpliced(at, 1).toSpliced(at + by, 0, ...moved) };
}

/** Pastes rows and columns of a spreadsheet from a cell on; what does not fit is dropped. */
export function pasteAt(
  values: Values,
  {
    text,
    row,
    column,
    sectors,
  }: { text: string; row: number; column: number; sectors: Matrix['sectors'] },
): Values {
  let pasted = values;
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
  lines.forEach((line, down) =>
    line.split('\t').forEach((typed, right) => {
      const type = values.types[row + down];
      const sector = sectors[column + right];
      if (type === undefined || sector === undefined) return;
      if (values.notSold.includes(sector.category)) return;
      pasted = withText(pasted, cellName(sector.category, type.ticketType), typed.trim());
    }),
  );
  return pasted;
}

/** Why this is not an amount; null: it is one. */
export function cellFault({ text, price_id }: Cell): string | null {
  if (price_id !== null || text.trim() === '') return null;
  const cents = readEuro(text);
  if (cents === null) return `«${text.trim()}» non è un importo: scrivi per esempio 12,50.`;
  return isAmount(cents)
    ? null
    : `Un prezzo è 0, oppure va da ${formatEuro(leastCents)} a ${formatEuro(mostCents)}.`;
}

export function isEmptyCell({ text, price_id }: Cell): boolean {
  return price_id === null && text.trim() === '';
}

/** All faults, each sentence once. */
export function faultsOf(matrix: Matrix, values: Values): string[] {
  const labels = values.types.map(({ label }) => label.trim().toLowerCase());
  const faults = everyCell(matrix, values).flatMap(({ cell }) => cellFault(cell) ?? []);
  if (labels.includes('')) faults.push('Ogni biglietto ha un nome.');
  if (new Set(labels).size < labels.length) faults.push('Due biglietti hanno lo stesso nome.');
  for (const phase of values.phases)
    for (const { cell } of cellsOfPhase(matrix, values, phase)) {
      const fault = cellFault(cell);
      if (fault !== null) faults.push(`${phase.name}: ${fault}`);
    }
  faultsOfPhases(values.phases).forEach(({ name, end }, at) => {
    for (const fault of [name, end]) if (fault) faults.push(`Fase ${at + 1}: ${fault}`);
  });
  const fee = cellFault(values.fee);
  if (fee !== null) faults.push(`Prevendita: ${fee}`);
  return [...new Set(faults)];
}

/** The cells of sectors on sale. */
function everyCell({ sectors }: Matrix, values: Values) {
  return sectors
    .filter(({ category }) => !values.notSold.includes(category))
    .flatMap((sector) =>
      values.types.map((type) => ({
        sector,
        type,
        cell: cellAt(values, sector.category, type.ticketType),
      })),
    );
}

/** The typed cells of a phase; where the last price is not sold, none is. */
function cellsOfPhase(matrix: Matrix, values: Values, phase: PhaseValues) {
  return everyCell(matrix, values)
    .filter(({ cell }) => !isEmptyCell(cell))
    .map(({ sector, type }) => ({
      sector,
      type,
      cell: cellAt(phase, sector.category, type.ticketType),
    }))
    .filter(({ cell }) => !isEmptyCell(cell));
}

function moneyOf({ text, price_id }: Cell): Money {
  return price_id === null ? { cents: requireValue(readEuro(text), 'amount') } : { price_id };
}

/** Only for values without faults. */
export function priceBodyOf(matrix: Matrix, values: Values): MatrixBody {
  const filled = everyCell(matrix, values).filter(({ cell }) => !isEmptyCell(cell));
  return {
    types: values.types.map((type) => ({ ...type, label: type.label.trim() })),
    sectors: matrix.sectors.map(({ category }) => ({
      category,
      not_sold: values.notSold.includes(category),
      cells: filled
        .filter(({ sector }) => sector.category === category)
        .map(({ type, cell }) => ({ ticketType: type.ticketType, ...moneyOf(cell) })),
    })),
    fee: isEmptyCell(values.fee) ? null : moneyOf(values.fee),
    phases: values.phases.map((phase) =>
      phaseBodyOf(phase, {
        known: matrix.phases.find(({ id }) => id === phase.id),
        cells: cellsOfPhase(matrix, values, phase).map(({ sector, type, cell }) => ({
          category: sector.category,
          ticketType: type.ticketType,
          ...moneyOf(cell),
        })),
      }),
    ),
  };
}

interface Change {
  where: string;
  from: string;
  to: string;
  /** Sold places, which keep the old price. */ sold: number;
}

const noPrice = 'non in vendita';

export function changesOf(matrix: Matrix, values: Values): Change[] {
  const before = priceValuesOf(matrix);
  const types = new Map([...matrix.types, ...values.types].map((type) => [type.ticketType, type]));
  const cells = matrix.sectors.flatMap((sector) => {
    const { category, label } = sector;
    const isShut = values.notSold.includes(category);
    return [...types.values()].flatMap((type) => {
      const isListed = values.types.some(({ ticketType }) => ticketType === type.ticketType);
      const to = isShut || !isListed ? empty : cellAt(values, category, type.ticketType);
      const from = cellAt(before, category, type.ticketType);
      const sold = sector.cells.find(({ ticketType }) => ticketType === type.ticketType)?.sold ?? 0;
      return changeOf(`${label}, ${type.label}`, from, to, sold);
    });
  });
  const labels = values.types.flatMap(({ ticketType, label }) => {
    const old = matrix.types.find((type) => type.ticketType === ticketType)?.label;
    return old === undefined || old === label.trim()
      ? []
      : [{ where: 'Nome del biglietto', from: old, to: label.trim(), sold: 0 }];
  });
  const fee = changeOf('Prevendita', before.fee, values.fee, 0);
  return [...labels, ...cells, ...fee, ...phaseChanges(matrix, { before, values })];
}

/** The ends of phases, their order, and amounts that differ from those of before. */
function phaseChanges(
  matrix: Matrix,
  { before, values }: { before: Values; values: Values },
): Change[] {
  const all = new Map([...before.phases, ...values.phases].map((phase) => [phase.id, phase]));
  const order = ({ phases }: Values) => phases.map(({ name }) => name).join(', ');
  const listed =
    order(before) === order(values) || before.phases.length === 0 || values.phases.length === 0
      ? []
      : [{ where: 'Fasi, in ordine', from: order(before), to: order(values), sold: 0 }];
  const each = [...all.values()].flatMap(({ id, name }) => {
    const from = before.phases.find((phase) => phase.id === id);
    const to = values.phases.find((phase) => phase.id === id);
    const [old, fresh] = [from ? sayEnd(from) : noPhase, to ? sayEnd(to) : noPhase];
    const ends = old === fresh ? [] : [{ where: `Fase «${name}»`, from: old, to: fresh, sold: 0 }];
    const known = matrix.phases.find((phase) => phase.id === id);
    return [...ends, ...(to ? amountChanges(matrix, { values, name, from, to, known }) : [])];
  });
  return [...listed, ...each];
}

const noPhase = 'nessuna';
const asLast = 'come alla fine';

interface PhaseChange {
  values: Values;
  name: string;
  from: PhaseValues | undefined;
  to: PhaseValues;
  known: Matrix['phases'][number] | undefined;
}

function amountChanges(matrix: Matrix, { values, name, from, to, known }: PhaseChange): Change[] {
  return everyCell(matrix, values).flatMap(({ sector, type }) => {
    const at = [sector.category, type.ticketType] as const;
    const sold = known?.cells.find(
      (cell) => cell.category === at[0] && cell.ticketType === at[1],
    )?.sold;
    const old = from === undefined ? empty : cellAt(from, ...at);
    return changeOf(
      `«${name}»: ${sector.label}, ${type.label}`,
      old,
      cellAt(to, ...at),
      sold ?? 0,
    ).map((change) => ({
      ...change,
      from: change.from === noPrice ? asLast : change.from,
      to: change.to === noPrice ? asLast : change.to,
    }));
  });
}

function changeOf(where: string, from: Cell, to: Cell, sold: number): Change[] {
  if (sayCell(from) === sayCell(to) && (to.price_id === null || to.price_id === from.price_id))
    return [];
  return [{ where, from: sayCell(from), to: sayCell(to), sold }];
}

function sayCell(cell: Cell): string {
  if (isEmptyCell(cell)) return noPrice;
  const cents = readEuro(cell.text);
  return cents === null ? `prezzo ${cell.price_id}` : formatEuro(cents);
}

export function areSamePrices(one: Values, other: Values): boolean {
  const filled = ({ cells }: Pick<Values, 'cells'>) =>
    Object.entries(cells)
      .filter(([, cell]) => !isEmptyCell(cell))
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const spell = (rest: Values) =>
    JSON.stringify([
      rest.types,
      rest.notSold.toSorted(),
      rest.fee,
      rest.phases.map((phase) => ({ ...phase, cells: filled(phase) })),
      filled(rest),
    ]);
  return spell(one) === spell(other);
}
