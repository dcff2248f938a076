/**
 * Shows for the office: the list, one show with all its dates, and changes that its coming dates
 * share (RULES E1).
 */
import type { EventRow, ShowRow } from '#db/rows.ts';
import { countTickets, lockEvent, saveEvent } from '#db/event/events.ts';
import { categoriesOf } from '#db/seat/seats.ts';
import { datesOf, findShow, lockShow, pageOfShows, updateShow } from '#db/event/shows.ts';
import { transact } from '#db/engine/transact.ts';
import type { Trx } from '#db/engine/dialect.ts';
import type { ShowForm } from '#server/contract/shows.ts';
import { bareEvent, emptyForm, eveningMs } from '#server/domain/event/event.ts';
import { movedBetween } from '#server/domain/mail/announcement.ts';
import { pricedOf } from '#server/domain/price/phase.ts';
import { type CategoryPricing, pricingOf } from '#server/domain/price/pricing.ts';
import { demoAfter } from '#server/domain/event/demo.ts';
import { Refusal } from '#server/domain/refusal.ts';
import {
  fieldsThatDiffer,
  readOwnFields,
  resolveDate,
  sharedOf,
  type SharedField,
} from '#server/domain/event/show.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import type { MovedRows } from './announcements.ts';
import { askNames, ticketsAffectedBy } from './met-tickets.ts';
import { announceSale } from './sale-opens.ts';
import { forgetPrices } from './prices.ts';
import { listPage, type ListAsk } from '#server/services/kit/page.ts';
import { happened, takeDoorTurn } from '#server/services/kit/happened.ts';
import { queueRetirement } from './made-prices.ts';
import { queueRenames } from './price-names.ts';
import { pricesGone, pricesIn, requireCategories, requireSellable } from './chart.ts';
import { forOffice } from './events.ts';
import { changesBetween, columnsOf, formOf, withPhases } from './form.ts';
import { queueEventNews } from './news.ts';
import { savedTurns } from './phases.ts';
import {
  buyersToTell,
  isListChanged,
  keepImages,
  keepOutBlind,
  newEpoch,
  requireComplete,
} from './saving.ts';

/** How many dates of each show the list contains. */
const shownDates = 6;

export async function showsForOffice(ctx: Ctx, ask: ListAsk) {
  const from = ctx.now() - eveningMs;
  const { rows, next_cursor } = await listPage(ask, (page) => pageOfShows(ctx.db, from, page), {
    timeOf: (show) => show.listed_at,
    textsOf: (show) => [show.title, show.venue_title, show.id],
  });
  const dates = await datesOf(
    ctx.db,
    rows.map((show) => show.id),
  );
  const byShow = Map.groupBy(dates, (date) => date.show_id);
  const lists = rows.map((show) => {
    const own = byShow.get(show.id) ?? [];
    const coming = own.filter((date) => date.starts_at >= from);
    const shown = coming.length > 0 ? coming.slice(0, shownDates) : own.slice(-1);
    return { show, shown, coming: coming.length, past: own.length - coming.length };
  });
  const datesById = new Map(
    (
      await tellDates(
        ctx,
        lists.flatMap(({ shown }) => shown),
      )
    ).map((date) => [date.id, date]),
  );
  const items = lists.map(({ show, shown, coming, past }) => ({
    ...show,
    dates: shown.flatMap((date) => datesById.get(date.id) ?? []),
    coming,
    past,
  }));
  return { items, next_cursor };
}

async function tellDates(ctx: Ctx, dates: readonly EventRow[]) {
  return (await forOffice(ctx, dates)).map((date) => ({
    ...date,
    own_fields: readOwnFields(date.own_fields),
    needs_day: date.needs_day === 1,
  }));
}

/** @throws Refusal show_not_found */
export async function knownShow(ctx: Ctx, id: string): Promise<ShowRow> {
  const show = await findShow(ctx.db, id);
  if (!show) throw new Refusal('show_not_found');
  return show;
}

/** @throws Refusal show_not_found */
export async function showForOffice(ctx: Ctx, id: string) {
  const show = await knownShow(ctx, id);
  return {
    ...show,
    form: sharedOf(formOf({ ...bareEvent, ...show } as unknown as EventRow)),
    dates: await tellDates(ctx, await datesOf(ctx.db, [id])),
  };
}

