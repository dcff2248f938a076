/** Small signs drawn into a seat: line drawings in a circle of radius 1, by name as objectIcon gives them. */
type Draw = (path: Path2D) => void;

/** `M x y`, `L x y` as numbers: each inner list is one line. */
function lines(...strokes: number[][]): Draw {
  return (path) => {
    for (const stroke of strokes)
      for (let n = 0; n < stroke.length; n += 2) {
        if (n === 0) path.moveTo(stroke[0]!, stroke[1]!);
        else path.lineTo(stroke[n]!, stroke[n + 1]!);
      }
  };
}

function drawStar(path: Path2D): void {
  for (let n = 0; n <= 10; n++) {
    const [angle, radius] = [(n * Math.PI) / 5 - Math.PI / 2, n % 2 === 0 ? 0.6 : 0.26];
    const [x, y] = [radius * Math.cos(angle), radius * Math.sin(angle)];
    if (n === 0) path.moveTo(x, y);
    else path.lineTo(x, y);
  }
}

function drawHeart(path: Path2D): void {
  path.moveTo(0, 0.52);
  path.bezierCurveTo(-0.9, -0.05, -0.45, -0.7, 0, -0.26);
  path.bezierCurveTo(0.45, -0.7, 0.9, -0.05, 0, 0.52);
}

/** Head, back, lap, leg and the wheel. */
function drawWheelchair(path: Path2D): void {
  path.arc(-0.08, -0.58, 0.07, 0, Math.PI * 2);
  lines([-0.08, -0.36, -0.05, 0.08, 0.32, 0.08, 0.5, 0.5])(path);
  path.moveTo(-0.3, -0.06);
  path.arc(-0.06, 0.24, 0.4, Math.PI * 1.28, Math.PI * 0.2, true);
}

function drawPeople(...centers: number[]): Draw {
  return (path) => {
    for (const x of centers) {
      path.moveTo(x + 0.13, -0.28);
      path.arc(x, -0.28, 0.13, 0, Math.PI * 2);
      path.moveTo(x - 0.21, 0.4);
      path.arc(x, 0.32, 0.21, Math.PI, 0);
      path.lineTo(x + 0.21, 0.4);
    }
  };
}

/** An eye behind a stroke: the view is restricted. */
function drawHiddenEye(path: Path2D): void {
  path.moveTo(-0.6, 0);
  path.quadraticCurveTo(0, -0.62, 0.6, 0);
  path.quadraticCurveTo(0, 0.62, -0.6, 0);
  path.moveTo(0.17, 0);
  path.arc(0, 0, 0.17, 0, Math.PI * 2);
  lines([-0.45, 0.5, 0.45, -0.5])(path);
}

function drawEar(path: Path2D): void {
  path.moveTo(-0.3, -0.15);
  path.arc(0, -0.2, 0.32, Math.PI, Math.PI * 2.15);
  path.quadraticCurveTo(0.1, 0.2, 0.08, 0.35);
  path.arc(-0.08, 0.35, 0.16, 0, Math.PI);
}

function drawDot(path: Path2D): void {
  path.moveTo(0.3, 0);
  path.arc(0, 0, 0.3, 0, Math.PI * 2);
}

const drawers: Record<string, Draw> = {
  wheelchair: drawWheelchair,
  users: drawPeople(-0.28, 0.28),
  user: drawPeople(0),
  'eye-slash': drawHiddenEye,
  'assistive-listening-systems': drawEar,
  star: drawStar,
  heart: drawHeart,
  circle: drawDot,
  check: lines([-0.48, 0.04, -0.12, 0.42, 0.52, -0.4]),
  times: lines([-0.4, -0.4, 0.4, 0.4], [0.4, -0.4, -0.4, 0.4]),
  plus: lines([-0.5, 0, 0.5, 0], [0, -0.5, 0, 0.5]),
  exclamation: lines([0, -0.55, 0, 0.2], [0, 0.48, 0, 0.5]),
  bolt: lines([0.12, -0.6, -0.25, 0.08, 0.25, -0.08, -0.12, 0.6]),
  music: lines([-0.2, 0.45, -0.2, -0.5, 0.4, -0.6, 0.4, 0.3]),
  lock: lines(
    [-0.4, -0.05, 0.4, -0.05, 0.4, 0.5, -0.4, 0.5, -0.4, -0.05],
    [-0.25, -0.05, -0.25, -0.4, 0.25, -0.4, 0.25, -0.05],
  ),
};
const synonyms: Record<string, string> = {
  'wheelchair-alt': 'wheelchair',
  group: 'users',
  close: 'times',
  remove: 'times',
  'star-o': 'star',
  'heart-o': 'heart',
  'user-o': 'user',
  deaf: 'assistive-listening-systems',
};
const paths = new Map<string, Path2D>();

/** The sign of that name (Font Awesome's names, as the contract has them, with or without `fa-`); one we do not draw is a dot. */
export function signOf(name: string): Path2D {
  const plain = name.replace(/^fa[- ]/, '').replace(/^fa-/, '');
  const own = Object.hasOwn(synonyms, plain) ? synonyms[plain]! : plain;
  let path = paths.get(own);
  if (!path) {
    path = new Path2D();
    (Object.hasOwn(drawers, own) ? drawers[own]! : drawDot)(path);
    paths.set(own, path);
  }
  return path;
}
