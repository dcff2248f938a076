/**
 * The version that a designer edits: every change names the version that it started from, so that
 * two designers do not overwrite each other.
 */
import type { ChartRow } from '#server/standins/seatsio/statements/charts.ts';
import { versionRow, type Author } from '#server/standins/seatsio/statements/drawings.ts';
import { ApiError } from '#server/standins/seatsio/errors.ts';
import type { Seatsio } from '#server/standins/seatsio/context.ts';
import type { Call } from '#server/standins/seatsio/router.ts';
import type { DesignerConflict, DesignerSaved } from '#server/standins/seatsio/wire.ts';

const MOST_NAME = 100;

/** The number of the draft, or of the published drawing if there is no draft. */
export function currentOf(chart: ChartRow): number {
  return chart.draft_version ?? chart.published_version;
}

/** The person's name as the designer sends it; null if it sends none. */
export function nameOf({ request }: Pick<Call, 'request'>): string | null {
  const name = request.headers['x-designer-name'];
  if (typeof name !== 'string' || name === '') return null;
  try {
    return decodeURIComponent(name).toWellFormed().slice(0, MOST_NAME);
  } catch {
    return null;
  }
}

export function authorOf(ctx: Seatsio, call: Call): Author {
  return { at: ctx.now(), by: nameOf(call), tab: tabOf(call) };
}

function tabOf({ query }: Call): string | null {
  const tab = query.get('tab');
  return tab !== null && /^[\w-]{8,64}$/.test(tab) ? tab : null;
}

export async function describeSaved(ctx: Seatsio, chart: ChartRow): Promise<DesignerSaved> {
  const version = currentOf(chart);
  const { saved_at } = await versionRow(ctx.sql, chart.id, version);
  return { version, savedAt: isoOf(saved_at) };
}

export function isoOf(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

/**
 * Refuses a change of an outdated version. A designer may skip versions that it saved itself,
 * because it sends its drawing again when an answer was lost.
 * @throws ApiError 428 VERSION_REQUIRED, 409 DRAWING_CHANGED with DesignerConflict
 */
export async function requireCurrent(ctx: Seatsio, chart: ChartRow, call: Call): Promise<void> {
  const known = /^(?:W\/)?"(\d{1,15})"$/.exec(call.request.headers['if-match'] ?? '')?.[1];
  if (known === undefined)
    throw new ApiError(428, 'VERSION_REQUIRED', {
      message: 'If-Match with the version of the drawing expected, as in: If-Match: "12"',
    });
  const version = currentOf(chart);
  if (Number(known) === version) return;
  const { saved_at, saved_by, saved_tab } = await versionRow(ctx.sql, chart.id, version);
  if (version > Number(known) && saved_tab !== null && saved_tab === tabOf(call)) return;
  throw new ApiError(409, 'DRAWING_CHANGED', {
    message: `Chart ${chart.key} was saved by somebody else: version ${version}`,
    data: {
      version,
      isDraft: chart.draft_version !== null,
      savedAt: isoOf(saved_at),
      savedBy: saved_by,
    } satisfies DesignerConflict,
  });
}
