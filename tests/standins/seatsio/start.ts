/** A seats.io stand-in for one test: on a free port, with a clock that the test moves and the vendor's own SDK to call it. */
import { testWith } from '#tests/support/test-with.ts';
import { hash, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateEventParams,
  ObjectProperties,
  Region,
  SeatsioClient,
  UpdateEventParams,
} from 'seatsio';
import type { EventObjectInfo } from 'seatsio';
import { expect, inject } from 'vitest';
import { databaseKinds } from '#tests/support/server.ts';
import { openSeatsioStore, openSharedSeatsioStore } from '#server/standins/seatsio/open.ts';
import { startSeatsio } from '#server/standins/seatsio/server.ts';
import type {
  BestAvailableAnswer,
  HoldTokenInfo,
  RenderingInfo,
} from '#server/standins/seatsio/wire.ts';

export const SYSTEM_SECRET = 'only-for-tests';
export const START = Date.parse('2026-11-21T20:00:00Z');

const seat = (label: string, x: number, y: number, more: object = {}) => ({
  uuid: `${label}-${x}-${y}`,
  label,
  x,
  y,
  ...more,
});
const row = (label: string, y: number, count: number) => ({
  uuid: label,
  label,
  seats: Array.from({ length: count }, (_, index) =>
    seat(String(index + 1), 20 + index * 20, y, { categoryKey: 1 }),
  ),
});

/** Rows A and B of eight, an area of 100 places, a table of two, and a section with one row. */
export const smallDrawing = {
  name: 'Small',
  version: 1,
  venueType: 'SIMPLE',
  categories: {
    list: [
      { key: 1, label: 'Cat1', color: '#111111', accessible: false },
      { key: 'two', label: 'Cat2', color: '#222222', accessible: true },
    ],
    maxCategoryKey: 1,
  },
  subChart: {
    width: 400,
    height: 300,
    focalPoint: { x: 100, y: 0 },
    rows: [row('A', 50, 8), row('B', 80, 8)],
    tables: [
      {
        uuid: 't1',
        label: 'T1',
        type: 'round',
        center: { x: 300, y: 60 },
        radius: 20,
        bookAsAWhole: true,
        seats: [seat('1', 280, 60, { categoryKey: 1 }), seat('2', 320, 60, { categoryKey: 1 })],
      },
    ],
    generalAdmissionAreas: [
      {
        uuid: 'ga',
        label: 'GA1',
        capacity: 100,
        categoryKey: 'two',
        type: 'circle',
        center: { x: 300, y: 200 },
        radius1: 60,
        radius2: 40,
        rotationAngle: 0,
      },
    ],
    booths: [],
    shapes: [],
    texts: [],
    sections: [
      {
        uuid: 's',
        label: 'Balcony',
        displayLabel: 'Balconata',
        points: [
          { x: 10, y: 200 },
          { x: 150, y: 200 },
          { x: 150, y: 280 },
        ],
        topLeft: { x: 10, y: 200 },
        categoryKey: 'two',
        zone: null,
        entrance: 'North',
        subChart: {
          width: 140,
          height: 80,
          rows: [
            {
              uuid: 'bc',
              label: 'C',
              displayLabel: 'Fila C',
              displayObjectType: 'Palco',
              seats: [
                seat('1', 10, 30, { x_gapAfter: true, restrictedView: true }),
                seat('2', 50, 30),
                seat('3', 70, 30),
              ],
            },
          ],
        },
      },
    ],
  },
};

/** Any of the public answers, or a refusal: a test looks at what it asked for. */
export type PublicBody = RenderingInfo &
  HoldTokenInfo &
  BestAvailableAnswer & { errors: { code: string }[] };

