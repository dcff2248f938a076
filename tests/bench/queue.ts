/**
 * `npm run bench -- queue [rounds] [requests]`: the poll of a waiting room beside a bare node:http server that says hello and beside one that says the same
 * JSON, in the same run and in turn, 64 callers; then how long the draw of 100,000 entrants takes to work out. Figures, no verdict.
 */
import { hash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { setQueue } from '#server/contract/queue.ts';
import { drawOrder, rootOf, type Entrant } from '#server/domain/queue/draw.ts';
import { callOk, makeAdmin } from '#tests/support/make.ts';
import { makeData, startProduct } from '#tests/support/product.ts';
import { params, plainRoom } from '#tests/support/queue.ts';
import type { TestServer } from '#tests/support/server.ts';
import { cpuOf, inTurns, load, startFloor, stop, type Measured } from './product.ts';
import { scaled } from './scale.ts';

const rounds = Number(process.argv[2] ?? 7);
const requests = Number(process.argv[3] ?? scaled(20_000));
const drawn = scaled(100_000);
const poll = `/api/event/${params.eventId}/queue`;

/** CPU that the house uses by itself, in ms a second: its worker, the room that moves on. */
async function idleOf({ child }: Measured): Promise<number> {
  const seconds = scaled(5);
  const before = cpuOf(child);
  await pause(seconds * 1_000);
  return (cpuOf(child) - before) / seconds;
}

async function comparePolls(): Promise<void> {
  const data = await makeData('sqlite', '');
  await using product = await startProduct(data);
  const admin = await makeAdmin({
    url: product.url,
    house: { invite: product.invite },
  } as unknown as TestServer);
  await callOk(product, setQueue, { params, body: plainRoom }, admin);
  const house: Measured = { url: product.url, child: { pid: product.pid } };
  const said = Buffer.from(await (await fetch(`${product.url}${poll}`)).arrayBuffer());
  const hello = await startFloor(Buffer.from('"hello"'));
  const same = await startFloor(said);
  const figures = await inTurns(rounds, {
    floor: () => load(hello, poll, {}, requests),
    alike: () => load(same, poll, {}, requests),
    ours: () => load(house, poll, {}, requests),
  });
  const { floor, alike, ours } = figures;
  console.log(
    `poll of ${said.length} bytes, server CPU: ours ${ours.toFixed(1)} µs; node:http with hello ${floor.toFixed(1)} µs, ratio ${(floor / ours).toFixed(2)} (goal 0.90); with the same JSON ${alike.toFixed(1)} µs, ratio ${(alike / ours).toFixed(2)}`,
  );
  console.log(`of ours, the house's own work: ${(await idleOf(house)).toFixed(1)} ms a second`);
  await stop(hello);
  await stop(same);
  await data.clean();
}

function timeDraw(): void {
  const hashText = (text: string) => hash('sha256', text, 'base64url');
  const entrants = Array.from({ length: drawn }, (_, n): Entrant => [
    hashText(`place ${n}`),
    hashText(`nonce ${n}`).slice(0, 22),
  ]);
  for (const [name, how] of [
    ['server', hashText],
    ['page', undefined],
  ] as const) {
    const began = performance.now();
    const root = rootOf(entrants, how);
    drawOrder({ seed: hashText('seed'), root, entrants }, how);
    console.log(
      `draw of ${drawn.toLocaleString('en')} as the ${name} works it out: ${(performance.now() - began).toFixed(0)} ms`,
    );
  }
}

await comparePolls();
timeDraw();
