/**
 * Simulates a phone whose battery dies: all processes of a browser are killed, and its profile
 * can be opened again.
 */
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Sends SIGKILL to every process that was started on this profile, by its id. */
export async function killProcessesOf(profile: string): Promise<void> {
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry) || Number(entry) === process.pid) continue;
    const command = await readFile(`/proc/${entry}/cmdline`, 'utf8').catch(() => '');
    if (!command.includes(profile)) continue;
    try {
      process.kill(Number(entry), 'SIGKILL');
    } catch {
      // The process died with its parent.
    }
  }
  await rm(join(profile, 'SingletonLock'), { force: true });
}
