/** Scans for an exported file, page by page, without those of rehearsals. */
import type { Db } from '#db/engine/dialect.ts';
import { withoutRehearsals } from '#db/event/events.ts';
import { newestFirst, type Page } from '#db/engine/page.ts';
import type { AdmissionRow } from '#db/rows.ts';

export interface ScanInFile extends AdmissionRow {
  event_title: string;
  phone_name: string | null;
}

/**
 * Lists the newest arrivals first. The page is found before other columns are read, so that these
 * are read for its rows only.
 */
export async function pageOfScans(
  db: Db,
  event_id: string | undefined,
  page: Page,
): Promise<ScanInFile[]> {
  const onPage = withoutRehearsals(db, db('admissions'), 'admissions.event_id').select(
    'admissions.id',
  );
  if (event_id !== undefined) onPage.where('admissions.event_id', event_id);
  newestFirst(onPage, { table: 'admissions', time: 'received_at' }, page);
  const ids: string[] = (await onPage).map(({ id }: { id: string }) => id);
  const rows: ScanInFile[] = await db('admissions')
    .whereIn('admissions.id', ids)
    .join('events', 'events.id', 'admissions.event_id')
    .leftJoin('phones', 'phones.id', 'admissions.phone_id')
    .select('admissions.*', 'events.title as event_title', 'phones.name as phone_name');
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
