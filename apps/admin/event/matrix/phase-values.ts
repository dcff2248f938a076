/** The phases of prices as they are typed: their fields, checks, comparison, request. */
import { longestPhaseName, phaseBounds } from '#server/domain/price/price-bounds.ts';
import { phasesOutOfOrder, type PhaseEnd, type PhaseEndKind } from '#server/domain/price/phase.ts';
import { untilWords } from '#server/domain/price/phase-words.ts';
import { dayOf, dayText, romeDay, startOfDay } from '#server/domain/time/rome-clock.ts';
import type { Cell, Matrix, MatrixBody } from './stored.ts';

export interface PhaseValues {
  /** The server's id, or one of this form for a new phase. */
  id: string;
  isNew: boolean;
  name: string;
  kind: PhaseEndKind;
  /** The last day, as the browser's field has it. */
  last_day: string;
  hours: string;
  tickets: string;
  /** By cellName(); a cell that is missing or empty has the last price. */
  cells: Record<string, Cell>;
}

type Known = Matrix['phases'][number];
export type PhaseBody = NonNullable<MatrixBody['phases']>[number];

export function phaseValuesOf(phase: Known, cells: PhaseValues['cells']): PhaseValues {
  const { id, name, until } = phase;
  return {
    id,
    isNew: false,
    name,
    kind: until.kind,
    last_day: until.kind === 'day' ? lastDayOf(Date.parse(until.at)) : '',
    hours: until.kind === 'hours_before' ? String(until.hours) : '',
    tickets: until.kind === 'sold' ? String(until.tickets) : '',
    cells,
  };
}

function lastDayOf(at: number): string {
  return dayText(romeDay(at - 1));
}

export function newPhase(phases: readonly PhaseValues[]): PhaseValues {
  const names = phases.map(({ name }) => name);
  const nth = [1, 2, 3, 4, 5].find((one) => !names.includes(`Fase ${one}`)) ?? 1;
  return {
    id: `new-${Math.max(0, ...phases.map(({ id }) => Number(/^new-(\d+)$/.exec(id)?.[1] ?? 0))) + 1}`,
    isNew: true,
    name: `Fase ${nth}`,
    kind: 'day',
    last_day: '',
    hours: '',
    tickets: '',
    cells: {},
  };
}

function countIn(text: string, [least, most]: readonly [number, number]): number | null {
  const count = /^\d{1,6}$/.test(text.trim()) ? Number(text) : 0;
  return count >= least && count <= most ? count : null;
}

/** When the phase ends; null: its field is empty or wrong. */
export function endOfValues({ kind, ...phase }: PhaseValues): PhaseEnd | null {
  if (kind === 'hours_before') {
    const hours = countIn(phase.hours, phaseBounds.hours);
    return hours === null ? null : { kind, hours };
  }
  if (kind === 'sold') {
    const tickets = countIn(phase.tickets, phaseBounds.tickets);
    return tickets === null ? null : { kind, tickets };
  }
  const isDay = /^20\d\d-\d\d-\d\d$/.test(phase.last_day);
  return isDay ? { kind, at: startOfDay(dayOf(phase.last_day) + 1) } : null;
}

const endFaults: Record<PhaseEndKind, string> = {
  day: 'Scegli l’ultimo giorno.',
  hours_before: `Scrivi le ore: da ${phaseBounds.hours[0]} a ${phaseBounds.hours[1]}.`,
  sold: 'Scrivi quanti biglietti, almeno 1.',
};

export interface PhaseFaults {
  name?: string;
  end?: string;
}

/** What is wrong with each phase, in their order. */
export function faultsOfPhases(phases: readonly PhaseValues[]): PhaseFaults[] {
  const ends = phases.map(endOfValues);
  const late = new Set(
    ends.every((end) => end !== null) ? phasesOutOfOrder(ends.map((until) => ({ until }))) : [],
  );
  const names = phases.map(({ name }) => name.trim().toLowerCase());
  return phases.map(({ kind }, at) => ({
    ...nameFault(names, at),
    ...(ends[at] === null && { end: endFaults[kind] }),
    ...(late.has(at) && { end: 'Deve finire dopo le fasi che vengono prima.' }),
  }));
}

function nameFault(names: readonly string[], at: number): PhaseFaults {
  const name = names[at] ?? '';
  if (name === '') return { name: 'Scrivi il nome della fase.' };
  if (name.length > longestPhaseName) return { name: 'Il nome è troppo lungo.' };
  return names.indexOf(name) < at ? { name: 'Un’altra fase ha lo stesso nome.' } : {};
}

/** Only for a phase without faults. */
export function phaseBodyOf(
  values: PhaseValues,
  { known, cells }: { known: Known | undefined; cells: PhaseBody['cells'] },
): PhaseBody {
  const { id, isNew, name } = values;
  return { ...(isNew ? {} : { id }), name: name.trim(), until: untilOf(values, known), cells };
}

/** A day that was not typed anew keeps its hour. */
function untilOf(values: PhaseValues, known: Known | undefined): PhaseBody['until'] {
  const end = endOfValues(values);
  if (end === null) throw new Error('a phase without an end');
  if (end.kind !== 'day') return end;
  const isKept =
    known?.until.kind === 'day' && lastDayOf(Date.parse(known.until.at)) === values.last_day;
  return isKept ? known.until : { kind: 'day', at: new Date(end.at).toISOString() };
}

/** "fino al 9 dicembre compreso", or nothing while the end is not typed. */
export function sayEnd(values: PhaseValues): string {
  const end = endOfValues(values);
  return end === null ? '' : untilWords(end);
}
