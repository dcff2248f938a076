/**
 * The Registro for administrators: what happened, with the names of people and things; as a list
 * and as a file.
 */
import { listAudit, nameSubjects, type AuditFilter } from '#db/audit/audit.ts';
import type { After } from '#db/engine/page.ts';
import type { SealedAuditRow } from '#db/rows.ts';
import { everyUserName } from '#db/user/users.ts';
import { actionName, tellDetail, type DetailLine } from '#server/domain/audit/audit-words.ts';
import { formatListDate, isoOf } from '#server/domain/time/dates.ts';
import { foldText, searchWords } from '#server/domain/text/search.ts';
import { orderFilterOf } from '#server/services/refund/orders.ts';
import type { Ctx } from '#server/services/context.ts';
import { longCsvFile, type CsvFormat } from '#server/services/kit/csv-file.ts';
import { readPage } from '#server/services/kit/page.ts';
import { namesOf } from '#server/services/user/actors.ts';
import { searchAll } from './search.ts';
import { readDetail } from './timeline.ts';

interface RegistryAsk {
  q?: string;
  actor?: string;
  action?: string;
  /** The first and last day, in Rome. */
  from?: string;
  to?: string;
}

/** The entries, newest first. */
export async function registryList(
  ctx: Ctx,
  { limit = 50, cursor, ...ask }: RegistryAsk & { limit?: number; cursor?: string },
) {
  const filter = await filterOf(ctx, ask);
  const { rows, next_cursor } = await readPage(
    { limit, cursor },
    (page) => listAudit(ctx.db, filter, page),
    (row) => row.at,
  );
  const people = [...(await everyUserName(ctx.db))].map(([id, name]) => ({
    actor: `user:${id}`,
    name,
  }));
  return { items: await inWords(ctx, rows), next_cursor, people };
}

async function inWords(ctx: Ctx, rows: readonly SealedAuditRow[]) {
  const nameOf = await namesOf(
    ctx.db,
    rows.map(({ actor }) => actor),
  );
  const ids = [...new Set(rows.map(({ subject }) => subject))];
  const subjects = new Map((await nameSubjects(ctx.db, ids)).map((known) => [known.id, known]));
  return rows.map(({ detail, subject, ...row }) => ({
    ...row,
    actor_name: nameOf(row.actor),
    subject: subjects.get(subject) ?? { id: subject, kind: null, name: null },
    detail: readDetail(detail),
  }));
}

async function filterOf(ctx: Ctx, { q = '', actor, action, ...days }: RegistryAsk) {
  const { from, before } = orderFilterOf(days as { from?: string; to?: string });
  const filter: AuditFilter = { actor, action, from, before };
  return q.trim() === '' ? filter : { ...filter, subjects: await subjectsNamed(ctx, q.trim()) };
}

/** The search has an administrator's rights, because only they read the Registro. */
const reader = { id: 'registry', role: 'admin' } as const;

/**
 * The ids that the words may mean: orders, events and phones that the office's search finds,
 * people by name, or the words themselves as an id.
 */
async function subjectsNamed(ctx: Ctx, q: string): Promise<string[]> {
  const { items } = await searchAll(ctx, reader, q);
  const words = searchWords(q);
  const people = [...(await everyUserName(ctx.db))]
    .filter(([, name]) => words.every((word) => foldText(name).includes(word)))
    .map(([id]) => id);
  return [...new Set([q, ...items.map(({ id }) => id), ...people])];
}

const most = 50_000;
const pageSize = 500;

export async function registryFile(
  ctx: Ctx,
  { format = 'excel', ...ask }: RegistryAsk & { format?: CsvFormat },
) {
  const pages = pagesOf(ctx, await filterOf(ctx, ask), format === 'excel' ? formatListDate : isoOf);
  return longCsvFile(ctx, { name: 'registro', headings, pages, format });
}

async function* pagesOf(ctx: Ctx, filter: AuditFilter, timeOf: (at: number) => string) {
  let after: After | null = null;
  for (let done = 0; done < most; done += pageSize) {
    const rows: SealedAuditRow[] = await listAudit(ctx.db, filter, { limit: pageSize, after });
    yield (await inWords(ctx, rows)).map(({ at, actor_name, action, subject, detail, seal }) => [
      timeOf(at),
      actor_name,
      actionName(action),
      subject.name ?? subject.id,
      sayDetail(detail),
      seal === null ? '' : String(seal),
    ]);
    const last = rows.at(-1);
    if (!last || rows.length < pageSize) return;
    after = { at: last.at, id: last.id };
  }
}

const headings = ['Quando', 'Chi', 'Che cosa', 'Su che cosa', 'Dettagli', 'Sigillo'];

function sayDetail(detail: unknown): string {
  const { lines, technical } = tellDetail(detail);
  const say = ({ name, from, to }: DetailLine) =>
    from === null ? `${name}: ${to}` : `${name}: ${from} → ${to}`;
  return [...lines, ...technical].map(say).join('; ');
}
