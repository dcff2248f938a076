/** What goes wrong in a soak, in turn: a process is killed, mail is down, webhooks are lost, clocks move, the disk is full. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Trouble } from './ledger.ts';
import type { World } from './world.ts';

const minute = 60_000;
/** Less than a lease: whoever works on an order would lose it to the others. */
const skewMs = 20_000;
/** A target that died is passed over at once; who was waiting on it hears of it in this time. */
const deathMs = 1_000;

/** A disk that can be made full. */
export interface Disk {
  full: (isFull: boolean) => Promise<void>;
}

/** Requests may fail until `end` is called, and those that were under way then. */
export function begin({ ledger }: Pick<World, 'ledger'>): { end: () => void } {
  const trouble: Trouble = { from: Date.now(), to: Number.POSITIVE_INFINITY };
  ledger.troubles.push(trouble);
  return {
    end() {
      trouble.to = Date.now();
    },
  };
}

/** Kills a process and starts it again. Of several the first is spared: how its memory grows is measured. */
export async function killOne(world: World): Promise<void> {
  const { house, ledger, chance } = world;
  const { processes } = house;
  const nth = processes.length === 1 ? 0 : 1 + chance(processes.length - 1);
  const trouble = begin(world);
  await processes[nth]!.kill();
  ledger.count('processes killed');
  if (processes.length > 1) {
    await pause(deathMs);
    trouble.end();
  }
  await pause(chance(2_000));
  await house.start(nth);
  if (processes.length > 1) return;
  await pause(deathMs);
  trouble.end();
}

/** Each lasts `ms`, then all is as before. */
export function troublesOf(world: World, disk: Disk | null): ((ms: number) => Promise<void>)[] {
  const { house, ledger } = world;
  return [
    async function loseWebhooks(ms) {
      const { faults } = house.stripe;
      const rules = (['drop', 'duplicate', 'lose_answer'] as const).map((action) =>
        faults.add({ on: 'delivery', action, times: 'always', probability: 0.4, seed: 1 }),
      );
      ledger.count('times webhooks were lost or doubled');
      await pause(ms);
      for (const { id } of rules) faults.remove(id);
    },
    async function fillDisk(ms) {
      if (disk === null) return;
      const trouble = begin(world);
      await disk.full(true);
      ledger.count('times the disk was full');
      await pause(ms).finally(() => disk.full(false));
      // Until the balancer and the breakers have seen it.
      await pause(3_000);
      trouble.end();
    },
    async function moveClocks() {
      // Whoever holds an order loses it in this moment, and says so: its visitor repeats.
      const trouble = begin(world);
      await house.advance(16 * minute);
      await pause(deathMs);
      trouble.end();
      ledger.count('times all clocks jumped 16 minutes ahead');
    },
    async function refuseMail(ms) {
      house.refuseMail(true);
      ledger.count('times the mail server was down');
      await pause(ms);
      house.refuseMail(false);
    },
    async function oneClockAhead(ms) {
      const one = house.processes[world.chance(house.processes.length)]!;
      await one.tell({ kind: 'set_clock', ms: skewMs }).catch(() => {});
      ledger.count('times one clock was 20 seconds ahead of the others');
      await pause(ms);
      await one.tell({ kind: 'set_clock', ms: -skewMs }).catch(() => {});
    },
  ];
}

/** SQLite may not take another page. */
export function sqliteDisk({ house }: Pick<World, 'house'>): Disk {
  return {
    full: (isFull) => house.processes[0]!.tell({ kind: 'disk', full: isFull }),
  };
}

export interface SmallDisk extends Disk {
  folder: string;
  remove: () => void;
}

/** A small disk in memory, for PostgreSQL's tables; null: this user may not mount one. `owner`: a folder of the one who writes there. */
export function mountSmallDisk(owner: string, megabytes: number): SmallDisk | null {
  const folder = mkdtempSync(join(dirname(owner) || tmpdir(), 'small-disk-'));
  try {
    const { uid, gid } = statSync(owner);
    const options = `size=${megabytes}m,mode=700,uid=${uid},gid=${gid}`;
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    rmSync(folder, { recursive: true });
    return null;
  }
  const ballast = join(folder, 'ballast');
  return {
    folder,
    async full(isFull) {
      if (!isFull) return rmSync(ballast, { force: true });
      const { bavail, bsize } = statfsSync(folder);
      try {
        writeFileSync(ballast, Buffer.alloc(bavail * bsize));
      } catch {
        // The database took some of it meanwhile: full it is.
      }
    },
    remove() {
      execFileSync('umount', [folder]);
      rmSync(folder, { recursive: true });
    },
  };
}
