/** The command line as the owner uses it: a process of its own on the data of a server. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

interface Told {
  code: number;
  out: string;
  err: string;
}

/**
 * `input` is piped into the command; `env`: settings in addition to the server's; `root`: the
 * folder of the program, if it is another version.
 */
export async function runAdmin(
  { settings }: { settings: Record<string, string> },
  words: readonly string[],
  {
    env = {},
    input = '',
    root = join(import.meta.dirname, '../..'),
  }: { env?: Record<string, string>; input?: string; root?: string } = {},
): Promise<Told> {
  const child = spawn(process.execPath, ['server/cli/main.ts', ...words], {
    cwd: root,
    env: { ...process.env, NODE_ENV: '', ...settings, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // A command that reads no input may end before all of it is written.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [out, err] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { code: child.exitCode!, out, err };
}

/** The one JSON object of `--json`. */
export async function askAdmin(
  server: { settings: Record<string, string> },
  words: readonly string[],
  options: Parameters<typeof runAdmin>[2] = {},
): Promise<{ code: number; body: Record<string, unknown> }> {
  const { code, out } = await runAdmin(server, [...words, '--json'], options);
  return { code, body: JSON.parse(out) as Record<string, unknown> };
}
