/**
 * The report on an event's admissions: when and at which gate, who is missing, and exceptions.
 * Scans that were taken back do not count.
 */
import { headsByReason } from '#db/door/heads.ts';
import type { ReportEvent } from '#db/report/events.ts';
import type { Direction } from '#server/domain/door/admission.ts';
import { headReasonNames, headReasons } from '#server/domain/door/heads.ts';
import { comparedFigure, type Keyed, type Measure } from '#server/domain/report/compared.ts';
import { stepMinutes, type DoorCount } from '#server/domain/report/door-count.ts';
import type { Cell, Column, Figure } from '#server/domain/report/figure.ts';
import { leadBuckets } from '#server/domain/report/sales-sums.ts';
import type { Ctx } from '#server/services/context.ts';
import type { Counted, Counts } from './counts.ts';
import { nameOf, type Scope } from './scope.ts';

type Evening = Counted<'door'>;

export async function doorFigures(ctx: Ctx, scope: Scope, counts: Counts): Promise<Figure[]> {
  // Before an event begins its tickets are not missing.
  const begun = (events: readonly ReportEvent[]) =>
    events.filter(({ starts_at, doors_at }) => (doors_at ?? starts_at) <= ctx.now());
  const evenings = await counts.of('door', begun(scope.events));
  const others = scope.against === null ? [] : await counts.of('door', begun([scope.against]));
  const other = others[0] && { name: nameOf(others[0].event), evenings: others };
  const earlier = await counts.of('door', begun(scope.earlier));
  const beside = (rowsOf: (of: readonly Evening[]) => Keyed) =>
    other === undefined ? null : { name: other.name, rows: rowsOf(other.evenings) };
  return [
    sumsFigure(evenings, other),
    curveFigure(scope, { evenings, others, earlier }),
    comparedFigure(missingByCategory, byCategory(evenings), beside(byCategory)),
    comparedFigure(missingByLead, byLead(evenings), beside(byLead)),
    ...(await headsFigure(ctx, begun(scope.events))),
    ...(scope.kind === 'event' ? [] : [eventsFigure(evenings)]),
  ];
}

const text = (key: string, label: string) => ({ key, label, unit: 'text' }) as const;

const sumMeasures: Measure[] = [
  { key: 'tickets', label: 'Biglietti validi', unit: 'count', add: true },
  { key: 'entered', label: 'Entrati', unit: 'count', add: true },
  { key: 'missing', label: 'Assenti', unit: 'count', add: true },
  { key: 'missing_percent', label: 'Assenti su cento', unit: 'percent' },
  { key: 'peak', label: 'Al minuto, nel picco', unit: 'count' },
  { key: 'half', label: 'Dalle porte a mezza sala', unit: 'minutes' },
  { key: 'exits', label: 'Uscite', unit: 'count', add: true },
  { key: 'reentries', label: 'Rientri', unit: 'count', add: true },
  { key: 'overrides', label: 'Ammessi con un motivo', unit: 'count', add: true },
  { key: 'conflicts', label: 'Conflitti', unit: 'count', add: true },
  { key: 'undone', label: 'Letture annullate', unit: 'count', add: true },
];

function ticketsOf({ tickets }: DoorCount): { valid: number; missing: number } {
  return {
    valid: tickets.reduce((sum, [, , valid = 0]) => sum + valid, 0),
    missing: tickets.reduce((sum, [, , , missing = 0]) => sum + missing, 0),
  };
}

/** Minutes from the doors (if unknown, from the start) until half of the tickets were inside. */
function halfOf({ event, count }: Evening): number | null {
  if (count.half_minute === null) return null;
  const doors = event.doors_at === null ? 0 : (event.doors_at - event.starts_at) / 60_000;
  return Math.round(count.half_minute - doors);
}

/** The sums; for several events the highest peak and the mean of their half-times. */
function sumsOf(evenings: readonly Evening[]): (number | null)[] {
  const all = evenings.map(({ count }) => ({ ...count, ...ticketsOf(count) }));
  const sum = (of: (count: (typeof all)[number]) => number) =>
    all.reduce((total, count) => total + of(count), 0);
  const halves = evenings.map(halfOf).filter((half) => half !== null);
  const [valid, missing] = [sum((count) => count.valid), sum((count) => count.missing)];
  const peaks = all.map(({ peak }) => peak?.people ?? 0);
  return [
    valid,
    sum(({ entered }) => entered),
    missing,
    percentOf(missing, valid),
    peaks.length === 0 ? null : Math.max(...peaks),
    halves.length === 0 ? null : Math.round(halves.reduce((a, b) => a + b, 0) / halves.length),
    sum(({ exits }) => exits),
    sum(({ reentries }) => reentries),
    sum(({ overrides }) => overrides),
    sum(({ conflicts }) => conflicts),
    sum(({ undone }) => undone),
  ];
}

