/** Events and seasons as the API shows them. */
import {
  requireEvent,
  keysOfEvents,
  type EventRow,
} from '#server/standins/seatsio/statements/events.ts';
import { loadRow } from './catalog.ts';
import { eventsOf } from './season-view.ts';
import type { Seatsio } from '#server/standins/seatsio/context.ts';
import type { ForSaleConfig } from './for-sale.ts';
import type { Family } from './season-view.ts';

/** Event as the API lists it; only a season read by itself shows its contents. */
export async function describeEvent(ctx: Seatsio, row: EventRow) {
  const event = await loadRow(ctx, row);
  const { family } = event;
  return {
    id: row.id,
    key: row.key,
    chartKey: event.chart.key,
    name: row.name ?? undefined,
    date: row.date ?? undefined,
    tableBookingConfig: event.plan.tables,
    supportsBestAvailable: event.plan.hasFocalPoint,
    forSaleConfig: event.forSaleConfig ?? undefined,
    channels: event.channels.length > 0 ? event.channels : undefined,
    categories: [
      ...event.plan.drawing.drawnCategories,
      ...event.categories.slice(event.plan.categories.length),
    ],
    objectCategories: event.objectCategories ?? undefined,
    createdOn: new Date(row.created_at).toISOString(),
    updatedOn: row.updated_at === null ? undefined : new Date(row.updated_at).toISOString(),
    isInThePast: row.is_in_the_past === 1,
    isSeason: row.kind !== 'event',
    isTopLevelSeason: row.kind === 'season',
    isPartialSeason: row.kind === 'partial',
    isEventInSeason: row.kind === 'event' && family !== null,
    ...(family && row.kind !== 'season'
      ? { topLevelSeasonKey: (await keysOfEvents(ctx.sql, [family.top]))[0] }
      : {}),
    ...(family && row.kind === 'event'
      ? {
          season: await describeSeasonOf(ctx, family),
          partialSeasonKeysForEvent: await keysOfEvents(
            ctx.sql,
            family.partialsOf.get(row.id) ?? [],
          ),
        }
      : {}),
    ...(row.kind === 'season' ? { forSalePropagated: row.for_sale_propagated === 1 } : {}),
  };
}

/** What an event shows of its season: the for-sale configuration that the season propagates. */
async function describeSeasonOf(
  ctx: Seatsio,
  { top }: Family,
): Promise<{ forSaleConfig?: ForSaleConfig }> {
  const { for_sale_config: config, for_sale_propagated: passedOn } = await requireEvent(
    ctx.sql,
    top,
  );
  if (config === null || passedOn === 0) return {};
  return { forSaleConfig: JSON.parse(config) as ForSaleConfig };
}

/** Event, or Season with its events and, at the top level, the keys of its partial seasons. */
export async function describeFully(ctx: Seatsio, row: EventRow) {
  const event = await describeEvent(ctx, row);
  const { family } = await loadRow(ctx, row);
  return family && row.kind !== 'event'
    ? { ...event, ...(await describeMembers(ctx, family)) }
    : event;
}

async function describeMembers(ctx: Seatsio, family: Family) {
  const events = await Array.fromAsync(eventsOf(family, family.self.id), async ({ id }) =>
    describeEvent(ctx, await requireEvent(ctx.sql, id)),
  );
  return {
    events,
    ...(family.self.kind === 'season'
      ? {
          partialSeasonKeys: await keysOfEvents(
            ctx.sql,
            family.partials.map(({ id }) => id),
          ),
        }
      : {}),
  };
}
