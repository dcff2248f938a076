/** Other programs: one that reads with a token, and one that receives webhooks. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { connectPrograms, type ProgramLine } from '#server/adapters/program-line.ts';
import type { ProgramScope } from '#server/domain/program/token.ts';
import { tellPrograms } from '#server/services/program/deliver.ts';
import { makeToken } from '#server/services/program/tokens.ts';
import { listen } from './port.ts';
import type { TestServer } from './server.ts';

interface TokenOptions {
  scopes: readonly ProgramScope[];
  event_id?: string | null;
  expires_at?: number | null;
}

/** Creates a token without the office's screens; returns its headers. */
export async function makeProgram(
  server: TestServer,
  { scopes, event_id = null, expires_at = null }: TokenOptions,
) {
  const wish = { name: 'Sito', scopes, event_id, expires_at };
  const { id, token } = await makeToken(server.house.ctx, wish, 'cli');
  return { id, token, headers: { authorization: `Bearer ${token}` } };
}

/** Webhooks may go to this computer, with short timeouts. */
export const nearLine: ProgramLine = connectPrograms({ allowed: ['127.0.0.0/8'], deadlineMs: 400 });

interface Told {
  id: string;
  kind: string;
  /** The fields of a message besides its kind and time. */
  data: Record<string, unknown>;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Receiver extends AsyncDisposable {
  url: string;
  /** All deliveries, including repeated ones. */
  told: Told[];
  /** The statuses of the next answers; 204 by default. */
  answer: ((response: ServerResponse) => void) | null;
}

/** A server of another company, which receives webhooks. */
export async function startReceiver(): Promise<Receiver> {
  const told: Told[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { type: kind, data } = JSON.parse(body) as { type: string; data: Told['data'] };
      const { headers } = request;
      told.push({ id: String(headers['webhook-id']), kind, data, headers, body });
      if (receiver.answer) receiver.answer(response);
      else response.writeHead(204).end();
    });
  });
  const port = await listen(server);
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/botteghino`,
    told,
    answer: null,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
}

/** Sends the due webhooks, as the worker would. */
export async function tellDue({ house }: TestServer): Promise<void> {
  await tellPrograms(house.ctx, new AbortController().signal);
}
