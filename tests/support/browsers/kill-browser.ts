/** A phone whose battery dies: every process of a browser is killed at once, and its profile can be opened again. */
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** SIGKILL to every process that was started on this profile, by its id. */
export async function killProcessesOf(profile: string): Promise<void> {
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry) || Number(entry) === process.pid) continue;
    const command = await readFile(`/proc/${entry}/cmdline`, 'utf8').catch(() => '');
    if (!command.includes(profile)) continue;
    try {
      process.kill(Number(entry), 'SIGKILL');
    } catch {
      // It went with its parent.
    }
  }
  await rm(join(profile, 'SingletonLock'), { force: true });
}
