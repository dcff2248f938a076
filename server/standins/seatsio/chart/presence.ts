/**
 * Who has a chart open in the designer: each open designer reports every few seconds, and a
 * silent one is removed.
 */
import * as v from 'valibot';
import { findChart } from '#server/standins/seatsio/catalog/catalog.ts';
import { versionRow } from '#server/standins/seatsio/statements/drawings.ts';
import { keyRoute, readJson } from '#server/standins/seatsio/router.ts';
import { currentOf, nameOf } from './designer-version.ts';
import type { Seatsio } from '#server/standins/seatsio/context.ts';
import type { Route } from '#server/standins/seatsio/router.ts';
import type { DesignerPresence } from '#server/standins/seatsio/wire.ts';

const FORGOTTEN_MS = 40_000;
/** The most designers listed for one chart. */
const MOST = 50;

interface Here {
  name: string | null;
  isEditing: boolean;
  since: number;
  seen: number;
}

/** In memory only: after a restart the open designers report again. */
const charts = new WeakMap<object, Map<number, Map<string, Here>>>();

function peopleAt({ database, now }: Seatsio, chartId: number): Map<string, Here> {
  const all = charts.get(database) ?? new Map<number, Map<string, Here>>();
  charts.set(database, all);
  for (const [id, people] of all) {
    for (const [tab, { seen }] of people) if (seen < now() - FORGOTTEN_MS) people.delete(tab);
    if (people.size === 0) all.delete(id);
  }
  const people = all.get(chartId) ?? new Map<string, Here>();
  all.set(chartId, people);
  return people;
}

const hereBody = v.object({
  tab: v.pipe(v.string(), v.regex(/^[\w-]{8,64}$/)),
  isEditing: v.boolean(),
  leaves: v.nullish(v.boolean()),
});

export const presenceRoute: Route = keyRoute(
  'POST',
  '/charts/:chart/designer/presence',
  async (ctx, call, workspace): Promise<DesignerPresence> => {
    const { tab, isEditing, leaves } = readJson(call, hereBody);
    const chart = await findChart(ctx, workspace, call.params.chart);
    const people = peopleAt(ctx, chart.id);
    const since = people.get(tab)?.since ?? ctx.now();
    if (leaves === true) people.delete(tab);
    else if (people.has(tab) || people.size < MOST)
      people.set(tab, { name: nameOf(call), isEditing, since, seen: ctx.now() });
    const version = currentOf(chart);
    return {
      people: [...people].map(([id, here]) => ({
        name: here.name,
        isYou: id === tab,
        isEditing: here.isEditing,
        since: new Date(here.since).toISOString(),
      })),
      version,
      isDraft: chart.draft_version !== null,
      publishedVersion: chart.published_version,
      savedBy: (await versionRow(ctx.sql, chart.id, version)).saved_by,
    };
  },
);
