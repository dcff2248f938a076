/**
 * Programs that the tests need beside npm packages: found on this machine, or installed by the
 * first method that works.
 */
import { execFileSync } from 'node:child_process';

interface Way {
  name: string;
  command: string;
  args: string[];
}

interface Need {
  name: string;
  /** Null: not on this machine. */
  find: () => string | null;
  ways: Way[];
  /** The advice for a person if no method works. */
  advice: string;
}

export function debianPackages(...packages: string[]): Way[] {
  return [
    { name: 'Debian’s package list', command: 'apt-get', args: ['update', '-qq'] },
    {
      name: 'Debian’s package',
      command: 'apt-get',
      args: ['install', '-y', '-qq', '--no-install-recommends', ...packages],
    },
  ];
}

/** One list of packages serves all needs. */
const ran = new Set<string>();

/** Reports its progress, because it may take a minute; returns what was found. */
export function bring({ name, find, ways, advice }: Need): string {
  for (const way of ways) {
    const found = find();
    if (found !== null) return found;
    const line = [way.command, ...way.args].join(' ');
    if (ran.has(line)) continue;
    ran.add(line);
    console.log(`no ${name} here: trying ${way.name}`);
    const asRoot = way.command === 'apt-get' && process.getuid?.() !== 0;
    try {
      execFileSync(
        asRoot ? 'sudo' : way.command,
        asRoot ? ['-n', way.command, ...way.args] : way.args,
        {
          stdio: 'ignore',
          timeout: 5 * 60_000,
          env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
        },
      );
    } catch {
      console.log(`${way.name}: not to be had`);
    }
  }
  const found = find();
  if (found === null) throw new Error(`No ${name}: ${advice}`);
  return found;
}
