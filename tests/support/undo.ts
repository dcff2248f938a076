/** The minute in which an act that mails many can be taken back, in tests. */
import { undoMs } from '#server/domain/mail/message.ts';
import { passTime } from './refunds.ts';
import type { TestServer } from './server.ts';

/** Lets the minute pass, and does what is due then. */
export async function passUndo(server: TestServer): Promise<void> {
  await passTime(server, undoMs);
}
