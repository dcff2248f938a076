/**
 * Everything that persons have started and that the server carries on, read from the rows of the
 * work itself: it is the same in every tab and process, and after a restart.
 */
import { namesOfEvents, type Wanted } from '#db/office/started.ts';
import { isUnderWay, seenWith, startedShownMs } from '#server/domain/user/started.ts';
import { may } from '#server/domain/user/rights.ts';
import type { Role } from '#server/domain/user/user.ts';
import type { Ctx } from '#server/services/context.ts';
import { namesOf } from '#server/services/user/actors.ts';
import { refundItems, rehousingItems } from './halls.ts';
import type { StartedItem } from './item.ts';
import { messageItems, postponementItems } from './mails.ts';
import { requestItems } from './requests.ts';
import { takenBackItems, transferItems } from './transfers.ts';

interface Person {
  id: string;
  role: Role;
}

/** The most rows of each kind. */
const mostRows = 50;

const readers = [
  messageItems,
  refundItems,
  rehousingItems,
  postponementItems,
  transferItems,
  takenBackItems,
  requestItems,
];

async function itemsFor(ctx: Ctx, person: Person, since: number | null): Promise<StartedItem[]> {
  const wanted: Wanted = { since, limit: mostRows };
  const items = await Promise.all(readers.map((read) => read(ctx, wanted)));
  return items
    .flat()
    .filter((item) => isOwn(item, person) || may(person.role, seenWith[item.kind]));
}

function isOwn({ actor }: StartedItem, { id }: Person): boolean {
  return actor === `user:${id}`;
}

/** How much of it runs now; cheap enough to be asked by every open tab. */
export async function countStarted(ctx: Ctx, person: Person): Promise<number> {
  return (await itemsFor(ctx, person, null)).filter(({ state }) => isUnderWay(state)).length;
}

/** What runs or is stopped, and what ended within a week: under way first, then the newest. */
export async function startedList(ctx: Ctx, person: Person) {
  const since = ctx.now() - startedShownMs;
  const found = (await itemsFor(ctx, person, since))
    .filter((item) => isOpen(item) || item.started_at > since)
    .toSorted((a, b) => Number(isOpen(b)) - Number(isOpen(a)) || b.started_at - a.started_at);
  const nameOf = await namesOf(
    ctx.db,
    found.map(({ actor }) => actor),
  );
  const ids = found.flatMap(({ event_id }) => event_id ?? []);
  const events = await namesOfEvents(ctx.db, [...new Set(ids)]);
  const items = found.map((item) => ({
    ...item,
    work_id: item.id,
    actor: nameOf(item.actor),
    own: isOwn(item, person),
    event_title: events.get(item.event_id ?? '')?.title ?? null,
    event_starts_at: events.get(item.event_id ?? '')?.starts_at ?? null,
  }));
  return { at: ctx.now(), running: found.filter(({ state }) => isUnderWay(state)).length, items };
}

/** A stopped file is over; a stopped message can go on. */
function isOpen({ state, resume }: StartedItem): boolean {
  return isUnderWay(state) || resume;
}