interface DateChange {
  before: EventRow;
  after: Pick<EventRow, SharedField>;
  changes: SharedField[];
  keeps: SharedField[];
}
interface ShowPlan {
  columns: Pick<EventRow, SharedField>;
  fields: SharedField[];
  /** The changes to each coming date. */
  dates: DateChange[];
  untouched: number;
}

/** What this form would change in the show and in each of its coming dates. */
async function planOf(
  ctx: Ctx,
  { show, dates, form }: { show: ShowRow; dates: readonly EventRow[]; form: ShowForm },
): Promise<ShowPlan> {
  const followed = withPhases(show, form);
  const columns = sharedOf(columnsOf({ ...emptyForm, starts_at: 1, ...followed }));
  const fields = fieldsThatDiffer(show, columns);
  const coming = dates.filter((date) => date.status !== 'cancelled' && date.starts_at > ctx.now());
  return {
    columns,
    fields,
    untouched: dates.length - coming.length,
    dates: coming.map((before) => {
      const own = readOwnFields(before.own_fields);
      const after = resolveDate<typeof columns>(columns, before, own);
      const changes = fieldsThatDiffer(before, after);
      return { before, after, changes, keeps: own.filter((field) => fields.includes(field)) };
    }),
  };
}

/** @throws Refusal show_not_found, text_too_long */
export async function previewShow(ctx: Ctx, id: string, form: ShowForm) {
  const show = await knownShow(ctx, id);
  const plan = await planOf(ctx, { show, dates: await datesOf(ctx.db, [id]), form });
  const sold = await countTickets(
    ctx.db,
    plan.dates.map(({ before }) => before.id),
  );
  const dates = await Promise.all(
    plan.dates.map(async ({ before, after, changes, keeps }) => ({
      ...before,
      changes,
      keeps,
      sold: sold.get(before.id) ?? 0,
      buyers: (await buyersToTell(ctx.db, before, changesBetween(before, after))) ?? 0,
    })),
  );
  return {
    fields: plan.fields,
    dates,
    untouched: plan.untouched,
    ...(await ticketsAffectedBy(ctx.db, plan.dates)),
    buyers: dates.reduce((sum, date) => sum + date.buyers, 0),
  };
}

interface ShowAsk {
  version: number;
  dates: readonly { id: string; version: number }[];
  tell_buyers: number;
  ask_names_by?: number | undefined;
  form: ShowForm;
}

/**
 * Calls the vendors first, then changes the show and all its coming dates in one transaction.
 * Refuses as the contract of changeShow says.
 */
export async function changeShow(ctx: Ctx, id: string, ask: ShowAsk, actor: Actor) {
  const show = await knownShow(ctx, id);
  const plan = await planOf(ctx, { show, dates: await datesOf(ctx.db, [id]), form: ask.form });
  requireSeen(show, plan, ask);
  const newPrices = pricesIn(ask.form).filter((price) => !pricesIn(pricedOf(show)).includes(price));
  await requireSellable(ctx, newPrices);
  for (const date of plan.dates) await askAtSeatMap(ctx, date);
  const act: ShowAct = {
    act_id: ctx.newId(),
    names_act_id: ctx.newId(),
    show: { id, moved: movedBetween(show, plan.columns) },
    ask_names_by: ask.ask_names_by,
    actor,
  };
  await transact(ctx.db, async (trx) => {
    const now = await lockShow(trx, id);
    if (now?.version !== ask.version) throw new Refusal('show_changed');
    await keepImages(ctx, trx, plan.columns);
    let buyers = 0;
    for (const date of plan.dates) buyers += await saveDate(ctx, trx, date, act);
    if (buyers !== ask.tell_buyers) throw new Refusal('buyers_to_tell', { buyers });
    await queueRetirement(ctx, trx, [
      ...pricesGone(pricedOf(show), ask.form),
      ...plan.dates.flatMap(({ before }) => pricesGone(pricedOf(before), ask.form)),
    ]);
    const named = pricedOf(show);
    await queueRenames(ctx, trx, named, { ...ask.form, id });
    await updateShow(trx, id, { ...plan.columns, updated_at: ctx.now() });
    await happened(ctx, trx, {
      actor,
      action: 'show_changed',
      subject: id,
      detail: {
        changed: changesBetween({ ...show } as EventRow, plan.columns),
        dates: plan.dates
          .filter(({ changes }) => changes.length > 0)
          .map(({ before }) => before.id),
        ...(buyers > 0 ? { told: buyers } : {}),
      },
    });
  });
  forgetPrices(ctx, newPrices);
  return showForOffice(ctx, id);
}

