/**
 * People without a ticket, who are counted by hand at the doors, and what all phones must know of
 * them at the end.
 */
import { presenceOf } from '#server/services/door/presence.ts';
import type { Heads, PhoneInPlay, World } from './door-evening.ts';
import { phoneOf, tabOf } from './door-hands.ts';
import type { Op } from './door-history.ts';

type Act = (world: World, op: Op) => Promise<void>;

/** The storage fails now and then; the doorman sees it and counts again. */
async function keep(world: World, op: Op, write: () => Promise<unknown>): Promise<boolean> {
  const [tab] = phoneOf(world, op).tabs;
  const mayFail = tab?.life.faults.some(({ where }) => where === 'store') ?? true;
  try {
    await write();
    return !(tab?.life.dead ?? true);
  } catch (error) {
    if (!mayFail && !tab?.life.dead && !/no list/.test(String(error))) throw error;
    return false;
  }
}

export const headActs = {
  async heads(world, op) {
    const { core } = await tabOf(world, op);
    const [id, direction, people] = [
      core.newId(),
      op.how % 4 === 3 ? 'out' : 'in',
      1 + op.what,
    ] as const;
    const ask = { head_id: id, event_id: world.event_id, direction, people, words: null } as const;
    const heads: Heads = {
      id,
      phone: phoneOf(world, op),
      people: direction === 'in' ? people : -people,
      unsure: true,
      lost: false,
      undo: null,
    };
    world.heads.push(heads);
    heads.unsure = !(await keep(world, op, () => core.countHeads({ ...ask, reason: 'staff' })));
    core.syncSoon();
    world.count('heads counted');
  },
  async 'heads undone'(world, op) {
    const heads = world.heads.findLast(({ undo, lost }) => undo === null && !lost);
    if (!heads) return;
    // Mostly by the phone that counted, because a steward's phone takes back no other phone's
    // count.
    const own = world.phones.indexOf(heads.phone);
    const isHere = own >= 0 && own < world.evening.phones;
    const by = isHere && op.how % 4 !== 3 ? { ...op, who: own } : op;
    const { core } = await tabOf(world, by);
    const phone = phoneOf(world, by);
    const undo = { id: core.newId(), phone, unsure: true, lost: false };
    let isUndone = false;
    heads.undo = undo;
    undo.unsure = !(await keep(world, by, async () => {
      const ask = { event_id: world.event_id, head_id: heads.id, undo_id: undo.id };
      isUndone = await core.undoHeads(ask);
    }));
    if (!undo.unsure && !isUndone) heads.undo = null;
    else world.count('heads taken back');
    core.syncSoon();
  },
} satisfies Record<string, Act>;

/** The counts that this phone has not sent are lost with it. */
export async function loseHeads(world: World, phone: PhoneInPlay): Promise<void> {
  const arrived = await idsArrived(world);
  for (const heads of world.heads)
    for (const one of [heads, heads.undo])
      if (one?.phone === phone && !arrived.has(one.id)) one.lost = true;
}

async function idsArrived({ house, event_id }: World): Promise<Set<string>> {
  return new Set(await house.ctx.db('heads').where({ event_id }).pluck('id'));
}

/** Each count that was kept is known once, and all count the same people. */
export async function checkHeads(world: World): Promise<void> {
  const { house, event_id, phones, wrong } = world;
  const arrived = await idsArrived(world);
  for (const { id, unsure, lost } of world.heads.flatMap(({ undo, ...heads }) => [
    heads,
    undo ?? heads,
  ]))
    if (!lost && !unsure && !arrived.has(id)) wrong(`the count ${id} of people is lost`);
  const doubted = new Set(
    await house.ctx.db('heads').where({ event_id }).whereNotNull('doubt').pluck('id'),
  );
  // The counts of a revoked phone wait for the office.
  for (const { id, phone } of world.heads.flatMap(({ undo, ...heads }) => [heads, undo ?? heads]))
    if (doubted.has(id) && !phone.revoked) wrong(`the count ${id} of a good phone is in doubt`);
  // Counts that a phone sent before it was lost may arrive later.
  const stands = ({ id, unsure, lost }: Pick<Heads, 'id' | 'unsure' | 'lost'>) =>
    ((!unsure && !lost) || arrived.has(id)) && !doubted.has(id);
  const counted = world.heads.filter(
    (heads) => stands(heads) && !(heads.undo !== null && stands(heads.undo)),
  );
  const inside = counted.reduce((sum, { people }) => sum + people, 0);
  const office = await presenceOf(house.ctx, event_id);
  if (office.heads.inside !== inside)
    wrong(`the office counts ${office.heads.inside} people by hand, and ${inside} are`);
  for (const { name, revoked, tabs } of phones) {
    const [tab] = tabs;
    if (revoked || !tab || tab.core.presence(event_id).places === 0) continue;
    const told = tab.core.heads(event_id).inside;
    if (told !== inside) wrong(`${name} counts ${told} people by hand, and ${inside} are`);
  }
}
