/**
 * A TCP load balancer for tests: it checks the health of its targets repeatedly and gives new
 * connections to the healthy ones in turn.
 */
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { listen } from './port.ts';

/** This many checks must fail in a row, because one may be late on a busy machine. */
const fatalMisses = 3;

interface BalancerOptions {
  /** 0 or undefined: any free port. */
  port?: number;
  /** Ports on this machine. */
  targets: readonly number[];
  isWell: (port: number) => Promise<boolean>;
  /** Connections to a target that is no longer healthy are cut. */
  cutsLines?: boolean;
}

export async function startBalancer({
  port = 0,
  targets,
  isWell,
  cutsLines = false,
}: BalancerOptions) {
  const lines = new Map<Socket, number>();
  const stop = new AbortController();
  const misses = new Map(targets.map((target) => [target, fatalMisses]));
  let well: number[] = [];
  let turn = 0;

  async function look(target: number): Promise<void> {
    const isGood = await isWell(target).catch(() => false);
    misses.set(target, isGood ? 0 : misses.get(target)! + 1);
    const isDead = misses.get(target)! >= fatalMisses;
    if (isGood || isDead) well = well.filter((one) => one !== target);
    if (isGood) well.push(target);
    else if (isDead && cutsLines) for (const [line, of] of lines) if (of === target) line.destroy();
  }

  /**
   * A target that refuses the connection is skipped; if none is left, the connection is closed.
   */
  function lead(client: Socket, [target, ...others]: number[]): void {
    if (target === undefined) {
      client.destroy();
      return;
    }
    const server = connect({ port: target, host: '127.0.0.1', noDelay: true });
    server.once('error', () => lead(client, others));
    server.once('connect', () => {
      server.removeAllListeners('error');
      lines.set(client, target);
      for (const [from, to] of [
        [client, server],
        [server, client],
      ] as const)
        from
          .on('error', () => to.destroy())
          .on('close', () => {
            lines.delete(from);
            to.destroySoon();
          })
          .pipe(to);
      if (client.destroyed) server.destroy();
    });
  }

  const door = createServer({ noDelay: true }, (client) => {
    client.on('error', () => {});
    turn += 1;
    const first = turn % Math.max(well.length, 1);
    lead(client, [...well.slice(first), ...well.slice(0, first)]);
  });
  const here = await listen(door, port);
  await Promise.all(targets.map(look));
  const watching = targets.map(async (target) => {
    while (!stop.signal.aborted) {
      await pause(200, undefined, { signal: stop.signal }).catch(() => {});
      await look(target);
    }
  });
  return {
    port: here,
    /** The targets that are healthy now. */
    well: () => [...well],
    async [Symbol.asyncDispose]() {
      stop.abort();
      door.close();
      for (const line of lines.keys()) line.destroy();
      await Promise.all(watching);
    },
  };
}
