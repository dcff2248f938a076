/** Who publishes another drawing of a chart on sale reads what its places cost on each evening, before and after. */
import { expect, test } from 'vitest';
import { tellPrices } from '#apps/chart/designer/saving/evenings.ts';

import { addCategory, paint } from '#server/drawing/edit/categories.ts';
import { makeRow } from '#server/drawing/edit/rows/make.ts';
import { removeSelection } from '#server/drawing/edit/remove.ts';
import { diffDrawings } from '#server/drawing/diff/diff.ts';
import { selectItems } from '#server/drawing/model/selection.ts';
import { Drawn } from '#tests/drawing/edit/drawn.ts';

const AT = { floor: 'floor-0', section: null };

test('repainted, added and removed places are told with the prices of the evening, by the key or the name of a category', () => {
  const drawn = new Drawn();
  drawn.act(addCategory(drawn.doc, { label: 'Galleria', color: '#2fb5a0' }));
  const [a, b] = [100, 140].flatMap((y) =>
    drawn.make(
      makeRow(
        drawn.doc,
        { at: AT, from: { x: 100, y }, to: { x: 316, y }, categoryKey: 1 },
        drawn.newId,
      ),
    ),
  );
  const before = drawn.doc;
  drawn.act(paint(drawn.doc, selectItems([a!]), 2));
  drawn.act(removeSelection(drawn.doc, selectItems([b!])));
  const { doc: after } = drawn;
  const told = (prices: { category: string; cents: number[] }[]) =>
    tellPrices({ title: 'Otello', when: '', href: '', prices }, diffDrawings(before, after), {
      before,
      after,
    }).map((line) => line.replaceAll('\u00a0', ' '));
  const platea = { category: '1', cents: [3000, 2000] };
  expect(told([platea, { category: 'Galleria', cents: [1500] }])).toEqual([
    '10 posti: prima da 20,00 € a 30,00 €, poi 15,00 €',
    '10 posti in meno: prima da 20,00 € a 30,00 €',
  ]);
  expect(told([platea])[0]).toBe('10 posti: prima da 20,00 € a 30,00 €, poi non in vendita');
  // Where both cost the same there is nothing to say.
  expect(told([platea, { category: '2', cents: [2000, 3000] }])).toHaveLength(1);
});
