/** A report: its figures, and when they were counted. Each kind of report has its own file. */
import { reportNames, type Figure, type ReportName } from '#server/domain/report/figure.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Ctx } from '#server/services/context.ts';
import { Counts } from './counts.ts';
import { doorFigures } from './door.ts';
import { hallFigures } from './hall.ts';
import { moneyFigures } from './money.ts';
import { salesFigures } from './sales.ts';
import { nameOf, readScope, type Scope, type ScopeAsk } from './scope.ts';

type Maker = (ctx: Ctx, scope: Scope, counts: Counts) => Promise<Figure[]>;

const makers: Record<ReportName, Maker> = {
  sales: salesFigures,
  hall: hallFigures,
  door: doorFigures,
  money: moneyFigures,
};

export async function readReportOf(ctx: Ctx, name: string, ask: ScopeAsk) {
  const report = reportNames.find((known) => known === name);
  if (report === undefined) throw new Refusal('not_found');
  const scope = await readScope(ctx, ask);
  const counts = new Counts(ctx);
  const figures = await makers[report](ctx, scope, counts);
  return {
    report,
    name: scope.name,
    against: scope.against && nameOf(scope.against),
    counted_at: counts.counted_at,
    figures,
  };
}
