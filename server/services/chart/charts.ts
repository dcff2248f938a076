/** Lists, checks and imports charts, and fetches them from a seats.io account. */
import { findingsOf, type Charts } from '#server/adapters/charts.ts';
import { ProviderRefused } from '#server/adapters/provider.ts';
import { drawingName, type ChartRegion } from '#server/domain/seat/drawing.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { happened } from '#server/services/kit/happened.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import type { ListAsk } from '#server/services/kit/page.ts';
import { memo } from '#server/services/kit/memo.ts';
import { knownMs, pagePatienceMs } from '#server/services/kit/patience.ts';
import { useOfCharts } from './use.ts';

type Drawing = Record<string, unknown>;

/** Counting and drawing every chart is slow, so requests within five seconds share an answer. */
const sharedList = memo<Awaited<ReturnType<Charts['list']>>>({
  freshMs: 5_000,
  keptMs: knownMs,
  servedMs: knownMs,
  most: 8,
});

/** Call it after a change that the next request must show. */
export function forgetList(ctx: Ctx): void {
  sharedList.forget(ctx.charts);
}

/** @throws Refusal bad_request for a cursor that this server did not make, provider_silent */
export async function chartList(
  ctx: Ctx,
  { limit = 50, cursor, q = '', archived = false }: ListAsk & { archived?: boolean },
) {
  if (cursor !== undefined && !/^\d{1,15}$/.test(cursor))
    throw new Refusal('bad_request', { field: 'cursor' });
  const asked = { limit, after: cursor ?? null, name: q.trim(), archived };
  const { charts, next } = await sharedList.get(ctx.charts, {
    now: ctx.now,
    key: JSON.stringify(asked),
    ask: () => ctx.charts.list(asked),
    waitMs: pagePatienceMs,
  });
  const used = await useOfCharts(
    ctx,
    charts.map(({ key }) => key),
  );
  return {
    can_import: ctx.charts.canImport,
    // Charts on which nothing is drawn yet come last on their page.
    items: charts
      .toSorted((a, b) => Number(a.places === 0) - Number(b.places === 0))
      .map((chart) => ({ ...chart, used: used(chart.key) })),
    next_cursor: next,
  };
}

/** @throws Refusal chart_not_found, provider_silent */
export async function categoriesOfChart(ctx: Ctx, chart_key: string) {
  // `.` and `..` would change the path of the request to the vendor.
  if (!/^[\w-]+$/.test(chart_key)) throw new Refusal('chart_not_found');
  const items = await ctx.charts.categories(chart_key).catch((error: unknown) => {
    if (error instanceof ProviderRefused && error.status === 404)
      throw new Refusal('chart_not_found', undefined, error);
    throw error;
  });
  return { items };
}

/** The drawing as text; JSON that could be parsed may still be nested too deep to be written. */
function textOf(drawing: Drawing): string {
  try {
    return JSON.stringify(drawing);
  } catch (error) {
    throw new Refusal('bad_request', { part: 'body', fields: ['drawing'] }, error);
  }
}

/** Sends a drawing to the chart server; returns the findings even if it is refused. */
async function hand(ctx: Ctx, drawing: Drawing, ask: { key: string | undefined; dry: boolean }) {
  if (!ctx.charts.canImport) throw new Refusal('import_not_possible');
  const text = textOf(drawing);
  try {
    return { refused: false, ...(await ctx.charts.import(text, ask)) };
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    if (error.vendorCode === 'CHART_KEY_ALREADY_EXISTS')
      throw new Refusal('chart_key_taken', undefined, error);
    const findings = findingsOf((error.data as { findings?: unknown } | undefined)?.findings);
    // Our key is wrong or the chart server is old; another drawing would not help.
    if (
      findings.length === 0 &&
      error.status !== 400 &&
      error.status !== 413 &&
      error.status !== 422
    )
      throw error;
    return {
      refused: true,
      key: '',
      findings:
        findings.length > 0
          ? findings
          : [
              {
                severity: 'error' as const,
                where: '',
                message: 'Il file non è un disegno di seats.io',
              },
            ],
    };
  }
}

export async function checkDrawing(ctx: Ctx, drawing: Drawing) {
  const { findings } = await hand(ctx, drawing, { key: undefined, dry: true });
  return { name: drawingName(drawing), findings };
}

/**
 * Imports a drawing into the chart server; the audit notes who did it.
 * @throws Refusal drawing_invalid with `detail.findings`, chart_key_taken
 */
export async function importDrawing(
  ctx: Ctx,
  drawing: Drawing,
  ask: { key: string | undefined; source: string | null; actor: Actor },
) {
  const { refused, key, findings } = await hand(ctx, drawing, { key: ask.key, dry: false });
  if (refused) throw new Refusal('drawing_invalid', { findings });
  forgetList(ctx);
  await happened(ctx, ctx.db, {
    actor: ask.actor,
    action: 'chart_imported',
    subject: key,
    detail: { name: drawingName(drawing), source: ask.source },
  });
  return { key, findings };
}

interface FetchAsk {
  chart_key: string;
  secret_key: string;
  region: ChartRegion;
}

/** Fetches a drawing from a seats.io account; its secret key is never stored. */
export async function fetchDrawing(ctx: Ctx, { chart_key, secret_key, region }: FetchAsk) {
  const drawing = await ctx.charts
    .fetch(chart_key, { region, secretKey: secret_key })
    .catch((error: unknown) => {
      if (error instanceof ProviderRefused && (error.status === 401 || error.status === 403))
        throw new Refusal('account_refused');
      if (error instanceof ProviderRefused && error.status === 404)
        throw new Refusal('chart_not_found');
      throw error;
    });
  // A proxy may answer with a page, which is text.
  if (typeof drawing !== 'object' || drawing === null || Array.isArray(drawing))
    throw new Refusal('provider_silent');
  return { drawing: drawing as Drawing };
}
