/** Bookings that want the server to read a whole chart: of seats that nobody has drawn, and of one that would leave its neighbour alone. */
import { seatLabel } from '#tests/bench/drawn-hall.ts';
import { makeData, startProduct, type Product } from '#tests/support/product.ts';
import { openLargeHall, visitorsOf, type Hall } from './large-hall.ts';
import { harmOf } from './victim.ts';

/** The most that one address may send in a minute. */
const bookings = 120;
const together = 20;

/** Each wish from an address of its own. */
export const wishes = {
  'seats that nobody has drawn': async (hall: Hall) => {
    const { book } = visitorsOf(hall, '203.0.113.7');
    return (nth: number) => book(`nobody-${nth}`, [`None-${nth}`]);
  },
  'a held seat that leaves its neighbour alone': async (hall: Hall) => {
    const { book, hold, token } = visitorsOf(hall, '203.0.113.8');
    const hold_token = (await token())!;
    await hold(hold_token, [seatLabel(1)]);
    return () => book(hold_token, [seatLabel(1)]);
  },
};

/** What it does to the product, and what the slowest answer took in ms; all of them must be refusals of this status. */
export async function askForCharts(
  product: Product,
  book: (nth: number) => Promise<{ status: number }>,
) {
  const waits: number[] = [];
  const one = async (nth: number) => {
    const began = performance.now();
    const { status } = await book(nth);
    if (status !== 422) throw new Error(`answered with ${status}`);
    waits.push(performance.now() - began);
  };
  const { memory, health } = await harmOf(product, async () => {
    for (let nth = 0; nth < bookings; nth += together)
      await Promise.all(Array.from({ length: together }, (_, at) => one(nth + at)));
  });
  const mean = waits.reduce((sum, ms) => sum + ms, 0) / waits.length;
  return { memory, health, slowest: Math.max(...waits), mean };
}

export async function attackCharts(seats: number): Promise<void> {
  const data = await makeData('sqlite', '');
  data.env['TRUST_PROXY'] = '1';
  await using product = await startProduct(data);
  const hall = await openLargeHall(product, seats);
  for (const [name, wish] of Object.entries(wishes)) {
    const { memory, health, slowest, mean } = await askForCharts(product, await wish(hall));
    console.log(
      `${bookings} bookings, ${together} at once, in a hall of ${seats}: ${name}: ${mean.toFixed(0)} ms each, ${slowest.toFixed(0)} the slowest, memory +${memory.toFixed(0)} MB, /healthz at most ${health.toFixed(0)} ms (of 20,000 at 794fcc32: 6 to 12 s each, 10 to 24, +70 to 570 MB, 1.5 to 4.4 s)`,
    );
  }
  await data.clean();
}
