/** Imports a drawing that was made elsewhere as a new chart, or refuses it with reasons. */
import { randomUUID } from 'node:crypto';
import { findChart } from '#server/standins/seatsio/catalog/catalog.ts';
import { addChart } from './chart-store.ts';
import { DRAWING_LIMIT, publishDrawing } from './chart-versions.ts';
import { checkText } from '#server/drawing/check/check.ts';
import { parseDrawing, readDrawing } from '#server/standins/seatsio/plan/read-drawing.ts';
import { ApiError, badRequest } from '#server/standins/seatsio/errors.ts';
import { isUsable } from '#server/drawing/check/findings.ts';
import { keyRoute } from '#server/standins/seatsio/router.ts';
import type { Writing } from '#server/standins/seatsio/context.ts';
import type { Workspace } from '#server/standins/seatsio/statements/workspaces.ts';
import type { Finding } from '#server/drawing/check/findings.ts';
import type { Route } from '#server/standins/seatsio/router.ts';

/** The most findings that are listed; errors come first. */
const MOST_FINDINGS = 500;

interface Importing {
  text: string;
  key?: string;
  dry?: boolean;
  replace?: boolean;
}
interface Imported {
  key: string;
  findings: Finding[];
}

export function shorten(findings: Finding[]): Finding[] {
  const rest = findings.length - MOST_FINDINGS;
  const next = findings[MOST_FINDINGS];
  if (next === undefined) return findings;
  return [
    ...findings.slice(0, MOST_FINDINGS),
    {
      severity: next.severity,
      where: 'Pianta',
      message: `e altre ${rest} osservazioni`,
    },
  ];
}

/**
 * `dry` only checks. `replace` publishes the drawing in the chart of that key; without it the key
 * must be new.
 * @throws ApiError 400 DRAWING_REFUSED with `data.findings`; CHART_KEY_ALREADY_EXISTS;
 * OBJECTS_NOT_FREE when a taken place would vanish; 404 CHART_NOT_FOUND
 */
export async function importDrawing(
  ctx: Writing,
  workspace: Workspace,
  { text, key = randomUUID(), dry = false, replace = false }: Importing,
): Promise<Imported> {
  if (!/^[\w.-]{1,100}$/.test(key))
    throw badRequest('#/key: up to 100 letters, digits, dots, hyphens and underscores expected');
  const findings = shorten(checkText(text).findings);
  if (dry) return { key, findings };
  if (!isUsable(findings))
    throw new ApiError(400, 'DRAWING_REFUSED', {
      message: 'The drawing has errors',
      data: { findings },
    });
  const clean = text.replace(/^\uFEFF/, '');
  if (!replace)
    return { key: (await addChart(ctx, workspace, { key, text: clean })).key, findings };
  readDrawing(parseDrawing(clean));
  await publishDrawing(ctx, workspace, {
    chart: await findChart(ctx, workspace, key),
    text: clean,
  });
  return { key, findings };
}

/**
 * POST /charts/actions/import?key=&dry=true&replace=true, ours: the body is the drawing with any
 * content type, up to 30 MB -> {key, findings: [{severity, where, message}]}, in Italian. Without
 * `key` a new key is made.
 */
export const importRoute: Route = keyRoute(
  'POST',
  '/charts/actions/import',
  (ctx, { body, query }, workspace) =>
    importDrawing(ctx, workspace, {
      text: body,
      key: query.get('key') ?? undefined,
      dry: query.get('dry') === 'true',
      replace: query.get('replace') === 'true',
    }),
  DRAWING_LIMIT,
);
