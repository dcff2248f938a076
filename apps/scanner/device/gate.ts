/**
 * The gate at which this phone stands. The person at the door may choose it if the office allows
 * it; a later change by the office wins.
 */
import { isSameGate } from '#server/domain/door/gate.ts';
import { refresh, type Phone } from '#apps/scanner/list/memory.ts';
import { changeDevice, type Device, type Identity } from '#apps/scanner/kit/store.ts';

/** The gates of an event; empty if tickets may enter anywhere, or if an older server names none. */
export function gatesOf({ events }: Pick<Device, 'events'>, event_id: string): readonly string[] {
  return events.find(({ id }) => id === event_id)?.gates ?? [];
}

/**
 * True if the event has gates and the phone's is not among them, so all tickets would be refused.
 */
export function isStrangeGate(device: Pick<Device, 'gate' | 'events'>, event_id: string): boolean {
  const { gate } = device;
  const gates = gatesOf(device, event_id);
  return gate !== null && gates.length > 0 && !gates.some((one) => isSameGate(one, gate));
}

/** Applies from the next scan on; the server learns of the choice at the next contact. */
export async function chooseGate(phone: Phone, gate: string | null): Promise<void> {
  const { device } = phone.memory;
  if (!device) return;
  await changeDevice(phone.db, device, (now) => {
    const over = now.gate_choice ? now.gate_choice.over : now.gate;
    return { gate, gate_choice: gate === over ? undefined : { gate, over } };
  });
  await refresh(phone);
}

/** Handles the answer to a contact that sent the choice `told`; a choice made meanwhile stays. */
export async function settleChoice(
  { db }: Phone,
  device: Device,
  { told, identity }: { told: Device['gate_choice']; identity: Identity },
): Promise<Identity> {
  let taken = identity;
  await changeDevice(db, device, ({ gate, gate_choice }) => {
    const isLater = gate_choice !== undefined && gate_choice.gate !== told?.gate;
    if (!isLater) return { gate: identity.gate, gate_choice: undefined };
    taken = { ...identity, gate };
    return {};
  });
  return taken;
}