function percentOf(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 1_000) / 10;
}

function sumsFigure(
  evenings: readonly Evening[],
  other: { name: string; evenings: readonly Evening[] } | undefined,
): Figure {
  const { columns, rows, ...figure } = comparedFigure(
    {
      id: 'sums',
      title: 'In breve',
      note:
        evenings.length === 0
          ? 'Le porte non sono ancora state aperte.'
          : 'Contano gli ingressi che valgono, non ogni lettura; mezza sala è la metà dei biglietti validi.',
      shape: 'numbers',
      along: text('of', 'Di che cosa'),
      measures: sumMeasures,
    },
    evenings.length === 0 ? [] : [['', sumsOf(evenings)]],
    other === undefined ? null : { name: other.name, rows: [['', sumsOf(other.evenings)]] },
  );
  return {
    ...figure,
    columns: columns.slice(1),
    rows: rows.map((row) => row.slice(1)),
    total: null,
  };
}

interface Curves {
  evenings: readonly Evening[];
  others: readonly Evening[];
  /** Earlier dates of the same show, from which the expected curve is computed. */
  earlier: readonly Evening[];
}

/** First admissions by gate, in steps of some minutes around the start. */
function curveFigure(scope: Scope, { evenings, others, earlier }: Curves): Figure {
  const curve = stepsOf(evenings);
  const compared = stepsOf(others);
  const expected = scope.kind === 'event' ? expectedOf(evenings, earlier) : null;
  const gates = [...new Set([...curve.values()].flatMap((step) => [...step.keys()]))].toSorted(
    (one, other) => one.localeCompare(other, 'it', { numeric: true }),
  );
  const columns: Column[] = [
    { key: 'minute', label: 'Minuti dall’inizio', unit: 'minutes' },
    ...gates.map((gate, nth): Column => ({
      key: `gate_${nth + 1}`,
      label: gate === '' ? 'Senza varco' : gate,
      unit: 'count',
    })),
  ];
  if (expected !== null)
    columns.push({ key: 'expected', label: 'Attesi', unit: 'count', pale: true });
  for (const { event } of others)
    columns.push({ key: 'against', label: nameOf(event), unit: 'count', pale: true });
  const minutes = [...curve.keys(), ...compared.keys(), ...(expected?.keys() ?? [])];
  const [first, last] = [Math.min(...minutes), Math.max(...minutes)];
  const steps = minutes.length === 0 ? 0 : (last - first) / stepMinutes + 1;
  const rows = Array.from({ length: steps }, (_, nth): Cell[] => {
    const minute = first + nth * stepMinutes;
    const step = curve.get(minute);
    return [
      minute,
      ...gates.map((gate) => step?.get(gate) ?? 0),
      ...(expected === null ? [] : [expected.get(minute) ?? 0]),
      ...others.map(() => peopleIn(compared.get(minute))),
    ];
  });
  return {
    id: 'curve',
    title: `Ingressi ogni ${stepMinutes} minuti`,
    note:
      scope.kind === 'event' && evenings.length > 0 ? expectedNote(expected, earlier.length) : null,
    shape: 'stacked',
    columns,
    rows,
    total: null,
  };
}

function expectedNote(expected: Map<number, number> | null, dates: number): string {
  if (expected === null)
    return 'Gli attesi mancano: dello spettacolo non c’è una data precedente con ingressi.';
  return dates === 1
    ? 'Attesi: i biglietti validi, distribuiti come gli ingressi della data precedente.'
    : `Attesi: i biglietti validi, distribuiti come gli ingressi delle ${dates} date precedenti.`;
}

/** People by minute, then by gate. */
type Steps = Map<number, Map<string, number>>;

function stepsOf(evenings: readonly Evening[]): Steps {
  const steps: Steps = new Map();
  for (const { count } of evenings)
    for (const row of count.entries) {
      const [minute, word, people] = row as [number, number, number];
      const step = steps.get(minute) ?? new Map<string, number>();
      steps.set(minute, step);
      const gate = count.words[word] ?? '';
      step.set(gate, (step.get(gate) ?? 0) + people);
    }
  return steps;
}

