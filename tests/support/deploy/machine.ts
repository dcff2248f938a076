/**
 * A bare machine for the guide: a folder that stands for its root, and a shell in which the
 * commands are run as they are printed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ensureCaddy } from './programs.ts';
import { playedPrograms } from './played.ts';

/** The environment that a program needs from this machine, without the test's own settings. */
export function bareEnv(programs: readonly string[]): Record<string, string> {
  return {
    PATH: [...programs, '/usr/bin', '/bin'].join(':'),
    HOME: process.env['HOME']!,
    LANG: 'C.UTF-8',
    npm_config_prefer_offline: 'true',
    npm_config_update_notifier: 'false',
  };
}

export async function writeProgram(path: string, text: string): Promise<void> {
  await writeFile(path, `#!/bin/sh\n${text}\n`);
  await chmod(path, 0o755);
}

export type Machine = Awaited<ReturnType<typeof startMachine>>;

/**
 * `words`: the guide's placeholders, each with its value here. `npm`: the script that runs as npm,
 * once the guide has installed Node.
 */
export async function startMachine(
  root: string,
  { words, npm }: { words: Record<string, string>; npm: string },
) {
  const programs = join(root, 'programs');
  for (const folder of ['programs', 'plan', 'run', 'users', 'etc/systemd/system', 'etc/caddy'])
    await mkdir(join(root, folder), { recursive: true });
  for (const folder of ['opt', 'usr/local/bin', 'var/lib', 'var/backups', 'node/bin'])
    await mkdir(join(root, folder), { recursive: true });
  await writeProgram(join(programs, 'sudo'), 'exec "$@"');
  const player = join(import.meta.dirname, 'played.ts');
  for (const name of playedPrograms)
    await writeProgram(join(programs, name), `exec "${process.execPath}" "${player}" ${name} "$@"`);
  await symlink(ensureCaddy(), join(programs, 'caddy'));
  // What nodejs.org would send: the Node of this machine, under the folder that the guide strips.
  await symlink(process.execPath, join(root, 'node/bin/node'));
  await writeProgram(join(root, 'node/bin/npm'), npm);
  await writeProgram(
    join(programs, 'curl'),
    `case "$2" in https://nodejs.org/dist/v*.tar.xz) exec tar -cJ -C "${root}" node;; esac; exit 22`,
  );
  const env = {
    ...bareEnv([programs, join(root, 'usr/local/bin')]),
    STAGE: root,
    EDITOR: join(programs, 'sudoedit'),
    XDG_DATA_HOME: join(root, 'caddy'),
  };
  const shell = spawn('bash', [], { cwd: root, env, stdio: ['pipe', 'pipe', 'pipe'] });
  shell.stdin.write('exec 2>&1; set -o pipefail\n');
  const said = createInterface(shell.stdout)[Symbol.asyncIterator]();
  return {
    root,
    /** Sets what the played editor or Docker will do. */
    plan: (name: string, what: unknown) =>
      writeFile(join(root, 'plan', `${name}.json`), JSON.stringify(what)),
    /**
     * Runs one line as it is printed and returns what it says.
     * @throws what it said, if it fails
     */
    async run(line: string, { mayFail = false } = {}): Promise<string> {
      let text = line.replaceAll(/(?<![\w/.])\/(?=(?:opt|etc|var|usr\/local)\b)/g, `${root}/`);
      for (const [word, own] of Object.entries(words)) text = text.replaceAll(word, own);
      shell.stdin.write(`${text}\necho "@@ $?"\n`);
      const lines: string[] = [];
      for (;;) {
        const { value, done } = await said.next();
        if (done || value.startsWith('@@ ')) {
          const output = lines.join('\n');
          if (!mayFail && value !== '@@ 0') throw new Error(`${line}\n${output}`);
          return output;
        }
        lines.push(value);
      }
    },
    async [Symbol.asyncDispose]() {
      shell.stdin.end();
      await once(shell, 'close');
      for (const name of await readdir(join(root, 'run'))) {
        if (name.endsWith('.log')) continue;
        try {
          process.kill(Number(await readFile(join(root, 'run', name), 'utf8')));
        } catch {
          console.error(
            `${name} ended:\n${await readFile(join(root, 'run', `${name}.log`), 'utf8')}`,
          );
        }
      }
    },
  };
}
