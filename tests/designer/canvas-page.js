/** In the page: the designer's canvas alone, without panels and without a server. */
import { mountCanvas } from '#apps/chart/designer/mount/mount.ts';
import { applyStyles } from '#apps/chart/designer/kit/style.ts';
import { Studio } from '#apps/chart/designer/state/studio.ts';
import { openDrawing, saveDrawing } from '#server/drawing/model/open.ts';

let ids = 0;

/** A new canvas in the place of the last one. */
globalThis.begin = (raw, options = {}) => {
  globalThis.canvas?.destroy();
  const host = document.querySelector('#host');
  applyStyles(host);
  globalThis.menus = [];
  globalThis.studio = new Studio(openDrawing(raw), { readOnly: options.readOnly });
  globalThis.canvas = mountCanvas(host, globalThis.studio, {
    newId: () => `new-${(ids += 1)}`,
    menu: (at) => globalThis.menus.push(at),
    ...options,
  });
};
globalThis.saved = () => JSON.stringify(saveDrawing(globalThis.studio.state.doc));
