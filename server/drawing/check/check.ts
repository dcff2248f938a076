/**
 * Says what is wrong with a drawing, in words for the person who draws it. It changes nothing and
 * accepts any value.
 */
import { checkColors } from './check-colors.ts';
import { checkOverlaps } from './check-geometry.ts';
import { watchKeys } from './check-keys.ts';
import {
  checkAreas,
  checkBooths,
  checkRows,
  checkTables,
  readLabel,
  listIn,
  pointIn,
  show,
} from './check-objects.ts';
import { isRaw, rawOf, type Raw } from '#server/drawing/model/open.ts';
import { openReport, quote } from './findings.ts';
import type { Around, Walk } from './check-objects.ts';
import type { Finding, Mark, Report } from './findings.ts';

const WHOLE = 'Pianta';
/** How many characters before the unreadable one the JavaScript engine quotes. */
const AROUND = 10;
const OBJECTS = ['rows', 'tables', 'booths', 'generalAdmissionAreas'] as const;

function readKeys(
  walk: Walk,
  list: Raw[],
  { where, into }: { where: string; into: Set<string> },
): void {
  for (const raw of list) {
    const key = typeof raw.key === 'number' ? show(raw.key) : raw.key;
    if (typeof key !== 'string' || key === '')
      walk.report.error(where, `«${readLabel(raw.label) ?? '?'}» non ha una chiave`);
    else if (into.has(key)) walk.report.error(where, `la chiave «${key}» c’è due volte`);
    else into.add(key);
  }
}

function checkCategories(walk: Walk, drawing: Raw): { key: string; label: string }[] {
  const { report } = walk;
  const list = listIn(walk, 'Categorie', [rawOf(drawing.categories), 'list']);
  if (list.length === 0)
    report.error('Categorie', 'non ce n’è nessuna: senza categorie non si possono dare prezzi');
  readKeys(walk, list, { where: 'Categorie', into: walk.categories });
  if (new Set(list.map(({ key }) => typeof key)).size > 1)
    report.warn('Categorie', 'alcune chiavi sono numeri e altre testi: meglio tutte uguali');
  const named = list.map((raw) => {
    walk.keys.see('category', raw);
    const label = readLabel(raw.label);
    if (label === null) report.error(`Categoria ${show(raw.key)}`, 'il nome manca');
    return { key: show(raw.key), label: label ?? show(raw.key), color: raw.color };
  });
  const labels = named.map(({ label }) => label);
  const twice = [...new Set(labels.filter((label, index) => labels.indexOf(label) < index))];
  if (twice.length > 0)
    report.warn(
      'Categorie',
      `più categorie si chiamano ${quote(twice)}: i prezzi non sapranno quale`,
    );
  checkColors(named, report);
  return named;
}

function checkZones(walk: Walk, drawing: Raw): void {
  const list = listIn(walk, 'Zone', [rawOf(drawing.zones), 'list']);
  readKeys(walk, list, { where: 'Zone', into: walk.zones });
  for (const raw of list) {
    walk.keys.see('zone', raw);
    if (readLabel(raw.label) === null)
      walk.report.warn('Zone', `la zona «${show(raw.key)}» non ha un nome`);
  }
  if (list.length === 0 && (drawing.venueType === 'WITH_ZONES' || drawing.venueType === 'ZONES'))
    walk.report.warn('Zone', 'la pianta dice di avere zone, ma non ce n’è nessuna');
}

function checkObjects(walk: Walk, around: Around, part: Raw): number {
  const where = around.where || WHOLE;
  const [rows, tables, booths, areas] = OBJECTS.map((key) => listIn(walk, where, [part, key])) as [
    Raw[],
    Raw[],
    Raw[],
    Raw[],
  ];
  checkRows(walk, around, rows);
  checkTables(walk, around, tables);
  checkBooths(walk, around, booths);
  checkAreas(walk, around, areas);
  return rows.length + tables.length + booths.length + areas.length;
}

