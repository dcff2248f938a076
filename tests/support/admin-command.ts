/**
 * The command line as the owner uses it, on the data of a server. In a test it runs in the test's
 * own process, because each process of its own would load the whole program anew.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { format } from 'node:util';

interface Told {
  code: number;
  out: string;
  err: string;
}

interface Options {
  /** Settings in addition to the server's. */
  env?: Record<string, string>;
  /** Piped into the command. */
  input?: string;
  /** The folder of the program, if it is another version. */
  root?: string;
  /** In a process of its own, as from a shell. */
  apart?: boolean;
}

const ownRoot = join(import.meta.dirname, '../..');
const program = 'server/cli/main.ts';

export async function runAdmin(
  { settings }: { settings: Record<string, string> },
  words: readonly string[],
  { env = {}, input = '', root = ownRoot, apart = root !== ownRoot }: Options = {},
): Promise<Told> {
  const added = { NODE_ENV: '', ...settings, ...env };
  const isTest = process.env['VITEST'] !== undefined;
  return isTest && !apart ? inTurn(words, added, input) : runApart(words, { added, input, root });
}

async function runApart(
  words: readonly string[],
  { added, input, root }: { added: Record<string, string>; input: string; root: string },
): Promise<Told> {
  const child = spawn(process.execPath, [program, ...words], {
    cwd: root,
    env: { ...process.env, ...added },
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

let last: Promise<unknown> = Promise.resolve();

/** Two commands would share what a process has once: its words, settings, streams and exit code. */
function inTurn(
  words: readonly string[],
  added: Record<string, string>,
  input: string,
): Promise<Told> {
  const told = last.then(() => runHere(words, added, input));
  last = told.catch(() => undefined);
  return told;
}

let runs = 0;

/** Loads the program's first file anew, which runs the command, beside modules that are kept. */
async function runHere(
  words: readonly string[],
  added: Record<string, string>,
  input: string,
): Promise<Told> {
  const { argv, env, exitCode } = process;
  const { log, error } = console;
  const mask = process.umask();
  const stdin = Object.getOwnPropertyDescriptor(process, 'stdin')!;
  const said = { out: '', err: '' };
  process.argv = [process.execPath, program, ...words];
  process.env = { ...env, ...added };
  Object.defineProperty(process, 'stdin', { ...stdin, get: () => Readable.from([input]) });
  console.log = (...told) => void (said.out += `${format(...told)}\n`);
  console.error = (...told) => void (said.err += `${format(...told)}\n`);
  try {
    await import(/* @vite-ignore */ `${join(ownRoot, program)}?run=${(runs += 1)}`);
    return { code: Number(process.exitCode), ...said };
  } finally {
    Object.assign(process, { argv, env, exitCode });
    Object.assign(console, { log, error });
    Object.defineProperty(process, 'stdin', stdin);
    process.umask(mask);
  }
}

/** The one JSON object of `--json`. */
export async function askAdmin(
  server: { settings: Record<string, string> },
  words: readonly string[],
  options: Options = {},
): Promise<{ code: number; body: Record<string, unknown> }> {
  const { code, out } = await runAdmin(server, [...words, '--json'], options);
  return { code, body: JSON.parse(out) as Record<string, unknown> };
}
