/**
 * Waits until the server on this machine is ready and the proxy has noticed: systemd runs it after
 * a start, so that the next process is replaced only then. It never fails a start.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { bracketed } from './adapters/local-network.ts';
import { mainProcess, readConfig } from './config.ts';

/** A little less than systemd's own limit for a start. */
const mostMs = 60_000;
const lookEveryMs = 200;
/** The proxy looks each second (health_interval of the Caddyfile). */
const proxyNoticesMs = 2_000;

const { host, port } = readConfig(undefined, []);
const url = `http://${host === null || host === '0.0.0.0' ? '127.0.0.1' : bracketed(host)}:${port}/readyz`;

const end = performance.now() + mostMs;
while (performance.now() < end && isAlive(mainProcess())) {
  if (await isReady()) {
    await pause(proxyNoticesMs);
    break;
  }
  await pause(lookEveryMs);
}

async function isReady(): Promise<boolean> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(lookEveryMs * 10) }).catch(
    () => null,
  );
  return answer?.ok === true;
}

/** A server that has ended is not waited for: systemd starts it again at once. */
function isAlive(pid: number | null): boolean {
  if (pid === null) return true;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