function peopleIn(step: Map<string, number> | undefined): number {
  return [...(step?.values() ?? [])].reduce((sum, people) => sum + people, 0);
}

/** Expected people by minute; null if no earlier date had admissions. */
function expectedOf(
  evenings: readonly Evening[],
  earlier: readonly Evening[],
): Map<number, number> | null {
  const past = stepsOf(earlier);
  const sold = earlier.reduce((sum, { count }) => sum + ticketsOf(count).valid, 0);
  if (past.size === 0 || sold === 0 || evenings.length === 0) return null;
  const tickets = evenings.reduce((sum, { count }) => sum + ticketsOf(count).valid, 0);
  return new Map(
    [...past].map(([minute, step]) => [minute, Math.round((peopleIn(step) / sold) * tickets)]),
  );
}

const missingMeasures: Measure[] = [
  { key: 'tickets', label: 'Biglietti', unit: 'count', add: true },
  { key: 'missing', label: 'Assenti', unit: 'count', add: true },
  { key: 'missing_percent', label: 'Assenti su cento', unit: 'percent' },
];
const missingByCategory = {
  id: 'missing_by_category',
  title: 'Assenti per categoria',
  shape: 'bars',
  along: text('category', 'Categoria'),
  measures: missingMeasures,
} as const;
const missingByLead = {
  id: 'missing_by_lead',
  title: 'Assenti per anticipo d’acquisto',
  shape: 'bars',
  along: text('lead', 'Acquisto'),
  measures: missingMeasures,
} as const;

function byCategory(evenings: readonly Evening[]): Keyed {
  return missingBy(evenings, ([word = 0], words) => words[word] ?? '').toSorted(([one], [other]) =>
    String(one).localeCompare(String(other), 'it'),
  );
}

function byLead(evenings: readonly Evening[]): Keyed {
  const found = new Map(missingBy(evenings, ([, lead = 0]) => leadBuckets[lead]?.name ?? ''));
  return leadBuckets.map(({ name }) => [name, found.get(name) ?? [0, 0, null]]);
}

function missingBy(
  evenings: readonly Evening[],
  keyOf: (row: number[], words: string[]) => string,
): [string, (number | null)[]][] {
  const sums = new Map<string, { valid: number; missing: number }>();
  for (const { count } of evenings)
    for (const row of count.tickets) {
      const key = keyOf(row, count.words);
      const sum = sums.get(key) ?? { valid: 0, missing: 0 };
      const [, , valid = 0, missing = 0] = row;
      sums.set(key, { valid: sum.valid + valid, missing: sum.missing + missing });
    }
  return [...sums].map(([key, { valid, missing }]) => [
    key,
    [valid, missing, percentOf(missing, valid)],
  ]);
}

/** People without a ticket, who are in no other figure; no figure if none were counted. */
async function headsFigure(ctx: Ctx, events: readonly ReportEvent[]): Promise<Figure[]> {
  const sums = await headsByReason(
    ctx.db,
    events.map(({ id }) => id),
  );
  if (sums.length === 0) return [];
  const rows = headReasons.flatMap((reason): Keyed[number][] => {
    const of = sums.filter((sum) => sum.reason === reason);
    const peopleOf = (way: Direction) => of.find(({ direction }) => direction === way)?.people ?? 0;
    return of.length === 0 ? [] : [[headReasonNames[reason], [peopleOf('in'), peopleOf('out')]]];
  });
  return [comparedFigure(withoutTicket, rows, null)];
}

const withoutTicket = {
  id: 'without_ticket',
  title: 'Persone senza biglietto',
  note: 'Contate a mano alla porta o in ufficio. Non sono tra i biglietti né tra gli incassi.',
  shape: 'table',
  along: text('reason', 'Motivo'),
  measures: [
    { key: 'in', label: 'Entrate', unit: 'count', add: true },
    { key: 'out', label: 'Uscite', unit: 'count', add: true },
  ] as Measure[],
} as const;

function eventsFigure(evenings: readonly Evening[]): Figure {
  return comparedFigure(
    {
      id: 'by_event',
      title: 'Ingressi per data',
      shape: 'table',
      along: text('event', 'Evento'),
      measures: sumMeasures,
    },
    evenings.map((evening): Keyed[number] => [nameOf(evening.event), sumsOf([evening])]),
    null,
  );
}
