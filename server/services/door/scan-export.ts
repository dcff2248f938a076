/** Exports scans of all phones and of the desk as CSV, plain or for Italian Excel. */
import { pageOfScans, type ScanInFile } from '#db/report/scans.ts';
import type { After } from '#db/engine/page.ts';
import { formatListDate, isoOf } from '#server/domain/time/dates.ts';
import { verdictNames } from '#server/domain/door/verdict-names.ts';
import type { Ctx } from '#server/services/context.ts';
import { longCsvFile, type CsvFormat } from '#server/services/kit/csv-file.ts';

const pageSize = 1_000;

export async function scanFile(
  ctx: Ctx,
  { format = 'excel', event_id }: { format?: CsvFormat; event_id?: string },
) {
  return longCsvFile(ctx, {
    name: 'letture',
    headings,
    pages: pagesOf(ctx, event_id, format === 'excel'),
    format,
  });
}

async function* pagesOf(ctx: Ctx, event_id: string | undefined, excel: boolean) {
  for (let after: After | null = null; ;) {
    const page: ScanInFile[] = await pageOfScans(ctx.db, event_id, { limit: pageSize, after });
    yield page.map((scan) => cellsOf(scan, excel));
    const last = page.at(-1);
    if (!last || page.length < pageSize) return;
    after = { at: last.received_at, id: last.id };
  }
}

const headings = [
  'Letto',
  'Arrivato',
  'Evento',
  'Posto',
  'Varco',
  'Telefono',
  'Direzione',
  'Esito',
  'Vale',
  'Motivo',
  'In conflitto',
  'Annullato',
];

function cellsOf(scan: ScanInFile, excel: boolean): string[] {
  const time = excel ? formatListDate : isoOf;
  const yes = (is: boolean) => (is ? 'sì' : '');
  return [
    time(scan.corrected_at),
    time(scan.received_at),
    scan.event_title,
    scan.place ?? '',
    scan.gate ?? '',
    scan.phone_name ?? '',
    scan.direction === 'in' ? 'Ingresso' : 'Uscita',
    verdictNames[scan.verdict],
    yes(scan.counts === 1 && scan.annulled_by === null),
    scan.override ?? scan.note ?? '',
    yes(scan.conflict_with !== null),
    yes(scan.annulled_by !== null),
  ];
}
