/** Hashes tokens and passwords; only the hashes are stored. */
import { argon2, createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Turnstile } from '#server/services/kit/turnstile.ts';

/** 256 random bits in base64url. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** For a random token a plain hash is enough. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/** OWASP's first choice for argon2id; it takes about 20 ms in the thread pool. */
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };
/** Two of the pool's four threads may hash, because files need threads too; others wait here. */
const hashing = new Turnstile(2, 200);
const derive = (...ask: Parameters<typeof deriveNow>) => hashing.pass(() => deriveNow(...ask));
const deriveNow = promisify(argon2);

/** The hash in its usual text form: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive('argon2id', { message: Buffer.from(password), nonce: salt, ...cost });
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${salt.toString('base64')}$${hash.toString('base64')}`;
}

/** Uses the cost in the stored text, so that we can raise ours later. */
export async function isPassword(password: string, stored: string): Promise<boolean> {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(stored);
  if (!match) return false;
  const [, memory, passes, parallelism, salt = '', hash = ''] = match;
  const known = Buffer.from(hash, 'base64');
  const made = await derive('argon2id', {
    message: Buffer.from(password),
    nonce: Buffer.from(salt, 'base64'),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: known.length,
  });
  return timingSafeEqual(known, made);
}
