/** The worker that builds lists, as a function. */
import { buildAndSeal, type BuildAsk, type BuiltAndSealed } from './list-build.ts';
import { TornPage } from './list-image.ts';
import type { BuildAnswer } from './list-worker.ts';

/** Started while the list is still on its way: a phone takes its time to begin another program. */
let waiting: Worker | null = null;

export function prepareBuilder(): void {
  waiting ??= new Worker(new URL('./list-worker.ts', import.meta.url), { type: 'module' });
}

/** A worker of its own for each list: they are rare, and its memory is given back. */
export async function buildListAside(ask: BuildAsk): Promise<BuiltAndSealed> {
  prepareBuilder();
  const worker = waiting!;
  waiting = null;
  try {
    const answer = await new Promise<BuildAnswer | null>((resolve) => {
      worker.addEventListener('message', ({ data }: MessageEvent<BuildAnswer>) => resolve(data));
      // It did not start: an old cache, a strict browser. Slower is better than not at all.
      worker.addEventListener('error', () => resolve(null));
      try {
        worker.postMessage(ask);
      } catch {
        // A WebKit without a keyring hands no key to a worker either: it is sealed here, then.
        worker.postMessage({ ...ask, seal: undefined });
      }
    });
    if (!answer) return buildAndSeal(ask);
    if ('fault' in answer) throw new TornPage(answer.fault);
    return answer.built;
  } finally {
    worker.terminate();
  }
}
