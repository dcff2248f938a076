/** Speaks to servers of this release and of the one before (server/domain/door/wire.ts). */
import { CallError } from '#apps/shared/api.ts';
import { previousWire, wireVersion, type Wire } from '#server/domain/door/wire.ts';

/**
 * Asks in the present version of the format, and again in the one before if the server does not
 * know it: of two processes one may be updated later, or the server may have been set back.
 */
export async function inWire<T>(ask: (wire: Wire) => Promise<T>): Promise<T> {
  try {
    return await ask(wireVersion);
  } catch (error) {
    if (error instanceof CallError && error.code === 'server_outdated') return ask(previousWire);
    throw error;
  }
}
