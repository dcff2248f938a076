/** The minute in which an act that mails many can be taken back, in tests. */
import { undoMs } from '#server/domain/mail/message.ts';
import type { TestServer } from './server.ts';

/** Lets the minute pass, and does what is due. */
export async function passUndo(server: Pick<TestServer, 'clock' | 'runDue'>): Promise<void> {
  server.clock.advance(undoMs);
  await server.runDue();
}
