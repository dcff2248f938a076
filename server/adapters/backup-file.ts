/**
 * A backup as one file: a tar that begins with its manifest, encrypted ("sealed") with age if
 * wanted. It is written completely or not at all.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { Decrypter } from 'age-encryption';
import tar from 'tar-stream';
import { BackupFault } from '#server/domain/backup.ts';

/**
 * How a file is sealed; null: anybody can read it. `witness`: a second recipient, with which the
 * new file is verified; its key is then dropped.
 */
export type Sealing = { passphrase: string } | { recipient: string; witness?: string } | null;
/**
 * The keys for a sealed file. `identities`: lines `AGE-SECRET-KEY-1…`. `passphraseBefore`: the one
 * that the passphrase has replaced.
 */
export interface Opening {
  passphrase: string | null;
  passphraseBefore?: string | null;
  identities: readonly string[];
}

export interface Member {
  name: string;
  size: number;
  path: string;
}

const manifestName = 'manifest.json';
/**
 * With this factor scrypt takes 64 MB of memory. More could disturb sales, during which backups
 * are made too.
 */
const scryptWorkFactor = 16;
const sealedMark = 'age-encryption.org/';
/**
 * Loaded when first used, because it is a megabyte of script, and a house without sealed backups
 * never needs it.
 */
const loadAge = () =>
  createRequire(import.meta.url)('age-encryption') as typeof import('age-encryption');

/**
 * The file gets its name `target` only when all of it is on the disk.
 * @throws BackupFault no_room, no_folder, disk_failed
 */
export async function writeBackupFile(
  target: string,
  { manifest, members, seal }: { manifest: string; members: readonly Member[]; seal: Sealing },
): Promise<void> {
  const unfinished = unfinishedName(target);
  try {
    const plain = packed(manifest, members);
    const file = createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true });
    await pipeline(seal === null ? plain : await sealed(plain, seal), file);
    await rename(unfinished, target);
    await flushFolder(dirname(target));
  } catch (error) {
    await rm(unfinished, { force: true });
    throw faultOfWriting(error, dirname(target));
  }
}

/**
 * The file has another name until it is complete, so that the rest of a killed process is not
 * taken for a backup.
 */
function unfinishedName(target: string): string {
  return join(dirname(target), `.${basename(target)}.part`);
}

/** A file's name is safe on the disk only after its folder has been flushed. */
export async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const fullCodes = ['ENOSPC', 'EDQUOT', 'EFBIG', 'SQLITE_FULL', 'SQLITE_IOERR_WRITE'];
const shutCodes = ['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR', 'SQLITE_CANTOPEN'];

/** Turns the system's write errors into BackupFault; other errors stay as they are. */
export function faultOfWriting(error: unknown, about: string): unknown {
  const code = String((error as { code?: unknown } | null)?.code);
  if (fullCodes.includes(code)) return new BackupFault('no_room', about, error);
  if (code === 'EIO' || code.startsWith('SQLITE_IOERR'))
    return new BackupFault('disk_failed', about, error);
  if (shutCodes.includes(code)) return new BackupFault('no_folder', about, error);
  return error;
}

function packed(manifest: string, members: readonly Member[]): Readable {
  const pack = tar.pack();
  const fill = async () => {
    pack.entry({ name: manifestName, mode: 0o600 }, manifest);
    for (const { name, size, path } of members)
      await pipeline(createReadStream(path), pack.entry({ name, size, mode: 0o600 }));
    pack.finalize();
  };
  fill().catch((error: unknown) => pack.destroy(error as Error));
  return Readable.from(pack as AsyncIterable<Buffer>);
}

async function sealed(plain: Readable, seal: NonNullable<Sealing>): Promise<Readable> {
  const encrypter = new (loadAge().Encrypter)();
  if ('passphrase' in seal) {
    encrypter.setScryptWorkFactor(scryptWorkFactor);
    encrypter.setPassphrase(seal.passphrase);
  } else {
    encrypter.addRecipient(seal.recipient);
    if (seal.witness !== undefined) encrypter.addRecipient(seal.witness);
  }
  return Readable.fromWeb((await encrypter.encrypt(asWeb(plain))) as ReadableStream<Uint8Array>);
}

