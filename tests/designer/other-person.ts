/** Somebody else at the same chart: saves and publishes with the designer's own calls, without a screen. */
import { Calls } from '#apps/chart/designer/line/calls.ts';
import { ChartCalls } from '#apps/chart/designer/line/chart-calls.ts';
import { openDrawing, saveDrawing } from '#server/drawing/model/open.ts';
import type { Standin } from '#tests/standins/seatsio/start.ts';

interface Drawing {
  name: string;
  subChart: { rows: { label: string; seats: { label: string; x: number }[] }[] };
}

export function otherPerson({ url, secretKey }: Standin, key: string) {
  const calls = new ChartCalls(new Calls(`${url}/`, () => ({ secretKey })), key);
  return {
    calls,
    /** Changes what stands on the server now. */
    async save(change: (drawing: Drawing) => void): Promise<void> {
      const { doc, version } = await calls.readDrawing('current');
      const drawing = saveDrawing(doc) as unknown as Drawing;
      change(drawing);
      await calls.saveDrawing(openDrawing(drawing), { version, tab: 'other-tab' });
    },
    async publish(): Promise<void> {
      const { version } = await calls.readDrawing('current');
      await calls.publish(version);
    },
  };
}
