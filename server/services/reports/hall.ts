/** The figures of the report «hall». */
import type { Figure } from '#server/domain/report/figure.ts';
import type { Ctx } from '#server/services/context.ts';
import type { Scope } from './scope.ts';

export async function hallFigures(_ctx: Ctx, _scope: Scope): Promise<Figure[]> {
  return [];
}
