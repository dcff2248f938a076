/** In the page: the designer's canvas opens a drawing, 5,000 of its seats are dragged and named, and it is saved. */
import { mountCanvas } from '#apps/chart/designer/mount/mount.ts';
import { Calls } from '#apps/chart/designer/line/calls.ts';
import { ChartCalls } from '#apps/chart/designer/line/chart-calls.ts';
import { planOf, usualAsk } from '#apps/chart/designer/panels/labels-ask.ts';
import { applyStyles } from '#apps/chart/designer/kit/style.ts';
import { Studio } from '#apps/chart/designer/state/studio.ts';
import { duplicatesAfter, relabel } from '#server/drawing/label/labels.ts';
import { openDrawing } from '#server/drawing/model/open.ts';
import { selectItems } from '#server/drawing/model/selection.ts';
import { frames, middleOf, painted, point, turnWheel } from './page-hands.js';

let studio;
let canvas;

/** Rows until they have so many seats; how many they have. */
function selectRows(seats) {
  const ids = [];
  let count = 0;
  for (const item of studio.state.doc.items.values()) {
    if (item.kind !== 'row' || count >= seats) continue;
    ids.push(item.id);
    count += item.data.seats.length;
  }
  studio.set({ selection: selectItems(ids) });
  return count;
}

globalThis.bench = {
  async open(text) {
    const began = performance.now();
    studio = new Studio(openDrawing(JSON.parse(text)));
    const host = document.querySelector('#host');
    applyStyles(host);
    canvas = mountCanvas(host, studio, { newId: () => crypto.randomUUID() });
    return (await painted()) - began;
  },
  /** Frames while they are dragged, and how long the end of it takes: one act and a new picture. */
  async drag(seats, count) {
    const selected = selectRows(seats);
    await painted();
    const { doc, selection } = studio.state;
    const row = doc.items.get([...selection.items][0]);
    const origin = doc.items.get(row.section)?.data.topLeft ?? { x: 0, y: 0 };
    const from = canvas.screenOf({
      x: row.data.seats[0].x + origin.x,
      y: row.data.seats[0].y + origin.y,
    });
    point(canvas.element, 'down', from.x, from.y);
    const at = (n) => [from.x + 90 * Math.sin(n / 9), from.y + 60 * Math.sin(n / 7)];
    const times = await frames(count, (n) => point(canvas.element, 'move', ...at(n + 1)));
    const began = performance.now();
    point(canvas.element, 'up', ...at(count));
    const end = (await painted()) - began;
    if (studio.state.past.at(-1)?.code !== 'move') throw new Error('Nothing was moved');
    return { selected, times, end };
  },
  async pan(count) {
    const { x, y } = middleOf(canvas.element);
    studio.set({ tool: 'hand' });
    point(canvas.element, 'down', x, y);
    const times = await frames(count, (n) =>
      point(canvas.element, 'move', x + 90 * Math.sin(n / 9), y + 60 * Math.sin(n / 7)),
    );
    point(canvas.element, 'up', x, y);
    studio.set({ tool: 'select' });
    return times;
  },
  sweep: (count) => frames(count, (n) => turnWheel(canvas.element, n < count / 2 ? -50 : 50)),
  /** What one choice in the dialog of labels costs (the plan and what would stand twice), and then its button until it is seen. */
  async label(seats, rounds) {
    selectRows(seats);
    const times = { shown: [], done: [] };
    for (let n = 0; n < rounds; n++) {
      await painted();
      const { doc, selection } = studio.state;
      const usual = usualAsk('seat');
      const ask = { ...usual, scheme: { ...usual.scheme, start: String(100 + n) } };
      const began = performance.now();
      const plan = planOf(doc, selection, ask);
      duplicatesAfter(doc, plan, ask.target);
      times.shown.push(performance.now() - began);
      const pressed = performance.now();
      studio.act(relabel(doc, plan, ask.target));
      times.done.push((await painted()) - pressed);
    }
    return times;
  },
  /** From the drawing in memory to the server's word that it has it. */
  async save({ chart, token, version }, rounds) {
    const line = new ChartCalls(
      new Calls('/standins/seatsio/', () => ({ secretKey: token })),
      chart,
    );
    const times = [];
    let known = version;
    for (let n = 0; n < rounds; n++) {
      const began = performance.now();
      const saved = await line.saveDrawing(studio.state.doc, { version: known, tab: 'the-bench' });
      times.push(performance.now() - began);
      known = saved.version;
    }
    return times;
  },
};
