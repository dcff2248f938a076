/** A drawing that is opened and saved is the same bytes; an edit and its inverse leave no trace. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { drawStadium } from '#server/standins/seatsio/draw/stadium.ts';
import type { Item } from '#server/drawing/model/data.ts';
import { EditDraft, applyEdit, invertEdit } from '#server/drawing/model/edit.ts';
import { UnreadableDrawing, openDrawing, saveDrawing } from '#server/drawing/model/open.ts';

const charts = join(import.meta.dirname, '../../server/standins/seatsio/charts');
const drawings = readdirSync(charts).map((file): [string, unknown] => [
  file,
  JSON.parse(readFileSync(join(charts, file), 'utf8')),
]);
drawings.push(['a stadium', drawStadium({ seats: 2_000, sections: 12 })]);

test.each(drawings)('what nobody touched is written as it was read: %s', (_name, raw) => {
  expect(JSON.stringify(saveDrawing(openDrawing(raw)))).toBe(JSON.stringify(raw));
});

test('a row that goes, comes into a section and back leaves the same bytes when undone', () => {
  const [, raw] = drawings.find(([name]) => name === 'teatro-goldoni.json')!;
  const doc = openDrawing(raw);
  const draft = new EditDraft(doc);
  const [first, second] = [...doc.items.values()].filter(({ kind }) => kind === 'row') as [
    Item,
    Item,
  ];
  const other = [...doc.items.values()].find(
    ({ kind, id }) => kind === 'section' && id !== first.section,
  )!;
  draft.remove(first.id);
  draft.put({ ...second, section: other.id });
  draft.remove(first.section!);
  draft.put(first);
  const edit = draft.finish('test')!;
  const changed = applyEdit(doc, edit);
  expect(changed.items.get(second.id)!.section).toBe(other.id);
  expect(JSON.stringify(saveDrawing(changed))).toBe(JSON.stringify(saveDrawing(draft.doc)));
  const back = applyEdit(changed, invertEdit(edit));
  expect(JSON.stringify(saveDrawing(back))).toBe(JSON.stringify(raw));
  expect(new EditDraft(doc).finish('nothing')).toBeNull();
});

test('what is no drawing is refused with a word for its programmer', () => {
  for (const raw of [null, [], {}, { subChart: { rows: [1] } }, { subChartFloors: [null] }])
    expect(() => openDrawing(raw)).toThrow(UnreadableDrawing);
});
