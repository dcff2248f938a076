/** The page of what a house can carry, in Markdown: what one core does, how cost grows, and what a large sale needs on paper; made of figures and nothing else. */

export interface Growth {
  what: string;
  of: 'orders' | 'seats' | 'viewers';
  unit: string;
  points: { size: number; cost: number }[];
}

/** Microseconds of the server's processor for one of each. */
export interface Costs {
  'bookings of four seats, SQLite': number;
  'bookings of four seats, PostgreSQL (without its own processors)': number;
  'event pages': number;
  'event pages that have not changed (304)': number;
  'scans, handed in one by one': number;
  'scans, in batches of 500': number;
}

interface Figures {
  machine: string;
  day: string;
  /** Load averages at the start and at the end, of what else the machine did, too. */
  load: readonly [number, number];
  costs: Costs;
  growths: readonly Growth[];
}

/**
 * The exponent with which cost grows: 0 is flat, 1 in proportion. Least squares over the
 * logarithms.
 */
function slopeOf(points: Growth['points']): number {
  const xs = points.map(({ size }) => Math.log(size));
  const ys = points.map(({ cost }) => Math.log(cost));
  const mean = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x0, y0] = [mean(xs), mean(ys)];
  const covariance = mean(xs.map((x, at) => (x - x0) * (ys[at]! - y0)));
  return covariance / mean(xs.map((x) => (x - x0) ** 2));
}

const number = new Intl.NumberFormat('en');

function drawGrowth({ what, of, unit, points }: Growth): string {
  const sizes = points.map(({ size }) => `"${number.format(size)}"`).join(', ');
  const most = Math.max(...points.map(({ cost }) => cost));
  return [
    `**${what}**: cost grows with ${of}^${slopeOf(points).toFixed(2)}`,
    '```mermaid',
    'xychart-beta',
    `  x-axis "${of}" [${sizes}]`,
    `  y-axis "${unit}" 0 --> ${Math.ceil(most * 1.2)}`,
    `  bar [${points.map(({ cost }) => cost.toFixed(1)).join(', ')}]`,
    '```',
    `| ${of} | ${points.map(({ size }) => number.format(size)).join(' | ')} |`,
    `|---|${points.map(() => '---').join('|')}|`,
    `| ${unit} | ${points.map(({ cost }) => cost.toFixed(1)).join(' | ')} |`,
  ].join('\n');
}

const people = 100_000;
const seats = 20_000;
const seatsOfBooking = 4;
/** Of a core that also does everything else, as the large vendors advise for their waiting rooms. */
const share = 0.75;

/** The machines that a sale of 20,000 seats to 100,000 people needs, derived from the costs. */
function derive({ costs, growths }: Figures): string[] {
  const bookings = seats / seatsOfBooking;
  const cores = (count: number, micros: number, seconds: number) =>
    ((count * micros) / 1e6 / seconds / share).toFixed(2);
  const booking = costs['bookings of four seats, PostgreSQL (without its own processors)'];
  const page = costs['event pages'];
  const unchanged = costs['event pages that have not changed (304)'];
  const { size, cost } = growths.find(({ of }) => of === 'viewers')!.points.at(-1)!;
  const viewing = (viewers: number) => ((viewers * cost) / size / 100 / share).toFixed(2);
  const scan = costs['scans, handed in one by one'];
  return [
    `- All ${number.format(people)} open the page within one minute: ${cores(people, page, 60)} cores; without a waiting room each of them looks again every five seconds: ${cores(people / 5, unchanged, 1)} cores.`,
    `- ${number.format(bookings)} bookings of four seats sell the hall. In ten minutes, with as many tries that come too late: ${cores(2 * bookings, booking, 600)} cores and the database's own. What limits a fast sale is people at Stripe's page, not this server.`,
    `- All ${number.format(people)} look at the live map at once: ${viewing(people)} cores; behind a waiting room that lets in twice as many as find seats, for five of those ten minutes each, ${number.format(bookings)} look at it: ${viewing(bookings)} cores.`,
    `- ${number.format(seats)} people come in within the hour before the evening: ${cores(seats, scan, 3_600)} cores.`,
  ];
}

export function writePage(figures: Figures): string {
  const { machine, day, load, costs, growths } = figures;
  const rows = Object.entries(costs).map(
    ([what, micros]) =>
      `| ${what} | ${micros.toFixed(micros < 100 ? 1 : 0)} | ${number.format(Math.round(1e6 / micros))} |`,
  );
  return `${[
    '# What a house can carry',
    `Written by \`npm run bench -- capacity\` on ${day}, on ${machine}, whose load was ${load[0].toFixed(1)} before it and ${load[1].toFixed(1)} at its end. All figures are of one run; another machine has others, their proportions are what to trust.`,
    '## What one core does',
    ['| one of | µs of processor | a second and core |', '|---|---|---|', ...rows].join('\n'),
    '## How cost grows',
    ...growths.map(drawGrowth),
    `## On paper: ${number.format(people)} people, ${number.format(seats)} seats`,
    derive(figures).join('\n'),
    '## The step after: one event, one database',
    'No booking crosses two events: seats, holds, orders, tickets, admissions and the list of the door all carry one `event_id`, and no rule looks at another evening. When one PostgreSQL is no longer enough, events can be spread over several houses by their id, each with a database and a seat map of its own, behind a balancer that reads the event out of the address. What spans events (people, reports, payouts, the programme) only reads, and is answered by asking each house.',
  ].join('\n\n')}\n`;
}
