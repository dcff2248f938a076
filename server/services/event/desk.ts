/**
 * The office creates, edits, publishes and duplicates events: first it calls the vendors, then it
 * stores everything in one transaction with the audit entry.
 */
import { isReferenceViolation, isUniqueViolation, type Trx } from '#db/engine/dialect.ts';
import { countOrders, findEvent, isSeatKeyTaken, lockEvent, saveEvent } from '#db/event/events.ts';
import { dropBlocks } from '#db/seat/blocks.ts';
import { dropContingents } from '#db/seat/contingents.ts';
import { countReminders } from '#db/mail/reminders.ts';
import type { EventRow } from '#db/rows.ts';
import { categoriesOf, deletePlaces, insertPlaces } from '#db/seat/seats.ts';
import { listWholeObjects } from '#db/seat/whole-objects.ts';
import { transact } from '#db/engine/transact.ts';
import type { EventForm } from '#server/contract/event-desk.ts';
import { bareEvent } from '#server/domain/event/event.ts';
import { missingOf } from '#server/domain/event/event-form.ts';
import { movedBetween } from '#server/domain/mail/announcement.ts';
import type { AuditAction } from '#server/domain/audit/audit.ts';
import { sectorsUnsaid } from '#server/domain/price/price-matrix.ts';
import { lacksPlaces } from '#server/domain/seat/whole.ts';
import { pricedOf } from '#server/domain/price/phase.ts';
import { sellable } from '#server/domain/price/pricing.ts';
import { timesAt } from '#server/domain/event/series.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { happened } from '#server/services/kit/happened.ts';
import { inPatience, pagePatienceMs } from '#server/services/kit/patience.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import {
  adoptHall,
  chartOf,
  isOtherChart,
  makeHall,
  pricesGone,
  pricesIn,
  requireCategories,
  requireSellable,
  type Hall,
} from './chart.ts';
import { copyRules } from './copied-rules.ts';
import { noteLicence } from './licence.ts';
import { changesBetween, columnsOf, formOf, withPhases } from './form.ts';
import { queueEventNews } from './news.ts';
import { queueRetirement } from './made-prices.ts';
import { queueRenames } from './price-names.ts';
import { oweReminders } from './reminders.ts';
import { insertWithPlaces, knownEvent, oneForOffice } from './events.ts';
import { savedTurns } from './phases.ts';
import { addMissingPlaces, keepOutOlder, placesForBook } from './places.ts';
import { changeWhole, keptTerms, newTerms } from './whole-terms.ts';
import {
  buyersToTell,
  isListChanged,
  keepImages,
  newEpoch,
  keepOutBlind,
  requireComplete,
} from './saving.ts';
import { joinShow, saveInShow } from './show-rows.ts';
import { askNames, askedNames } from './met-tickets.ts';
import { announceSale } from './sale-opens.ts';
import { forgetPrices, pricesOf } from './prices.ts';
import { lacksOf } from '#server/services/site/site.ts';
import { newCodes } from '#server/services/order/tickets.ts';

/** @throws Refusal event_not_found */
export async function eventForOffice(ctx: Ctx, id: string) {
  return deskOf(ctx, await knownEvent(ctx, id));
}

/** `new_places`: how many places of the chart this call has added to the event. */
async function deskOf(ctx: Ctx, event: EventRow, new_places = 0) {
  const shown = await oneForOffice(ctx, event);
  const form = formOf(event);
  const known = await categoriesOf(ctx.db, event.id);
  // If Stripe does not answer, no price is reported as missing; publishing reads them again.
  const asked = pricesOf(ctx, form.seat_pricing, { waitMs: pagePatienceMs }).catch(() => null);
  const prices = await inPatience(asked, null, pagePatienceMs);
  const offered = (
    prices
      ? sellable(form.seat_pricing, prices, [])
      : form.seat_pricing.filter(({ ticketTypes }) => ticketTypes.length > 0)
  ).filter(({ category }) =>
    known.some((place) => place.category === category || place.category_key === category),
  );
  const unsaid = sectorsUnsaid(form.seat_pricing, known);
  return {
    ...shown,
    form,
    new_places,
    unsaid,
    version: event.version,
    updated_at: event.updated_at || event.created_at,
    ...(await countOrders(ctx.db, event.id)),
    reminders: await countReminders(ctx.db, event.id),
    names: await askedNames(ctx.db, event),
    missing: missingOf({
      form,
      now: ctx.now(),
      needs_day: event.needs_day === 1,
      places: shown.counts.places,
      categories: offered.length,
      unsaid: unsaid.length,
      whole_places: lacksPlaces(form.whole_terms, await listWholeObjects(ctx.db, event.id)),
      site: await lacksOf(ctx),
    }),
  };
}

