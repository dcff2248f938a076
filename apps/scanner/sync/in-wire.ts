/** Speaks to servers of this release and of the one before (server/domain/door/wire.ts). */
import { CallError } from '#apps/shared/api.ts';
import { previousWire, wireVersion, type Wire } from '#server/domain/door/wire.ts';

/**
 * Asks in the present number, and again in the number before where the server does not know it
 * yet: of two processes one may be updated later, or the house may have gone back.
 */
export async function inWire<T>(ask: (wire: Wire) => Promise<T>): Promise<T> {
  try {
    return await ask(wireVersion);
  } catch (error) {
    if (error instanceof CallError && error.code === 'server_outdated') return ask(previousWire);
    throw error;
  }
}
