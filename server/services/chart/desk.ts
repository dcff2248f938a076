/** The office's charts: makes, copies, renames, archives them, restores earlier versions. */
import { ProviderRefused } from '#server/adapters/provider.ts';
import { transact } from '#db/engine/transact.ts';
import type { AuditAction } from '#server/domain/audit/audit.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Ctx } from '#server/services/context.ts';
import { queueTask } from '#server/services/kit/queue-task.ts';
import { happened } from '#server/services/kit/happened.ts';
import type { User } from '#server/services/user/sessions.ts';
import { forgetList } from './charts.ts';
import { tellOver } from './over.ts';
import { useOfCharts } from './use.ts';

/** Turns the chart server's refusals into ours. */
function refuse(error: unknown): never {
  if (!(error instanceof ProviderRefused)) throw error;
  if (error.vendorCode === 'VERSION_NOT_FOUND')
    throw new Refusal('chart_version_gone', undefined, error);
  if (error.vendorCode === 'TEMPLATE_NOT_FOUND')
    throw new Refusal('template_unknown', undefined, error);
  if (error.vendorCode === 'DRAWING_CHANGED') throw new Refusal('chart_changed', undefined, error);
  if (error.status === 404) throw new Refusal('chart_not_found', undefined, error);
  throw error;
}

/**
 * Refuses with the real seats.io, because its charts are drawn there.
 * @throws Refusal import_not_possible
 */
function requireOwnServer(ctx: Ctx): void {
  if (!ctx.charts.canImport) throw new Refusal('import_not_possible');
}

/** @throws Refusal import_not_possible, chart_not_found, provider_silent */
export async function requireOwnChart(ctx: Ctx, chart_key: string) {
  requireOwnServer(ctx);
  // `.` and `..` would change the path of the request to the chart server.
  if (!/^[\w-]+$/.test(chart_key)) throw new Refusal('chart_not_found');
  return ctx.charts.detail(chart_key).catch(refuse);
}

async function noted(
  ctx: Ctx,
  { by, action, key, detail }: { by: User; action: AuditAction; key: string; detail?: object },
): Promise<void> {
  forgetList(ctx);
  await happened(ctx, ctx.db, { actor: `user:${by.id}`, action, subject: key, detail });
}

/** @throws Refusal import_not_possible, chart_not_found, provider_silent */
export async function chartDetail(ctx: Ctx, chart_key: string) {
  const detail = await requireOwnChart(ctx, chart_key);
  const used = await useOfCharts(ctx, [chart_key]);
  return { ...detail, used: used(chart_key), chart: ctx.chart };
}

/** @throws Refusal import_not_possible, provider_silent */
export async function chartTemplates(ctx: Ctx) {
  requireOwnServer(ctx);
  return { items: await ctx.charts.templates().catch(refuse) };
}

/**
 * Makes an empty chart, or one with a template's drawing.
 * @throws Refusal import_not_possible, template_unknown, provider_silent
 */
export async function makeChart(
  ctx: Ctx,
  ask: { name: string; template: string | null },
  by: User,
): Promise<{ key: string }> {
  requireOwnServer(ctx);
  const key = await ctx.charts.create(ask).catch(refuse);
  await noted(ctx, { by, action: 'chart_made', key, detail: ask });
  return { key };
}

/**
 * Copies a chart, including changes that are not published yet.
 * @throws Refusal import_not_possible, chart_not_found, provider_silent
 */
export async function copyChart(
  ctx: Ctx,
  { chart_key, name }: { chart_key: string; name: string },
  by: User,
): Promise<{ key: string }> {
  await requireOwnChart(ctx, chart_key);
  const key = await ctx.charts.copy(chart_key, { name, by: by.name }).catch(refuse);
  await noted(ctx, { by, action: 'chart_copied', key, detail: { name, from: chart_key } });
  return { key };
}

/** @throws Refusal import_not_possible, chart_not_found, provider_silent */
export async function renameChart(
  ctx: Ctx,
  { chart_key, name }: { chart_key: string; name: string },
  by: User,
): Promise<void> {
  const { name: before } = await requireOwnChart(ctx, chart_key);
  await ctx.charts.rename(chart_key, name).catch(refuse);
  await noted(ctx, { by, action: 'chart_renamed', key: chart_key, detail: { name, before } });
}

