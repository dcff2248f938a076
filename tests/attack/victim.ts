/** Watches a running product while somebody attacks it: memory, open descriptors, and how long its health takes to answer. */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

interface Harm {
  /** Beyond what it had before, in MB. */
  memory: number;
  /** Open at the worst moment. */
  descriptors: number;
  /** Open when the attacker goes: what the server has not ended by itself. */
  left: number;
  /** The slowest answer of /healthz, in ms; one that fails counts as the deadline. */
  health: number;
}

const healthDeadlineMs = 10_000;

/** Runs the attack and says what it did; Linux only, as the figures come from /proc. */
export async function harmOf(
  { pid, url }: { pid: number; url: string },
  attack: () => Promise<unknown>,
): Promise<Harm> {
  const before = memoryOf(pid);
  const harm: Harm = { memory: 0, descriptors: 0, left: 0, health: 0 };
  const controller = new AbortController();
  const watching = watch(controller.signal, async () => {
    const health = await healthOf(url);
    harm.memory = Math.max(harm.memory, memoryOf(pid) - before);
    harm.left = readdirSync(`/proc/${pid}/fd`).length;
    harm.descriptors = Math.max(harm.descriptors, harm.left);
    harm.health = Math.max(harm.health, health);
  });
  await attack();
  controller.abort();
  await watching;
  return harm;
}

async function watch(signal: AbortSignal, look: () => Promise<void>): Promise<void> {
  do {
    await look();
    await pause(50);
  } while (!signal.aborted);
}

async function healthOf(url: string): Promise<number> {
  const start = performance.now();
  const answer = await fetch(`${url}/healthz`, {
    signal: AbortSignal.timeout(healthDeadlineMs),
  }).catch(() => null);
  await answer?.body?.cancel();
  return answer?.ok ? performance.now() - start : healthDeadlineMs;
}

function memoryOf(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
  return Number(kilobytes) / 1024;
}
