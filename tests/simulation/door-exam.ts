/**
 * The exam after all phones have synchronised: each code that was ever given out gets the right
 * verdict at each phone and at the desk, and all count the same guests.
 */
import { presenceOf } from '#server/services/door/presence.ts';
import { readAdmission } from '#server/services/door/admissions.ts';
import { codeAt } from './door-hands.ts';
import { ownScans } from './door-knowing.ts';
import { nameOf, oughtToSay, readName, truthNow, type Truth } from './door-papers.ts';
import type { PhoneInPlay, World } from './door-evening.ts';

/**
 * Each guest counts once. Of two guests of one place only a person knows whether they are two, so
 * either number is right.
 */
function isCount(inside: number, truth: Truth): boolean {
  return inside >= new Set(truth.inside.values()).size && inside <= truth.inside.size;
}

export async function examine(world: World): Promise<void> {
  const { house, event_id, papers, wrong } = world;
  const truth = await truthNow(world);
  const office = await presenceOf(house.ctx, event_id);
  if (!isCount(office.inside, truth))
    wrong(`the office counts ${office.inside} inside, and ${truth.inside.size} are`);
  const codes = new Map<string, string>();
  for (const name of papers.keys()) codes.set(name, await codeAt(world, readName(name)));
  for (const phone of world.phones) if (!phone.revoked) await examinePhone(world, phone, codes);
  for (const [name, text] of codes) {
    const ought = oughtToSay(truth, name, { older: false, wasSet: false });
    if (ought === null) continue;
    const { verdict } = await readAdmission(house.ctx, text, false);
    if (verdict !== ought.verdict)
      wrong(`the desk says ${verdict} of ${name}, which is ${ought.verdict}`);
  }
}

/**
 * The release before knows one code of each ticket: a guest with several counts twice, or not at
 * all if the later scan is a conflict of the earlier one.
 */
function changedTickets({ papers }: Truth): number {
  const changed = [...papers.values()].filter(({ end }) => end);
  return new Set(changed.map(({ ticket_id }) => ticket_id)).size;
}

async function examinePhone(
  world: World,
  phone: PhoneInPlay,
  codes: ReadonlyMap<string, string>,
): Promise<void> {
  const { event_id, wrong } = world;
  const [tab] = phone.tabs;
  if (!tab) return;
  if (tab.core.presence(event_id).places === 0) return wrong(`${phone.name} has no list`);
  const truth = await truthNow(world, await ownScans(world, phone));
  const { inside } = tab.core.presence(event_id);
  const unsure = phone.older ? changedTickets(truth) : 0;
  if (!isCount(inside, truth) && Math.abs(inside - truth.inside.size) > unsure)
    wrong(`${phone.name} counts ${inside} inside, and ${truth.inside.size} are`);
  for (const [name, text] of codes) {
    const ought = oughtToSay(truth, name, phone);
    if (ought === null) continue;
    const view = await tab.core.lookUp(event_id, await tab.core.recognise(event_id, text));
    const verdict = view.verdict === 'just_read' ? 'already_in' : view.verdict;
    const at = view.place && nameOf({ place: view.place.place, revision: view.place.revision });
    world.count('examined');
    // A code that leads to no ticket may be shown at the place it names, or at its ticket's place.
    const isThere = verdict === 'replaced' || at === nameOf(ought.at);
    if (verdict !== ought.verdict || !isThere)
      wrong(
        `${phone.name} would say ${verdict} at ${at} of ${name}, which is ${ought.verdict} at ${nameOf(ought.at)}`,
      );
  }
}
