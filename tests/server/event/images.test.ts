/** Pictures: what a camera sends becomes small clean files; what only looks like a picture, or would eat the machine, is refused. */
import { get } from 'node:http';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { expect } from 'vitest';
import { filterImage } from '#server/contract/images.ts';
import { forgetUnusedImages } from '#server/services/event/images.ts';
import { testOnBoth as it, testOnSqlite, testOnce as test } from '#tests/support/both.ts';
import { day, makeDraft, makeForm, save, trySave } from '#tests/support/event-desk.ts';
import { aRefusal } from '#tests/support/make.ts';
import { asRole } from '#tests/support/roles.ts';
import { type TestServer } from '#tests/support/server.ts';

interface Sent {
  status: number;
  body: { url: string; width: number; height: number; code?: string; message?: string };
}

async function send(
  server: TestServer,
  admin: { cookie: string },
  file: Uint8Array | null,
  { headers = {}, ...fields }: Record<string, unknown> & { headers?: Record<string, string> } = {},
): Promise<Sent> {
  const form = new FormData();
  for (const [name, value] of Object.entries({ shape: 'ball', ...fields }))
    form.append(name, value as string);
  if (file)
    form.append(
      'file',
      new Blob([Uint8Array.from(file)], { type: 'image/jpeg' }),
      '../../etc/passwd.jpg',
    );
  const response = await fetch(server.url + filterImage.path, {
    method: 'POST',
    body: form,
    headers: { ...admin, 'x-requested-with': 'fetch', connection: 'close', ...headers },
  });
  return { status: response.status, body: (await response.json()) as Sent['body'] };
}

async function fileOf(server: TestServer, url: string, name: string) {
  const response = await fetch(`${server.url}${url}/${name}`, { headers: { connection: 'close' } });
  return {
    status: response.status,
    headers: response.headers,
    content: Buffer.from(await response.arrayBuffer()),
  };
}

/** As a browser asks: fetch() would add that nothing may come from a cache. */
function statusWith(url: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { connection: 'close', ...headers } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode!);
    }).on('error', reject);
  });
}

/** Left half red, right half blue. */
function twoHalves(width: number, height: number) {
  const blue = {
    input: { create: { width: width / 2, height, channels: 3 as const, background: '#0000ff' } },
    left: width / 2,
    top: 0,
  };
  return sharp({ create: { width, height, channels: 3, background: '#ff0000' } }).composite([blue]);
}

async function colourAt(content: Buffer, x: number, y: number): Promise<string> {
  const { data, info } = await sharp(content)
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at =
    (Math.floor(y * (info.height - 1)) * info.width + Math.floor(x * (info.width - 1))) *
    info.channels;
  const [red, , blue] = [...data.subarray(at, at + 3)];
  return red! > 200 && blue! < 60
    ? 'red'
    : blue! > 200 && red! < 60
      ? 'blue'
      : data.subarray(at, at + 3).toString('hex');
}