interface NewEvent extends EventForm {
  id: string;
  /** The show that gets this date; without one, a new show begins. */
  show_id?: string;
  seatsio_event_key?: string;
}

/**
 * Creates a draft, with a hall if it has a chart. Refuses as the contract of createEvent says.
 */
export async function createEvent(
  ctx: Ctx,
  { id, show_id, seatsio_event_key, ...form }: NewEvent,
  actor: Actor,
) {
  const columns = columnsOf(form);
  if (await findEvent(ctx.db, id)) throw new Refusal('slug_taken', { fields: ['id'] });
  await requireSellable(ctx, pricesIn(form));
  const hall =
    seatsio_event_key === undefined
      ? await makeHall(ctx, { id, ...form, tables: form.whole_terms?.tables })
      : await adoptHall(ctx, seatsio_event_key, form.max_seats);
  if (hall.objects) requireCategories(form.seat_pricing, hall.objects);
  return insertDraft(ctx, {
    id,
    show_id,
    columns,
    hall,
    happening: { actor, action: 'event_created' },
  });
}

interface Copy {
  id: string;
  as: 'date' | 'show';
  starts_at?: number;
  actor: Actor;
}

/**
 * Copies texts, prices, pictures and rules to a new event with its own seat map. Until somebody
 * chooses its day the copy cannot be published (RULES E2).
 */
export async function duplicateEvent(
  ctx: Ctx,
  from_id: string,
  { id, as, starts_at, actor }: Copy,
) {
  const original = await knownEvent(ctx, from_id);
  if (await findEvent(ctx.db, id)) throw new Refusal('slug_taken', { fields: ['id'] });
  const { places } = (await oneForOffice(ctx, original)).counts;
  const chart_key =
    original.chart_key ?? (places > 0 ? await chartOf(ctx, original.seatsio_event_key) : null);
  const form = formOf(original);
  const hall = await makeHall(ctx, {
    ...original,
    id,
    chart_key,
    tables: form.whole_terms?.tables,
  });
  return insertDraft(ctx, {
    id,
    show_id: as === 'date' ? (original.show_id ?? undefined) : undefined,
    needs_day: starts_at === undefined,
    like: original,
    columns: columnsOf(starts_at === undefined ? form : { ...form, ...timesAt(form, starts_at) }),
    hall,
    happening: { actor, action: 'event_duplicated', detail: { from: from_id } },
  });
}

interface Draft {
  id: string;
  /** Without one, a new show begins. */
  show_id?: string;
  /** The draft still has the day of the event from which it was copied. */
  needs_day?: boolean;
  /** The event whose price rules it takes. */
  like?: Pick<EventRow, 'id' | 'show_id'>;
  columns: ReturnType<typeof columnsOf>;
  hall: Hall;
  happening: { actor: Actor; action: AuditAction; detail?: object };
}