/**
 * The check that changeShow() makes. Call it before making something that a refusal would leave
 * behind.
 * @throws Refusal show_changed
 */
export async function requireShowAsSeen(
  ctx: Ctx,
  show: ShowRow,
  ask: Pick<ShowAsk, 'version' | 'dates' | 'form'>,
): Promise<void> {
  const dates = await datesOf(ctx.db, [show.id]);
  requireSeen(show, await planOf(ctx, { show, dates, form: ask.form }), ask);
}

/** @throws Refusal show_changed if the preview showed another state */
function requireSeen(
  show: ShowRow,
  plan: ShowPlan,
  { version, dates }: Pick<ShowAsk, 'version' | 'dates'>,
): void {
  const spell = (list: readonly { id: string; version: number }[]) =>
    list
      .map((date) => `${date.id}#${date.version}`)
      .toSorted()
      .join();
  const seen = spell(dates) === spell(plan.dates.map(({ before }) => before));
  if (show.version !== version || !seen) throw new Refusal('show_changed');
}

/**
 * Checks the new values of one date, and sets a new limit of seats at the seat map.
 * @throws Refusal category_unknown, event_incomplete, provider_silent
 */
async function askAtSeatMap(ctx: Ctx, { before, after, changes }: DateChange): Promise<void> {
  if (changes.length === 0) return;
  const pricing = pricingOf(after);
  const known = await categoriesOf(ctx.db, before.id);
  if (known.length > 0 && changes.includes('seat_pricing')) requireCategories(pricing, known);
  if (before.status === 'published')
    requireComplete({ ...after, seat_pricing: pricing }, known.length);
  if (known.length > 0 && changes.includes('max_seats'))
    await ctx.seats.limitHolds(before.seatsio_event_key, after.max_seats);
}

interface ShowAct {
  act_id: string;
  names_act_id: string;
  show: MovedRows['show'] & {};
  ask_names_by: number | undefined;
  actor: Actor;
}

/** Returns how many buyers will be written to. @throws Refusal show_changed */
async function saveDate(
  ctx: Ctx,
  trx: Trx,
  { before, after, changes }: DateChange,
  { actor, ask_names_by, ...of }: ShowAct,
): Promise<number> {
  if (changes.length === 0) return 0;
  const now = await lockEvent(trx, before.id);
  if (now?.version !== before.version) throw new Refusal('show_changed');
  await takeDoorTurn(trx, { act: 'show_changed', event_id: before.id });
  const changed = changesBetween(before, after);
  await keepOutBlind(ctx, trx, { ...before, ...after });
  const seat_pricing: readonly CategoryPricing[] = pricingOf(after);
  const buyers = (await buyersToTell(trx, before, changed)) ?? 0;
  if (buyers > 0) {
    const moved = { event: movedBetween(before, after), show: of.show };
    const news = { event_id: before.id, act: 'show_changed', version: before.version + 1 } as const;
    await queueEventNews(ctx, trx, { ...news, act_id: of.act_id, buyers, moved, actor });
  }
  const epoch = isListChanged(before, { seat_pricing, changed }) ? { feed_epoch: newEpoch() } : {};
  const turnsOn = before.nominative < after.nominative;
  const names = await askNames(ctx, trx, {
    before,
    after: { ...before, nominative: after.nominative },
    ask_names_by: turnsOn ? ask_names_by : undefined,
    act_id: of.names_act_id,
    actor,
  });
  await announceSale(ctx, trx, { before, changes: after, actor });
  const demo = demoAfter(before, after);
  const turns = await savedTurns(ctx, trx, { id: before.id, columns: after });
  const saved = { ...after, ...epoch, ...names, ...turns, demo, updated_at: ctx.now() };
  if (!(await saveEvent(trx, before, saved))) throw new Refusal('show_changed');
  return buyers;
}