/**
 * Hides the chart from lists; its events do not change.
 * @throws Refusal import_not_possible, chart_not_found, provider_silent
 */
export async function archiveChart(
  ctx: Ctx,
  { chart_key, archived }: { chart_key: string; archived: boolean },
  by: User,
): Promise<void> {
  const { name } = await requireOwnChart(ctx, chart_key);
  await ctx.charts.setArchived(chart_key, archived).catch(refuse);
  const action = archived ? 'chart_archived' : 'chart_unarchived';
  await noted(ctx, { by, action, key: chart_key, detail: { name } });
}

/** @throws Refusal import_not_possible, chart_not_found, provider_silent */
export async function chartVersions(ctx: Ctx, chart_key: string) {
  await requireOwnChart(ctx, chart_key);
  return { items: await ctx.charts.versions(chart_key).catch(refuse) };
}

/**
 * Makes an earlier version the draft; nothing on sale changes until the draft is published.
 * @throws Refusal import_not_possible, chart_not_found, chart_version_gone, chart_changed,
 * provider_silent
 */
export async function restoreChart(
  ctx: Ctx,
  { chart_key, version, from }: { chart_key: string; version: number; from: number },
  by: User,
): Promise<void> {
  await requireOwnChart(ctx, chart_key);
  await ctx.charts.restore(chart_key, { version, from, by: by.name }).catch(refuse);
  await noted(ctx, { by, action: 'chart_restored', key: chart_key, detail: { version } });
}

/**
 * The drawing for a file; works with a real seats.io account too.
 * @throws Refusal chart_not_found, provider_silent
 */
export async function exportDrawing(ctx: Ctx, chart_key: string) {
  if (!/^[\w-]+$/.test(chart_key)) throw new Refusal('chart_not_found');
  const drawing = await ctx.charts.drawing(chart_key).catch(refuse);
  if (typeof drawing !== 'object' || drawing === null || Array.isArray(drawing))
    throw new Refusal('provider_silent');
  return { drawing: drawing as Record<string, unknown> };
}

/**
 * A change that the designer makes at the chart server, after which we have work to do: an audit
 * entry and perhaps new places.
 */
export type DesignerDeed = 'publish' | 'discard' | 'restore' | 'save-copy';

const deedActions: Record<DesignerDeed, AuditAction> = {
  publish: 'chart_published',
  discard: 'chart_draft_discarded',
  restore: 'chart_restored',
  'save-copy': 'chart_copied',
};

/** After this time the task follows a publication even if this process died meanwhile. */
const settleMs = 60_000;

/**
 * Call it before the change: it queues the work that follows, so that a crash cannot lose it.
 * @throws Refusal chart_not_found, provider_silent
 */
export async function owe(ctx: Ctx, deed: DesignerDeed, chart_key: string): Promise<void> {
  if (deed !== 'publish') return;
  await tellOver(ctx, chart_key).catch(refuse);
  const run_at = ctx.now() + settleMs;
  await transact(ctx.db, (trx) =>
    queueTask(ctx, trx, { task: 'follow_chart', subject: chart_key, run_at }),
  );
}

/** Call it after the change; `answer`: the answer of the chart server. */
export async function noteDeed(
  ctx: Ctx,
  { deed, chart_key, answer }: { deed: DesignerDeed; chart_key: string; answer: object },
  by: User,
): Promise<void> {
  const { publishedVersion, version, key } = answer as Record<string, unknown>;
  const happening =
    deed === 'save-copy'
      ? { subject: String(key), detail: { from: chart_key } }
      : { subject: chart_key, detail: { version: publishedVersion ?? version } };
  await transact(ctx.db, async (trx) => {
    await happened(ctx, trx, { actor: `user:${by.id}`, action: deedActions[deed], ...happening });
    if (deed === 'publish') await queueTask(ctx, trx, { task: 'follow_chart', subject: chart_key });
  });
  forgetList(ctx);
}