/** @throws Refusal show_not_found, slug_taken, seat_event_taken, image_unknown, try_again */
export async function insertDraft(
  ctx: Ctx,
  { id, show_id, needs_day = false, like, columns, hall, happening }: Draft,
) {
  const event: Omit<EventRow, 'feed_seq'> = {
    ...bareEvent,
    ...columns,
    id,
    status: 'draft',
    seatsio_event_key: hall.seatsio_event_key,
    chart_key: hall.chart_key,
    whole_terms: newTerms(columns, hall),
    ...newCodes(ctx),
    feed_epoch: newEpoch(),
    created_at: ctx.now(),
    updated_at: ctx.now(),
    needs_day: needs_day ? 1 : 0,
  };
  const places = placesForBook(ctx, event, hall.objects ?? []);
  try {
    await transact(ctx.db, async (trx) => {
      await keepOutBlind(ctx, trx, columns);
      await keepOutOlder(ctx, trx, places);
      await keepImages(ctx, trx, event);
      await insertWithPlaces(
        trx,
        { ...event, ...(await joinShow(ctx, trx, event, show_id)) },
        places,
      );
      if (like) await copyRules(ctx, trx, { from: like, to: { id, show_id }, by: happening.actor });
      const { title, chart_key } = event;
      const detail = { ...happening.detail, title, chart_key, places: places.length };
      await happened(ctx, trx, { ...happening, subject: id, detail });
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    if (await findEvent(ctx.db, id)) throw new Refusal('slug_taken', { fields: ['id'] }, error);
    // Another event's tickets have these four letters; the next attempt draws others.
    throw new Refusal(
      (await isSeatKeyTaken(ctx.db, hall.seatsio_event_key, id)) ? 'seat_event_taken' : 'try_again',
      undefined,
      error,
    );
  }
  await noteLicence(ctx, event);
  forgetPrices(ctx, pricesIn(pricedOf(event)));
  return eventForOffice(ctx, id);
}

interface SavedEvent extends EventForm {
  version: number;
  tell_buyers?: number;
  ask_names_by?: number | undefined;
}

/**
 * Saves the whole form. Checks only new prices: an archived price must not stop a change of text.
 * Refuses as the contract of updateEvent says.
 */
export async function updateEvent(
  ctx: Ctx,
  id: string,
  { ask, actor }: { ask: SavedEvent; actor: Actor },
) {
  const { version, tell_buyers = 0, ask_names_by, ...typed } = ask;
  const before = await editable(ctx, id, version);
  const form = withPhases(before, typed);
  const columns = columnsOf(form);
  const priced = pricedOf(before);
  const newPrices = pricesIn(form).filter((price) => !pricesIn(priced).includes(price));
  await requireSellable(ctx, newPrices);
  const { places } = (await oneForOffice(ctx, before)).counts;
  const hall = (await isOtherChart(ctx, before, { chart_key: form.chart_key, places }))
    ? await newHall(ctx, before, form)
    : null;
  const added = hall || places === 0 ? 0 : await takeNewPlaces(ctx, before, form);
  await askAtSeatMap(ctx, before, { form, hall, places });
  const whole_terms = hall ? newTerms(columns, hall) : keptTerms(before, columns);
  const newPlaces = hall && placesForBook(ctx, { id, whole_terms }, hall.objects ?? []);
  const resold = hall ? null : await changeWhole(ctx, before, whole_terms);
  const changes: Partial<EventRow> = {
    ...columns,
    whole_terms,
    chart_key: form.chart_key ?? before.chart_key,
    ...(hall ? { seatsio_event_key: hall.seatsio_event_key } : {}),
    needs_day: before.needs_day === 1 && form.starts_at === before.starts_at ? 1 : 0,
  };
  const changed = changesBetween(before, changes);
  await change(ctx, before, async (trx) => {
    await keepOutOlder(ctx, trx, newPlaces ?? resold?.places ?? []);
    await keepOutBlind(ctx, trx, columns);
    const buyers = await buyersToTell(trx, before, changed);
    if (buyers !== null && buyers !== tell_buyers) throw new Refusal('buyers_to_tell', { buyers });
    await keepImages(ctx, trx, columns);
    if (newPlaces) Object.assign(changes, await replacePlaces(trx, id, newPlaces));
    else if (resold) changes.feed_epoch = await resold.store(trx);
    else if (isListChanged(before, { seat_pricing: form.seat_pricing, changed }))
      changes.feed_epoch = newEpoch();
    const inShow = await saveInShow(ctx, trx, before, columns);
    Object.assign(changes, inShow, await savedTurns(ctx, trx, { id, columns }));
    await queueRetirement(ctx, trx, pricesGone(priced, form));
    await queueRenames(ctx, trx, priced, { ...form, id });
    const names = { before, after: columns, ask_names_by, actor };
    Object.assign(changes, await askNames(ctx, trx, names));
    if (buyers) {
      const moved = { event: movedBetween(before, changes) };
      const news = { event_id: id, act: 'event_saved', version: version + 1, buyers } as const;
      await queueEventNews(ctx, trx, { ...news, moved, actor });
    }
    await announceSale(ctx, trx, { before, changes, actor });
    const told = buyers ? { told: buyers } : {};
    const detail = { changed, ...told, ...(newPlaces ? { places: newPlaces.length } : {}) };
    await happened(ctx, trx, { actor, action: 'event_saved', subject: id, detail });
    return changes;
  }).catch(resold?.undo);
  if (hall) await noteLicence(ctx, { ...before, chart_key: hall.chart_key });
  forgetPrices(ctx, newPrices);
  return deskOf(ctx, await knownEvent(ctx, id), added);
}

/**
 * Checks the form against the hall, and sets a new limit of seats at the seat map.
 * @throws Refusal category_unknown, event_incomplete, provider_silent
 */
async function askAtSeatMap(
  ctx: Ctx,
  before: EventRow,
  { form, hall, places }: { form: EventForm; hall: Hall | null; places: number },
): Promise<void> {
  if (hall || places > 0)
    requireCategories(form.seat_pricing, hall?.objects ?? (await categoriesOf(ctx.db, before.id)));
  if (before.status === 'published') requireComplete(form, hall?.objects?.length ?? places);
  if (!hall && places > 0 && form.max_seats !== before.max_seats)
    await ctx.seats.limitHolds(before.seatsio_event_key, form.max_seats);
}

/**
 * Replaces the hall. Blocks and contingents of the old hall are deleted, and a new epoch makes
 * phones take the whole list again.
 */
async function replacePlaces(trx: Trx, id: string, places: ReturnType<typeof placesForBook>) {
  await dropBlocks(trx, id);
  await dropContingents(trx, id);
  await deletePlaces(trx, id);
  await insertPlaces(trx, places);
  return { feed_epoch: newEpoch(), feed_seq: places.length + 1 };
}

/** @throws Refusal event_has_orders, and the refusals of makeHall() */
async function newHall(ctx: Ctx, event: EventRow, form: EventForm): Promise<Hall> {
  if ((await countOrders(ctx.db, event.id)).orders > 0)
    throw new Refusal('event_has_orders', { fields: ['chart_key'] });
  return makeHall(ctx, { ...form, id: event.id, tables: form.whole_terms?.tables });
}

/**
 * Adds the places of a chart that was published again. If the seat map does not answer or a name
 * is too long, the save fails only if it needs a category that our database lacks.
 * @throws Refusal provider_silent, object_unknown
 */
async function takeNewPlaces(
  ctx: Ctx,
  event: EventRow,
  { seat_pricing }: EventForm,
): Promise<number> {
  try {
    return (await takePlaces(ctx, event)).added;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const known = await categoriesOf(ctx.db, event.id);
    if (
      !seat_pricing.every(({ category }) =>
        known.some((place) => place.category === category || place.category_key === category),
      )
    )
      throw error;
    ctx.log.warn({ err: error, event_id: event.id }, 'saved without a look at the chart');
    return 0;
  }
}

/** Adds missing places; returns all objects of the chart now, and how many places were added. */
async function takePlaces(ctx: Ctx, event: EventRow) {
  const objects = await ctx.seats.objects(event.seatsio_event_key);
  await noteLicence(ctx, event);
  return { objects, added: await addMissingPlaces(ctx, event, objects) };
}

/** @throws Refusal event_not_found, event_cancelled, event_changed */
export async function editable(ctx: Ctx, id: string, version: number): Promise<EventRow> {
  const event = await knownEvent(ctx, id);
  if (event.status === 'cancelled') throw new Refusal('event_cancelled');
  if (event.version !== version) throw new Refusal('event_changed', { version: event.version });
  return event;
}

/**
 * Saves what `work` returns, unless another person has saved first; calls that book seats or
 * issue tickets wait until this is done.
 */
export async function change(
  ctx: Ctx,
  before: EventRow,
  work: (trx: Trx) => Promise<Partial<EventRow>>,
): Promise<void> {
  try {
    await transact(ctx.db, async (trx) => {
      const now = await lockEvent(trx, before.id);
      if (now?.version !== before.version)
        throw new Refusal('event_changed', { version: now?.version });
      if (!(await saveEvent(trx, before, { ...(await work(trx)), updated_at: ctx.now() })))
        throw new Refusal('event_changed');
      await oweReminders(ctx, trx, before.id);
    });
  } catch (error) {
    if (isReferenceViolation(error))
      throw new Refusal('event_has_orders', { fields: ['chart_key'] }, error);
    if (isUniqueViolation(error)) throw new Refusal('try_again', undefined, error);
    throw error;
  }
}

/**
 * Puts the event on sale; does nothing if it is published already. Refuses as the contract of
 * publishEvent says.
 */
export async function publishEvent(
  ctx: Ctx,
  id: string,
  { version, actor }: { version: number; actor: Actor },
) {
  const event = await editable(ctx, id, version);
  if (event.status === 'published') return deskOf(ctx, event);
  if (event.demo === 1 && ctx.payments.live) throw new Refusal('demo_not_sold');
  const form = formOf(event);
  // Prices in the cache may be a minute old, and one may have been activated since.
  forgetPrices(ctx, pricesIn(form));
  const { missing } = await deskOf(ctx, event);
  if (missing.length > 0) throw new Refusal('event_incomplete', { missing });
  columnsOf(form);
  await requireSellable(ctx, pricesIn(form));
  const { objects, added } = await takePlaces(ctx, event);
  requireCategories(form.seat_pricing, objects);
  await change(ctx, event, async (trx) => {
    await happened(ctx, trx, {
      actor,
      action: 'event_published',
      subject: id,
      detail: { title: event.title, starts_at: event.starts_at },
    });
    const changes = { status: 'published' } as const;
    await announceSale(ctx, trx, { before: event, changes, actor });
    return changes;
  });
  return deskOf(ctx, await knownEvent(ctx, id), added);
}

/** @throws Refusal event_has_orders, because buyers must still find the event */
export async function unpublishEvent(
  ctx: Ctx,
  id: string,
  { version, actor }: { version: number; actor: Actor },
) {
  const event = await editable(ctx, id, version);
  if (event.status === 'draft') return deskOf(ctx, event);
  await change(ctx, event, async (trx) => {
    if ((await countOrders(trx, id)).orders > 0) throw new Refusal('event_has_orders');
    await happened(ctx, trx, { actor, action: 'event_unpublished', subject: id });
    return { status: 'draft' };
  });
  return eventForOffice(ctx, id);
}
