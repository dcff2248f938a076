/** The worker that builds lists, as a function. */
import { TornPage } from '#server/domain/door-block.ts';
import { buildAndSeal, type BuildAsk, type BuiltAndSealed } from './build.ts';
import type { BuildAnswer } from './worker.ts';

/** `failed` resolves when it did not start: an old cache, a strict browser, a line that broke. It may do so long before it is asked. */
interface Waiting {
  worker: Worker;
  failed: Promise<null>;
}

/** Started while the list is still on its way: a phone takes its time to begin another program. */
let waiting: Waiting | null = null;
/** The largest hall takes a slow phone some seconds. */
const patienceMs = 60_000;

export function prepareBuilder(): void {
  waiting ??= startBuilder();
}

function startBuilder(): Waiting {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  return {
    worker,
    failed: new Promise((resolve) => worker.addEventListener('error', () => resolve(null))),
  };
}

/** A worker of its own for each list: they are rare, and its memory is given back. Without one it is slower, which is better than not at all. */
export async function buildListAside(ask: BuildAsk): Promise<BuiltAndSealed> {
  const { worker, failed } = waiting ?? startBuilder();
  waiting = null;
  try {
    const answer = await Promise.race([failed, patience(), askBuilder(worker, ask)]);
    if (!answer) return await buildAndSeal(ask);
    if ('fault' in answer) throw new TornPage(answer.fault);
    return answer.built;
  } finally {
    worker.terminate();
  }
}

function askBuilder(worker: Worker, ask: BuildAsk): Promise<BuildAnswer> {
  return new Promise((resolve) => {
    worker.addEventListener('message', ({ data }: MessageEvent<BuildAnswer>) => resolve(data));
    try {
      worker.postMessage(ask);
    } catch {
      // A WebKit without a keyring hands no key to a worker either: it is sealed here, then.
      worker.postMessage({ ...ask, seal: undefined });
    }
  });
}

function patience(): Promise<null> {
  return new Promise((resolve) => setTimeout(() => resolve(null), patienceMs));
}
