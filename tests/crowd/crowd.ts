/**
 * The shared state of a simulated crowd: its people, the actions that are due, and the faults
 * found.
 */
import type { Ctx } from '#server/services/context.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { chanceOf } from '#tests/soak/world.ts';
import type { House } from './house.ts';

export interface CrowdOptions {
  /** ':memory:', or an empty database of PostgreSQL. */
  address: string;
  people: number;
  per_minute: number;
  /** Attempts of a script per person. */
  robots: number;
  seed: number;
}

type Act = () => Promise<unknown>;

export const processCount = 3;
export const second = 1_000;
/** Of what was wrong; more says no more. */
const most = 20;

export const kinds = [
  'plain',
  'reloads',
  'tabs',
  'absent',
  'slow',
  'shares',
  'cheats',
  'letter',
] as const;
export type Kind = (typeof kinds)[number];

export interface Person {
  kind: Kind;
  isBot: boolean;
  /** The time slice in which the person took a place. */
  entered: number;
  place_hash: string;
  cookie: string;
  number: number | null;
  /** The outcome of the person's number. */
  end: 'waits' | 'booked' | 'expired' | 'stayed away';
}

/** The code of the refusal, or 'ok'. */
async function outcome(run: () => Promise<unknown>): Promise<string> {
  return run().then(
    () => 'ok',
    (error: unknown) => {
      if (error instanceof Refusal) return error.code;
      throw error;
    },
  );
}

/** The value of the counter after each step. */
interface Sight {
  at: number;
  serving: number;
  last: number;
}

export class Crowd {
  readonly people: Person[] = [];
  readonly byNumber = new Map<number, Person>();
  readonly sights: Sight[] = [];
  readonly counts = {
    admitted: 0,
    admittedBots: 0,
    members: 0,
    robotTries: 0,
    refusedPeople: 0,
    deaths: 0,
  };
  readonly problems: string[] = [];
  readonly chance: (below: number) => number;
  readonly house: House;
  readonly options: CrowdOptions;
  /** Seconds from the first arrival to the opening. */
  readonly gathering: number;
  /** Networks of robots that were refused last. */
  readonly shut = new Set<string>();
  slice = 0;
  serving = 0;
  /** The largest deviation of the rate in any minute. */
  worst = 0;
  protected readonly due = new Map<number, Act[]>();

  constructor(house: House, options: CrowdOptions) {
    this.house = house;
    this.options = options;
    this.chance = chanceOf(options.seed);
    this.gathering = Math.min(600, Math.max(45, Math.round(options.people / 20)));
  }

  wrong(what: string): void {
    if (this.problems.length < most) this.problems.push(what);
  }

  anyProcess(): Ctx {
    return this.house.processes[this.chance(processCount)]!;
  }

  later(ms: number, act: Act): void {
    this.at(this.slice + Math.max(1, Math.ceil((ms * 3) / second)), act);
  }

  at(slice: number, act: Act): void {
    const acts = this.due.get(slice) ?? [];
    this.due.set(slice, acts);
    acts.push(act);
  }

  async expectOutcome(
    wanted: string,
    what: string,
    run: (ctx: Ctx) => Promise<unknown>,
  ): Promise<boolean> {
    const got = await outcome(() => run(this.anyProcess()));
    if (got !== wanted) this.wrong(`${what}: ${got} instead of ${wanted}`);
    return got === wanted;
  }
}
