/**
 * The key with which the house signs its books, made at the first start. With SQLite it is a file
 * that only its owner may read; with PostgreSQL, where several processes sign, it is encrypted in
 * the database.
 */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  type KeyObject,
} from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bookSalts, changeBook } from '#db/book.ts';
import { isPostgres } from '#db/engine/dialect.ts';
import { claimSetting, readSetting } from '#db/settings.ts';
import { fingerprintOf } from '#server/domain/book/chain.ts';
import { fromBase64url } from '#server/domain/book/sha256.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { bookKeyFile } from '#server/services/backup/house-files.ts';
import type { Ctx } from '#server/services/context.ts';
import { memo } from '#server/services/kit/memo.ts';
import { canUnseal, isSealedWith, seal, unseal } from '#server/services/kit/sealing.ts';

export interface HouseKey {
  /** The public key: 32 bytes in base64url. */
  key: string;
  fingerprint: string;
  sign: (text: string) => string;
}

const setting = 'book_key';

const known = memo<HouseKey>({ freshMs: Number.POSITIVE_INFINITY });

export async function houseKey(
  ctx: Pick<Ctx, 'memory' | 'db' | 'dataDir' | 'secretsKey'>,
): Promise<HouseKey> {
  return known.get(ctx.memory, { ask: () => readKey(ctx).then(keyOf) });
}

/**
 * Runs at the start: makes a missing key, and encrypts the key and the books' salts with the
 * present SECRETS_KEY if they are not yet.
 */
export async function keepBookKey(ctx: Ctx): Promise<void> {
  await houseKey(ctx);
  const { db, secretsKey } = ctx;
  if (secretsKey === null) return;
  const stored = await readSetting(db, setting);
  if (stored !== null && canUnseal(stored) && !isSealedWith(stored, secretsKey))
    await claimSetting(db, setting, { from: stored, to: seal(unseal(stored), secretsKey) });
  for (const { event_id, salt } of await bookSalts(db))
    if (canUnseal(salt) && !isSealedWith(salt, secretsKey))
      await changeBook(db, event_id, { salt: seal(unseal(salt), secretsKey) });
}

async function readKey({
  db,
  dataDir,
  secretsKey,
}: Pick<Ctx, 'db' | 'dataDir' | 'secretsKey'>): Promise<string> {
  const file = join(dataDir, bookKeyFile);
  if (!isPostgres(db)) return (await readIfThere(file)) ?? makeFile(file);
  const stored = await readSetting(db, setting);
  if (stored !== null) return unseal(stored);
  // A house that was moved here from SQLite has its key in a file.
  const pem = (await readIfThere(file)) ?? newKey();
  await claimSetting(db, setting, { from: null, to: seal(pem, secretsKey) });
  return unseal(requireValue(await readSetting(db, setting), setting));
}

async function readIfThere(file: string): Promise<string | null> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}

/** If two processes call this at the same time, one writes the file and both read it. */
async function makeFile(file: string): Promise<string> {
  await writeFile(file, newKey(), { flag: 'wx', mode: 0o600, flush: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    },
  );
  return readFile(file, 'utf8');
}

function newKey(): string {
  return generateKeyPairSync('ed25519').privateKey.export({
    type: 'pkcs8',
    format: 'pem',
  }) as string;
}

function keyOf(pem: string): HouseKey {
  const secret: KeyObject = createPrivateKey(pem);
  const key = requireValue(createPublicKey(secret).export({ format: 'jwk' }).x, 'key');
  return {
    key,
    fingerprint: fingerprintOf(requireValue(fromBase64url(key), 'key')),
    sign: (text) => sign(null, Buffer.from(text), secret).toString('base64url'),
  };
}