function checkSection(walk: Walk, floor: string, raw: Raw): number {
  const { report } = walk;
  walk.keys.see('section', raw);
  const label = readLabel(raw.label);
  const where = `${floor === '' ? '' : `${floor}, `}settore ${label ?? 'senza nome'}`;
  if (label === null) report.error(where, 'il nome manca', [{ raw }]);
  const points = listIn(walk, where, [raw, 'points']).map(pointIn);
  const outline = points.filter((point) => point !== null);
  if (outline.length < points.length)
    report.error(where, 'le coordinate del contorno non sono numeri', [{ raw }]);
  else if (outline.length < 3) report.error(where, 'il contorno ha meno di tre punti', [{ raw }]);
  const topLeft = pointIn(raw.topLeft);
  if (!topLeft)
    report.error(where, 'manca «topLeft», da cui si misurano i posti del settore', [{ raw }]);
  if (
    raw.zone !== null &&
    raw.zone !== undefined &&
    raw.zone !== '' &&
    !walk.zones.has(show(raw.zone))
  )
    report.error(where, `la zona «${show(raw.zone)}» non è nell’elenco delle zone`, [{ raw }]);
  const part = rawOf(raw.subChart);
  walk.keys.see('floor', part);
  const objects = checkObjects(
    walk,
    {
      where,
      prefix: `${label ?? '?'}-`,
      origin: topLeft ?? { x: 0, y: 0 },
      categoryKey: raw.categoryKey,
      outline: outline.length > 2 && topLeft ? outline : null,
    },
    part,
  );
  if (objects === 0) report.warn(where, 'è vuoto', [{ raw }]);
  return objects;
}

/** Sections are read out in the order of the file, so numbered ones should ascend. */
function checkOrder(walk: Walk, where: string, sections: Raw[]): void {
  const last = new Map<string, { label: string; number: number }>();
  for (const raw of sections) {
    const label = readLabel(raw.label);
    const parts = label === null ? null : /^(.*?)(\d+)$/.exec(label);
    if (label === null || !parts) continue;
    const [, stem = '', digits] = parts;
    const number = Number(digits);
    const before = last.get(stem);
    if (before && before.number > number)
      walk.report.warn(
        where,
        `nell’elenco il settore «${before.label}» viene prima di «${label}»: l’ordine del file è quello in cui si leggono`,
      );
    last.set(stem, { label, number });
  }
}

function checkFloor(walk: Walk, raw: Raw, name: string): void {
  walk.keys.see('floor', raw);
  if (raw.focalPoint === null || raw.focalPoint === undefined)
    walk.report.warn(
      name || WHOLE,
      'manca il punto focale: non si possono proporre i posti migliori',
    );
  else if (!pointIn(raw.focalPoint))
    walk.report.error(name || WHOLE, 'il punto focale non ha coordinate');
  const sections = listIn(walk, name || WHOLE, [raw, 'sections']);
  let objects = checkObjects(
    walk,
    { where: name, prefix: '', origin: { x: 0, y: 0 }, categoryKey: null, outline: null },
    raw,
  );
  for (const section of sections) objects += checkSection(walk, name, section);
  checkOrder(walk, name || WHOLE, sections);
  if (objects === 0 && name !== '') walk.report.warn(name, 'il piano è vuoto');
  // Floors lie above each other, so only seats of the same floor are compared.
  checkOverlaps(walk.placed, walk.report);
  walk.placed = { rows: [], seats: [] };
}

function checkLabels(walk: Walk): void {
  const byPlace = new Map<
    string,
    { where: string; labels: string[]; times: number; kind: 'seat' | 'thing'; marks: Mark[] }
  >();
  for (const found of walk.labels.values()) {
    if (found.length === 1) continue;
    const wheres = [...new Set(found.map(({ where }) => where))];
    const id = wheres.join('\n');
    const [{ own, kind }] = found as [(typeof found)[number]];
    const known = byPlace.get(id);
    const marks = found.map(({ mark }) => mark);
    if (known) {
      known.labels.push(own);
      known.marks.push(...marks);
    } else
      byPlace.set(id, {
        where: wheres.join(' e '),
        labels: [own],
        times: found.length,
        kind,
        marks,
      });
  }
  for (const { where, labels, times, kind, marks } of byPlace.values()) {
    const [one, many] = kind === 'seat' ? ['posto', 'posti'] : ['oggetto', 'oggetti'];
    const number = ['due', 'tre', 'quattro'][times - 2] ?? String(times);
    walk.report.error(
      where,
      labels.length === 1
        ? `${number} ${many} si chiamano ${quote(labels)}`
        : `più di un ${one} si chiama ${quote(labels)}`,
      marks,
    );
  }
}