testOnSqlite(
  'a photograph becomes files in every size and format, upright and without what the camera wrote',
  async (server, admin) => {
    // Lies on its side, as a phone stores it: turned by a quarter, red is on top.
    const photo = await twoHalves(2_000, 1_000)
      .withExif({ IFD0: { Copyright: 'segreto' }, IFD3: { GPSLatitudeRef: 'N' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    expect(photo.includes('segreto')).toBe(true);
    const banner = await send(server, admin, photo, { shape: 'banner' });
    expect(banner).toMatchObject({
      status: 200,
      body: { url: expect.stringMatching(/^\/media\/[\w-]{22,40}$/), width: 640, height: 1_280 },
    });
    const { url } = banner.body;
    for (const [name, type, width] of [
      ['320.avif', 'heif', 320],
      ['320.webp', 'webp', 320],
      ['640.jpg', 'jpeg', 640],
      ['500.jpg', 'jpeg', 320],
      ['1.jpg', 'jpeg', 160],
      ['99999.jpg', 'jpeg', 640],
    ] as const) {
      const { status, content } = await fileOf(server, url, name);
      const metadata = await sharp(content).metadata();
      const wanted = { format: type, width, height: width * 2 };
      expect([name, status, metadata]).toMatchObject([name, 200, wanted]);
      // Nothing of what the camera wrote.
      const { exif, orientation, icc } = metadata;
      expect([exif, orientation, icc]).toEqual([undefined, undefined, undefined]);
      const colours = [await colourAt(content, 0.5, 0.1), await colourAt(content, 0.5, 0.9)];
      expect(colours).toEqual(['red', 'blue']);
    }
    const file = await fileOf(server, url, '320.avif');
    expect([
      file.headers.get('content-type'),
      file.headers.get('cache-control'),
      file.headers.get('x-content-type-options'),
      file.headers.get('content-security-policy')?.includes("default-src 'self'"),
    ]).toEqual(['image/avif', 'public, max-age=31536000, immutable', 'nosniff', true]);
    expect(
      await statusWith(`${server.url}${url}/320.avif`, {
        'if-none-match': file.headers.get('etag')!,
      }),
    ).toBe(304);
    for (const path of [
      `${url}/320.svg`,
      `${url}/320.gif`,
      `${url}/0.jpg`,
      `${url}/-1.jpg`,
      `${url}/1e3.jpg`,
      `${url}/%2e%2e%2f1.jpg`,
      `${url}/320.jpg%00`,
      '/media/nessuna-immagine/320.jpg',
      '/media/%2e%2e%2f%2e%2e/320.jpg',
      `/media/${'a'.repeat(5_000)}/1.jpg`,
    ]) {
      const answer = await fetch(server.url + path, { headers: { connection: 'close' } });
      expect([path.slice(0, 60), answer.status, answer.headers.get('cache-control')]).toEqual([
        path.slice(0, 60),
        404,
        'no-store',
      ]);
    }
    expect(server.logged).toEqual([]);
  },
);

testOnSqlite(
  'the ball is the square that was chosen, inside the picture, stored once',
  async (server, admin) => {
    const photo = await twoHalves(1_600, 800).png().toBuffer();
    const left = await send(server, admin, photo, { x: '0', y: '0', size: '0.5' });
    const right = await send(server, admin, photo, { x: '0.5', y: '0', size: '0.5' });
    const middle = await send(server, admin, photo);
    expect([left.body.width, left.body.height, right.body.width, middle.body.width]).toEqual([
      640, 640, 640, 640,
    ]);
    const colours = async ({ body }: Sent) => {
      const { content } = await fileOf(server, body.url, '320.webp');
      return [await colourAt(content, 0.05, 0.5), await colourAt(content, 0.95, 0.5)];
    };
    expect([await colours(left), await colours(right), await colours(middle)]).toEqual([
      ['red', 'red'],
      ['blue', 'blue'],
      ['red', 'blue'],
    ]);
    // Over the edge: moved inside.
    expect(await colours(await send(server, admin, photo, { x: '1', y: '1', size: '1' }))).toEqual([
      'blue',
      'blue',
    ]);
    const again = await Promise.all(
      [1, 2, 3].map(() => send(server, admin, photo, { x: '0', y: '0', size: '0.5' })),
    );
    expect(again.map((answer) => answer.body.url)).toEqual(Array(3).fill(left.body.url));
    const fresh = await twoHalves(400, 400).png().toBuffer();
    const together = await Promise.all([1, 2, 3].map(() => send(server, admin, fresh)));
    expect(new Set(together.map((answer) => answer.body.url)).size).toBe(1);
    expect(await server.house.ctx.db('images').count({ n: '*' }).first()).toEqual({
      n: expect.toSatisfy((n: unknown) => Number(n) === 5),
    });
    for (const [name, value] of [
      ['x', '-0.1'],
      ['x', '1.1'],
      ['y', 'NaN'],
      ['size', '1e9'],
      ['size', ''],
      ['shape', 'triangle'],
      ['shape', ''],
    ]) {
      const form = { [name!]: value };
      expect([name, value, (await send(server, admin, photo, form)).status]).toEqual([
        name,
        value,
        400,
      ]);
    }
  },
);

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A PNG that says it is huge, and is a few hundred bytes. */
function bomb(width: number, height: number): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([1, 0, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.alloc(Math.ceil(width / 8 + 1) * Math.min(height, 2_000)))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

test(
  'what is no picture, moves, or would fill the memory is refused, and the server goes on',
  async (server, admin) => {
    const svg = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400"><script>alert(1)</script><rect width="400" height="400"/></svg>',
    );
    const good = await twoHalves(400, 400).jpeg().toBuffer();
    const moving = async (format: 'webp' | 'gif') => {
      const frames = [good, await twoHalves(400, 400).negate().jpeg().toBuffer()];
      const film = sharp(frames, { join: { animated: true } });
      return film[format]({ delay: [100, 100] }).toBuffer();
    };
    expect((await sharp(await moving('webp')).metadata()).pages).toBe(2);
    const pngHead = Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1');
    const jpegHead = Buffer.from([0xff, 0xd8, 0xff, 0xe0]);
    const script = Buffer.from('<script>alert(1)</script>');
    const unreadable: Record<string, Uint8Array> = {
      svg,
      'svg with a BOM': Buffer.concat([Buffer.from('\ufeff'), svg]),
      gif: await sharp(good).gif().toBuffer(),
      'moving gif': await moving('gif'),
      'moving webp': await moving('webp'),
      tiff: await sharp(good).tiff().toBuffer(),
      pdf: Buffer.from('%PDF-1.7\n'),
      html: Buffer.concat([Buffer.from('<html>'), script]),
      'gif and script in one': Buffer.from('GIF89a/*\u0000*/=1;alert(1)'),
      'jpeg head on a page': Buffer.concat([jpegHead, script]),
      'png head on an svg': Buffer.concat([pngHead, svg]),
      'half a picture': good.subarray(0, good.length / 2),
      nothing: Buffer.alloc(0),
    };
    const refused: [name: string, file: Uint8Array, code: string][] = [
      ...Object.entries(unreadable).map(([name, file]): [string, Uint8Array, string] => [
        name,
        file,
        'image_unreadable',
      ]),
      ['bomb', bomb(16_000, 16_000), 'image_too_large'],
      ['one too many', bomb(6_400, 6_400), 'image_too_large'],
      ['tiny', await twoHalves(100, 100).png().toBuffer(), 'image_too_small'],
    ];
    for (const [name, file, code] of refused) {
      const answer = await send(server, admin, file);
      expect([name, answer.status, answer.body.code]).toEqual([name, 422, code]);
      if (code === 'image_unreadable') expect(answer.body.message).toContain('non animato');
    }
    expect((await send(server, admin, Buffer.alloc(8_000_001, 1))).body.code).toBe(
      'body_too_large',
    );
    expect((await send(server, admin, Buffer.alloc(9_000_000, 1))).body.code).toBe(
      'body_too_large',
    );
    // A picture with a page behind it is a picture: what is served was written anew, and holds nothing of it.
    const both = await send(
      server,
      admin,
      Buffer.concat([good, Buffer.from('<script>alert("coda")</script>')]),
    );
    for (const format of ['jpg', 'webp', 'avif'])
      expect((await fileOf(server, both.body.url, `320.${format}`)).content.includes('coda')).toBe(
        false,
      );
    expect(server.logged).toEqual([]);
  },
  30_000,
);

test('only an own page may send a picture, one at a time, with a file in it', async (server, admin) => {
  const photo = await twoHalves(400, 400).jpeg().toBuffer();
  expect(
    (await send(server, admin, photo, { headers: { 'x-requested-with': '' } })).body.code,
  ).toBe('wrong_origin');
  expect(
    (await send(server, admin, photo, { headers: { 'sec-fetch-site': 'cross-site' } })).body.code,
  ).toBe('wrong_origin');
  expect((await send(server, admin, null)).status).toBe(400);
  // Without a length it might never end: refused before it has begun.
  const endless = await fetch(server.url + filterImage.path, {
    method: 'POST',
    headers: {
      ...admin,
      'x-requested-with': 'fetch',
      'content-type': 'multipart/form-data; boundary=b',
    },
    body: new ReadableStream({ start: (body) => body.enqueue(Buffer.from('--b\r\n')) }),
    duplex: 'half',
  } as RequestInit);
  expect(endless.status).toBe(400);
  expect(
    (
      await send(
        server,
        admin,
        photo,
        Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`f${index}`, 'x'])),
      )
    ).status,
  ).toBe(400);
  const post = (body: string, type: string) =>
    fetch(server.url + filterImage.path, {
      method: 'POST',
      body,
      headers: { ...admin, 'x-requested-with': 'fetch', 'content-type': type, connection: 'close' },
    });
  for (const [body, type, status] of [
    ['{}', 'application/json', 415],
    ['a=b', 'application/x-www-form-urlencoded', 415],
    ['x', 'multipart/form-data', 400],
    ['--x\r\nbroken', 'multipart/form-data; boundary=x', 400],
    ['', 'multipart/form-data; boundary=x', 400],
  ] as const) {
    expect([type, (await post(body, type)).status]).toEqual([type, status]);
  }
  expect(server.logged).toEqual([]);
});

