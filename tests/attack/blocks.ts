/** How long one request keeps the event loop of this process: the processor's time of one turn, because a busy machine makes every clock on the wall useless. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { startServer } from '#tests/support/server.ts';
import { appleEnv, walletEnv } from '#tests/support/wallet-keys.ts';
import { largestInputs, type Ask } from './largest.ts';

interface Block {
  name: string;
  /** The longest turn of the event loop, in ms of processor. */
  ms: number;
  status: number;
}

const megabyte = `[${'1,'.repeat(499_999)}1]`;

/**
 * The most that one request may keep all others waiting, in ms of processor: six times what this
 * machine takes to parse a megabyte of JSON. The longest input takes half of that, which is 50 ms
 * where a parse takes 16.
 */
export function longestAllowedMs(): number {
  const parses = Array.from({ length: 9 }, () => {
    const began = processorMs();
    JSON.parse(megabyte);
    return processorMs() - began;
  });
  return 6 * Math.min(...parses);
}

/** The block that each of the largest inputs makes, the longest first; one above `allowed` is tried again. */
export async function blocksOfLargest(allowed: number): Promise<Block[]> {
  await using server = await startServer({ env: { ...walletEnv, ...appleEnv } });
  const attacker = new Worker(new URL('./block-worker.ts', import.meta.url), { execArgv: [] });
  try {
    await once(attacker, 'online');
    const blocks: Block[] = [];
    for (const ask of await largestInputs(server))
      blocks.push(await leastOf(attacker, ask, allowed));
    return blocks.toSorted((a, b) => b.ms - a.ms);
  } finally {
    await attacker.terminate();
  }
}

/** The longest of them at 794fcc32, before inputs were bounded. */
const before = 'a false invitation 580 ms, scans of a phone 305, a text 225, prices 219';

/** Prints the longest blocks. */
export async function attackLoop(): Promise<void> {
  const allowed = longestAllowedMs();
  const blocks = await blocksOfLargest(allowed);
  console.log(`${blocks.length} of the largest inputs, ms of processor in one turn (${before})`);
  console.log(`at most ${allowed.toFixed(0)} ms on this machine`);
  for (const { name, ms, status } of blocks.slice(0, 8))
    console.log(`  ${ms.toFixed(0)} ms, ${status}: ${name}`);
}

/** A module that loads and a collection of garbage are no work of the input, and do not come three times. */
async function leastOf(attacker: Worker, ask: Ask, allowed: number): Promise<Block> {
  let least = await blockOf(attacker, ask);
  for (let times = 1; times < 3 && least.ms > allowed; times += 1) {
    const next = await blockOf(attacker, ask);
    if (next.ms < least.ms) least = next;
  }
  return least;
}

async function blockOf(attacker: Worker, ask: Ask): Promise<Block> {
  const statuses: number[] = [];
  attacker.once('message', (status: number) => statuses.push(status));
  attacker.postMessage(ask);
  let ms = 0;
  for (let last = processorMs(); statuses.length === 0;) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    const now = processorMs();
    ms = Math.max(ms, now - last);
    last = now;
  }
  return { name: ask.name, ms, status: statuses[0]! };
}

/** Of this thread alone. */
export function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
