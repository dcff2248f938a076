/** Web Locks among the tabs of one phone: a tab that dies releases its locks. */
import type { Life } from './door-life.ts';

interface Waiting {
  life: Life;
  go: () => void;
}

export type Locks = ReturnType<typeof makeLocks>;

export function makeLocks() {
  const held = new Map<string, Life>();
  const waiting = new Map<string, Waiting[]>();
  const letGo = (name: string) => {
    held.delete(name);
    const next = waiting.get(name)?.shift();
    if (!next) return;
    held.set(name, next.life);
    next.go();
  };
  return {
    of(life: Life): Pick<LockManager, 'request'> {
      const request = async (
        name: string,
        ...rest: [LockGrantedCallback<unknown>] | [LockOptions, LockGrantedCallback<unknown>]
      ) => {
        if (life.dead) return new Promise(() => {});
        const [options, run] = rest.length === 1 ? [{}, rest[0]] : rest;
        if (held.has(name)) {
          if (options.ifAvailable) return run(null);
          await new Promise<void>((go, giveUp) => {
            const entry = { life, go };
            waiting.set(name, [...(waiting.get(name) ?? []), entry]);
            options.signal?.addEventListener('abort', () => {
              waiting.set(
                name,
                waiting.get(name)!.filter((other) => other !== entry),
              );
              giveUp(new DOMException('The operation was aborted', 'AbortError'));
            });
          });
        } else held.set(name, life);
        try {
          return await run({ name, mode: 'exclusive' } as Lock);
        } finally {
          if (held.get(name) === life && !life.dead) letGo(name);
        }
      };
      return { request: request as LockManager['request'] };
    },
    release(life: Life) {
      for (const [name, queue] of waiting)
        waiting.set(
          name,
          queue.filter((entry) => entry.life !== life),
        );
      for (const [name, owner] of held) if (owner === life) letGo(name);
    },
  };
}
