/** Which scans and counts this server can read, by the number of the wire that a phone speaks. */
import { Refusal } from '#server/domain/refusal.ts';
import { wireVersion } from '#server/domain/door/wire.ts';

/**
 * What is of a later number stays with its phone until this server is updated too; what is older
 * is always read.
 * @throws Refusal server_outdated
 */
export function requireReadable(wire: number): void {
  if (wire > wireVersion) throw new Refusal('server_outdated');
}
