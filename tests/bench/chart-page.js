/** In the page: three ways to show the same seats, and the same questions to each of them. */
import { frameOf, frames, middleOf, painted, point, turnWheel } from './page-hands.js';

const host = () => document.querySelector('#host');

/** Our chart, by its public contract; its data comes from the stand-in and counts from the moment it is here as text. */
const ours = {
  async build() {
    const read = globalThis.fetch;
    let began = 0;
    globalThis.fetch = async (...ask) => {
      const answer = await read(...ask);
      if (!String(ask[0]).includes('rendering-info')) return answer;
      const text = await answer.text();
      began = performance.now();
      return new Response(text, { status: answer.status, headers: answer.headers });
    };
    await new Promise((resolve, reject) => {
      ours.chart = new globalThis.seatsio.SeatingChart({
        ...globalThis.chartAsk,
        container: host(),
        session: 'none',
        language: 'it',
        colorScheme: 'dark',
        showLegend: true,
        pricing: [{ category: '1', price: 20 }],
        selectionValidators: [{ type: 'noOrphanSeats' }],
        onChartRendered: resolve,
        onChartRenderingFailed: () => reject(new Error('The chart could not be drawn')),
      }).render();
    });
    return (await painted()) - began;
  },
  surface: () => document.querySelector('.bsc-map'),
  whole: () => ours.chart.resetView(),
  async select(at) {
    const { label } = globalThis.seats[at];
    await ours.chart.zoomToObjects([label]);
    await painted();
    await frameOf();
    const { x, y } = middleOf(this.surface());
    const began = performance.now();
    point(this.surface(), 'down', x, y);
    point(this.surface(), 'up', x, y);
    while (!ours.chart.selectedObjects.includes(label)) {
      await frameOf();
      if (performance.now() - began > 5000) throw new Error(`${label} was never chosen`);
    }
    return (await painted()) - began;
  },
};

/** The limit: the same circles on a canvas, only those that are seen, one path per colour, and nothing else. */
const bare = {
  async build() {
    const began = performance.now();
    const seats = JSON.parse(globalThis.seatsText);
    const canvas = document.createElement('canvas');
    const { clientWidth: width, clientHeight: height } = host();
    Object.assign(canvas, { width, height });
    host().append(canvas);
    const context = canvas.getContext('2d', { alpha: false });
    const bounds = seats.reduce(
      (box, { x, y }) => [
        Math.min(box[0], x),
        Math.min(box[1], y),
        Math.max(box[2], x),
        Math.max(box[3], y),
      ],
      [Infinity, Infinity, -Infinity, -Infinity],
    );
    const k = Math.min(width / (bounds[2] - bounds[0]), height / (bounds[3] - bounds[1]));
    Object.assign(bare, {
      seats,
      canvas,
      context,
      home: { k, x: -bounds[0] * k, y: -bounds[1] * k },
      width,
      height,
    });
    bare.colors = Map.groupBy(seats, ({ color }) => color);
    bare.camera = { ...bare.home };
    bare.paint();
    bare.listen();
    return (await painted()) - began;
  },
  paint() {
    const {
      context,
      camera: { k, x, y },
      width,
      height,
    } = bare;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = '#12151b';
    context.fillRect(0, 0, width, height);
    for (const [color, seats] of bare.colors) {
      context.beginPath();
      for (const seat of seats) {
        const [sx, sy] = [seat.x * k + x, seat.y * k + y];
        if (sx < -10 || sy < -10 || sx > width + 10 || sy > height + 10) continue;
        context.moveTo(sx + 8 * k, sy);
        context.arc(sx, sy, 8 * k, 0, Math.PI * 2);
      }
      context.fillStyle = color;
      context.fill();
    }
    if (!bare.chosen) return;
    context.beginPath();
    context.arc(bare.chosen.x * k + x, bare.chosen.y * k + y, 10 * k, 0, Math.PI * 2);
    context.fillStyle = '#ffffff';
    context.fill();
  },
  listen() {
    let last = null;
    let asked = false;
    const soon = () => {
      if (asked) return;
      asked = true;
      requestAnimationFrame(() => {
        asked = false;
        bare.paint();
      });
    };
    bare.canvas.addEventListener('pointerdown', ({ clientX, clientY }) => {
      last = [clientX, clientY];
    });
    bare.canvas.addEventListener('pointerup', ({ clientX, clientY }) => {
      const { k, x, y } = bare.camera;
      const [wx, wy] = [(clientX - x) / k, (clientY - y) / k];
      let best = Infinity;
      for (const seat of bare.seats) {
        const distance = (seat.x - wx) ** 2 + (seat.y - wy) ** 2;
        if (distance < best) {
          best = distance;
          bare.chosen = seat;
        }
      }
      soon();
    });
    bare.canvas.addEventListener('pointermove', ({ clientX, clientY }) => {
      if (!last) return;
      bare.camera.x += clientX - last[0];
      bare.camera.y += clientY - last[1];
      last = [clientX, clientY];
      soon();
    });
    bare.canvas.addEventListener('wheel', ({ clientX, clientY, deltaY }) => {
      const { camera } = bare;
      const factor = Math.exp(-deltaY * 0.0032);
      Object.assign(camera, {
        k: camera.k * factor,
        x: clientX - (clientX - camera.x) * factor,
        y: clientY - (clientY - camera.y) * factor,
      });
      soon();
    });
  },
  surface: () => bare.canvas,
  async whole() {
    bare.camera = { ...bare.home };
    bare.paint();
  },
  async select(at) {
    const { x, y } = bare.seats[at];
    const k = bare.home.k * 10;
    const middle = middleOf(bare.canvas);
    bare.camera = { k, x: middle.x - x * k, y: middle.y - y * k };
    bare.paint();
    await painted();
    await frameOf();
    const began = performance.now();
    point(bare.canvas, 'down', middle.x, middle.y);
    point(bare.canvas, 'up', middle.x, middle.y);
    return (await painted()) - began;
  },
};