export interface Standin {
  url: string;
  secretKey: string;
  workspaceKey: string;
  client: SeatsioClient;
  clock: { now: number };
  chartFolder: string;
  /** Under the public door of the workspace; the body is sent as JSON. */
  visit: (
    method: string,
    path: string,
    body?: unknown,
  ) => Promise<{ status: number; body: PublicBody }>;
  /** What is of an object of an event, which is `ev` unless another is named. */
  info: (label: string, event?: string) => Promise<EventObjectInfo>;
  /** With the secret key and without the SDK: `POST /events`; a text or bytes go as they are, anything else as JSON. */
  ask: (
    call: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<{ status: number; headers: Headers; text: string; body: RawBody }>;
  close: () => Promise<void>;
  [Symbol.asyncDispose]: () => Promise<void>;
}

/** A refusal, or something that the test knows. */
type RawBody = { status: number; errors: { code: string; message: string }[] } & Record<
  string,
  unknown
>;

/** Whoever names the same file finds the same tables. */
function schemaOf(file: string): string {
  const name = file === ':memory:' ? randomUUID() : file;
  return `t_${hash('sha256', name).slice(0, 12)}`;
}

/** Starts with the small chart as `small` and an event `ev` on it; without provisioning only with what is there by itself. */
export async function startStandin({
  file = ':memory:',
  provisioning = true,
  clock = { now: START },
  database = (process.env['CHART_DATABASE'] ?? 'sqlite') as (typeof databaseKinds)[number],
} = {}): Promise<Standin> {
  const store =
    database === 'sqlite'
      ? openSeatsioStore(file)
      : await openSharedSeatsioStore(`${inject('postgresUrl')}/postgres`, {
          schema: schemaOf(file),
          namedStatements: true,
        });
  const chartFolder = mkdtempSync(join(tmpdir(), 'chart-'));
  writeFileSync(join(chartFolder, 'chart.js'), 'var seatsio = {};\n');
  const { url, secretKey, workspaceKey, close } = await startSeatsio({
    store,
    now: () => clock.now,
    port: 0,
    chartFolder,
    systemSecret: provisioning ? SYSTEM_SECRET : undefined,
  });
  const client = new SeatsioClient(new Region(url), secretKey).setMaxRetries(0);
  let open = true;
  const stop = async () => {
    if (!open) return;
    open = false;
    await close();
    await store.close();
    rmSync(chartFolder, { recursive: true });
  };
  if (provisioning) {
    await uploadDrawing({ url, secretKey }, { key: 'small', drawing: smallDrawing });
    if ((await client.events.listFirstPage()).items.length === 0)
      await client.events.create('small', eventParams({ key: 'ev' }));
  }
  return {
    url,
    secretKey,
    workspaceKey,
    client,
    clock,
    chartFolder,
    close: stop,
    [Symbol.asyncDispose]: stop,
    info: (label, event = 'ev') => client.events.retrieveObjectInfo(event, label),
    async ask(call, body, headers) {
      const [method, path] = call.split(' ') as [string, string];
      const isRaw = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
      const answer = await fetch(`${url}${path}`, {
        method,
        body: isRaw ? (body as string | undefined) : JSON.stringify(body),
        headers: { Authorization: basic(secretKey), ...headers },
      });
      const text = await answer.text();
      const isJson = answer.headers.get('content-type')?.startsWith('application/json');
      return {
        status: answer.status,
        headers: answer.headers,
        text,
        body: (isJson && text !== '' ? JSON.parse(text) : null) as RawBody,
      };
    },
    async visit(method, path, body) {
      const answer = await fetch(`${url}/system/public/${workspaceKey}${path}`, {
        method,
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      const text = await answer.text();
      return { status: answer.status, body: (text === '' ? null : JSON.parse(text)) as PublicBody };
    },
  };
}

export function eventParams(more: Partial<CreateEventParams>): CreateEventParams {
  return Object.assign(new CreateEventParams(), more);
}

export function updateParams(more: Partial<UpdateEventParams>): UpdateEventParams {
  return Object.assign(new UpdateEventParams(), more);
}

/** Labels, or labels with a quantity, ticket type, extra data. */
export function things(
  ...objects: (
    | string
    | { objectId: string; quantity?: number; ticketType?: string; extraData?: object }
  )[]
): ObjectProperties[] {
  return objects.map((object) =>
    typeof object === 'string'
      ? new ObjectProperties(object)
      : Object.assign(new ObjectProperties(object.objectId), object),
  );
}

export function basic(user: string): string {
  return `Basic ${Buffer.from(`${user}:`).toString('base64')}`;
}

export async function uploadDrawing(
  { url, secretKey }: { url: string; secretKey: string },
  { key, drawing }: { key: string; drawing: object },
): Promise<number> {
  const answer = await fetch(`${url}/system/public/charts/${key}`, {
    method: 'POST',
    headers: {
      Authorization: basic(secretKey),
      'Content-Type': 'application/x-www-form-urlencoded',
    },
    body: JSON.stringify(drawing),
  });
  return answer.status;
}

/** What the SDK throws for a refusal with a body; a success or anything else is a failure of the test. */
export async function refusalOf(
  promise: Promise<unknown>,
): Promise<{ status: number; code: string; message: string }> {
  try {
    await promise;
  } catch (error) {
    const body = error as {
      status: number;
      errors: { code: string; message: string }[];
      requestId: string;
    };
    if (!Array.isArray(body.errors) || !body.requestId)
      throw new Error(`Not a refusal: ${String(error)}`, { cause: error });
    return { status: body.status, code: body.errors[0]!.code, message: body.errors[0]!.message };
  }
  throw new Error('It was allowed');
}

/** Each of these calls is refused: with this code, or as this object says. */
export async function refuses(
  refusal: string | object,
  ...calls: Promise<unknown>[]
): Promise<void> {
  const wanted = typeof refusal === 'string' ? { code: refusal } : refusal;
  for (const refused of await Promise.all(calls.map(refusalOf)))
    expect(refused).toMatchObject(wanted);
}

/** A test with a stand-in of its own, with the small chart and the event. */
export const testStandin = testWith(() => startStandin());
