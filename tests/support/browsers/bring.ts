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
  /** Debian's packages that have it. */
  packages: string[];
  /** The ways to install it, if there are others than its packages. */
  ways?: Way[];
}

/** Programs that no method has brought; the message is one command for all of them. */
export class Missing extends Error {
  readonly needs: Pick<Need, 'name' | 'packages'>[];

  constructor(needs: Pick<Need, 'name' | 'packages'>[]) {
    const names = needs.map(({ name }) => name).join(', ');
    const packages = needs.flatMap((need) => need.packages).join(' ');
    super(
      `Missing: ${names}. On Debian: sudo apt-get install -y ${packages} (CHROMIUM=… and FIREFOX=… name browsers that are elsewhere)`,
    );
    this.needs = needs;
  }
}

/** @throws Missing with all that no method has brought */
export function bringAll(ensures: Record<string, () => string>): void {
  const missing = Object.entries(ensures).flatMap(([name, ensure]) => {
    try {
      console.log(`${name}: ${ensure()}`);
      return [];
    } catch (error) {
      if (error instanceof Missing) return error.needs;
      throw error;
    }
  });
  if (missing.length > 0) throw new Missing(missing);
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

/**
 * Reports its progress, because it may take a minute; returns what was found.
 * @throws Missing
 */
export function bring({ name, find, packages, ways = debianPackages(...packages) }: Need): string {
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
  if (found === null) throw new Missing([{ name, packages }]);
  return found;
}