/** The npm package, as its own page shows: blocks of seats, a click listener that chooses. */
const seatmap = {
  async build() {
    const { SeatMapCanvas } = await import('/seatmap.js');
    const began = performance.now();
    const seats = JSON.parse(globalThis.seatsText);
    const blocks = [...Map.groupBy(seats, ({ section }) => section)].map(([id, inside]) => ({
      id: String(id),
      title: String(id),
      labels: [],
      color: '#2c2828',
      seats: inside.map(({ x, y, color, label }) => ({
        id: label,
        title: label.split('-').at(-1),
        x,
        y,
        salable: true,
        color,
      })),
    }));
    seatmap.chart = new SeatMapCanvas('#host', { legend: false, style: { seat: { radius: 8 } } });
    seatmap.chart.eventManager.addEventListener('SEAT.CLICK', (seat) => {
      seatmap.heard = seat;
      if (!seat.isSelected()) seat.select();
    });
    seatmap.chart.data.addBulkBlock(blocks);
    return (await painted()) - began;
  },
  surface: () => document.querySelector('#host svg'),
  async whole() {
    seatmap.chart.zoomManager.zoomToVenue(false);
  },
  async select(at) {
    const seat = [...document.querySelectorAll('#host .seat')][at];
    const began = performance.now();
    seat.dispatchEvent(new MouseEvent('click', { bubbles: true, view: globalThis }));
    return (await painted()) - began;
  },
};

const contenders = { ours, bare, seatmap };

async function pan(surface, count) {
  const { x, y } = middleOf(surface);
  point(surface, 'down', x, y);
  const times = await frames(count, (n) =>
    point(surface, 'move', x + 90 * Math.sin(n / 9), y + 60 * Math.sin(n / 7)),
  );
  point(surface, 'up', x, y);
  return times;
}

globalThis.bench = {
  build: (name) => contenders[name].build(),
  async panAll(name, count) {
    const { surface, whole } = contenders[name];
    await whole();
    // A little nearer than the whole, so that there is something to move.
    turnWheel(surface(), -30);
    await painted();
    return pan(surface(), count);
  },
  async panNear(name, count) {
    const { surface, whole } = contenders[name];
    await whole();
    for (let n = 0; n < 5; n++) turnWheel(surface(), -150);
    await new Promise((resolve) => {
      setTimeout(resolve, 300);
    });
    return pan(surface(), count);
  },
  async sweep(name, count) {
    const { surface, whole } = contenders[name];
    await whole();
    await painted();
    return frames(count, (n) => turnWheel(surface(), n < count / 2 ? -50 : 50));
  },
  /** Frames until this seat is known to be booked, and some more. */
  async rush(label) {
    const times = [];
    while (times.length < 2000 && (await ours.chart.findObject(label)).status !== 'booked')
      times.push(...(await frames(5, () => {})));
    return [...times, ...(await frames(20, () => {}))];
  },
  async select(name, count) {
    const times = [];
    for (let n = 0; n < count; n++) times.push(await contenders[name].select(137 * (n + 1)));
    return times;
  },
};