function asWeb(stream: Readable) {
  return Readable.toWeb(stream) as unknown as Parameters<Decrypter['decrypt']>[0] &
    globalThis.ReadableStream<Uint8Array>;
}

/**
 * A file for another person's key could not be verified here, so it is also sealed for a second
 * key, which exists only in memory.
 */
export async function openableSeal(seal: Sealing): Promise<{ seal: Sealing; opening: Opening }> {
  if (seal === null) return { seal, opening: { passphrase: null, identities: [] } };
  if ('passphrase' in seal)
    return { seal, opening: { passphrase: seal.passphrase, identities: [] } };
  const { generateIdentity, identityToRecipient } = loadAge();
  const identity = await generateIdentity();
  const witness = await identityToRecipient(identity);
  return { seal: { ...seal, witness }, opening: { passphrase: null, identities: [identity] } };
}

/** True if `age` accepts the text as a recipient's public key. */
export function isRecipient(text: string): boolean {
  try {
    new (loadAge().Encrypter)().addRecipient(text);
    return /^age1[a-z0-9]+$/.test(text);
  } catch {
    return false;
  }
}

/**
 * Calls `take` for each member in the file's order, with the manifest first.
 * @throws BackupFault unreadable, not_a_backup, sealed, wrong_key, damaged
 */
export async function readBackupFile(
  path: string,
  opening: Opening,
  take: (name: string, content: Readable) => Promise<void>,
): Promise<void> {
  const source = await openSource(path, opening);
  const extract = tar.extract();
  let members = 0;
  const reading = pipeline(source, extract);
  // If the source breaks, the loop below throws; without this line there would also be an
  // unhandled rejection.
  reading.catch(() => undefined);
  try {
    for await (const entry of extract) {
      const { name } = entry.header;
      if (members === 0 && name !== manifestName) throw new BackupFault('not_a_backup', path);
      members += 1;
      await take(name, Readable.from(entry as AsyncIterable<Buffer>));
    }
    await reading;
  } catch (error) {
    source.destroy();
    if (error instanceof BackupFault) throw error;
    const known = faultOfWriting(error, path);
    if (known instanceof BackupFault) throw known;
    const isOther = members === 0 && /invalid tar header/i.test(String(error));
    throw new BackupFault(isOther ? 'not_a_backup' : 'damaged', path, error);
  }
  if (members === 0) throw new BackupFault('not_a_backup', path);
}

async function openSource(path: string, opening: Opening): Promise<Readable> {
  const first = await readStart(path);
  const file = createReadStream(path);
  if (first !== sealedMark) return file;
  const passphrases = [opening.passphrase, opening.passphraseBefore].filter((one) => one != null);
  if (passphrases.length + opening.identities.length === 0) {
    file.destroy();
    throw new BackupFault('sealed', path);
  }
  try {
    const decrypter = new (loadAge().Decrypter)();
    for (const identity of opening.identities) decrypter.addIdentity(identity);
    for (const passphrase of passphrases) decrypter.addPassphrase(passphrase);
    const plain = (await decrypter.decrypt(asWeb(file))) as unknown;
    return Readable.fromWeb(plain as ReadableStream<Uint8Array>);
  } catch (error) {
    file.destroy();
    const isOtherKey = /no identity|passphrase|identity/i.test(String(error));
    throw new BackupFault(isOtherKey ? 'wrong_key' : 'damaged', path, error);
  }
}

async function readStart(path: string): Promise<string> {
  try {
    const handle = await open(path, 'r');
    try {
      const { buffer, bytesRead } = await handle.read({
        buffer: Buffer.alloc(sealedMark.length),
        position: 0,
      });
      return buffer.toString('latin1', 0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw new BackupFault('unreadable', path, error);
  }
}
