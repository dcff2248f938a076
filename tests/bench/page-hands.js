/** In the page: hands of a mouse, and how long the frames take meanwhile. */
export const frameOf = () =>
  new Promise((resolve) => {
    requestAnimationFrame(resolve);
  });

/** When the frame that holds what was just drawn has been handed over. */
export async function painted() {
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

export function middleOf(element) {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}

/** A mouse, for those who listen to pointers and for those who listen to mice. */
export function point(surface, kind, x, y) {
  const init = {
    bubbles: true,
    cancelable: true,
    view: globalThis,
    clientX: x,
    clientY: y,
    button: 0,
    buttons: kind === 'up' ? 0 : 1,
    pointerId: 1,
    pointerType: 'mouse',
    isPrimary: true,
  };
  surface.dispatchEvent(new PointerEvent(`pointer${kind}`, init));
  surface.dispatchEvent(new MouseEvent(`mouse${kind}`, init));
}

export function turnWheel(surface, deltaY) {
  const { x, y } = middleOf(surface);
  surface.dispatchEvent(
    new WheelEvent('wheel', {
      bubbles: true,
      cancelable: true,
      view: globalThis,
      clientX: x,
      clientY: y,
      deltaY,
    }),
  );
}

/** Times between frames in ms while `act` runs in each of them. */
export async function frames(count, act) {
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
