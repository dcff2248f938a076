/**
 * `npm run dev`: runs the server with hot reload of the apps, and starts it again when its own
 * source changes. Its options are Node's, such as `--inspect`.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { readdirSync, statSync, watch } from 'node:fs';
import { join, relative } from 'node:path';

const root = join(import.meta.dirname, '..');
const command = ['-r', './server/wanted-node.cjs', 'server/main.ts', '--dev'];
/** An editor or git writes several files at once. */
const restMs = 100;

let server: ChildProcess | null = null;
/** What follows the end of the server; null: it waits for a change. */
let next: 'start' | 'stop' | null = null;
let timer: NodeJS.Timeout | undefined;

function start(): void {
  next = null;
  server = spawn(process.execPath, [...process.argv.slice(2), ...command], {
    cwd: root,
    stdio: 'inherit',
  });
  server.once('exit', (code) => {
    server = null;
    if (next === 'stop') process.exit(code ?? 0);
    if (next === 'start') start();
    else console.error('Il server si è fermato: riparte alla prossima modifica.');
  });
}

/** A second signal would end the server before it has closed. */
function end(then: 'start' | 'stop'): void {
  if (next === null) server?.kill('SIGTERM');
  next = then;
}

function changed(path: string): void {
  console.error(`Modificato ${relative(root, path)}: il server riparte.`);
  if (server === null) start();
  else if (next === null) end('start');
}

/**
 * Watches each folder by itself: on Linux Node's `--watch` watches files, and no longer sees one
 * that an editor or git has replaced.
 */
function watchTree(folder: string): void {
  watch(folder, (_, name) => {
    const path = join(folder, name ?? '');
    if (name !== null && statSync(path, { throwIfNoEntry: false })?.isDirectory()) watchTree(path);
    if (name === null || !/^[^.].*\.(ts|cjs|json)$/.test(name)) return;
    clearTimeout(timer);
    timer = setTimeout(changed, restMs, path);
  });
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) watchTree(join(folder, entry.name));
}

for (const floor of ['server', 'db']) watchTree(join(root, floor));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    if (server === null) process.exit();
    end('stop');
  });
start();
