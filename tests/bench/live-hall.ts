/** A hall of our seat map's server in a process of its own, with viewers who are told of every change and buyers who make them at a steady pace. */
import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '#tests/support/port.ts';
import { drawHall, seatLabel } from './drawn-hall.ts';
import { cpuOf } from './product.ts';

const secret = 'bench';

async function post(url: string, user: string, body: object): Promise<Record<string, unknown>> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${user}:`)}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  const text = await answer.text();
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}

interface LiveHall {
  url: string;
  port: number;
  key: string;
  server: ChildProcess;
  /** An evening in which every seat is free; the address at which its viewers are told of changes. */
  openEvent: (event: string) => Promise<string>;
}

/** A hall of so many seats; its file lies in the folder. */
export async function startLiveHall(folder: string, seats: number): Promise<LiveHall> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const files = ['--system-secret', secret, '--file', join(folder, 'standins.sqlite')];
  const program = join(import.meta.dirname, '../../server/standins/main.ts');
  const server = spawn(process.execPath, [program, '--seatsio-port', String(port), ...files], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(server.stdout, 'data');
  const { workspace } = (await post(`${url}/system/private/create-test-company`, secret, {})) as {
    workspace: { key: string; secretKey: string };
  };
  const key = workspace.secretKey;
  await post(`${url}/system/public/charts/hall`, key, drawHall(seats));
  const openEvent = async (event: string) => {
    await post(`${url}/events`, key, { chartKey: 'hall', eventKey: event });
    return `/system/public/${workspace.key}/events/${event}/stream`;
  };
  return { url, port, key, server, openEvent };
}

export async function stopLiveHall({ server }: LiveHall): Promise<void> {
  server.kill();
  await once(server, 'exit');
}

/** Connects the viewers. */
export async function gatherViewers(
  port: number,
  path: string,
  viewers: number,
): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, 'live-viewers.ts'), [
    String(port),
    path,
    String(viewers),
  ]);
  await once(child, 'message');
  return child;
}

export async function endViewers(child: ChildProcess): Promise<void> {
  child.send('end');
  await once(child, 'exit');
}

/** The share of a core that the server needs meanwhile, in percent. */
export async function costOf(server: ChildProcess, act: () => Promise<unknown>): Promise<number> {
  const [cpu, began] = [cpuOf(server), performance.now()];
  await act();
  return (100 * (cpuOf(server) - cpu)) / (performance.now() - began);
}

interface Pace {
  perSecond: number;
  seconds: number;
}

/** Books seats at a steady pace, four per call as most buyers do. */
export async function changeSeats(
  { url, key }: LiveHall,
  event: string,
  { perSecond, seconds }: Pace,
): Promise<void> {
  const began = performance.now();
  const calls: Promise<unknown>[] = [];
  for (let index = 0; index < perSecond * seconds; index += 4) {
    await pause(Math.max(0, began + (index * 1_000) / perSecond - performance.now()));
    const objects = [0, 1, 2, 3].map((at) => ({ objectId: seatLabel(index + at) }));
    const body = { events: [event], type: 'CHANGE_STATUS_TO', status: 'booked', objects };
    calls.push(post(`${url}/events/groups/actions/change-object-status`, key, body));
  }
  await Promise.all(calls);
}
