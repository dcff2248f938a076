/** The theatre's chart is changed and published again while its events are on sale. */
import type { TestServer } from '#tests/support/server.ts';

interface Drawing {
  x_licensedCapacity?: number | undefined;
  subChart: {
    generalAdmissionAreas: { label: string; capacity: number }[];
    sections: { label: string; subChart: { rows: Row[] } }[];
  };
}
interface Row {
  uuid: string;
  label: string;
  seats: { uuid: string; x: number; y: number; [more: string]: unknown }[];
  [more: string]: unknown;
}

/** Changes the drawing directly at the seat map, without the product. */
export async function redraw(
  server: TestServer,
  change: (drawing: Drawing) => void,
): Promise<void> {
  const { url, secretKey } = server.house.standins!.seatsio!;
  const headers = { authorization: `Basic ${Buffer.from(`${secretKey}:`).toString('base64')}` };
  const chart = `${url}/charts/teatro-goldoni/version`;
  const drawing = (await (await fetch(`${chart}/published`, { headers })).json()) as Drawing;
  change(drawing);
  for (const [path, body] of [
    ['draft', JSON.stringify(drawing)],
    ['draft/actions/publish', undefined],
  ] as const) {
    const answer = await fetch(`${chart}/${path}`, {
      method: 'POST',
      headers,
      ...(body === undefined ? {} : { body }),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  }
}

/** One more row of the stalls, like their last but with a name of its own. */
export function addRow({ subChart }: Drawing, label = 'Z'): void {
  const { rows } = subChart.sections.find((section) => section.label === 'Platea')!.subChart;
  const last = rows.at(-1)!;
  rows.push({
    ...last,
    uuid: crypto.randomUUID(),
    label,
    seats: last.seats.map((seat) => ({ ...seat, uuid: crypto.randomUUID(), y: seat.y + 30 })),
  });
}
