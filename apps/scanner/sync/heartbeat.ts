/**
 * The heartbeat: tells the office the state of this phone, and takes over what the office has
 * changed about it.
 */
import { CallError } from '#apps/shared/api.ts';
import { takeHouse } from '#apps/scanner/device/house.ts';
import { publicKeyOf } from '#apps/scanner/device/signing-key.ts';
import { settleChoice } from '#apps/scanner/device/gate.ts';
import { closeKey } from '#apps/scanner/device/supervisor.ts';
import { takeGuests } from '#apps/scanner/list/conflicts.ts';
import { startOver } from '#apps/scanner/list/new-list.ts';
import type { Phone } from '#apps/scanner/list/memory.ts';
import {
  changeDevice,
  identityOf,
  readMeta,
  type Device,
  type Identity,
} from '#apps/scanner/kit/store.ts';
import { forgetEvent, forgetOthers } from '#apps/scanner/list/wipe.ts';
import { heartbeat } from '#server/contract/door/phones.ts';
import { wireVersion } from '#server/domain/door/wire.ts';
import { toldQueue } from './told-queue.ts';
import { noteClock, timeTrip } from '#apps/scanner/kit/clock.ts';

const beatMs = 30_000;
const timeoutMs = 15_000;

export class Heartbeat {
  private readonly phone: Phone;
  private lastAt: number | null = null;

  constructor(phone: Phone) {
    this.phone = phone;
  }

  makeDue(): void {
    this.lastAt = null;
  }

  async beatIfDue(device: Device): Promise<void> {
    const { db, line, ports } = this.phone;
    const { lastAt } = this;
    const began = ports.now();
    if (lastAt !== null && began - lastAt < beatMs && lastAt <= began) return;
    const signing_key = await publicKeyOf(db, device);
    const told = (await readMeta(db, 'device'))?.gate_choice;
    const trip = timeTrip(ports);
    const body = {
      ...(await toldQueue(db)),
      clock_offset_ms: (await readMeta(db, 'clock'))?.offset_ms ?? null,
      battery: (await ports.battery?.()) ?? null,
      app_version: ports.appVersion,
      wire_version: wireVersion,
      ...(signing_key === undefined ? {} : { signing_key }),
      ...(told === undefined ? {} : { gate_choice: told }),
    };
    const reply = await line.hold(timeoutMs, (signal) =>
      ports.call(heartbeat, { body }, { token: device.device_token, signal }),
    );
    if (typeof reply?.server_time !== 'string' || !Array.isArray(reply.events))
      throw new CallError('unknown', 'unreadable', 'Unexpected answer');
    this.lastAt = ports.now();
    await noteClock(db, reply.server_time, trip());
    const identity = await settleChoice(this.phone, device, { told, identity: identityOf(reply) });
    await takeIdentity(this.phone, device, identity);
    await takeGuests(db, device, reply.guests_against ?? []);
    await takeHouse(this.phone, reply.house);
  }
}

/** Applies what the office has changed about this phone. */
async function takeIdentity(phone: Phone, device: Device, identity: Identity): Promise<void> {
  const { role, supervisor_pin, events } = identity;
  if (JSON.stringify(identity) === JSON.stringify(identityOf(device))) return;
  const isOtherPin = device.supervisor_pin?.hash !== supervisor_pin?.hash;
  // The new PIN cannot open what the old one has sealed, so the next contact makes a new key.
  if (isOtherPin) await phone.db.meta.delete('signing_key');
  if (!(await changeDevice(phone.db, device, identity))) return;
  if (isOtherPin) {
    await phone.db.meta.delete('pin_wrong');
    closeKey(phone);
  }
  if (role !== 'supervisor') await phone.db.meta.delete('signing_key');
  for (const { id } of device.events) {
    if (role === device.role || !events.some((event) => event.id === id)) continue;
    if (role === 'steward') await forgetEvent(phone, id, 'narrowed');
    else await startOver(phone, id);
  }
  await forgetOthers(phone, { events });
}
