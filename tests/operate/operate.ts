/** Plays a scene while people buy, then looks for what was lost and what was sold twice. */
import { setTimeout as pause } from 'node:timers/promises';
import { isDatabaseAway } from '#db/engine/dialect.ts';
import { startSoakHouse } from '#tests/soak/house.ts';
import { faultsAmong } from '#tests/soak/ledger.ts';
import { findBrokenPromises, findUnlikeMap } from '#tests/soak/promises.ts';
import { furnish, heal } from '#tests/soak/soak.ts';
import { visit } from '#tests/soak/visitors.ts';
import type { World } from '#tests/soak/world.ts';
import type { Scene } from './scenes.ts';

export interface Figures {
  lost: number;
  /** Places with two valid tickets, or that the map has otherwise than the books. */
  double: number;
  /** Seconds until somebody could buy again, each time. */
  seconds: readonly number[];
  bookings: number;
  faults: readonly string[];
}

interface Playing {
  /** Of an empty PostgreSQL database; null: SQLite. */
  address: string | null;
  rounds: number;
  seed: number;
  say: (line: string) => void;
}

const visitors = 2;

export async function operate(scene: Scene, playing: Playing): Promise<Figures> {
  const { address, rounds } = playing;
  await using house = await startSoakHouse(1, address, {}, scene.skew);
  const world = await furnish(house, playing);
  const { ledger } = world;
  const over = new AbortController();
  const comeAndBuy = async () => {
    while (!over.signal.aborted) {
      await visit(world).catch((error: unknown) => {
        if (!isDatabaseAway(error) && !ledger.isTroubled(Date.now() - 10_000))
          ledger.fault(String(error));
      });
      await pause(world.chance(300));
    }
  };
  const buyers = Array.from({ length: visitors }, comeAndBuy);
  await pause(2_000);
  const seconds = await scene.run(world, rounds).finally(() => over.abort());
  await Promise.all(buyers);
  await heal(world);
  const lost = await findBrokenPromises(world);
  const unlike = [...(await findSoldTwice(world)), ...(await findUnlikeMap(world))];
  return {
    lost: lost.length,
    double: unlike.length,
    seconds,
    bookings: ledger.counts.get('bookings') ?? 0,
    faults: [...faultsAmong(ledger.faults), ...lost, ...unlike],
  };
}

async function findSoldTwice({ house }: World): Promise<string[]> {
  const rows: { event_id: string; place: string }[] = await house
    .db('tickets')
    .where({ state: 'valid' })
    .groupBy('event_id', 'place')
    .havingRaw('count(*) > 1')
    .select('event_id', 'place');
  return rows.map(({ event_id, place }) => `${event_id} ${place}: two valid tickets`);
}

/** One line. */
export function tell(database: string, { name }: Scene, figures: Figures): string {
  const { lost, double, seconds, bookings } = figures;
  const times = seconds.map((took) => took.toFixed(1)).join(', ');
  return `${database}, ${name}: lost ${lost}, double ${double}, sold again after ${times} s (${bookings} bookings)`;
}
