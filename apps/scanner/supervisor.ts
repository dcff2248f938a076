/** Who may overrule on this phone: its role, or whoever has just typed the supervisors' PIN. Kept in memory only: an app that starts again is a steward's. */
import { bytesOf } from './base64url.ts';
import { tellChange, type Phone } from './memory.ts';
import type { Device } from './store.ts';

export const raisedMs = 5 * 60_000;

export function isRaised({ memory, ports }: Phone, device: Pick<Device, 'role'>): boolean {
  return device.role === 'supervisor' || (memory.supervisorUntil !== null && ports.now() < memory.supervisorUntil);
}

export function raiseToSupervisor(phone: Phone): void {
  phone.memory.supervisorUntil = phone.ports.now() + raisedMs;
  tellChange(phone);
  phone.ports.after(raisedMs, () => {
    if (phone.memory.supervisorUntil !== null && phone.ports.now() >= phone.memory.supervisorUntil) lowerSupervisor(phone);
  });
}

export function lowerSupervisor(phone: Phone): void {
  phone.memory.supervisorUntil = null;
  tellChange(phone);
}

/** True only for the right digits; false where the office has set none. */
export async function checkPin({ memory }: Phone, digits: string): Promise<boolean> {
  const pin = memory.device?.supervisor_pin;
  if (!pin) return false;
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(digits), 'PBKDF2', false, ['deriveBits']);
  const wanted = bytesOf(pin.hash);
  const given = new Uint8Array(await crypto.subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-256', salt: bytesOf(pin.salt), iterations: pin.iterations }, key, wanted.length * 8));
  return given.every((byte, i) => byte === wanted[i]);
}
