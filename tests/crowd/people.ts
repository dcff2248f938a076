/**
 * The people in a simulated waiting room, and their behaviour: they wait, reload, open tabs, stay
 * away, come late, have the members' code, cheat, or are robots.
 */
import { askQueueMail, enterQueue, readPlace } from '#server/services/queue/places.ts';
import { endPass, requirePass, takeHold, takePass } from '#server/services/queue/passes.ts';
import { signPlace } from '#server/services/queue/token.ts';
import type { Ctx } from '#server/services/context.ts';
import { eventId } from '#tests/simulation/world.ts';
import { kinds, type Crowd, type Kind, type Person } from './crowd.ts';

export const code = 'SOCI-2027';
/** The time from a person's call to their booking. */
export const minutes = 2;
const turnMs = minutes * 60_000;

/** Percent of all people. */
const shares: Record<Kind, number> = {
  plain: 40,
  reloads: 15,
  tabs: 10,
  absent: 15,
  slow: 5,
  shares: 5,
  cheats: 5,
  letter: 5,
};

export function kindOf(chance: (below: number) => number): Kind {
  let at = chance(100);
  return kinds.find((kind) => (at -= shares[kind]) < 0)!;
}

const nonceOf = ({ newId }: Ctx) => newId();
const shown = (cookie: string) => ({ event_id: eventId, cookie });

/** Returns null if the person's network has used up its share. */
export async function enter(
  crowd: Crowd,
  { kind, isBot = false, address }: { kind: Kind; isBot?: boolean; address: string },
): Promise<Person | null> {
  if (!(await crowd.house.mayEnter(address))) return null;
  const ctx = crowd.anyProcess();
  const none = { event_id: eventId, cookie: undefined };
  // The answer to this entry is lost, so nobody holds its place and it is called in vain.
  if (!isBot && crowd.chance(100) === 0) await enterQueue(ctx, none, nonceOf(ctx));
  const { cookie, place } = await enterQueue(ctx, none, nonceOf(ctx));
  const { place_hash, number } = place;
  if (number !== null) crowd.wrong(`a number was told at the door: ${number}`);
  const person: Person = {
    kind,
    isBot,
    cookie,
    place_hash,
    entered: crowd.slice,
    number: null,
    end: 'waits',
  };
  if (kind === 'reloads')
    crowd.later(crowd.chance(60_000), async () => {
      if (person.end === 'waits') await reload(crowd, person, 1);
    });
  if (kind === 'tabs') await reload(crowd, person, 3);
  if (kind === 'cheats') await tryEarly(crowd, person);
  if (kind === 'letter')
    await askQueueMail(ctx, shown(cookie), `${place_hash.slice(0, 20)}@example.it`);
  crowd.people.push(person);
  return person;
}

/** The same cookie gives the same place at any process, also in simultaneous requests. */
async function reload(crowd: Crowd, { cookie, place_hash }: Person, tabs: number): Promise<void> {
  const answers = await Promise.all(
    Array.from({ length: tabs }, () => {
      const ctx = crowd.anyProcess();
      return enterQueue(ctx, shown(cookie), nonceOf(ctx));
    }),
  );
  for (const { place } of answers)
    if (place.place_hash !== place_hash) crowd.wrong('a reload took another place');
}

/**
 * Before a person's turn no cookie opens: neither their own, nor a forged one, nor one of another
 * event.
 */
async function tryEarly(crowd: Crowd, { cookie, place_hash }: Person): Promise<void> {
  const [id, signature] = cookie.split('.') as [string, string];
  const turned = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
  await crowd.expectOutcome('queue_not_yet', 'a turn that has not come', (ctx) =>
    takePass(ctx, shown(cookie)),
  );
  const elsewhere = await signPlace(crowd.anyProcess(), 'altra-serata', id);
  for (const forged of [`${id}.${turned}`, `${place_hash}.${signature}`, elsewhere])
    await crowd.expectOutcome('queue_place_unknown', 'a forged place', (ctx) =>
      takePass(ctx, shown(forged)),
    );
  await crowd.expectOutcome('queue_no_pass', 'a booking without a pass', (ctx) =>
    requirePass(ctx, eventId, { place: cookie, hold_token: 'f'.repeat(32) }),
  );
}

/** Asks again, like a browser, until the room has given out numbers. */
export async function learnNumber(crowd: Crowd, person: Person): Promise<void> {
  const { number, place_hash } = await readPlace(crowd.anyProcess(), shown(person.cookie));
  if (place_hash !== person.place_hash) crowd.wrong('a place was exchanged');
  if (number === null) return crowd.later(2_000, () => learnNumber(crowd, person));
  if (person.number !== null && person.number !== number)
    crowd.wrong(`number ${person.number} became ${number}`);
  person.number = number;
  if (crowd.byNumber.get(number) === person) return undefined;
  if (crowd.byNumber.has(number)) crowd.wrong(`number ${number} was given twice`);
  crowd.byNumber.set(number, person);
  // Whoever learns late that it is their turn comes immediately.
  if (number <= crowd.serving) comeWhenCalled(crowd, person);
  return undefined;
}

