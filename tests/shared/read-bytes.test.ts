/** A large answer as bytes: whole whatever is said about its length, and told while it comes. */
import { expect, test } from 'vitest';
import { readBytes } from '#apps/shared/api.ts';

const sent = Uint8Array.from({ length: 200_000 }, (_, at) => at * 7);

function answer(headers: Record<string, string>, { breaks = false } = {}): Response {
  let at = 0;
  const body = new ReadableStream({
    pull(controller) {
      if (breaks && at >= 100_000) return controller.error(new TypeError('network'));
      controller.enqueue(sent.slice(at, (at += 50_000)));
      if (at >= sent.length) controller.close();
    },
  });
  return new Response(body, { headers });
}

async function read(response: Response) {
  const told: [number, number | null][] = [];
  return {
    bytes: new Uint8Array(await readBytes(response, (have, of) => told.push([have, of]))),
    told,
  };
}

test('with its unpacked length told, each piece says how far it is', async () => {
  const { bytes, told } = await read(answer({ 'x-unpacked-length': '200000' }));
  expect(bytes).toEqual(sent);
  expect(told).toEqual([50_000, 100_000, 150_000, 200_000].map((have) => [have, 200_000]));
});

test('without it, or with a wrong one, the bytes are whole all the same', async () => {
  const headers: Record<string, string>[] = [
    {},
    { 'x-unpacked-length': '70000' },
    { 'x-unpacked-length': '900000' },
    { 'x-unpacked-length': 'many' },
  ];
  for (const one of headers) expect((await read(answer(one))).bytes).toEqual(sent);
  expect((await read(answer({}))).told.at(-1)).toEqual([200_000, null]);
  expect((await read(new Response(null))).bytes).toHaveLength(0);
});

test('a line that breaks in the middle is an unreadable answer', async () => {
  await expect(read(answer({}, { breaks: true }))).rejects.toMatchObject({ code: 'unreadable' });
});
