/** A pressed answer that many get, with an end of its own for each: the long part is pressed once, the end (the time, whether there is more) is written plainly behind it. */
import { promisify } from 'node:util';
import { constants, crc32, deflateRaw } from 'node:zlib';

const press = promisify(deflateRaw);

/** A gzip stream without its end. */
export interface Pressed {
  bytes: Buffer;
  crc: number;
  size: number;
}

/** Off this thread. */
export async function pressHead(head: Buffer): Promise<Pressed> {
  return {
    bytes: await press(head, { level: 6, finishFlush: constants.Z_SYNC_FLUSH }),
    crc: crc32(head),
    size: head.length,
  };
}

/** RFC 1952: deflate, no name, no time. */
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
/** Of a block that is stored as it is (RFC 1951 §3.2.4). */
const mostStored = 65_535;

/** The whole gzip file, in pieces. @throws RangeError when the tail is longer than one stored block */
export function withTail({ bytes, crc, size }: Pressed, tail: string): Buffer[] {
  const length = Buffer.byteLength(tail);
  if (length > mostStored) throw new RangeError('the tail is too long');
  const end = Buffer.allocUnsafe(length + 13);
  end[0] = 1;
  end.writeUInt16LE(length, 1);
  end.writeUInt16LE(length ^ 0xffff, 3);
  end.write(tail, 5);
  end.writeUInt32LE(crc32(end.subarray(5, 5 + length), crc), 5 + length);
  end.writeUInt32LE((size + length) % 2 ** 32, 9 + length);
  return [header, bytes, end];
}