it('a picture that no event shows is gone after a week, one that is shown or asked for again stays', async (server, admin) => {
  // Sessions end in the meantime: he logs in again.
  const take = async (background: string, person = admin) =>
    (
      await send(
        server,
        person,
        await sharp({ create: { width: 200, height: 200, channels: 3, background } })
          .png()
          .toBuffer(),
      )
    ).body.url;
  const [shown, unused, wished] = [
    await take('#111111'),
    await take('#222222'),
    await take('#333333'),
  ];
  const draft = await makeDraft(server, admin, { band_ball_image: shown });
  const { ctx } = server.house;
  server.clock.advance(6 * day);
  await forgetUnusedImages(ctx);
  expect((await fileOf(server, unused, '160.jpg')).status).toBe(200);
  const later = await asRole(server, 'admin');
  expect(await take('#333333', later)).toBe(wished);
  server.clock.advance(2 * day);
  await forgetUnusedImages(ctx);
  expect([
    (await fileOf(server, shown, '160.jpg')).status,
    (await fileOf(server, unused, '160.jpg')).status,
    (await fileOf(server, wished, '160.jpg')).status,
  ]).toEqual([200, 404, 200]);
  const person = await asRole(server, 'admin');
  expect(await trySave(server, person, draft, { event_ball_image: unused })).toMatchObject(
    aRefusal(422, 'image_unknown'),
  );
  const saved = await save(server, person, draft, {
    ...(await makeForm(server)),
    event_ball_image: wished,
    band_ball_image: shown,
  });
  expect(saved.form.event_ball_image).toBe(wished);
});
