/**
 * Plays one evening from the opening of the doors to the quiet at its end, and reports the broken
 * rules.
 */
import { checkEnd, checkNow } from './door-checks.ts';
import { begin } from './door-deeds.ts';
import type { Evening } from './door-history.ts';
import { setFaults, settle } from './door-life.ts';
import type { World } from './door-evening.ts';
import { makeWorld, openStage } from './door-world.ts';
import type { Played } from './hunt.ts';

const quietRounds = 4;

export async function play(evening: Evening, { tellsStory = false } = {}): Promise<Played> {
  const stage = await openStage(evening);
  const world = await makeWorld(stage, evening, { tellsStory });
  try {
    for (const [index, op] of evening.ops.entries()) {
      if (!op.meanwhile || index === 0) await world.line.drain();
      await world.pass(op.gap * 1_000);
      await begin(world, op);
      await checkNow(world);
      if (world.problems.length > 0) break;
    }
    if (world.problems.length === 0) await comeToRest(world);
    if (world.problems.length === 0) await checkEnd(world);
    for (const line of stage.logged) world.wrong(`logged: ${line.slice(0, 400)}`);
    if (tellsStory) await tellRows(world);
  } finally {
    await world.close();
    await stage.close();
  }
  return {
    problems: [...new Set(world.problems)],
    story: world.story,
    figures: { ...world.figures, calls: world.line.requests },
  };
}

/** The final data of the server; two evenings that differ anywhere differ here. */
async function tellRows({ house, event_id, tell }: World): Promise<void> {
  const { db } = house.ctx;
  for (const table of ['admissions', 'places', 'tickets']) {
    const rows = await db(table).where({ event_id });
    for (const row of rows.map((one) => JSON.stringify(one)).toSorted()) tell(`${table} ${row}`);
  }
}

/** Without further faults: every phone has signal and an open app, and time passes. */
async function comeToRest(world: World): Promise<void> {
  await world.line.drain();
  for (const phone of world.phones) {
    phone.hasSignal = true;
    for (const { life } of phone.tabs) setFaults(life, []);
    if (phone.tabs.length === 0) await world.openTab(phone);
  }
  for (let round = 0; round < quietRounds; round += 1) {
    for (const { tabs } of world.phones) for (const { core } of tabs) core.syncNow();
    await world.line.drain();
    await world.pass(31_000);
    await world.line.drain();
    await settle();
  }
}
