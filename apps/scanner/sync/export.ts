/**
 * The last resort: scans that did not reach the server are saved as a file, or shown as a chain
 * of QR codes that another screen's camera reads.
 */
import { base32Of } from '#server/domain/door/ticket-code.ts';
import { isoOf } from '#server/domain/time/dates.ts';
import { wireVersion } from '#server/domain/door/wire.ts';
import { sentHeads } from './hand-in-heads.ts';
import { sentForm } from './hand-in.ts';
import type { Phone } from '#apps/scanner/list/memory.ts';
import { readMeta } from '#apps/scanner/kit/store.ts';

/** A QR of this many alphanumeric characters is read from a screen at arm's length. */
const linkLength = 1_200;

/** The queue in the form of the office's import. */
async function packedQueue({ db }: Phone) {
  const [device, scans, heads] = await Promise.all([
    readMeta(db, 'device'),
    db.queue.where('fate').anyOf('queued', 'unreadable').sortBy('seq'),
    db.heads.where('fate').anyOf('queued', 'unreadable').toArray(),
  ]);
  return {
    phone_id: device?.phone_id ?? '',
    wire: wireVersion,
    items: scans.map((scan) => sentForm(scan)),
    ...(heads.length > 0 && { heads: heads.map(sentHeads) }),
  };
}

/** Contains only queued and unreadable scans. */
export async function exportQueue(phone: Phone): Promise<{ name: string; blob: Blob }> {
  const name = `ingressi-${(phone.memory.device?.name ?? 'telefono').replace(/[^\p{L}\p{N}]+/gu, '-')}-${isoOf(phone.ports.now()).slice(0, 16).replace(/[:T]/g, '-')}.json`;
  return {
    name,
    blob: new Blob([JSON.stringify(await packedQueue(phone))], { type: 'application/json' }),
  };
}

/**
 * `BTG1/<n>/<of>/<base32 of deflated JSON, in pieces>`, in characters of the QR's alphanumeric
 * mode only; empty when there is nothing to send.
 */
export async function queueChain(phone: Phone): Promise<string[]> {
  const packed = await packedQueue(phone);
  if (packed.items.length + (packed.heads?.length ?? 0) === 0) return [];
  const pressed = new Blob([JSON.stringify(packed)])
    .stream()
    .pipeThrough(new CompressionStream('deflate'));
  const text = base32Of(new Uint8Array(await new Response(pressed).arrayBuffer()));
  const room = linkLength - 'BTG1/999/999/'.length;
  const pieces = Array.from({ length: Math.ceil(text.length / room) }, (_, i) =>
    text.slice(i * room, (i + 1) * room),
  );
  return pieces.map((piece, i) => `BTG1/${i + 1}/${pieces.length}/${piece}`);
}
