/** In the page: the designer's canvas opens a drawing and 5,000 of its seats are dragged. */
import { mountCanvas } from '#apps/chart/designer/canvas/mount.ts';
import { wearStyles } from '#apps/chart/designer/shell/style.ts';
import { Studio } from '#apps/chart/designer/state/studio.ts';
import { openDrawing } from '#server/standins/seatsio/drawing/model/open.ts';
import { selectItems } from '#server/standins/seatsio/drawing/model/selection.ts';

const frameOf = () =>
  new Promise((resolve) => {
    requestAnimationFrame(resolve);
  });

/** When the frame that holds what was just drawn has been handed over. */
async function painted() {
  await frameOf();
  await new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', resolve);
    port1.start();
    port2.postMessage(0);
  });
  return performance.now();
}

// Events made by a script belong to no pointer that could be captured.
Element.prototype.setPointerCapture = () => {};

let studio;
let canvas;

function point(kind, { x, y }) {
  canvas.element.dispatchEvent(
    new PointerEvent(`pointer${kind}`, {
      bubbles: true,
      cancelable: true,
      clientX: x,
      clientY: y,
      button: 0,
      buttons: kind === 'up' ? 0 : 1,
      pointerId: 1,
      pointerType: 'mouse',
      isPrimary: true,
    }),
  );
}

/** Times between frames in ms while `act` runs in each of them. */
async function frames(count, act) {
  const times = [];
  let last = await frameOf();
  for (let n = 0; n < count; n++) {
    act(n);
    const now = await frameOf();
    times.push(now - last);
    last = now;
  }
  return times;
}

/** Rows until they have so many seats, and where on the page the first of them stands. */
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
    wearStyles(host);
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
    point('down', from);
    const to = (n) => ({ x: from.x + 90 * Math.sin(n / 9), y: from.y + 60 * Math.sin(n / 7) });
    const times = await frames(count, (n) => point('move', to(n + 1)));
    const began = performance.now();
    point('up', to(count));
    const end = (await painted()) - began;
    if (studio.state.past.at(-1)?.code !== 'move') throw new Error('Nothing was moved');
    return { selected, times, end };
  },
  async pan(count) {
    const box = canvas.element.getBoundingClientRect();
    const middle = { x: box.left + box.width / 2, y: box.top + box.height / 2 };
    studio.set({ tool: 'hand' });
    point('down', middle);
    const times = await frames(count, (n) =>
      point('move', { x: middle.x + 90 * Math.sin(n / 9), y: middle.y + 60 * Math.sin(n / 7) }),
    );
    point('up', middle);
    studio.set({ tool: 'select' });
    return times;
  },
  async sweep(count) {
    const box = canvas.element.getBoundingClientRect();
    return frames(count, (n) =>
      canvas.element.dispatchEvent(
        new WheelEvent('wheel', {
          bubbles: true,
          cancelable: true,
          clientX: box.left + box.width / 2,
          clientY: box.top + box.height / 2,
          deltaY: n < count / 2 ? -50 : 50,
        }),
      ),
    );
  },
};