function checkUse(walk: Walk, categories: { key: string; label: string }[]): void {
  for (const { key, label } of categories) {
    const kinds = walk.used.get(key);
    if (!kinds) walk.report.warn(`Categoria ${label}`, 'non è usata da nessun posto');
    else if (kinds.size > 1)
      walk.report.warn(
        `Categoria ${label}`,
        `vale per ${[...kinds].join(' e ')}: meglio una categoria per tipo`,
      );
  }
}

/** Checks any value. Errors come first, then warnings, each in the order of the file. */
export function checkDrawing(value: unknown): Finding[] {
  return checkMarked(value).map(({ finding }) => finding);
}

interface Marked {
  finding: Finding;
  /** The objects and seats of `value` that the finding is about. */
  marks: readonly Mark[];
}

export function checkMarked(value: unknown): Marked[] {
  const report = checkWhole(value);
  return report.findings
    .toSorted((a, b) => Number(a.severity === 'warning') - Number(b.severity === 'warning'))
    .map((finding) => ({ finding, marks: report.marks.get(finding) ?? [] }));
}

function checkWhole(value: unknown): Report {
  const report = openReport();
  const walk: Walk = {
    report,
    keys: watchKeys(),
    categories: new Set(),
    zones: new Set(),
    labels: new Map(),
    used: new Map(),
    placed: { rows: [], seats: [] },
  };
  if (!isRaw(value)) {
    report.error(WHOLE, 'non è una pianta: ci si aspetta un oggetto');
    return report;
  }
  walk.keys.see('drawing', value);
  if (readLabel(value.name) === null) report.warn(WHOLE, 'non ha un nome');
  const categories = checkCategories(walk, value);
  checkZones(walk, value);
  const floors = isRaw(value.subChart)
    ? [value.subChart]
    : listIn(walk, WHOLE, [value, 'subChartFloors']);
  if (floors.length === 0)
    report.error(WHOLE, 'manca il disegno: né «subChart» né «subChartFloors»');
  for (const [index, floor] of floors.entries())
    checkFloor(
      walk,
      floor,
      isRaw(value.subChart)
        ? ''
        : `piano ${readLabel(floor.floorDisplayName) ?? readLabel(floor.floorName) ?? index + 1}`,
    );
  if (floors.length > 0 && walk.labels.size === 0) report.error(WHOLE, 'non c’è niente da vendere');
  checkLabels(walk);
  checkUse(walk, categories);
  walk.keys.tell(report);
  return report;
}

/**
 * Checks the text of a file; a text that is not JSON gives one finding with the position of the
 * error.
 */
export function checkText(text: string): { findings: Finding[]; drawing: unknown } {
  try {
    const drawing: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return { findings: checkDrawing(drawing), drawing };
  } catch (error) {
    return {
      findings: [
        {
          severity: 'error',
          where: WHOLE,
          message: `il file non è JSON${placeOf(text, (error as Error).message)}`,
        },
      ],
      drawing: undefined,
    };
  }
}

/** The position that the JavaScript engine names, or that of the text that it quotes. */
function placeOf(text: string, message: string): string {
  if (text.trim() === '') return ': è vuoto';
  const position = /position (\d+)/.exec(message)?.[1];
  if (message.includes('end of JSON') || Number(position) >= text.trimEnd().length)
    return ': finisce troppo presto';
  const [, dots, near] = /, (\.\.\.)?"(.+)"(?:\.\.\.)? is not valid JSON$/s.exec(message) ?? [];
  const at =
    position === undefined
      ? text.indexOf(near ?? text) + (dots === undefined ? 0 : AROUND)
      : Number(position);
  const line = text.slice(0, at).split('\n').length;
  return near === undefined
    ? `: si rompe alla riga ${line}`
    : `: si rompe alla riga ${line}, vicino a «${near.replaceAll(/\s+/g, ' ').trim()}»`;
}
