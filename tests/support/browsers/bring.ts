/** What the tests need beside npm's packages: found on this machine, else brought by the first way that has it. */
import { execFileSync } from 'node:child_process';

interface Way {
  name: string;
  command: string;
  args: string[];
}

interface Need {
  name: string;
  /** Null: not here. */
  find: () => string | null;
  ways: Way[];
  /** What a person can do where no way leads to it. */
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

/** Says what it does, because it may take a minute; the answer is what was found. */
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
