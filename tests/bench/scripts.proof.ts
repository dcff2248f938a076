/**
 * Runs scripts that usually take minutes (simulations, attacks, faults) for a moment, as npm
 * starts them, so that none breaks unseen.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';

interface Script {
  name: string;
  args: string;
  /** Its last line. */
  says: RegExp;
}

const kept = join(tmpdir(), 'botteghino-pictures');

const scripts: Script[] = [
  { name: 'simulate', args: '--histories 25 --seed 7', says: /^25 histories in .*, seed 7$/ },
  { name: 'simulate:door', args: '--evenings 2 --seed 7', says: /^2 evenings in .*, seed 7$/ },
  { name: 'crowd', args: '--people 60 --robots 4 --seed 7', says: /^Nothing is wrong\.$/ },
  { name: 'soak', args: '--minutes 0.1 --kill 3 --seed 7', says: /^Nothing was lost, / },
  { name: 'fuzz', args: '--requests 200 --seed 8', says: /, seed 8: 0 kinds of faults$/ },
  { name: 'attack', args: '--quick', says: /descriptors left$/ },
  { name: 'pictures', args: `${kept} --only ^booking/cookie`, says: /^2 pictures$/ },
  { name: 'packages', args: '', says: /^all as agreed$/ },
];

for (const { name, args, says } of scripts)
  test(`npm run ${name} goes through to its last line`, async () => {
    const { status, lines } = await runScript(name, args);
    expect(lines.at(-1), lines.slice(-20).join('\n')).toMatch(says);
    expect(status, lines.join('\n')).toBe(0);
  });

test('npm run failover goes through where Patroni, etcd and HAProxy are, and elsewhere says what to install', async () => {
  const { status, lines } = await runScript('failover', '--minutes 0.3 --kill 8 --seed 7');
  const isMissing = /: apt-get install /.test(lines.at(-1)!);
  expect(isMissing ? lines : lines.at(-1)).toEqual(
    isMissing ? [expect.any(String)] : expect.stringMatching(/ leaders were killed; /),
  );
  expect(status).toBe(isMissing ? 2 : 0);
});

async function runScript(name: string, args: string) {
  const asked = ['run', '--silent', name, '--', ...args.split(' ').filter((arg) => arg !== '')];
  const child = spawn('npm', asked, {
    cwd: join(import.meta.dirname, '../..'),
    // A browser that stays for the tests of a worker would keep the script alive.
    env: { ...process.env, WORKER_STAYS: 'no' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, complained] = [text(child.stdout), text(child.stderr)];
  const [status] = (await once(child, 'close')) as [number | null];
  const lines = `${await complained}${await out}`.trim().split('\n');
  return { status, lines };
}
