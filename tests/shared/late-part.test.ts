/** A part of a page whose script does not come, as after an upgrade, takes nothing else away. */
import { globSync, readFileSync } from 'node:fs';
import { createElement as draw, Fragment, Suspense } from 'react';
import { prerenderToNodeStream } from 'react-dom/static';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { latePart } from '#apps/shared/late-part.ts';

test('where a script does not come, its part says so once, and the page stays', async () => {
  const gone = async () => Promise.reject(new TypeError('Failed to fetch the script'));
  const late = [
    latePart(gone),
    latePart(gone),
    latePart(gone, () => 'Manca.'),
    latePart(async () => () => 'Qui.'),
  ];
  const parts = late.map((Part, key) => draw(Suspense, { key }, draw(Part)));
  const page = draw(Fragment, null, 'Prima.', parts, 'Dopo.');
  const { prelude } = await prerenderToNodeStream(page);
  expect((await text(prelude)).replace(/<[^>]*>/g, '')).toBe(
    'Prima.È uscita una nuova versione del sito: ricarica la pagina per vederla tutta.Manca.Qui.Dopo.',
  );
});

test('only whole screens are late without it', () => {
  const files = globSync('apps/{admin,booking,scanner,shared}/**/*.{ts,tsx}');
  const own = files.filter((file) => /\blazy[<(]/.test(readFileSync(file, 'utf8')));
  expect(own.toSorted()).toEqual([
    'apps/admin/routes.tsx',
    'apps/booking/routes.tsx',
    'apps/shared/late-part.ts',
  ]);
});
