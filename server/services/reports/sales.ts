/** What was sold: by day, by way of selling, by kind of ticket. */
import { soldByDay } from '#db/reports/sales.ts';
import type { Figure } from '#server/domain/report/figure.ts';
import type { Ctx } from '#server/services/context.ts';
import type { Scope } from './scope.ts';

export async function salesFigures(ctx: Ctx, scope: Scope): Promise<Figure[]> {
  const days = await soldByDay(ctx.db, scope);
  return [
    {
      id: 'by_day',
      title: 'Incasso per giorno',
      note: null,
      shape: 'bars',
      columns: [
        { key: 'day', label: 'Giorno', unit: 'day' },
        { key: 'paid', label: 'Incassato', unit: 'cents' },
        { key: 'orders', label: 'Ordini', unit: 'count' },
      ],
      rows: days.map(({ day, paid_cents, orders }) => [day, paid_cents, orders]),
      total: null,
    },
  ];
}
