/**
 * The PIN of a supervisor's phone unseals its signing key for five minutes. The open key is in
 * memory only, so a restart locks it.
 */
import { pinWaitMs, type DoorPin } from '#server/domain/door/phone.ts';
import { bytesOf } from '#apps/scanner/kit/base64url.ts';
import { publicKeyOf, unsealKey } from './signing-key.ts';
import { tellChange, type Phone } from '#apps/scanner/list/memory.ts';
import { readMeta, writeMeta } from '#apps/scanner/kit/store.ts';

const keyOpenMs = 5 * 60_000;

/** Where the office has set no PIN, the key is always unlocked. */
export function isKeyOpen({ memory, ports }: Phone): boolean {
  const { device, keyOpenUntil } = memory;
  if (device?.supervisor_pin === null) return true;
  return keyOpenUntil !== null && ports.now() < keyOpenUntil;
}

function openKey(phone: Phone, key: CryptoKey): void {
  const until = phone.ports.now() + keyOpenMs;
  phone.memory.keyOpenUntil = until;
  phone.memory.openKey = key;
  tellChange(phone);
  // A timer, because the clock may be set back; a later unlocking has its own timer.
  phone.ports.after(keyOpenMs, () => {
    if (phone.memory.keyOpenUntil === until) closeKey(phone);
  });
}

export function closeKey(phone: Phone): void {
  phone.memory.keyOpenUntil = null;
  phone.memory.openKey = null;
  tellChange(phone);
}

/**
 * `looked`: false during a wait, when digits are not checked; `wait_ms`: the rest of the wait.
 */
interface PinAnswer {
  is_right: boolean;
  looked: boolean;
  wait_ms: number;
}

/**
 * Unlocks the key when the digits are the PIN that the office has set. Wrong tries are counted on
 * the disk before they are checked, so that restarting the app does not skip the wait.
 */
export async function checkPin(phone: Phone, digits: string): Promise<PinAnswer> {
  const { db, memory, ports } = phone;
  const { device } = memory;
  const pin = device?.supervisor_pin;
  if (!pin) return { is_right: false, looked: true, wait_ms: 0 };
  const now = ports.now();
  const { tries, wait_ms } = await db.transaction('rw', [db.meta], async () => {
    const before = (await readMeta(db, 'pin_wrong')) ?? { count: 0, at: now };
    const { count } = before;
    // A clock that was set back must not lengthen the wait.
    const at = Math.min(before.at, now);
    const rest = Math.max(0, at + pinWaitMs(count) - now);
    await writeMeta(db, 'pin_wrong', rest === 0 ? { count: count + 1, at: now } : { count, at });
    return { tries: count + 1, wait_ms: rest };
  });
  if (wait_ms > 0) return { is_right: false, looked: false, wait_ms };
  if (!(await isPin(pin, digits)))
    return { is_right: false, looked: true, wait_ms: pinWaitMs(tries) };
  await db.meta.delete('pin_wrong');
  await publicKeyOf(db, device);
  openKey(phone, await unsealKey(db, { digits, iterations: pin.iterations }));
  return { is_right: true, looked: true, wait_ms: 0 };
}

async function isPin(pin: DoorPin, digits: string): Promise<boolean> {
  const key = await crypto.subtle.importKey(
    'raw',
    new TextEncoder().encode(digits),
    'PBKDF2',
    false,
    ['deriveBits'],
  );
  const wanted = bytesOf(pin.hash);
  const given = new Uint8Array(
    await crypto.subtle.deriveBits(
      { name: 'PBKDF2', hash: 'SHA-256', salt: bytesOf(pin.salt), iterations: pin.iterations },
      key,
      wanted.length * 8,
    ),
  );
  return given.every((byte, i) => byte === wanted[i]);
}
