/**
 * The charts that come with the software: the files in the folder, and the arena, which is drawn
 * by code. A new release may bring a better drawing.
 */
import {
  chartsOf,
  setSeedHash,
  type ChartRow,
} from '#server/standins/seatsio/statements/charts.ts';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { drawingText } from '#server/standins/seatsio/catalog/catalog.ts';
import { insertChart } from './chart-store.ts';
import { publishDrawing } from './chart-versions.ts';
import { change } from '#server/standins/seatsio/context.ts';
import { drawArena } from '#server/standins/seatsio/draw/arena.ts';
import { printDense } from '#server/standins/seatsio/draw/print.ts';
import { ApiError } from '#server/standins/seatsio/errors.ts';
import type { State, Writing } from '#server/standins/seatsio/context.ts';
import type { Workspace } from '#server/standins/seatsio/statements/workspaces.ts';

interface Seed {
  key: string;
  name: string;
  text: string;
  hash: string;
}

const FOLDER = new URL('../charts/', import.meta.url);
let kept: Seed[] | undefined;

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

function makeSeed(key: string, text: string): Seed {
  return { key, text, name: (JSON.parse(text) as { name: string }).name, hash: hashOf(text) };
}

/** Read and drawn once per process. A chart's key is its file's name. */
export function ownCharts(): Seed[] {
  kept ??= [
    ...readdirSync(FOLDER)
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map((name) =>
        makeSeed(name.slice(0, -'.json'.length), readFileSync(new URL(name, FOLDER), 'utf8')),
      ),
    makeSeed('arena', printDense(drawArena())),
  ];
  return kept;
}

/** Whether the chart still has a drawing of ours. */
function isUntouched({ seed_hash, draft_version }: ChartRow, stored: string): boolean {
  return draft_version === null && seed_hash === stored;
}

async function renew(
  ctx: Writing,
  workspace: Workspace,
  { chart, seed, say }: { chart: ChartRow; seed: Seed; say: (line: string) => void },
): Promise<void> {
  if (chart.seed_hash === seed.hash) return;
  const stored = hashOf(await drawingText(ctx, chart.id, chart.published_version));
  if (stored !== seed.hash && !isUntouched(chart, stored)) {
    say(
      `La pianta «${seed.key}» ha una versione nuova, ma qui è stata cambiata a mano: resta com’è.`,
    );
    return;
  }
  if (stored !== seed.hash) await publishDrawing(ctx, workspace, { chart, text: seed.text });
  await setSeedHash(ctx.sql, chart.id, seed.hash);
}

/**
 * Adds the charts that the workspace lacks, and publishes the drawings that are new in this
 * release. A chart keeps its old drawing, and `say` says why, if a person changed it here or a
 * taken place would vanish.
 */
export async function addOwnCharts(
  state: State,
  workspace: Workspace,
  say: (line: string) => void = console.warn,
): Promise<void> {
  const there = await change(state, (ctx) => addMissing(ctx, workspace));
  for (const seed of ownCharts()) {
    const chart = there.get(seed.key);
    if (!chart) continue;
    try {
      await change(state, (ctx) => renew(ctx, workspace, { chart, seed, say }));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      say(
        `La pianta «${seed.key}» ha una versione nuova, ma ci sono posti già presi che non avrebbe più: resta la vecchia (${error.message}).`,
      );
    }
  }
}

/** Adds missing charts; returns the others by key. */
async function addMissing(ctx: Writing, workspace: Workspace): Promise<Map<string, ChartRow>> {
  const charts = await chartsOf(ctx.sql, workspace.id);
  const there = new Map(charts.map((chart) => [chart.key, chart]));
  for (const seed of ownCharts())
    if (!there.has(seed.key)) {
      const { id } = await insertChart(ctx, workspace, seed);
      await setSeedHash(ctx.sql, id, seed.hash);
    }
  return there;
}
