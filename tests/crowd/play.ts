/**
 * A crowd before one opening in simulated time: people act in thirds of a second, and in each
 * third another process advances the room.
 */
import type { Ctx } from '#server/services/context.ts';
import { setQueue } from '#server/services/queue/desk.ts';
import { queueForAll } from '#server/services/queue/rooms.ts';
import { Crowd, processCount, second, type CrowdOptions } from './crowd.ts';
import { eventId } from '#tests/simulation/world.ts';
import { openHouse } from './house.ts';
import { judge } from './judge.ts';
import {
  code,
  comeAsMember,
  comeWhenCalled,
  enter,
  kindOf,
  learnNumber,
  minutes,
} from './people.ts';
import { besiege } from './robots.ts';

const thirds = [0, 333, 667] as const;
/** The share of people who come before the opening. */
const early = 0.8;
const handsAtOnce = 8;
/** A process dies every so many slices. */
const deathEvery = 61;

class Opening extends Crowd {
  #start = 0;
  #isDrawn = false;

  async play(): Promise<void> {
    await this.#openRoom();
    this.#invite();
    const opening = this.gathering * 3;
    const longest = opening + (this.options.people * 3 * 60 * 2) / this.options.per_minute + 3_000;
    while (this.slice < longest && !(this.due.size === 0 && this.#isQuiet())) {
      this.house.clock.now =
        this.#start + Math.floor(this.slice / 3) * second + thirds[this.slice % 3]!;
      await this.#act();
      await this.#step();
      this.slice = this.#next();
    }
    if (this.slice >= longest) this.wrong('the crowd did not come to an end');
  }

  /** Skips time in which everybody was called and nobody acts. */
  #next(): number {
    const isIdle = this.#isQuiet() && this.due.size > 0;
    return isIdle ? Math.min(...this.due.keys()) : this.slice + 1;
  }

  /** True once everybody who has a number was called. */
  #isQuiet(): boolean {
    const last = this.sights.at(-1);
    return last !== undefined && last.serving === last.last;
  }

  async #openRoom(): Promise<void> {
    const [ctx] = this.house.processes;
    this.#start = this.house.clock.now;
    const opens_at = this.#start + this.gathering * second;
    const { per_minute: fixed_per_minute } = this.options;
    const settings = { opens_at, fixed_per_minute, minutes, most_inside: null, code };
    await setQueue(ctx!, eventId, { mode: 'on', ...settings }, 'system');
  }

  #invite(): void {
    const { people, per_minute, robots } = this.options;
    const opening = this.gathering * 3;
    const serving = Math.ceil((people * early * 3 * 60) / per_minute);
    for (let n = 0; n < people; n += 1) {
      const isEarly = n < people * early;
      const slice = isEarly ? this.chance(opening) : opening + this.chance(serving);
      const address = addressOf(this.chance);
      this.at(slice, async () => {
        const person = await enter(this, { kind: kindOf(this.chance), address });
        if (person === null) this.counts.refusedPeople += 1;
        else if (this.slice >= opening) this.later(2_500, () => learnNumber(this, person));
      });
      if (n % 100 > 0) continue;
      this.at(this.chance(opening), () => comeAsMember(this, { early: true }));
      this.at(opening + 12 + this.chance(serving), () => comeAsMember(this, { early: false }));
    }
    for (let nth = 0; nth < this.gathering; nth += 1)
      this.at(nth * 3, () => besiege(this, (robots * people * early) / this.gathering));
  }

  async #act(): Promise<void> {
    const acts = this.due.get(this.slice) ?? [];
    this.due.delete(this.slice);
    const hands = Array.from({ length: handsAtOnce }, async () => {
      for (let act = acts.pop(); act; act = acts.pop())
        await act().catch((error: unknown) => this.wrong(String(error)));
    });
    await Promise.all(hands);
  }

  async #step(): Promise<void> {
    const { house, slice } = this;
    const nth = slice % processCount;
    if (slice % deathEvery === deathEvery - 1) {
      this.counts.deaths += 1;
      await house.kill(this.chance(processCount));
    } else if (slice % 31 === 0)
      await Promise.all(house.processes.map((_, one) => house.step(one)));
    else await house.step(nth);
    await this.#look(house.processes[nth]!);
  }

  /** Each person whose number was called comes after a delay of their own. */
  async #look(ctx: Ctx): Promise<void> {
    const { serving, last, seed } = await queueForAll(ctx, eventId);
    if (seed === null) return;
    if (!this.#isDrawn) {
      this.#isDrawn = true;
      for (const person of this.people)
        this.later(this.chance(20_000), () => learnNumber(this, person));
    }
    const before = this.serving;
    this.serving = Math.max(before, serving);
    this.sights.push({ at: this.house.clock.now, serving, last });
    for (let number = before + 1; number <= serving; number += 1) {
      const person = this.byNumber.get(number);
      if (person !== undefined) comeWhenCalled(this, person);
    }
  }
}

/** Two of five people share the addresses of mobile carriers: 64 blocks of 256 addresses. */
function addressOf(chance: (below: number) => number): string {
  if (chance(5) < 2) return `100.64.${chance(64)}.${chance(256)}`;
  if (chance(2) === 0) return `${chance(90) + 2}.${chance(256)}.${chance(256)}.${chance(256)}`;
  const group = () => chance(65_536).toString(16);
  return `2a02:${group()}:${group()}:${group()}::1`;
}

/** Plays a crowd and reports the faults found. */
export async function playCrowd(options: CrowdOptions): Promise<Crowd> {
  await using house = await openHouse(options.address, processCount);
  const crowd = new Opening(house, options);
  await crowd.play();
  await judge(crowd);
  return crowd;
}
