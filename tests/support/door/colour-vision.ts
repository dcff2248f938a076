/** How light a colour is, and what remains of it for people who lack one kind of cone. */

type Light = readonly [red: number, green: number, blue: number];

/** Rows give linear red, green and blue, by Machado, Oliveira and Fernandes (2009), severity 1. */
const visions = {
  all: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
} satisfies Record<string, readonly Light[]>;
export type Vision = keyof typeof visions;
export const allVisions = Object.keys(visions) as Vision[];

/** The contrast of two colours as WCAG reckons it, 1 to 21; a colour is as in "rgb(1, 2, 3)". */
export function contrastOf(a: string, b: string, vision: Vision = 'all'): number {
  const [low, high] = [luminanceOf(a, vision), luminanceOf(b, vision)].toSorted((x, y) => x - y);
  return (high! + 0.05) / (low! + 0.05);
}

function luminanceOf(colour: string, vision: Vision): number {
  const given = colour
    .match(/[\d.]+/g)!
    .slice(0, 3)
    .map((part) => Number(part) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  const [red, green, blue] = visions[vision].map((row) =>
    Math.min(1, Math.max(0, row[0]! * given[0]! + row[1]! * given[1]! + row[2]! * given[2]!)),
  );
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}
