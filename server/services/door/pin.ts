/**
 * The supervisors' PIN: set in the office and sent to supervisors' phones as a salted hash; on
 * the phone the PIN opens the key that signs consents.
 */
import { pbkdf2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import type { Db } from '#db/engine/dialect.ts';
import { countSupervisors } from '#db/door/phone-keys.ts';
import { putSetting, readSetting } from '#db/settings.ts';
import { transact } from '#db/engine/transact.ts';
import { pinIterations, type DoorPin } from '#server/domain/door/phone.ts';
import { namesOf } from '#server/services/user/actors.ts';
import { happened } from '#server/services/kit/happened.ts';
import type { Actor, Ctx } from '#server/services/context.ts';

const derive = promisify(pbkdf2);
const key = 'door_pin';

interface Stored {
  pin: DoorPin | null;
  set_at: number;
  set_by: Actor;
  /** Since when there has been a PIN, even if it was changed since. Null: there is none. */
  asked_since: number | null;
}

async function stored(db: Db): Promise<Stored | null> {
  const text = await readSetting(db, key);
  return text === null ? null : (JSON.parse(text) as Stored);
}

/** The hash for supervisors' phones; null if no PIN is set. */
export async function doorPinOf(db: Db): Promise<DoorPin | null> {
  return (await stored(db))?.pin ?? null;
}

/** Since when stewards' phones need a supervisor's consent (RULES A10); null: they do not. */
export async function consentAskedSince(db: Db): Promise<number | null> {
  return (await stored(db))?.asked_since ?? null;
}

/** Whether a PIN is set, by whom and when, and how many phones can consent. */
export async function pinForOffice(ctx: Ctx) {
  const known = await stored(ctx.db);
  const supervisor_phones = await countSupervisors(ctx.db);
  if (!known?.pin) return { set: false, set_at: null, set_by: null, supervisor_phones };
  return {
    set: true,
    set_at: known.set_at,
    set_by: (await namesOf(ctx.db, [known.set_by]))(known.set_by),
    supervisor_phones,
  };
}

/** The audit says that a PIN was set, but not its digits. */
export async function setDoorPin(ctx: Ctx, pin: string | null, actor: Actor) {
  const before = await consentAskedSince(ctx.db);
  const value: Stored = {
    pin: pin === null ? null : await sealPin(pin),
    set_at: ctx.now(),
    set_by: actor,
    asked_since: pin === null ? null : (before ?? ctx.now()),
  };
  await transact(ctx.db, async (trx) => {
    await putSetting(trx, key, JSON.stringify(value));
    await happened(ctx, trx, {
      actor,
      action: pin === null ? 'door_pin_removed' : 'door_pin_set',
      subject: 'door',
    });
  });
  return pinForOffice(ctx);
}

async function sealPin(pin: string): Promise<DoorPin> {
  const salt = randomBytes(16);
  const hash = await derive(pin, salt, pinIterations, 32, 'sha256');
  return {
    salt: salt.toString('base64url'),
    hash: hash.toString('base64url'),
    iterations: pinIterations,
  };
}
