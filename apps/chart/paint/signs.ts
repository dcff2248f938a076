/**
 * Small signs for seats and legend: path data of line drawings in a circle of radius 1, by the
 * names that objectIcon uses.
 */

function circle(x: number, y: number, radius: number): string {
  return `M${x + radius} ${y}a${radius} ${radius} 0 1 1 ${-2 * radius} 0a${radius} ${radius} 0 1 1 ${2 * radius} 0`;
}

function person(x: number): string {
  return `${circle(x, -0.28, 0.13)}M${x - 0.21} .4V.32a.21 .21 0 0 1 .42 0V.4`;
}

function star(): string {
  const points = Array.from({ length: 11 }, (_, n) => {
    const [angle, radius] = [(n * Math.PI) / 5 - Math.PI / 2, n % 2 === 0 ? 0.6 : 0.26];
    return `${radius * Math.cos(angle)} ${radius * Math.sin(angle)}`;
  });
  return `M${points.join('L')}`;
}

const dot = circle(0, 0, 0.3);
const paths = new Map(
  Object.entries({
    // Head, back, lap, leg and the wheel.
    wheelchair: `${circle(-0.08, -0.58, 0.07)}M-.08-.36L-.05 .08H.32L.5 .5M-.31-.07A.4 .4 0 1 0 .26 .47`,
    users: person(-0.28) + person(0.28),
    user: person(0),
    // An eye behind a stroke: the view is restricted.
    'eye-slash': `M-.6 0Q0-.62 .6 0Q0 .62-.6 0${circle(0, 0, 0.17)}M-.45 .5L.45-.5`,
    'assistive-listening-systems':
      'M-.3-.15L-.32-.2A.32 .32 0 1 1 .28-.06Q.1 .2 .08 .35A.16 .16 0 0 1-.24 .35',
    star: star(),
    heart: 'M0 .52C-.9-.05-.45-.7 0-.26C.45-.7 .9-.05 0 .52',
    circle: dot,
    check: 'M-.48 .04L-.12 .42L.52-.4',
    times: 'M-.4-.4L.4 .4M.4-.4L-.4 .4',
    plus: 'M-.5 0H.5M0-.5V.5',
    exclamation: 'M0-.55V.2M0 .48V.5',
    bolt: 'M.12-.6L-.25 .08L.25-.08L-.12 .6',
    music: 'M-.2 .45V-.5L.4-.6V.3',
    lock: 'M-.4-.05H.4V.5H-.4V-.05M-.25-.05V-.4H.25V-.05',
  }),
);
const synonyms = new Map(
  Object.entries({
    'wheelchair-alt': 'wheelchair',
    group: 'users',
    close: 'times',
    remove: 'times',
    'star-o': 'star',
    'heart-o': 'heart',
    'user-o': 'user',
    deaf: 'assistive-listening-systems',
  }),
);

/** The path data of that name (Font Awesome's, with or without `fa-`); a dot if unknown. */
export function pathOfSign(name: string): string {
  const plain = name.replace(/^fa[- ]/, '').replace(/^fa-/, '');
  return paths.get(synonyms.get(plain) ?? plain) ?? dot;
}

const drawn = new Map<string, Path2D>();

/** The sign as a path for the canvas. */
export function signOf(name: string): Path2D {
  let sign = drawn.get(name);
  if (!sign) {
    sign = new Path2D(pathOfSign(name));
    drawn.set(name, sign);
  }
  return sign;
}

/** Signs of a seat's flags by bit, the most important first, because a seat shows only one. */
export const flagSigns: readonly [bit: number, name: string][] = [
  [0, 'wheelchair'],
  [1, 'users'],
  [2, 'eye-slash'],
];
