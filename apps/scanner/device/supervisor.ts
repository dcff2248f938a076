/** Supervisor rights on this phone: by its role, or for five minutes after the supervisors' PIN. In memory only: a restart ends them. */
import { pinWaitMs, type DoorPin } from '#server/domain/phone.ts';
import { bytesOf } from './base64url.ts';
import { tellChange, type Phone } from '#apps/scanner/list/memory.ts';
import { readMeta, writeMeta, type Device } from '#apps/scanner/list/store.ts';

export const raisedMs = 5 * 60_000;

export function isRaised({ memory, ports }: Phone, device: Pick<Device, 'role'>): boolean {
  return (
    device.role === 'supervisor' ||
    (memory.supervisorUntil !== null && ports.now() < memory.supervisorUntil)
  );
}

export function raiseToSupervisor(phone: Phone): void {
  phone.memory.supervisorUntil = phone.ports.now() + raisedMs;
  tellChange(phone);
  const until = phone.memory.supervisorUntil;
  // By the time that has passed, not by the clock, which may be set back; a later raise has its own end.
  phone.ports.after(raisedMs, () => {
    if (phone.memory.supervisorUntil === until) lowerSupervisor(phone);
  });
}

export function lowerSupervisor(phone: Phone): void {
  phone.memory.supervisorUntil = null;
  tellChange(phone);
}

/** `looked`: false during a wait, when no digits are looked at; `wait_ms`: how long it still is. */
export interface PinAnswer {
  is_right: boolean;
  looked: boolean;
  wait_ms: number;
}

/** Right only where the office has set a PIN. Wrong ones are counted on the disk before they are looked at: starting the app again saves nobody the wait. */
export async function checkPin(phone: Phone, digits: string): Promise<PinAnswer> {
  const { db, memory, ports } = phone;
  const pin = memory.device?.supervisor_pin;
  if (!pin) return { is_right: false, looked: true, wait_ms: 0 };
  const now = ports.now();
  const { tries, wait_ms } = await db.transaction('rw', [db.meta], async () => {
    const before = (await readMeta(db, 'pin_wrong')) ?? { count: 0, at: now };
    const { count } = before;
    // A clock that was set back must not lock the phone until it has caught up.
    const at = Math.min(before.at, now);
    const rest = Math.max(0, at + pinWaitMs(count) - now);
    await writeMeta(db, 'pin_wrong', rest === 0 ? { count: count + 1, at: now } : { count, at });
    return { tries: count + 1, wait_ms: rest };
  });
  if (wait_ms > 0) return { is_right: false, looked: false, wait_ms };
  if (!(await isPin(pin, digits)))
    return { is_right: false, looked: true, wait_ms: pinWaitMs(tries) };
  await db.meta.delete('pin_wrong');
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