export function comeWhenCalled(crowd: Crowd, person: Person): void {
  if (person.kind === 'absent') {
    crowd.later(turnMs + 2_000, () => tooLate(crowd, person));
    return;
  }
  const pause = person.isBot ? 0 : crowd.chance(turnMs / 2);
  crowd.later(pause, () => goIn(crowd, person));
}

/** The turn has expired; every fourth person who lost it enters again at the end. */
async function tooLate(crowd: Crowd, person: Person): Promise<void> {
  const { cookie } = person;
  await crowd.expectOutcome('queue_turn_over', 'a turn that is over', (ctx) =>
    takePass(ctx, shown(cookie)),
  );
  person.end = 'stayed away';
  if (crowd.chance(4) > 0) return;
  const { cookie: anew, place } = await enterQueue(
    crowd.anyProcess(),
    shown(cookie),
    crowd.anyProcess().newId(),
  );
  if (place.place_hash === person.place_hash) crowd.wrong('a place that is over was given again');
  const again: Person = {
    ...person,
    kind: 'plain',
    cookie: anew,
    place_hash: place.place_hash,
    entered: crowd.slice,
    number: null,
    end: 'waits',
  };
  crowd.people.push(again);
  crowd.later(2_500, () => learnNumber(crowd, again));
}

async function goIn(crowd: Crowd, person: Person): Promise<void> {
  const { cookie, kind } = person;
  if (!(await crowd.expectOutcome('ok', 'a turn', (ctx) => takePass(ctx, shown(cookie))))) return;
  crowd.counts.admitted += 1;
  if (person.isBot) crowd.counts.admittedBots += 1;
  const { hold_token } = await takeHold(crowd.anyProcess(), shown(cookie));
  if (kind === 'tabs' || kind === 'shares') {
    const copies = await Promise.all(
      [1, 2, 3].map(() => takeHold(crowd.anyProcess(), shown(cookie))),
    );
    if (copies.some((copy) => copy.hold_token !== hold_token))
      crowd.wrong('one place has two carts');
  }
  if (kind === 'cheats')
    await crowd.expectOutcome('queue_no_pass', 'a booking with a token of somebody else', (ctx) =>
      requirePass(ctx, eventId, { place: cookie, hold_token: 'e'.repeat(32) }),
    );
  const pause = kind === 'slow' ? turnMs + 1_000 : crowd.chance(turnMs / 3);
  crowd.later(pause, () => book(crowd, person, hold_token));
}

async function book(crowd: Crowd, person: Person, hold_token: string): Promise<void> {
  const { cookie, kind } = person;
  const asked = { place: cookie, hold_token };
  const booking = async (ctx: Ctx) => {
    await endPass(ctx, (await requirePass(ctx, eventId, asked))!);
  };
  if (kind === 'slow') {
    person.end = 'expired';
    await crowd.expectOutcome('queue_turn_over', 'a pass that has ended', booking);
    return;
  }
  if (!(await crowd.expectOutcome('ok', 'a booking with a pass', booking))) return;
  if (person.end === 'booked') crowd.wrong('a place booked twice');
  person.end = 'booked';
  if (kind !== 'shares' && kind !== 'cheats') return;
  // Friends with a copy of the cookie and people who send it again are refused.
  await crowd.expectOutcome('queue_turn_over', 'a second booking of one place', booking);
  await crowd.expectOutcome('queue_turn_over', 'a second pass of one place', (ctx) =>
    takePass(ctx, shown(cookie)),
  );
}

const typed = (text: string) => ({ code: text, forgive: async () => {} });

/**
 * The members' code admits nobody before the opening, and then immediately and without a number.
 */
export async function comeAsMember(crowd: Crowd, { early }: { early: boolean }): Promise<void> {
  const none = { event_id: eventId, cookie: undefined };
  await crowd.expectOutcome('queue_code_wrong', 'a wrong code', (ctx) =>
    takePass(ctx, none, typed(`${code}8`)),
  );
  if (early) {
    await crowd.expectOutcome('queue_not_yet', 'the code before the opening', (ctx) =>
      takePass(ctx, none, typed(code)),
    );
    return;
  }
  const { cookie } = await takePass(crowd.anyProcess(), none, typed(` ${code.toLowerCase()}`));
  const { hold_token } = await takeHold(crowd.anyProcess(), shown(cookie!));
  await crowd.expectOutcome('ok', 'a booking of a member', async (ctx) => {
    await endPass(ctx, (await requirePass(ctx, eventId, { place: cookie, hold_token }))!);
  });
  crowd.counts.members += 1;
}
