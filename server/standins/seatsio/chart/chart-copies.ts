/** Copies of charts, in the same workspace or in another one of the company. */
import { findChart } from '#server/standins/seatsio/catalog/catalog.ts';
import { copyChart } from './chart-store.ts';
import { draftOf } from './chart-versions.ts';
import {
  basicUser,
  companyRoute,
  findWorkspace,
  secretKeyOwner,
} from '#server/standins/seatsio/company/callers.ts';
import { describeChart } from './charts.ts';
import { AuthError } from '#server/standins/seatsio/errors.ts';
import { keyRoute } from '#server/standins/seatsio/router.ts';
import type { Writing } from '#server/standins/seatsio/context.ts';
import type { Workspace } from '#server/standins/seatsio/statements/workspaces.ts';
import type { Call, Route } from '#server/standins/seatsio/router.ts';

async function copyHere(
  ctx: Writing,
  call: Call<'chart'>,
  { workspace, draft }: { workspace: Workspace; draft: boolean },
) {
  const chart = await findChart(ctx, workspace, call.params.chart);
  const version = draft ? draftOf(chart) : chart.published_version;
  return describeChart(ctx, call, {
    workspace,
    chart: await copyChart(ctx, { chart, version, to: workspace, suffix: ' (copy)' }),
  });
}

async function copyThere(
  ctx: Writing,
  call: Call<'chart'>,
  { from, to }: { from: Workspace; to: Workspace },
) {
  if (from.is_active === 0 || to.is_active === 0) throw new AuthError(403);
  const chart = await findChart(ctx, from, call.params.chart);
  return describeChart(ctx, call, {
    workspace: to,
    chart: await copyChart(ctx, { chart, version: chart.published_version, to }),
  });
}

export const chartCopyRoutes: Route[] = [
  keyRoute('POST', '/charts/:chart/version/published/actions/copy', (ctx, call, workspace) =>
    copyHere(ctx, call, { workspace, draft: false }),
  ),
  keyRoute('POST', '/charts/:chart/version/draft/actions/copy', (ctx, call, workspace) =>
    copyHere(ctx, call, { workspace, draft: true }),
  ),
  /** A workspace's secret key cannot copy into other workspaces. */
  keyRoute(
    'POST',
    '/charts/:chart/version/published/actions/copy-to-workspace/:to',
    async (ctx, call, workspace) => {
      const owner = await secretKeyOwner(ctx, basicUser(call.request) ?? '');
      if (owner && owner.key !== call.params.to) throw new AuthError(403);
      return copyThere(ctx, call, {
        from: workspace,
        to: await findWorkspace(ctx, workspace.company_id, call.params.to),
      });
    },
  ),
  companyRoute(
    'POST',
    '/charts/:chart/version/published/actions/copy/from/:from/to/:to',
    async (ctx, call, company) =>
      copyThere(ctx, call, {
        from: await findWorkspace(ctx, company.id, call.params.from),
        to: await findWorkspace(ctx, company.id, call.params.to),
      }),
  ),
];
